// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The times at which the frames of one queue pair were captured, as far as they are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "api/records.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// Frames are in the order of their times, so a frame between two known frames has a time between theirs. Keeps at most
/// kMost entries; above that, drops every other one.
class FrameClock {
 public:
  static constexpr std::size_t kMost = 20'000;
  enum class Where : std::uint8_t { in, out, unknown };

  void clear() { times_.clear(); }
  void note(FrameNumber frame, TimePoint time);
  void note(const qp::QpRecord& record);
  void note(const live::FindingView& view);
  void note(std::span<const qp::MessageRecord> messages);
  /// The last known frame up to this one; empty: none is known.
  [[nodiscard]] std::optional<TimePoint> up_to(FrameNumber frame) const;
  [[nodiscard]] Where where(FrameNumber frame, const TimeRange& range) const;

 private:
  std::map<std::uint64_t, TimePoint> times_;  ///< by frame
};

}  // namespace iwarpscope::gui
