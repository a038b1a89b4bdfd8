// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// For each remark a script whose verdict has it, and a script that lacks the one condition for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "support/analysis.h"
#include "synth/script.h"
#include "verdict/catalogue.h"

namespace iwarpscope::test {

struct RemarkScenario {
  verdict::RemarkId id;
  std::string_view script;  ///< what iwarpscope-synth plays
  std::string_view says;    ///< what the verdict of one of its queue pairs says
  std::string_view nearly;  ///< differs in the one thing that matters
};

void PrintTo(const RemarkScenario& scenario, std::ostream* out) {
  *out << verdict::row(scenario.id).name;
}

namespace {

using enum verdict::RemarkId;

constexpr auto kRemarkScenarios = std::to_array<RemarkScenario>({
    {reason_markers_asked, "connect; request markers; reply reject; close b",
     "The likely reason: the Request asks for markers, which many RNICs (and Linux siw) do not send.",
     "connect; request; reply reject; close b"},
    {reason_crc_not_granted, "connect; request; reply nocrc reject; close b",
     "The likely reason: the Request asks for CRC and the Reply does not grant it.",
     "connect; request nocrc; reply nocrc reject; close b"},
    {reason_crc_not_asked, "connect; request nocrc; reply reject; close b",
     "The likely reason: the Reply asks for CRC and the Request did not.", "connect; request; reply reject; close b"},
    {reason_reply_asks_markers, "connect; startup reply-markers=on; close b",
     "The likely reason: the Reply asks for markers.", "connect; startup; close b"},
    {reason_revision, "connect; request rev=2 ird=4 ord=4; reply rev=1 reject; close b",
     "The likely reason: the Request has revision 2, the Reply 1.",
     "connect; request rev=1; reply rev=1 reject; close b"},
    {reason_answer_plain, "sctp; connect; session a enhanced-initiate ird=4 ord=4; session b reject; shutdown",
     "The likely reason: the Session Initiate is an enhanced one, and its answer a plain one.",
     "sctp; connect; session a initiate; session b reject; shutdown"},
    {reason_answer_enhanced, "sctp; connect; session a initiate; session b enhanced-reject ird=4 ord=4; shutdown",
     "The likely reason: the Session Initiate is a plain one, and its answer an enhanced one.",
     "sctp; connect; session a initiate; session b reject; shutdown"},
    {reason_enhanced_bit, "connect; request rev=2 ird=4 ord=4; reply rev=2 enhanced=off reject; close b",
     "The likely reason: the bit of enhanced startup (S) is set in the Request and not set in the Reply.",
     "connect; request rev=2 ird=4 ord=4; reply rev=2 ird=4 ord=4 reject; close b"},
    {reason_peer_to_peer, "connect; request rev=2 p2p offer=write ird=4 ord=4; reply rev=2 ird=4 ord=4 reject; close b",
     "The likely reason: only the Request asks for peer-to-peer mode.",
     "connect; request rev=2 ird=4 ord=4; reply rev=2 ird=4 ord=4 reject; close b"},
    {reason_ord, "connect; request rev=2 ird=4 ord=8; reply rev=2 ird=4 ord=4 reject; close b",
     "The likely reason: the Request wants 8 Reads outstanding (ORD) and the Reply allows 4 (IRD).",
     "connect; request rev=2 ird=4 ord=4; reply rev=2 ird=4 ord=4 reject; close b"},
    {reason_reply_ord, "connect; request rev=2 ird=4 ord=4; reply rev=2 ird=4 ord=8 reject; close b",
     "The likely reason: the Reply wants 8 Reads outstanding (ORD) and the Request allows 4 (IRD).",
     "connect; request rev=2 ird=4 ord=4; reply rev=2 ird=4 ord=4 reject; close b"},
    {reason_private_data, "connect; request; reply reject private-text=\"no such service\"; close b",
     "The startup frames are compatible, so the Responder's application rejected the connection. The Reply's private "
     "data may say why: 15 octets, the text 'no such service'.",
     "connect; request; reply reject; close b"},
    {reason_not_on_wire, "connect; startup reject; close b",
     "The startup frames are compatible, so the Responder's application or driver rejected the connection.",
     "connect; startup; close b"},
    {reason_rule, "connect; request rev=3; reply rev=1 reject; close b",
     "The MPA revision in this startup frame is not 0, 1 or 2.", "connect; request rev=1; reply rev=1 reject; close b"},
    {fpdu_length, "connect; startup; send a 100; fault a length-too-long; send a 100; close a",
     "The ULPDU_Length of that FPDU, in frame 7, says 1400 octets; 124 octets of the FPDU came.",
     "connect; startup; send a 100; send a 100; close a"},
    {named_program, "connect; request; stream b text=\"HTTP/1.1 400 Bad Request\"; close a",
     "An HTTP server answered there: 'HTTP/1.1 400 Bad'.", "connect; request; close a"},
    {named_program, "connect; request; stream b text=\"SSH-2.0-OpenSSH_9.2p1\"; close b",
     "An SSH server answered there: 'SSH-2.0-OpenSSH_'.", "connect; request; close b"},
    {named_program, "connect; request; stream b hex=15030100020228; close b",
     "A TLS server answered there: '\\x15\\x03\\x01\\x00\\x02\\x02('.", "connect; request; close b"},
    {named_program, "connect; request; stream b text=\"220 mail.example.org ESMTP\"; close b",
     "An SMTP server answered there: '220 mail.example'.", "connect; request; close b"},
    {named_program, "connect; stream b text=\"SSH-2.0-OpenSSH_9.2p1\"; request; close b",
     "An SSH server answered there: 'SSH-2.0-OpenSSH_'.", "connect; stream b text=\"Who is there?\"; request; close b"},
    {named_program, "connect; stream b text=\"SSH-2.0-OpenSSH_9.2p1\"; request; stream b text=\"Invalid SSH\"; close b",
     "An SSH server answered there: 'SSH-2.0-OpenSSH_'.", "connect; request; stream b text=\"Invalid SSH\"; close b"},
    {named_program, "connect; stream b text=\"220 mail.example.org ESMTP\"; request; reset a",
     "An SMTP server answered there: '220 mail.example'.",
     "connect; stream b text=\"Who is there?\"; request; reset a"},
    {named_program,
     "connect; stream b text=\"220 mail.example.org ESMTP\"; request; ack b; wait 12s; connection; connect",
     "An SMTP server answered there: '220 mail.example'.",
     "connect; miss b; stream b text=\"220-mail.example.org ESMTP\"; stream b text=\"220 mail.example.org ESMTP\"; "
     "request; ack b; wait 12s; connection; connect"},
    {reason_other_program, "connect; request; stream b text=\"WHO ARE YOU AND WHY?\"; close a",
     "So another program answers on that port, or one that is not ready for RDMA.", "connect; request; close a"},
    {reason_ulp_limits,
     "end b port=4420; connect; startup private=0000010080007f00000000000000000000000000000000000000000000000000 "
     "reply-private=0000400000000000000000000000000000000000000000000000000000000000; send a 64; close a",
     "the controller grants 64. A host that ignores this limit sends more commands than fit.",
     "end b port=4420; connect; startup private=0000010080007f00000000000000000000000000000000000000000000000000 "
     "reply-private=0000800000000000000000000000000000000000000000000000000000000000; send a 64; close a"},
    {reason_not_mpa, "connect; request; reset b",
     "Its driver does not take this kind of Request, or what listens there does not speak MPA.",
     "connect; request rev=3; close b"},
    {reason_too_many_wait, "sctp; connect; session a initiate; session b terminate; shutdown",
     "This is how a session is refused before the upper layer sees it: too many wait to be accepted.",
     "sctp; connect; session a initiate; session b reject; shutdown"},
    {open_request, "connect; startup; read-request a; close b",
     "The Read Request with MSN 1 (frame 6) from the Initiator 10.0.0.1:40000 was not answered.",
     "connect; startup; read a; close b"},
    {open_message, "connect; startup; untagged a last=off 100; wait 20s; reset a",
     "The Send that the Initiator began in frame 6 was not finished.",
     "connect; startup; untagged a last=on 100; wait 20s; reset a"},
    {open_fpdu, "connect; startup; send a 100; octets a hex=0064; wait 20s; reset a",
     "The Initiator did not finish an FPDU.", "connect; startup; send a 100; wait 20s; reset a"},
    {open_all_requests,
     "connect; startup rev=2 ird=2 ord=2; send a 10; read-request a; read-request a; ack b; wait 20s; connection; "
     "connect",
     "All 2 requests that the Initiator 10.0.0.1:40000 may have outstanding are waiting: it cannot send another.",
     "connect; startup rev=2 ird=4 ord=4; send a 10; read-request a; read-request a; ack b; wait 20s; connection; "
     "connect"},
    {open_only_request, "connect; startup rev=2 ird=1 ord=1; send a 10; read-request a; wait 20s; connection; connect",
     "The Initiator 10.0.0.1:40000 may have at most one request outstanding, so it cannot send another.",
     "connect; startup rev=2 ird=2 ord=2; send a 10; read-request a; wait 20s; connection; connect"},
    {open_requests,
     "connect; startup rev=2 ird=4 ord=4; send a 10; read-request a; read-request a; ack b; wait 20s; connection; "
     "connect",
     "2 requests are waiting in total.",
     "connect; startup rev=2 ird=4 ord=4; send a 10; read-request a; ack b; wait 20s; connection; connect"},
    {may_be_artefact,
     "connect; startup; untagged a last=off 100; miss a; untagged a last=on mo=100 100; ack b; close a",
     "This may be an artefact: the capture is missing data exactly where the rest would be.",
     "connect; startup; untagged a last=off 100; ack b; close a"},
    {reset_is_usual, "connect; startup; send a 100; ack b; reset a",
     "Some RNICs and drivers close this way; a program that was killed looks the same.",
     "connect; startup; send a 100; ack b; close a"},
    {not_sent_again, "end b ack-every=0; connect; request; wait 20s; connection; connect",
     "It was not sent again: the acknowledgment may be missing from the capture, or its sender is gone.",
     "end b ack-every=0; connect; retransmit a delay=0; request; wait 20s; connection; connect"},
    {whose_turn, "connect; startup; send a 100; ack b; wait 20s; connection; connect",
     "If the upper layer answers messages, the Responder should send next.",
     "connect; startup; write a 100; ack b; wait 20s; connection; connect"},
    {rule_broken,
     "connect; startup; fault a crc-mismatch skip=1; send a 10; send a 10; fault a msn-repeated; send a 10; send a 10; "
     "close a",
     "A rule was broken on the way: ddp.msn-out-of-sequence (DD-07) in frame 10.",
     "connect; startup; fault a crc-mismatch skip=1; send a 10; send a 10; send a 10; send a 10; close a"},
    {rule_broken_by, "connect; startup; fault a msn-repeated; send a 10; send a 10; send a 10; close a",
     "The Initiator broke a rule on the way: ddp.first-msn-wrong (DD-06) in frame 6.",
     "connect; startup; send a 10; close a"},
    {damaged, "connect; startup; fault a crc-mismatch; send a 10; send a 10; close a",
     "Data was damaged on the way: mpa.crc-mismatch (MF-04) in frame 6.", "connect; startup; send a 10; close a"},
    {suspicious, "connect; wait 12s; startup; send a 10; close a",
     "Something was suspicious on the way: mpa.startup-slow (MS-04) in frame 4.",
     "connect; wait 500ms; startup; send a 10; close a"},
    {siw_gso,
     "connect; request reserved=8; reply reserved=8; send a 10; fault a length-over-maximum; send a 100; terminate b "
     "layer=2 type=0 code=2",
     "This sender uses the GSO option of Linux siw.",
     "connect; request; reply; send a 10; fault a length-over-maximum; send a 100; terminate b layer=2 type=0 code=2"},
    {limit_other_path,
     "sctp; sctp-end a also=10.1.0.1; sctp-end b also=10.1.0.2; connect; startup; read-request a size=100; ack b; wait "
     "20s; heartbeat a",
     "The association has addresses whose packets are not in the capture: it may go on between those.",
     "sctp; connect; startup; read-request a size=100; ack b; wait 20s; heartbeat a"},
    {limit_one_sided, "capture a; connect; request; ack a; wait 2s; connection; connect",
     "Only one direction is in the capture: what the other side sent is not known.",
     "connect; request; ack a; wait 2s; connection; connect"},
    {limit_gap, "connect; startup; send a 100; miss b; send b 100; send b 100; close",
     "The capture lacks 124 octets of this connection, so some of it was not read.",
     "connect; startup; send a 100; send b 100; send b 100; close"},
    {limit_reset_shows_more, "connect; startup; send a 100; send b 100; ack a; miss b; send b 100; reset a",
     "The reset shows octets that are not in the capture, which may hold the real reason.",
     "connect; startup; send a 100; send b 100; ack a; send b 100; reset a"},
    {limit_end_missing,
     "sctp; connect; startup; sctp-stream 1; startup; sctp-stream 0; read-request a size=100; ack b; miss "
     "b\nread-response b; ack a; shutdown b",
     "The capture may lack the end of this session, which may hold the real reason.",
     "sctp; connect; startup; sctp-stream 1; startup; sctp-stream 0; read a size=100; ack a; shutdown b"},
    {limit_framing_lost, "connect; startup; send a 10; fault a length-too-short; send a 100; close a",
     "At the end, the FPDU boundary was unknown, so the last octets were not read.",
     "connect; startup; send a 10; send a 100; close a"},
    {limit_frames_cut,
     "snap 90; connect; request; reply private-text=\"something that is longer than the snap length of the capture\"; "
     "close a",
     "Frames were cut by the capture's snap length.",
     "connect; request; reply private-text=\"something that is longer than the snap length of the capture\"; close a"},
    {slow_request, "connect; wait 12s; startup; send a 10; close a",
     "The Initiator sent its MPA Request only 12 s after the connection began.",
     "connect; wait 500ms; startup; send a 10; close a"},
    {slow_reply, "connect; request; wait 12s; reply; send a 10; close a",
     "The Responder 10.0.0.2:5000 took 12 s to answer the MPA Request; some drivers give up after 5 s.",
     "connect; request; wait 500ms; reply; send a 10; close a"},
    {slow_path,
     "gap 10ms; connect; startup; lose a delay=5; send a 100; send a 100; send a 100; send a 100; send a 100; send a "
     "100; send a 100; close a",
     "Loss or reordering on the path held back 5 messages from the Initiator that had arrived: 100 ms at most, 300 ms "
     "in all.",
     "gap 10ms; connect; startup; send a 100; send a 100; send a 100; send a 100; close a"},
    {earlier_plain,
     "sctp; connect; session a enhanced-initiate ird=4 ord=4; session b enhanced-reject ird=4 ord=4; new-session; "
     "session a initiate; session b accept; send a 10; close a",
     "It fell back to a plain Initiate: the attempt of QP 0 with an enhanced one (frame 5) failed just before.",
     "sctp; connect; session a initiate; session b reject; new-session; session a initiate; session b accept; send a "
     "10; close a"},
    {earlier_revision,
     "connect; request rev=2 ird=4 ord=4; reply rev=2 ird=4 ord=4 reject; close b; connection; connect; startup rev=1; "
     "send a 10; close a",
     "It fell back to MPA revision 1: the attempt of QP 0 with revision 2 (frame 4) failed just before.",
     "connect; request rev=1; reply rev=1 reject; close b; connection; connect; startup rev=1; send a 10; close a"},
    {earlier_attempt,
     "connect; request rev=1; reply rev=1 reject; close b; connection; connect; startup rev=1; send a 10; close a",
     "This is a retry: the attempt in QP 0 (frame 4) failed.",
     "connect; startup rev=1; send a 10; close a; connection; connect; startup rev=1; send a 10; close a"},
    {named_message, "connect; startup rev=2 ird=4 ord=4; send a 1; immediate a 7; terminate b layer=0 type=2 code=6",
     "The Terminate names the Immediate Data of the Initiator in frame 7.",
     "connect; startup rev=2 ird=4 ord=4; send a 1; immediate a 7; terminate b layer=0 type=2 code=6 alone"},
    {named_untagged, "connect; startup; send a 100; terminate b layer=1 type=2 code=5",
     "The Terminate names the Send of the Initiator 10.0.0.1:40000 in frame 6 (100 octets).",
     "connect; startup; send a 100; terminate b layer=1 type=2 code=5 alone"},
    {named_untagged_so_far, "connect; startup; untagged a last=off 100; terminate b layer=1 type=2 code=5",
     "The Terminate names the Send of the Initiator 10.0.0.1:40000 in frame 6 (100 octets so far).",
     "connect; startup; send a 100; terminate b layer=1 type=2 code=5"},
    {named_tagged, "connect; startup; write a stag=0x10 to=0x1000 100; terminate b layer=1 type=1 code=0",
     "The Terminate names the RDMA Write of the Initiator 10.0.0.1:40000 in frame 6 (STag 0x00000010, TO "
     "0x0000000000001000, 100 octets).",
     "connect; startup; send a 100; terminate b layer=1 type=1 code=0"},
    {named_tagged_so_far,
     "connect; startup; tagged a stag=0x10 to=0x1000 last=off 100; terminate b layer=1 type=1 code=0",
     "The Terminate names the RDMA Write of the Initiator 10.0.0.1:40000 in frame 6 (STag 0x00000010, TO "
     "0x0000000000001000, 100 octets so far).",
     "connect; startup; write a stag=0x10 to=0x1000 100; terminate b layer=1 type=1 code=0"},
    {named_read,
     "connect; startup rev=2 ird=4 ord=4; send a 1; read-request a size=8; terminate b layer=0 type=1 code=0",
     "The Terminate names the RDMA Read Request of the Initiator 10.0.0.1:40000 in frame 7 (STag 0x00005200, TO "
     "0x0000000000020000, 8 octets to read).",
     "connect; startup rev=2 ird=4 ord=4; send a 1; read-request a size=8; terminate b layer=0 type=1 code=0 alone"},
    {named_atomic,
     "connect; startup rev=2 ird=4 ord=4; send a 1; atomic-request a fetch-add stag=0x10 to=0x1000; terminate b "
     "layer=0 type=1 code=0",
     "The Terminate names the Atomic Request of the Initiator 10.0.0.1:40000 in frame 7 (STag 0x00000010, TO "
     "0x0000000000001000).",
     "connect; startup rev=2 ird=4 ord=4; send a 1; atomic-request a fetch-add stag=0x10 to=0x1000; terminate b "
     "layer=0 type=1 code=0 alone"},
    {usually_other_error, "connect; startup; fault a msn-skipped; send a 10; terminate b layer=1 type=2 code=1",
     "Receivers usually report a violation of that rule with another error.",
     "connect; startup; fault a msn-skipped; send a 10; terminate b layer=1 type=2 code=3"},
    {rule_means, "connect; startup; fault a msn-skipped; send a 10; terminate b layer=1 type=2 code=3",
     "(DD-06) in frame 6. The first message of this queue does not carry the message sequence number 1. The Terminate "
     "names",
     "connect; startup; send a 10; terminate b layer=1 type=2 code=3"},
    {broken_before,
     "connect; startup; fault a to-gap; write a stag=0x10 to=0x1000 3000; send a 100; terminate b layer=0 type=2 "
     "code=255",
     "The Initiator had broken rule ddp.to-not-contiguous (DD-17) in frame 7; whether that led to the Terminate is not "
     "known.",
     "connect; startup; send a 10; send a 10; send a 100; terminate b layer=0 type=2 code=255"},
    {cause_unseen,
     "connect; startup; send a 100; send b 10; miss a; send a 100; send a 100; terminate b layer=2 type=0 code=3 "
     "alone; close b",
     "The capture may lack what the Terminate is about.",
     "connect; startup; send a 100; send b 10; send a 100; send a 100; terminate b layer=2 type=0 code=3 alone; close "
     "b"},
    {crc_by_sender, "connect; startup; fault a crc-zero; send a 10; send a 10; close a",
     "The CRC field of frame 6 is zero. Only the Initiator can have written it so: mpa.",
     "connect; startup; fill zeros; alter a length-xor=16; send a 10; send a 10; close a"},
    {open_still_waiting, "connect; startup; send a 10; read-request a size=100; ack b; wait 30s; send a 10; send b 10",
     "The Responder 10.0.0.2:5000 has not answered the Read Request with MSN 1 (frame 7) for 30 s, while other "
     "messages flow.",
     "connect; startup; send a 10; read a size=100; wait 30s; send a 10; send b 10"},
    {either_end,
     "connect; startup; send a 10; send b 10; fault a rdmap-version-2; read-request a size=100; send b 10; ack b; wait "
     "30s; reset a",
     "The cause may be at either end: the Responder sent more messages after this error.",
     "connect; startup; send a 10; send b 10; fault a rdmap-version-2; read-request a size=100; ack b; wait 30s; reset "
     "a"},
    {limit_abort, "sctp; connect; session a initiate; abort a",
     "An ABORT does not show what was sent before it: the capture may lack an answer.",
     "sctp; connect; session a initiate; ack b; wait 500ms; abort a"},
    {limit_no_answer, "capture off; connect; capture on; request; close b",
     "This may not be the answer to the MPA Request: the connection may have begun before the capture.",
     "connect; request; close b"},
    {limit_closed_so_soon, "connect; request; close a",
     "A program that closes normally so soon may have had an answer that the capture lacks.",
     "connect; request; reset a"},
    {reason_spoke_first, "connect; stream b text=\"Who is there?\"; request; reset a",
     "The Responder 10.0.0.2:5000 sent octets before the MPA Request in this capture: another program may own the "
     "port.",
     "connect; request; reset a"},
    {unfit_answer,
     "sctp; connect; startup; send a 10; send b 10; read-request b size=100 sink-stag=0x3000 sink-to=0x1000; fault a "
     "stag-other; read-response a; read-request a size=50; ack b; wait 30s; abort a",
     "The Initiator had sent a Read Response in frame 11 that no earlier request asked for; the Responder may have "
     "refused it.",
     "sctp; connect; startup; send a 10; send b 10; read-request b size=100 sink-stag=0x3000 sink-to=0x1000; "
     "read-response a; read-request a size=50; ack b; wait 30s; abort a"},
    {repaired, "connect; startup; corrupt a; send a 100; send a 100; close a",
     "TCP repaired data from the Initiator that was damaged on the way, first in frame ",
     "connect; startup; retransmit a; send a 100; send a 100; close a"},
    {sent_again, "connect; startup; retransmit a; send a 100; send a 100; close a",
     "TCP sent 124 octets from the Initiator again (",
     "connect; startup; retransmit a; send a 100; repeat 10 send a 1400; close a"},
    {limit_joined_late,
     "capture off; connect; startup; send a 100; send b 10; capture on; repeat 4 send a 100; read-request a size=100; "
     "ack "
     "b; wait 30s; reset a",
     "The capture began after the connection and has no message of B, which may have stopped before.",
     "capture off; connect; startup; send a 100; send b 10; capture on; repeat 4 send a 100; send b 10; read-request a "
     "size=100; ack b; wait 30s; reset a"},
    {limit_skipped,
     "capture off; connect; startup; send a 100; send b 10; capture on; send b 10; fault a tagged-flag; send a 100; "
     "read-request a size=100; ack b; wait 30s; reset a",
     "Octets of A were skipped, because the FPDU boundary was unknown.",
     "capture off; connect; startup; send a 100; send b 10; capture on; send b 10; send a 100; read-request a "
     "size=100; "
     "ack b; wait 30s; reset a"},
    {limit_reaction, "connect; startup; fault a crc-mismatch; send a 10; send b 10; send a 10; close a",
     "It may have been right where it was received: see mpa.crc-mismatch-reaction (MF-19).",
     "connect; startup; fault a crc-zero; send a 10; send b 10; send a 10; close a"},
    {limit_request_unfinished, "connect; request private=0102030405060708 length=40; reset b",
     "Private data that the MPA Request announces was not complete, so no answer was expected yet.",
     "connect; request private=0102030405060708; reset b"},
    {limit_crc_inferred,
     "capture off; connect; startup nocrc; send a 64; send b 26; capture on; send a 294; send a 2182; send b 2558; "
     "send b "
     "2428; read a size=883; write a stag=0x1000 to=0x1000 3511; write a stag=0x1300 to=0x1000 545; send a 1149; send "
     "b "
     "194; terminate a layer=2 type=0 code=2 dialect=bare; reset b",
     "The capture lacks the startup frames: only the FPDUs suggest that no CRC is in use.",
     "connect; startup nocrc; send a 64; send b 26; send a 294; send a 2182; send b 2558; terminate a layer=2 type=0 "
     "code=2 dialect=bare; reset b"},
    {markers_not_known,
     "capture off; connect; request; capture on; reply; send a 10; send b 100; terminate a layer=2 type=0 code=3 "
     "alone; "
     "close a",
     "The capture lacks the startup frame in which the Initiator says whether it wants markers.",
     "connect; request; reply; send a 10; send b 100; terminate a layer=2 type=0 code=3 alone; close a"},
    {lacks_extension, "connect; startup; untagged a opcode=8 msn=1 64; terminate b layer=0 type=2 code=6 dialect=siw",
     "The Responder knows no message of RFC 7306 at all: rdmap.extension-refused (AT-18).",
     "connect; startup; untagged a opcode=8 msn=1 64; terminate b layer=1 type=2 code=2 dialect=siw"},
});

/// What only a capture file can report about itself, not a script: verdict_outages_test.cpp has them.
constexpr auto kOfTheCaptureItself = std::to_array({limit_frames_lost, limit_interface_down});

/// The sentences of a template between its values, which are of one sentence.
std::vector<std::string_view> fixed_parts(std::string_view sentence) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t open = sentence.find('{');
    parts.push_back(sentence.substr(0, open));
    if (open == std::string_view::npos) return parts;
    sentence.remove_prefix(sentence.find('}', open) + 1);
  }
}

