// The verdict on a queue pair, from what the wire showed of it.
#pragma once

#include <cstdint>
#include <optional>

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
  TimePoint end;           ///< time of its last frame; of live traffic: when it was looked at last, or now
  bool has_drops = false;  ///< it says itself that it lost packets
  bool goes_on = false;    ///< it has not ended
};

/// Says how far the connection got, how it ended and who caused it. Nothing is held against an end that a hole in the
/// capture, or frames that it says it lost, could explain: the confidence is limited then, and the text says so.
[[nodiscard]] qp::VerdictRecord judge(const qp::QpRecord& record, const CaptureSpan& capture,
                                      const std::optional<EarlierAttempt>& earlier);

}  // namespace iwarpscope::analysis
