// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The phases of a DDP stream session and the edges between them.
//
//   idle --initiate--> opening --accept--> open --terminate--> active_closed or passive_closed --the other's--> closed
//                       |   |  \--reject--> rejected
//                       |   \--terminate of the passive side--> refused
//                       \--terminate of the active side--> withdrawn --accept--> active_closed; --reject--> rejected
//   joined: met in its middle; what the two sides are is not known, and a terminate of either closes its side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/edges.h"

namespace iwarpscope::sctp {

enum class SessionPhase : std::uint8_t {
  idle,            ///< nothing of the session was seen
  opening,         ///< Initiate seen, no answer
  withdrawn,       ///< the active side closed before it was answered
  open,            ///< both sides may send segments
  active_closed,   ///< the active side sent code 4
  passive_closed,  ///< the passive side sent code 4
  closed,          ///< both did
  rejected,        ///< code 3 or 7
  refused,         ///< code 4 instead of an answer
  joined,          ///< met in its middle
};
inline constexpr std::size_t kSessionPhases = 10;

/// Which message of which side. Control messages of an unknown code are no event. Of a session joined in its middle the
/// active side is the lower endpoint, for want of better knowledge.
enum class SessionEvent : std::uint8_t {
  active_initiate,    ///< code 1 or 5
  active_answer,      ///< codes 2, 3, 6, 7 of the side that asked
  active_segment,     ///< PPID 16
  active_terminate,   ///< code 4
  passive_initiate,   ///< both sides ask
  passive_accept,     ///< code 2 or 6
  passive_reject,     ///< code 3 or 7
  passive_segment,    ///< PPID 16
  passive_terminate,  ///< code 4
  passive_unseen,     ///< messages of the passive side are missing, the first one among them
};
inline constexpr std::size_t kSessionEvents = 10;

using SessionEdge = Edge<SessionPhase, SessionEvent>;

inline constexpr auto kSessionEdges = edge_table<kSessionPhases, kSessionEvents>([] {
  using enum SessionPhase;
  using enum SessionEvent;
  return std::to_array<SessionEdge>({
      {idle, active_initiate, opening, "RFC 5043 §6.2, RFC 6581 §7"},
      {opening, passive_accept, open, "RFC 5043 §6.2"},
      {opening, passive_reject, rejected, "RFC 5043 §6.3"},
      {opening, passive_terminate, refused, "RFC 5043 §6.4"},
      {opening, active_segment, opening, "RFC 5043 §6.6: once the Initiate is acknowledged"},
      {opening, active_terminate, withdrawn, "RFC 5043 §6.6: once the Initiate is acknowledged"},
      {opening, passive_unseen, open, "ours: the answer was not seen"},
      {withdrawn, passive_accept, active_closed, "RFC 5043 §6.2: sent before the Terminate came"},
      {withdrawn, passive_reject, rejected, "RFC 5043 §6.3: sent before the Terminate came"},
      {withdrawn, passive_terminate, closed, "RFC 5043 §6.4"},
      {withdrawn, passive_unseen, active_closed, "ours: the answer was not seen"},
      {open, active_segment, open, "RFC 5043 §6.2"},
      {open, passive_segment, open, "RFC 5043 §6.2"},
      {open, active_terminate, active_closed, "RFC 5043 §6.2"},
      {open, passive_terminate, passive_closed, "RFC 5043 §6.2"},
      {active_closed, passive_segment, active_closed, "RFC 5043 §6.2"},
      {active_closed, passive_terminate, closed, "RFC 5043 §6.2"},
      {passive_closed, active_segment, passive_closed, "RFC 5043 §6.2"},
      {passive_closed, active_terminate, closed, "RFC 5043 §6.2"},
      {joined, active_segment, joined, "RFC 5043 §6.2"},
      {joined, passive_segment, joined, "RFC 5043 §6.2"},
      {joined, active_terminate, active_closed, "RFC 5043 §6.2"},
      {joined, passive_terminate, passive_closed, "RFC 5043 §6.2"},
      {joined, passive_unseen, joined, "ours: more of it was not seen"},
  });
}());

/// Where the event leads from here. Empty: there is no such edge, and Stream::illegal() reports it.
[[nodiscard]] constexpr std::optional<SessionPhase> next_phase(SessionPhase from, SessionEvent event) noexcept {
  return kSessionEdges.next(from, event);
}

/// Neither side may send anything more.
[[nodiscard]] constexpr bool is_over(SessionPhase phase) noexcept {
  return phase == SessionPhase::closed || phase == SessionPhase::rejected || phase == SessionPhase::refused;
}
/// At least one side sent code 4 where it may.
[[nodiscard]] constexpr bool is_terminated(SessionPhase phase) noexcept {
  switch (phase) {
    case SessionPhase::withdrawn:
    case SessionPhase::active_closed:
    case SessionPhase::passive_closed:
    case SessionPhase::closed:
    case SessionPhase::refused: return true;
    case SessionPhase::idle:
    case SessionPhase::opening:
    case SessionPhase::open:
    case SessionPhase::rejected:
    case SessionPhase::joined: return false;
  }
  return false;
}

}  // namespace iwarpscope::sctp