/// Whether the text holds the template's parts one after another. A remark that is a rule's or an upper layer's
/// sentence has no parts of its own.
bool holds(std::string_view text, std::string_view sentence) {
  for (const std::string_view part : fixed_parts(sentence)) {
    const std::size_t at = text.find(part);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + part.size());
  }
  return true;
}

std::string verdicts_on(std::string_view script) {
  std::string all;
  for (const qp::QpRecord& qp : analyze(synth::play(std::string(script))).qps) {
    if (qp.verdict) all += qp.verdict->text + "\n";
  }
  return all;
}

class EachRemark : public testing::TestWithParam<RemarkScenario> {};

TEST_P(EachRemark, IsInTheVerdictOnItsScript) {
  const std::string text = verdicts_on(GetParam().script);
  EXPECT_NE(text.find(GetParam().says), std::string::npos) << text;
  EXPECT_TRUE(holds(text, verdict::row(GetParam().id).sentence)) << text;
}

TEST_P(EachRemark, IsNotInTheVerdictOnANearMiss) {
  const std::string text = verdicts_on(GetParam().nearly);
  EXPECT_NE(text, "");
  EXPECT_EQ(text.find(GetParam().says), std::string::npos) << text;
}

constexpr auto kRemarkName = [](const auto& each) {
  std::string name(verdict::row(each.param.id).name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name + "_" + std::to_string(each.index);
};

INSTANTIATE_TEST_SUITE_P(Catalogue, EachRemark, testing::ValuesIn(kRemarkScenarios), kRemarkName);

TEST(RemarkCatalogue, HasAScenarioForEachRow) {
  for (const verdict::RemarkRow& r : verdict::remarks()) {
    const auto has = [&](const RemarkScenario& s) { return s.id == r.id; };
    const bool elsewhere = std::count(kOfTheCaptureItself.begin(), kOfTheCaptureItself.end(), r.id) == 1;
    EXPECT_NE(std::any_of(kRemarkScenarios.begin(), kRemarkScenarios.end(), has), elsewhere) << r.name;
  }
}

}  // namespace
}  // namespace iwarpscope::test
