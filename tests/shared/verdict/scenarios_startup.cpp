// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "scenarios.h"

namespace iwarpscope::test {
namespace {

using enum verdict::VerdictId;

constexpr auto kScenarios = std::to_array<VerdictScenario>({
    {startup_rejected, "connect; startup reject; close b", "connect; startup; close b", startup_closed_unused},
    {startup_rejected_over_rule, "connect; request rev=3; reply rev=1 reject; close b",
     "connect; request rev=1; reply rev=1 reject; close b", startup_rejected},
    {startup_one_sided, "capture a; connect; request; ack a; wait 2s; connection; connect",
     "connect; request; ack a; wait 2s; connection; connect", startup_waiting},
    {startup_answer_not_captured,
     "sctp; connect; session a initiate; miss b; session b accept; ack a; wait 8s; abort a",
     "sctp; connect; session a initiate; ack b; wait 8s; abort a", startup_gave_up},
    {startup_both_initiated, "connect; request; request b; close a", "connect; request; close a", startup_left_early},
    {startup_ended_over_rule, "connect; request rev=3; close b", "connect; request; close b", startup_closed_instead},
    {startup_reset_instead, "connect; request; reset b", "connect; request rev=3; reset b", startup_ended_over_rule},
    {startup_closed_instead, "connect; request; close b", "connect; request; reset b", startup_reset_instead},
    {startup_session_turned_away, "sctp; connect; session a initiate; session b terminate; shutdown",
     "sctp; connect; session a initiate; session b reject; shutdown", startup_rejected},
    {startup_shut_down_instead, "sctp; connect; session a initiate; ack b; shutdown b",
     "sctp; connect; session a initiate; session b terminate; shutdown b", startup_session_turned_away},
    {startup_gave_up, "connect; request; ack b; wait 12s; close a", "connect; request; ack b; wait 500ms; close a",
     startup_left_early},
    {startup_gave_up_lost, "end b ack-every=0; connect; retransmit a delay=0; request; wait 12s; reset a",
     "end b ack-every=0; connect; request; wait 12s; reset a", startup_gave_up_unacknowledged},
    {startup_gave_up_unacknowledged, "end b ack-every=0; connect; request; wait 12s; reset a",
     "connect; request; ack b; wait 12s; reset a", startup_gave_up},
    {startup_left_early, "connect; request; ack b; reset a", "connect; request; ack b; wait 1s; reset a",
     startup_gave_up},
    {startup_waiting, "connect; request; ack b; wait 4s; connection; connect",
     "connect; request; ack b; wait 6s; connection; connect", startup_no_answer},
    {startup_no_answer, "connect; request; ack b; wait 20s; connection; connect",
     "connect; request; ack b; wait 4s; connection; connect", startup_waiting},
    {startup_request_lost, "end b ack-every=0; connect; retransmit a delay=0; request; wait 20s; connection; connect",
     "end b ack-every=0; connect; request; wait 20s; connection; connect", startup_request_unacknowledged},
    {startup_request_unacknowledged, "end b ack-every=0; connect; request; wait 20s; connection; connect",
     "connect; request; ack b; wait 20s; connection; connect", startup_no_answer},
    {startup_rtr_missing,
     "connect; request rev=2 p2p offer=write ird=4 ord=4; reply rev=2 p2p offer=write ird=4 ord=4; ack a; wait 20s\n"
     "connection; connect",
     "connect; request rev=2 ird=4 ord=4; reply rev=2 ird=4 ord=4; ack a; wait 20s; connection; connect",
     startup_ready},
    {startup_ready, "connect; startup; ack a; wait 20s; connection; connect", "connect; startup; close a",
     startup_closed_unused},
    {startup_left_own_rule, "connect; startup; stream a text=\"GET / HTTP/1.1 and some octets more\"; reset a",
     "connect; startup; reset a", startup_reset_after_reply},
    {startup_left_inside_answer, "connect; request; reply private=0102 length=40; wait 200ms; reset a",
     "connect; request; reset a", startup_left_early},
    {startup_left_over_rule, "connect; request; reply key=\"MPA ID Xep Frame\"; close a",
     "connect; request; reply; close a", startup_closed_unused},
    {startup_left, "connect; startup reply-markers=on; close a", "connect; startup reply-markers=on; close b",
     startup_dropped},
    {startup_dropped_over_rule, "connect; request; reply key=\"MPA ID Xep Frame\"; close b",
     "connect; request; reply key=\"MPA ID Xep Frame\"; close a", startup_left_over_rule},
    {startup_dropped, "connect; startup reply-markers=on; close b", "connect; startup; close b", startup_closed_unused},
    {startup_reset_after_reply, "connect; startup; reset a", "connect; startup; close a", startup_closed_unused},
    {startup_closed_unused, "connect; startup; close a", "connect; startup; reset a", startup_reset_after_reply},
    {startup_fpdus_not_captured, "connect; startup; miss a; send a 100; ack b; reset b", "connect; startup; reset b",
     startup_reset_after_reply},
    {startup_gave_up_over_rule, "connect; request; stream b text=\"HTTP/1.1 400 Bad Request\"; close a",
     "connect; request; close a", startup_left_early},
    {startup_dropped_without_rtr,
     "connect; request rev=2 p2p offer=write ird=4 ord=4; reply rev=2 p2p offer=write ird=4 ord=4; ack a; wait 20s\n"
     "reset b",
     "connect; request rev=2 p2p offer=write ird=4 ord=4; reply rev=2 p2p offer=write ird=4 ord=4; ack a; reset b",
     startup_reset_after_reply},
});

}  // namespace

std::span<const VerdictScenario> startup_verdict_scenarios() {
  return kScenarios;
}

}  // namespace iwarpscope::test
