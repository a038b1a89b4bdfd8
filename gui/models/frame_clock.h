// When the frames of one queue pair were captured, as far as what is known of it tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "api/records.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// Frames come in the order of their times, so one between two that are known lies between their times. Keeps at most
/// kMost: of more every other one.
class FrameClock {
 public:
  static constexpr std::size_t kMost = 20'000;
  enum class Where : std::uint8_t { in, out, unknown };

  void clear() { times_.clear(); }
  void note(FrameNumber frame, TimePoint time);
  void note(const qp::QpRecord& record);
  void note(const live::FindingView& view);
  void note(std::span<const qp::MessageRecord> messages);
  /// Of the last frame up to this one that is known; nothing: none is.
  [[nodiscard]] std::optional<TimePoint> up_to(FrameNumber frame) const;
  [[nodiscard]] Where where(FrameNumber frame, const TimeRange& range) const;

 private:
  std::map<std::uint64_t, TimePoint> times_;  ///< by frame
};

}  // namespace iwarpscope::gui
