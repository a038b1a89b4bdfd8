// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which end of a connection ended it first.
#pragma once

#include <array>
#include <optional>

#include "qp/summary.h"

namespace iwarpscope::qp {

/// Two frames that are further apart than this were on the wire in this order: two mirror ports, or two queues of a
/// capture, differ by less. Ours; as in tcp_waiting.cpp.
inline constexpr std::int64_t kMostSkewNs = 100'000'000;

/// How one end ended its side.
struct EndSeen {
  Moment at;             ///< of its first FIN or RST (Session Terminate, SHUTDOWN, ABORT)
  bool reset = false;    ///< it was an RST or ABORT
  bool alone = false;    ///< an RST with its own ACK number: it is no answer to a TCP segment of a closed connection
  bool answers = false;  ///< it acknowledges the end of the other side
};

/// The end that ended first. Acknowledgments decide, not the order of the frames. Empty: no end is known, or neither
/// had received the other's and both passed the tap at about the same time.
[[nodiscard]] std::optional<Direction> first_to_end(const std::array<EndSeen, 2>& ends) noexcept;

/// The FIN or RST of `side`, whichever came first.
[[nodiscard]] EndSeen end_seen(const DirectionSummary& side) noexcept;

/// A Session Terminate of one side, and what its sender had received of the other side by then.
struct Terminated {
  bool sent = false, had_all = false, had_terminate = false;
};

/// first_to_end() over SCTP.
[[nodiscard]] std::optional<Direction> first_to_terminate(const Summary& summary,
                                                          const std::array<Terminated, 2>& terminates) noexcept;

}  // namespace iwarpscope::qp
