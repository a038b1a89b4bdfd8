// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/state.h"

#include <array>
#include <string_view>

namespace iwarpscope::qp {
namespace {

//                 request            reply                     fpdu             terminate
//   unconfirmed ----------> requested -----> awaiting first ----------> rts -------------> terminate
//        |                    |  ^                                      |                     |
//        | joined             v  | request                       fin    v      fin            | fin, reset
//        '--> rts          rejected                             closing ---> closed <---------'
//   An RST ends every state in error, but for closed and a close after Terminate.
constexpr auto kEdges = edge_table<kStates, kEvents>(std::to_array<Edge>({
    {State::unconfirmed, Event::request, State::mpa_requested, "RFC 5044 §7.1.2"},
    {State::unconfirmed, Event::reply, State::awaiting_first_fpdu, "RFC 5044 §7.1.2"},
    {State::unconfirmed, Event::reject, State::mpa_rejected, "RFC 5044 §7.1.1"},
    {State::unconfirmed, Event::joined, State::rts, "ours"},
    {State::unconfirmed, Event::startup_failed, State::error, "RFC 5044 §7.1.2"},
    {State::mpa_requested, Event::reply, State::awaiting_first_fpdu, "RFC 5044 §7.1.2"},
    {State::mpa_requested, Event::reject, State::mpa_rejected, "RFC 5044 §7.1.1"},
    {State::mpa_requested, Event::startup_failed, State::error, "RFC 5044 §7.1.2"},
    {State::mpa_requested, Event::fpdu, State::rts, "RFC 5044 §7.1.2"},
    {State::mpa_requested, Event::terminate, State::terminate, "RFC 5040 §5.4"},
    {State::mpa_requested, Event::fin_one, State::closing, "RFC 5044 §7.2"},
    {State::mpa_requested, Event::fin_both, State::closed, "RFC 5044 §7.2"},
    {State::mpa_requested, Event::reset, State::error, "RFC 5040 §6.2"},
    {State::mpa_rejected, Event::request, State::mpa_requested, "RFC 5044 §7.1.2"},
    {State::mpa_rejected, Event::fin_both, State::mpa_rejected, "RFC 5044 §7.1.2"},
    {State::awaiting_first_fpdu, Event::fpdu, State::rts, "RFC 5044 §7.1.2"},
    {State::awaiting_first_fpdu, Event::startup_failed, State::error, "RFC 5044 §7.1.2"},
    {State::awaiting_first_fpdu, Event::terminate, State::terminate, "RFC 5040 §5.4"},
    {State::awaiting_first_fpdu, Event::fin_one, State::closing, "RFC 5044 §7.2"},
    {State::awaiting_first_fpdu, Event::fin_both, State::closed, "RFC 5044 §7.2"},
    {State::awaiting_first_fpdu, Event::reset, State::error, "RFC 5040 §6.2"},
    {State::rts, Event::terminate, State::terminate, "RFC 5040 §5.4"},
    {State::rts, Event::fin_one, State::closing, "RFC 5040 §6.2"},
    {State::rts, Event::fin_both, State::closed, "RFC 5040 §6.2"},
    {State::rts, Event::reset, State::error, "RFC 5040 §6.2"},
    {State::terminate, Event::fin_both, State::closed, "RFC 5040 §5.4"},
    {State::terminate, Event::reset, State::closed, "RFC 5040 §5.4"},
    {State::closing, Event::terminate, State::terminate, "RFC 5040 §5.4"},
    {State::closing, Event::fin_both, State::closed, "RFC 5044 §7.2"},
    {State::closing, Event::reset, State::error, "RFC 5040 §6.2"},
}));

}  // namespace

std::span<const Edge> edges() noexcept {
  return {kEdges.begin(), kEdges.end()};
}

State next(State state, Event event) noexcept {
  return kEdges.next(state, event).value_or(state);
}

std::string_view name(State state) noexcept {
  switch (state) {
    case State::mpa_requested: return "mpa_requested";
    case State::mpa_rejected: return "mpa_rejected";
    case State::awaiting_first_fpdu: return "awaiting_first_fpdu";
    case State::rts: return "rts";
    case State::terminate: return "terminate";
    case State::closing: return "closing";
    case State::closed: return "closed";
    case State::error: return "error";
    case State::unconfirmed: return "unconfirmed";
  }
  return "unconfirmed";
}

}  // namespace iwarpscope::qp
