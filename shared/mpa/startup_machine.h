// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The phases of startup and the edges between them.
//
//   await_request --request--> await_reply --reply--> full_operation
//        ^    |                  |   |  \---reject--> rejected --request--> await_reply; --reply--> full_operation
//        |    \--malformed-> failed  |                                (the connection starts again)
//        \-----not_startup-----------/  failed --reply or fpdu--> full_operation (the peers went on all the same)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/edges.h"
#include "mpa/startup.h"

namespace iwarpscope::mpa {

enum class StartupEvent : std::uint8_t {
  request,            ///< a Request is complete
  malformed_request,  ///< one with a wrong key, or a PD_Length that cannot be
  reply,              ///< an accepting Reply is complete, or its place was passed over unseen
  reject,             ///< a Reply with R=1
  malformed_reply,
  second_request,  ///< the other side sent a Request, too
  fpdu,            ///< FPDUs began without a (good) Reply having been seen
  not_startup,     ///< what looked like a Request was something else
};
inline constexpr std::size_t kStartupEvents = 8;
inline constexpr std::size_t kStartupPhases = 5;

using StartupEdge = Edge<StartupPhase, StartupEvent>;

inline constexpr auto kStartupEdges = edge_table<kStartupPhases, kStartupEvents>(std::to_array<StartupEdge>({
    {StartupPhase::await_request, StartupEvent::request, StartupPhase::await_reply, "RFC 5044 §7.1.2 rule 2"},
    {StartupPhase::await_request, StartupEvent::malformed_request, StartupPhase::failed, "RFC 5044 §7.1.2 rule 5"},
    {StartupPhase::await_request, StartupEvent::reply, StartupPhase::full_operation, "ours: the Request was not seen"},
    {StartupPhase::await_request, StartupEvent::reject, StartupPhase::rejected, "ours: the Request was not seen"},
    {StartupPhase::await_request, StartupEvent::malformed_reply, StartupPhase::failed,
     "ours: the Request was not seen"},
    {StartupPhase::await_reply, StartupEvent::reply, StartupPhase::full_operation, "RFC 5044 §7.1.2 rule 3"},
    {StartupPhase::await_reply, StartupEvent::reject, StartupPhase::rejected, "RFC 5044 §7.1.2 rule 3"},
    {StartupPhase::await_reply, StartupEvent::malformed_reply, StartupPhase::failed, "RFC 5044 §7.1.2 rule 3"},
    {StartupPhase::await_reply, StartupEvent::second_request, StartupPhase::failed, "RFC 5044 §7.1.2 rule 8"},
    {StartupPhase::await_reply, StartupEvent::fpdu, StartupPhase::full_operation, "ours: the Reply was not seen"},
    {StartupPhase::await_reply, StartupEvent::not_startup, StartupPhase::await_request, "RFC 5044 §7.1"},
    {StartupPhase::rejected, StartupEvent::request, StartupPhase::await_reply, "RFC 5044 §7.1.2 rule 3"},
    {StartupPhase::rejected, StartupEvent::reply, StartupPhase::full_operation, "ours: the new Request was not seen"},
    {StartupPhase::rejected, StartupEvent::malformed_request, StartupPhase::failed, "RFC 5044 §7.1.2 rule 5"},
    {StartupPhase::rejected, StartupEvent::malformed_reply, StartupPhase::rejected,
     "ours: the new Request was not seen"},
    {StartupPhase::failed, StartupEvent::malformed_reply, StartupPhase::failed, "RFC 5044 §7.1.2 rule 3"},
    {StartupPhase::failed, StartupEvent::reply, StartupPhase::full_operation, "ours: the Responder went on"},
    {StartupPhase::failed, StartupEvent::reject, StartupPhase::rejected, "RFC 5044 §7.1.2 rule 2"},
    {StartupPhase::failed, StartupEvent::fpdu, StartupPhase::full_operation, "ours: the Initiator went on"},
}));

/// Where the event leads from here. Empty: there is no such edge, and the phase stays; what the octets broke by that is
/// a finding of its own (MS-*).
[[nodiscard]] constexpr std::optional<StartupPhase> next_phase(StartupPhase from, StartupEvent event) noexcept {
  return kStartupEdges.next(from, event);
}

}  // namespace iwarpscope::mpa
