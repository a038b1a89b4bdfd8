// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which end of a connection ended it first.
#pragma once

#include <array>
#include <optional>

#include "qp/summary.h"

namespace iwarpscope::qp {

/// The order of two frames is that of the wire where so much lies between them: two ports of a mirror, or two queues
/// of a capture, differ by less. Ours, as TCP segments wait in tcp_waiting.cpp.
inline constexpr std::int64_t kMostSkewNs = 100'000'000;

/// How one end ended its side.
struct EndSeen {
  Moment at;             ///< of its first FIN or RST (Session Terminate, SHUTDOWN, ABORT)
  bool reset = false;    ///< it was an RST or ABORT
  bool alone = false;    ///< an RST that has its own ACK number: it does not answer a segment of a closed connection
  bool answers = false;  ///< by its acknowledgment its sender had the other side's end
};

/// The end that was first. Acknowledgments decide, not the order of the frames. Nothing: no end is known, or neither
/// end had the other's and both passed the tap at about the same time.
[[nodiscard]] std::optional<Direction> first_to_end(const std::array<EndSeen, 2>& ends) noexcept;

/// The FIN or RST of `side`, whichever came first.
[[nodiscard]] EndSeen end_seen(const DirectionSummary& side) noexcept;

/// A Session Terminate of one side, and what its sender had of the other side by then.
struct Terminated {
  bool sent = false, had_all = false, had_terminate = false;
};

/// first_to_end() over SCTP.
[[nodiscard]] std::optional<Direction> first_to_terminate(const Summary& summary,
                                                          const std::array<Terminated, 2>& terminates) noexcept;

}  // namespace iwarpscope::qp
