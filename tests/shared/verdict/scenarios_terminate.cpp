// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts on streams that a Terminate ended.
#include <array>

#include "scenarios.h"

namespace iwarpscope::test {
namespace {

using enum verdict::VerdictId;

constexpr auto kTerminate = std::to_array<VerdictScenario>({
    {terminate_over_rule,
     "connect; startup; send a 100; send b 10; msn a 0 9; send a 100; terminate b layer=1 type=2 code=3; close b",
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=3; close b",
     terminate_usual_msn},
    {terminate_over_named_rule,
     "connect; startup; send a 100; send b 10; msn a 0 9; send a 100; terminate b layer=1 type=2 code=5; close b",
     "connect; startup; send a 100; send b 10; msn a 0 9; send a 100; send a 300; terminate b layer=1 type=2 code=5; "
     "close b",
     terminate_usual_too_long},
    {terminate_before_rule,
     "connect; startup; send a 100; send b 10; terminate b layer=0 type=2 code=6 alone; fault a opcode-unassigned; "
     "send a 100; close b",
     "connect; startup; send a 100; send b 10; terminate b layer=0 type=2 code=6 alone; send a 100; close b",
     terminate_usual_opcode},
    {terminate_over_other_rule,
     "connect; startup; send a 100; send b 10; msn a 0 9; send a 100; terminate b layer=1 type=2 code=5 alone; close b",
     "connect; startup; send a 100; send b 10; fault a header-short; send a 100; terminate b layer=1 type=2 code=5 "
     "alone; close b",
     terminate_over_last_rule},
    {terminate_over_last_rule,
     "connect; startup; send a 100; send b 10; fault a header-short; send a 100; terminate b layer=1 type=2 code=2 "
     "alone; close b",
     "connect; startup; send a 100; send b 10; fault a header-short; send a 100; send a 100; terminate b layer=1 "
     "type=2 code=2 alone; close b",
     terminate_usual_no_receive},
    {terminate_rtr_kinds_differ,
     "connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read ird=16 ord=16; full-operation "
     "a; full-operation b; terminate a layer=2 type=0 code=7 alone; close a",
     "connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read,write ird=16 ord=16; "
     "full-operation a; full-operation b; terminate a layer=2 type=0 code=7 alone; close a",
     terminate_usual_rtr},
    {terminate_crc_never_right,
     "connect; startup; fault a crc-mismatch; send a 64; fault a crc-mismatch; send a 64; fault a crc-mismatch; send a "
     "64; fault a crc-mismatch; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     "connect; startup; send a 64; fault a crc-mismatch; send a 64; fault a crc-mismatch; send a 64; fault a "
     "crc-mismatch; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     terminate_crc_wrong_at_tap},
    {terminate_crc_wrong_at_tap,
     "connect; startup; send a 64; fault a crc-mismatch; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     "connect; startup; send a 64; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     terminate_crc_wrong_after_tap},
    {terminate_crc_not_in_use, "connect; startup nocrc; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     "connect; startup; send a 64; terminate b layer=2 type=0 code=2 alone; close b", terminate_crc_wrong_after_tap},
    {terminate_crc_unchecked, "connect; startup; miss a; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     "connect; startup; send a 64; terminate b layer=2 type=0 code=2 alone; close b", terminate_crc_wrong_after_tap},
    {terminate_crc_not_captured,
     "connect; startup; send a 64; miss a; send a 64; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     "connect; startup; send a 64; send a 64; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     terminate_crc_wrong_after_tap},
    {terminate_crc_unfinished,
     "connect; startup; send a 64; fault a length-too-long; send a 64; terminate b layer=2 type=0 code=2 alone; close "
     "b",
     "connect; startup; send a 64; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     terminate_crc_wrong_after_tap},
    {terminate_crc_wrong_after_tap, "connect; startup; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     "connect; startup; fault a crc-mismatch; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     terminate_crc_wrong_at_tap},
    {terminate_markers_wrong_after_tap,
     "connect; startup markers; send a 64; send b 64; terminate b layer=2 type=0 code=3 alone; close b",
     "connect; startup markers; send a 64; send b 64; fault a marker-pointer; send a 2000; terminate b layer=2 type=0 "
     "code=3 alone; close b",
     terminate_over_rule},
    {terminate_claim_false,
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=4; close b",
     "connect; startup; send a 100; send b 10; mulpdu a 100; send a 300; terminate b layer=1 type=2 code=4; close b",
     terminate_usual_mo},
    {terminate_names_unsent,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=0 "
     "ddp-length=78 ddp=c140000000990000000000001000; close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=0 "
     "ddp-length=78 ddp=c140000000100000000000001000; close b",
     terminate_usual_stag},
    {terminate_rtr_refused, "connect; startup p2p rtr=write ird=16 ord=16; terminate b layer=1 type=1 code=0; reset b",
     "connect; startup p2p rtr=write ird=16 ord=16; write a stag=0 to=0 64; terminate b layer=1 type=1 code=0; reset b",
     terminate_usual_stag},
    {terminate_extension_refused,
     "connect; startup; send a 100; send b 10; immediate a 7; terminate b layer=0 type=2 code=6; close b",
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=0 type=2 code=6; close b",
     terminate_usual_opcode},
    {terminate_rtr_mismatch_unsaid,
     "connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read ird=16 ord=16; full-operation "
     "a; full-operation b; terminate a layer=2 type=0 code=5 alone; close a",
     "connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read ird=16 ord=16; full-operation "
     "a; full-operation b; terminate a layer=2 type=0 code=7 alone; close a",
     terminate_rtr_kinds_differ},
    {terminate_no_receive,
     "connect; startup; send a 100; ack b; send a 100; ack b; send b 10; send a 100; terminate b layer=1 type=2 code=2 "
     "dialect=siw; close b",
     "connect; startup; send a 100; ack b; send a 50; ack b; send b 10; send a 100; terminate b layer=1 type=2 code=2 "
     "dialect=siw; close b",
     terminate_usual_siw_receive},
    {terminate_receive_smaller,
     "connect; startup; send a 100; ack b; send a 100; ack b; send b 10; send a 100; terminate b layer=1 type=2 code=5 "
     "dialect=rfc5040; close b",
     "connect; startup; send a 100; ack b; send a 50; ack b; send b 10; send a 100; terminate b layer=1 type=2 code=5 "
     "dialect=rfc5040; close b",
     terminate_usual_too_long},
    {terminate_read_sink,
     "connect; startup; send a 100; send b 10; read a size=64; terminate a layer=1 type=1 code=0; close a",
     "connect; startup; send a 100; send b 10; read-request a size=64; tagged b stag=0xbad to=0x1000 opcode=2 64; "
     "terminate a layer=1 type=1 code=0; close a",
     terminate_over_rule},
    {terminate_unreadable, "connect; startup; send a 100; send b 10; untagged b qn=2 msn=1 opcode=7 hex=0102; close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=8; "
     "close b",
     terminate_usual_rnic},
    {terminate_crc_by_sender,
     "connect; startup; fault a crc-zero; send a 64; terminate b layer=2 type=0 code=2 alone; close b",
     "connect; startup; send a 64; fill zeros; alter a length-xor=256; send a 300; terminate b layer=2 type=0 code=2 "
     "alone; close b",
     terminate_crc_and_framing},
    {terminate_crc_and_framing,
     "connect; startup; send a 64; fault a length-too-short; send a 300; send a 300; send a 300; terminate b layer=2 "
     "type=0 code=2 alone; close b",
     "connect; startup; send a 64; fault a crc-mismatch; send a 300; send a 300; terminate b layer=2 type=0 code=2 "
     "alone; close b",
     terminate_crc_wrong_at_tap},
    {terminate_usual_stag,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=0; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=1; "
     "close b",
     terminate_usual_bounds},
    {terminate_usual_bounds,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=1; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=2; "
     "close b",
     terminate_usual_stag_or_rights},
    {terminate_usual_rights,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=2; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=3; "
     "close b",
     terminate_usual_protection_domain},
    {terminate_usual_protection_domain,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=3; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0xffffffffffff8000 64; terminate b layer=0 type=1 "
     "code=4; "
     "close b",
     terminate_usual_offset},
    {terminate_usual_offset,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0xffffffffffff8000 64; terminate b layer=0 type=1 "
     "code=4; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=3; "
     "close b",
     terminate_usual_protection_domain},
    {terminate_usual_invalidate,
     "connect; startup; send a 100; send b 10; send-invalidate a stag=0x10 64; terminate b layer=0 type=2 code=9; "
     "close b",
     "connect; startup; send a 100; send b 10; send-invalidate a stag=0x10 64; terminate b layer=0 type=1 code=255; "
     "close b",
     terminate_usual_protection},
    {terminate_usual_protection,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=255; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=255; "
     "close b",
     terminate_usual_operation},
    {terminate_usual_rdmap_version,
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=0 type=2 code=5 alone; close "
     "b",
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=0 type=2 code=6; close b",
     terminate_usual_opcode},
    {terminate_usual_opcode,
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=0 type=2 code=6; close b",
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=0 type=2 code=7; close b",
     terminate_usual_stream},
    {terminate_usual_stream,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=7; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=8; "
     "close b",
     terminate_usual_rnic},
    {terminate_usual_rnic,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=8; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=7; "
     "close b",
     terminate_usual_stream},
    {terminate_usual_operation,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=255; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=7; "
     "close b",
     terminate_usual_stream},
    {terminate_usual_stag_or_rights,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=2; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=1; "
     "close b",
     terminate_usual_bounds},
    {terminate_usual_ddp_version,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=2 code=6 "
     "alone; close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=2 code=1 "
     "alone; close b",
     terminate_usual_queue},
    {terminate_usual_queue,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=2 code=1 "
     "alone; close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=2 code=6 "
     "alone; close b",
     terminate_usual_ddp_version},
    {terminate_usual_no_receive,
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=2; close b",
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=3; close b",
     terminate_usual_msn},
    {terminate_usual_msn,
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=3; close b",
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=2; close b",
     terminate_usual_no_receive},
    {terminate_usual_mo,
     "connect; startup; send a 100; send b 10; mulpdu a 100; send a 300; terminate b layer=1 type=2 code=4; close b",
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=4; close b",
     terminate_claim_false},
    {terminate_usual_too_long,
     "connect; startup; send a 100; send b 10; send a 300; terminate b layer=1 type=2 code=5; close b",
     "connect; startup; send a 100; send b 10; send a 300; terminate b layer=1 type=2 code=2; close b",
     terminate_usual_no_receive},
    {terminate_usual_ddp,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=0 code=0; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=0; "
     "close b",
     terminate_usual_stag},
    {terminate_usual_llp,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=2 type=0 code=1; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=2 type=0 code=4; "
     "close b",
     terminate_usual_startup_frame},
    {terminate_usual_markers,
     "connect; startup; send a 100; send b 10; miss a; send a 100; send a 100; terminate b layer=2 type=0 code=3 "
     "alone; close b",
     "connect; startup; send a 100; send b 10; send a 100; send a 100; terminate b layer=2 type=0 code=3 alone; close "
     "b",
     terminate_markers_wrong_after_tap},
    {terminate_usual_startup_frame,
     "connect; startup; send a 10; send b 10; terminate a layer=2 type=0 code=4 alone; close a",
     "connect; startup; send a 10; send b 10; terminate a layer=2 type=0 code=1 alone; close a", terminate_usual_llp},
    {terminate_usual_startup_local, "connect; startup; terminate a layer=2 type=0 code=5 alone; close a",
     "connect; startup; terminate a layer=2 type=0 code=6 alone; close a", terminate_usual_ird},
    {terminate_usual_ird,
     "connect; startup rev=2 ird=16 ord=16 reply-ird=1 reply-ord=16; terminate a layer=2 type=0 code=6 alone; close a",
     "connect; startup rev=2 ird=4 ord=4 reply-ird=4 reply-ord=16; terminate a layer=2 type=0 code=6 alone; close a",
     terminate_over_rule},
    {terminate_usual_rtr,
     "connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read,write ird=16 ord=16; "
     "full-operation a; full-operation b; terminate a layer=2 type=0 code=7 alone; close a",
     "connect; request rev=2 p2p offer=write ird=16 ord=16; reply rev=2 p2p offer=read ird=16 ord=16; full-operation "
     "a; full-operation b; terminate a layer=2 type=0 code=7 alone; close a",
     terminate_rtr_kinds_differ},
    {terminate_usual_siw_receive,
     "connect; startup; send a 100; send b 10; send a 300; terminate b layer=1 type=2 code=2 dialect=siw; close b",
     "connect; startup; send a 100; send b 10; send a 300; terminate b layer=1 type=2 code=2; close b",
     terminate_usual_no_receive},
    {terminate_usual_siw_stag,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=0 "
     "dialect=siw; close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=1 type=1 code=0; "
     "close b",
     terminate_usual_stag},
    {terminate_usual_siw_stream,
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=0 type=2 code=7 dialect=siw; "
     "close b",
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=0 type=2 code=7; close b",
     terminate_usual_stream},
    {terminate_usual_cxgb4_msn,
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=3 dialect=bare; close b",
     "connect; startup; send a 100; send b 10; send a 100; terminate b layer=1 type=2 code=3; close b",
     terminate_usual_msn},
    {terminate_usual_local,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=0 code=0; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=8; "
     "close b",
     terminate_usual_rnic},
    {terminate_usual_unregistered,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=7 type=7 code=7; "
     "close b",
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=2 code=7; "
     "close b",
     terminate_usual_stream},
    {terminate_usual_request_queue,
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=1 type=2 code=2; close b",
     "connect; startup; send a 100; send b 10; immediate a 7; terminate b layer=1 type=2 code=2; close b",
     terminate_usual_no_receive},
    {terminate_usual_takes_none,
     "connect; startup; send a 100; send b 10; read-request a size=64; terminate b layer=1 type=2 code=5; close b",
     "connect; startup; send a 100; send b 10; send a 64; terminate b layer=1 type=2 code=5; close b",
     terminate_usual_too_long},
    {terminate_usual_cannot_occur,
     "connect; startup; send a 100; send b 10; write a stag=0x10 to=0x1000 64; terminate b layer=0 type=1 code=9; "
     "close b",
     "connect; startup; send a 100; send b 10; send-invalidate a stag=0x10 64; terminate b layer=0 type=1 code=9; "
     "close b",
     terminate_usual_invalidate},
});

}  // namespace

std::span<const VerdictScenario> terminate_verdict_scenarios() {
  return kTerminate;
}

}  // namespace iwarpscope::test
