// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "scenarios.h"

namespace iwarpscope::test {
namespace {

using enum verdict::VerdictId;

constexpr auto kEnd = std::to_array<VerdictScenario>({
    {end_closed, "connect; startup; send a 100; send b 100; close", "connect; startup; send a 100; send b 100; reset a",
     end_reset},
    {end_closed_as_captured, "connect; startup; send a 100; miss b; send b 100; send b 100; close",
     "connect; startup; send a 100; send b 100; send b 100; close", end_closed},
    {end_closed_end_unknown,
     "sctp; connect; startup; sctp-stream 1; startup; sctp-stream 0; read-request a size=100; ack b; miss b\n"
     "read-response b; ack a; shutdown b",
     "sctp; connect; startup; sctp-stream 1; startup; sctp-stream 0; read a size=100; ack a; shutdown b", end_closed},
    {end_closed_over_rule,
     "connect; startup; send a 100; alter a rdmap-version=0; send a 100; read-request a size=100; close b",
     "connect; startup; send a 100; read-request a size=100; close b", end_closed_open},
    {end_closed_open_for_hole,
     "connect; startup; send a 100; tagged a stag=5 last=off 400; miss a; tagged a stag=5 to=400 400; ack b; close b",
     "connect; startup; send a 100; tagged a stag=5 last=off 400; tagged a stag=5 to=400 400; ack b; close b",
     end_closed},
    {end_closed_after_waiting, "connect; startup; send a 100; read-request a size=100; ack b; wait 30s; close a",
     "connect; startup; send a 100; read-request a size=100; ack b; wait 500ms; close a", end_closed_open},
    {end_closed_open, "connect; startup; send a 100; read-request a size=100; close b",
     "connect; startup; send a 100; read a size=100; close b", end_closed},
    {end_reset_over_rule, "connect; startup; send b 100; reset a", "connect; startup; send a 100; send b 100; reset a",
     end_reset},
    {end_reset_unacknowledged,
     "connect; startup; send a 100; send b 100; ack a; capture a; retransmit a delay=0; send a 300; wait 30s; reset a",
     "connect; startup; send a 100; send b 100; ack a; send a 300; ack b; wait 30s; reset a", end_reset},
    {end_reset, "connect; startup; send a 100; ack b; reset a",
     "connect; startup; send a 100; read-request a size=100; ack b; reset a", end_reset_open},
    {end_reset_as_captured, "connect; startup; send a 100; miss b; send b 100; send b 100; ack a; reset a",
     "connect; startup; send a 100; send b 100; send b 100; ack a; reset a", end_reset},
    {end_reset_end_unknown, "connect; startup; send a 100; send b 100; ack a; miss b; send b 100; reset a",
     "connect; startup; send a 100; send b 100; ack a; send b 100; reset a", end_reset},
    {end_reset_open_for_hole,
     "connect; startup; send a 100; read-request a size=100; miss b; read-response b; ack a; wait 2s; reset a",
     "connect; startup; send a 100; read-request a size=100; ack b; wait 2s; reset a", end_reset_after_waiting},
    {end_reset_after_waiting, "connect; startup; send a 100; read-request a size=100; ack b; wait 30s; reset a",
     "connect; startup; send a 100; read-request a size=100; ack b; wait 500ms; reset a", end_reset_open},
    {end_reset_open_lost,
     "end b ack-every=0; connect; startup; send a 100; send b 10; retransmit a delay=0; read-request a size=100\n"
     "wait 500ms; reset a",
     "connect; startup; send a 100; send b 10; read-request a size=100; ack b; wait 500ms; reset a", end_reset_open},
    {end_reset_open, "connect; startup; send a 100; read-request a size=100; ack b; reset b",
     "connect; startup; send a 100; read a size=100; reset b", end_reset},
    {end_reset_inside_fpdu,
     "connect; startup; send a 100; send b 100; fault a length-too-long; send a 100; ack b; reset b",
     "connect; startup; send a 100; send b 100; fault a length-too-long; send a 100; ack b; reset a", end_reset_open},
    {end_half_one_sided, "capture a; connect; startup; repeat 20 send a 100; fin a; wait 30s; connection; connect",
     "connect; startup; repeat 20 send a 100; fin a; wait 30s; connection; connect", end_half_acknowledged},
    {end_half_closing, "connect; startup; send a 100; fin a; wait 500ms; connection; connect",
     "connect; startup; send a 100; fin a; wait 5s; connection; connect", end_half_acknowledged},
    {end_half_closed, "connect; startup; send a 100; fin a; wait 10s; send b 100; wait 10s; connection; connect",
     "connect; startup; send a 100; fin a; wait 10s; connection; connect", end_half_acknowledged},
    {end_half_silent,
     "connect; startup; send a 100; ack b; capture a; fin a; capture on; wait 10s; connection; connect",
     "connect; startup; send a 100; ack b; fin a; wait 10s; connection; connect", end_half_acknowledged},
    {end_replaced, "sctp; connect; startup; send a 1000; startup; close; shutdown",
     "sctp; connect; startup; send a 1000; close; startup; close; shutdown", end_closed},
    {end_replaced_end_unknown,
     "sctp; connect; startup; send a 1000; ack b; miss a; send a 10; ack b; startup; close; shutdown",
     "sctp; connect; startup; send a 1000; ack b; send a 10; ack b; startup; close; shutdown", end_replaced},
    {end_replaced_open_for_hole,
     "sctp; connect; startup; tagged a stag=5 last=off 400; ack b; miss a; tagged a stag=5 to=400 400; ack b; startup\n"
     "close; shutdown",
     "sctp; connect; startup; tagged a stag=5 last=off 400; ack b; tagged a stag=5 to=400 400; ack b; startup; close\n"
     "shutdown",
     end_replaced},
    {end_replaced_open, "sctp; connect; startup; read-request a size=100; ack b; startup; close; shutdown",
     "sctp; connect; startup; read a size=100; startup; close; shutdown", end_replaced},
    {end_half_acknowledged, "connect; startup; send a 100; fin a; wait 30s; connection; connect",
     "connect; startup; send a 100; close a; wait 30s; connection; connect", end_closed},
    {end_reset_stopped, "connect; startup; send a 100; tagged a stag=5 last=off 400; ack b; wait 30s; reset b",
     "connect; startup; send a 100; tagged a stag=5 last=off 400; ack b; reset b", end_reset_open},
});

constexpr auto kOpen = std::to_array<VerdictScenario>({
    {open_window_closed, "connect; startup; send a 100; window b 0; send b 10; ack a; wait 30s; connection; connect",
     "connect; startup; send a 100; send b 10; ack a; wait 30s; connection; connect", open_idle_after_send},
    {open_lost,
     "end b ack-every=0; connect; startup; send a 100; send b 100; ack a; retransmit a delay=0; send a 1000; wait 30s\n"
     "connection; connect",
     "connect; startup; send a 100; send b 100; ack a; send a 1000; ack b; wait 30s; connection; connect",
     open_idle_after_send},
    {open_unacknowledged,
     "end b ack-every=0; connect; startup; send a 100; send b 100; ack a; send a 1000; wait 30s; connection; connect",
     "end b ack-every=0; connect; startup; send a 100; send b 100; ack a; send a 1000; wait 100ms; connection; connect",
     open_in_use},
    {open_no_answer, "connect; startup; send a 100; read-request a size=100; ack b; wait 30s; connection; connect",
     "connect; startup; send a 100; read-request a size=100; ack b; wait 500ms; connection; connect", open_in_use},
    {open_inside_message,
     "connect; startup; send a 100; tagged a stag=5 last=off 400; ack b; wait 30s; connection; connect",
     "connect; startup; send a 100; ack b; wait 30s; connection; connect", open_idle_after_send},
    {open_inside_fpdu,
     "connect; startup; send a 100; fault a length-too-long; send a 100; ack b; wait 30s; connection; connect",
     "connect; startup; send a 100; send a 100; ack b; wait 30s; connection; connect", open_idle_after_send},
    {open_unused, "connect; startup; ulpdu a hex=4100", "connect; startup; send a 100", open_in_use},
    {open_in_use, "connect; startup; send a 100; ack b",
     "connect; startup; send a 100; ack b; wait 5s; connection; connect", open_idle_after_send},
    {open_idle, "connect; startup; send a 100; write a stag=0x10 to=0x1000 100; ack b; wait 30s; connection; connect",
     "connect; startup; write a stag=0x10 to=0x1000 100; send a 100; ack b; wait 30s; connection; connect",
     open_idle_after_send},
    {open_idle_after_send, "connect; startup; send a 100; ack b; wait 30s; connection; connect",
     "connect; startup; send a 100; ack b; wait 500ms; connection; connect", open_in_use},
});

}  // namespace

std::span<const VerdictScenario> end_verdict_scenarios() {
  return kEnd;
}
std::span<const VerdictScenario> open_verdict_scenarios() {
  return kOpen;
}

}  // namespace iwarpscope::test
