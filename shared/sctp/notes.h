// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings of this layer as sentences.
#pragma once

#include <array>
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

[[nodiscard]] inline Spot spot_of(const FirstSeen& first) noexcept {
  return {first.frame, first.time, std::nullopt};
}

/// Reports `finding`; fills in frame, time and offset.
void raise(findings::Reporter& reporter, const Spot& spot, findings::Finding finding);

/// What a session's counters say at its end: SC-21, SC-22, CA-03. `statistics`: by the session's directions.
void raise_counts(findings::Reporter& reporter, const std::array<DirectionStatistics, 2>& statistics);

}  // namespace iwarpscope::sctp
