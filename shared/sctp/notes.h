// Findings of this layer as sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "findings/finding.h"
#include "sctp/session.h"

namespace iwarpscope::sctp {

/// Where a finding is: frame, time, and the DDP-SSN when it is about a message.
struct Spot {
  FrameNumber frame;
  TimePoint time;
  std::optional<std::uint64_t> ssn;
};
[[nodiscard]] inline Spot spot_of(const Message& message) noexcept {
  return {message.last_frame, message.placed_time, message.ssn};
}

void raise(findings::Reporter& reporter, findings::FindingId id, std::optional<Direction> direction, const Spot& spot,
           std::string seen, std::string expected, std::string text);

}  // namespace iwarpscope::sctp
