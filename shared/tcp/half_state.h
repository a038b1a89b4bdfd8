// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of one half of a connection: what its sender has said of its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/edges.h"

namespace iwarpscope::tcp {

//            segment            fin_seen             fin_reached
//   unseen ----------> open ---------------> fin_seen ----------> closed
//      |                 |                      |                    |
//      +-----------------+------- reset --------+--------------------+----> reset
//
// A capture may begin anywhere: `open` needs no SYN.
enum class HalfState : std::uint8_t {
  unseen,    ///< no TCP segment of this direction was seen
  open,      ///< octets may come
  fin_seen,  ///< a FIN was seen, but octets before it are not there yet
  closed,    ///< every octet before the FIN was handed up, or given up
  reset,     ///< the sender ended the connection with an RST
};

enum class HalfEvent : std::uint8_t { segment, fin_seen, fin_reached, reset };

inline constexpr std::size_t kHalfStates = 5;
inline constexpr std::size_t kHalfEvents = 4;
using HalfEdge = Edge<HalfState, HalfEvent>;

/// Every legal step. A FIN that is none is counted (ignored_segments); other pairs that are not here change nothing.
inline constexpr auto kHalfEdges = edge_table<kHalfStates, kHalfEvents>(std::to_array<HalfEdge>({
    {HalfState::unseen, HalfEvent::segment, HalfState::open, "RFC 9293 §3.5"},
    {HalfState::unseen, HalfEvent::reset, HalfState::reset, "RFC 9293 §3.5.2"},
    {HalfState::open, HalfEvent::segment, HalfState::open, "RFC 9293 §3.8"},
    {HalfState::open, HalfEvent::fin_seen, HalfState::fin_seen, "RFC 9293 §3.6"},
    {HalfState::open, HalfEvent::reset, HalfState::reset, "RFC 9293 §3.5.2"},
    {HalfState::fin_seen, HalfEvent::segment, HalfState::fin_seen, "RFC 9293 §3.8.1"},
    {HalfState::fin_seen, HalfEvent::fin_seen, HalfState::fin_seen, "RFC 9293 §3.8.1"},
    {HalfState::fin_seen, HalfEvent::fin_reached, HalfState::closed, "RFC 9293 §3.6"},
    {HalfState::fin_seen, HalfEvent::reset, HalfState::reset, "RFC 9293 §3.5.2"},
    {HalfState::closed, HalfEvent::segment, HalfState::closed, "RFC 9293 §3.8.1"},
    {HalfState::closed, HalfEvent::fin_seen, HalfState::closed, "RFC 9293 §3.8.1"},
    {HalfState::closed, HalfEvent::reset, HalfState::reset, "RFC 9293 §3.5.2"},
    {HalfState::reset, HalfEvent::segment, HalfState::reset, "RFC 9293 §3.5.2"},
    {HalfState::reset, HalfEvent::reset, HalfState::reset, "RFC 9293 §3.5.2"},
}));

/// The state after `event`, or nothing when the step is not legal.
[[nodiscard]] constexpr std::optional<HalfState> next_state(HalfState from, HalfEvent event) noexcept {
  return kHalfEdges.next(from, event);
}

}  // namespace iwarpscope::tcp
