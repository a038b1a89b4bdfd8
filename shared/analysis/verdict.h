// The verdict on a queue pair, from what the wire showed of it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "base/deaf_time.h"
#include "base/ids.h"
#include "base/time_point.h"
#include "qp/records.h"

namespace iwarpscope::analysis {

/// An earlier attempt of the same Initiator to reach the same Responder that came to nothing before its first FPDU.
struct EarlierAttempt {
  std::uint64_t qp = 0;
  std::uint8_t revision = 0;
  FrameNumber frame;  ///< of its Request
};

/// What of the whole capture bears on every verdict.
struct CaptureSpan {
  TimePoint end;                   ///< time of its last frame; of live traffic: when it was looked at last, or now
  bool has_drops = false;          ///< it says itself that it lost packets, and not when
  bool goes_on = false;            ///< it has not ended
  const DeafTime* deaf = nullptr;  ///< when it could not hear; null: it never says

  /// Behind the end, too: a capture that goes on is deaf before its next frame shows how late it is.
  static constexpr TimePoint kEver{std::numeric_limits<std::int64_t>::max()};

  [[nodiscard]] DeafTime::Share deaf_between(TimePoint from, TimePoint to) const noexcept {
    return deaf != nullptr ? deaf->between(from, to) : DeafTime::Share{};
  }
  /// Something that passed in this time may not have been seen.
  [[nodiscard]] bool may_lack(TimePoint from, TimePoint to = kEver) const noexcept {
    return has_drops || deaf_between(from, to).any();
  }
  /// Of this time, that in which silence was silence.
  [[nodiscard]] std::int64_t heard_ns(TimePoint from, TimePoint to) const noexcept {
    return elapsed_ns(from, to) - deaf_between(from, to).ns;
  }
};

/// Says how far the connection got, how it ended and who caused it. Nothing is held against an end that a hole in the
/// capture, or frames that it says it lost, could explain: the confidence is limited then, and the text says so. Time
/// in which the capture could not hear is no silence of anybody.
[[nodiscard]] qp::VerdictRecord judge(const qp::QpRecord& record, const CaptureSpan& capture,
                                      const std::optional<EarlierAttempt>& earlier);

}  // namespace iwarpscope::analysis
