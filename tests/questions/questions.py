# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions, samples for them, and the texts that their reports must contain."""
from typing import NamedTuple

QUESTIONS = {
    1: "How far did this connection get, and who stopped it?",
    2: "Did the Responder forget to echo peer-to-peer?",
    3: "Did the Initiator send another kind of RTR than was agreed?",
    4: "Was the RTR refused because its STag is 0?",
    5: "Who offered which IRD and ORD, what is in force, and is it too small?",
    6: "Are IRD and ORD in the wrong octet order or in the older form?",
    7: "Did it quietly fall back to MPA revision 1?",
    8: "Is CRC on, who asked for it, is the data unprotected?",
    9: "Were markers asked of a peer that cannot do them?",
    10: "Is the CRC error real; which side, which octets, one bit or many?",
    11: "Does the sender break FPDU alignment or exceed the MSS?",
    12: "Who sent Terminate, what does it mean, which operation caused it?",
    13: "Was an RDMA Read refused because its sink has no right of remote write?",
    14: "Was a dead, unknown or out-of-range STag used?",
    15: "Was a Send longer than the receiver's buffer, or was none posted?",
    16: "Did message numbers skip or repeat?",
    17: "Were more Reads in flight than the peer allowed?",
    18: "It hangs: whose turn is it?",
    19: "Was this a normal close or a failure?",
    20: "Why do connects fail when many begin at once?",
    21: "Did someone wait too long in the handshake?",
    22: "Is it RDMA at all, or SMB over plain TCP?",
    23: "Is the port mapper the culprit?",
    24: "Is another program on this port?",
    25: "Did loss or reordering slow this connection, and how much?",
    26: "What did the peer put into private data, is it sane?",
    27: "Do the limits of the upper layer fit at both ends?",
    28: "Are results of atomics or immediate data wrong or cut?",
    29: "Storage went read-only: what came first on the wire?",
    30: "Is one end or one path the bad one?",
}


class Answer(NamedTuple):
    """The required contents of a sample's report."""

    question: int
    sample: str
    qp: int = 0
    verdict: tuple = ()  # class, blame, confidence
    says: tuple = ()  # words of the verdict
    fields: dict = {}  # of the queue pair's record, by dotted name
    raises: tuple = ()  # codes
    not_raised: tuple = ()
    finding_words: tuple = ()  # words of the findings
    prints: tuple = ()  # words of the text report
    details: tuple = ()  # words of the text report on this queue pair
    capture: dict = {}  # members of the capture's record


# Parts of questions that a tap cannot decide: words that docs/limits.md has on them.
LIMITS = {
    1: "Whether a SYN that was refused was meant for iWARP",
    4: "a reset gives no reason",
    6: "it is a guess from plausible values in private data",
    10: "Where it happened: a tap sees one place of the path",
    12: "More than its sender reports",
    14: "Whether an STag is valid, how long its buffer is and what rights it has",
    15: "How many receives were posted",
    17: "Where no limit was negotiated on the wire",
    18: "Whether silence is a hang",
    20: "The reason inside the listener's host",
    21: "What the host did in that time",
    22: "Whether RDMA was wanted",
    23: "What a host's own iwpmd and driver agreed on",
    25: "Time lost inside one long message",
    26: "What the private data of other programs means",
    27: "Limits that are not reported",
    28: "What else writes the word",
    29: "Whether the first is the cause of the rest",
    30: "Which link or switch of a path",
}

ANSWERS = [
    # 1
    Answer(1, "made/rules/mpa.closed-without-reply.pcapng", verdict=("refused", "b", "likely"),
           says=("closed the connection in frame 5 instead of answering the MPA Request of frame 4",)),
    Answer(1, "siw/reject-private-data.pcap", verdict=("refused", "b", "certain"),
           says=("refused the connection by the MPA Reply in frame 6",), fields={"state": "mpa_rejected"}),
    Answer(1, "made/startup/startup-bad-reply-key.pcapng", verdict=("refused", "b", "likely"),
           says=("before any FPDU, after the Responder had broken rule mpa.reply-key-wrong (MS-02) in frame 5",), raises=("MS-02",)),
    Answer(1, "siw/many-100-rping-crc.pcap.gz", qp=9, verdict=("failed", "b", "likely"),
           says=("gave up in frame 2539, after",)),
    Answer(1, "siw/viol-mpa-request-rev3.pcap", verdict=("refused", "a", "likely"),
           says=("mpa.revision-unknown (MS-07) in frame 4",)),
    Answer(1, "made/rules/mpa.enhanced-bit-differs.pcapng", verdict=("refused", "b", "likely"),
           says=("enhanced startup (S) is set in the Request and not set in the Reply",)),
    Answer(1, "siw/connect-closed-port.pcap", capture={"connections_refused": 1, "connections_unanswered": 0},
           prints=("1 connection refused (TCP reset or SCTP ABORT), first by 10.77.0.2:7999 in frame 1",)),
    Answer(1, "made/questions/responder-first-then-reset.pcapng", verdict=("failed", "b", "likely"),
           says=("after the Responder had broken rule mpa.responder-sends-first (MS-23)",)),
    Answer(1, "made/questions/responder-first-crossing-a-send.pcapng", verdict=("failed", "b", "likely"),
           says=("after the Responder had broken rule mpa.responder-sends-first (MS-23)",)),
    Answer(1, "made/questions/request-then-gone-at-once.pcapng", verdict=("failed", "a", "likely"),
           says=("5 ms after the MPA Request of frame 4", "left before an answer could come")),
    Answer(1, "made/questions/responder-first-then-closed.pcapng", verdict=("failed", "b", "likely"),
           says=("closed, first by the Initiator", "after the Responder had broken rule mpa.responder-sends-first (MS-23)")),
    Answer(1, "made/questions/refused-without-its-request.pcapng", verdict=("refused", "unknown", "likely"),
           says=("refused the connection by the MPA Reply in frame 1",)),
    Answer(1, "made/questions/session-given-up.pcapng", verdict=("failed", "b", "likely"),
           says=("gave up in frame 7, after 2.00 s without an answer", "SCTP had acknowledged it")),
    Answer(1, "made/questions/request-cut-short.pcapng", verdict=("refused", "a", "likely"), raises=("MS-12", "MS-11"),
           says=("of frame 4", "had broken rule mpa.startup-cut-short (MS-12) in frame 4")),
    Answer(1, "made/questions/request-cut-short.pcapng", qp=1, verdict=("refused", "a", "likely"),
           says=("of frame 10", "in frame 10")),
    Answer(1, "made/questions/reply-not-captured.pcapng", verdict=("unknown", "capture", "limited"),
           says=("the capture may lack the answer",)),
    Answer(1, "made/questions/initiator-sends-no-fpdus.pcapng", verdict=("failed", "a", "likely"), raises=("MS-40",),
           says=("The connection was closed", "mpa.first-fpdu-unreadable (MS-40) in frame 6")),
    Answer(1, "made/questions/initiator-sends-no-fpdus.pcapng", qp=1, verdict=("failed", "a", "likely"),
           says=("reset the connection", "mpa.first-fpdu-unreadable (MS-40)")),
    Answer(1, "made/questions/responses-unreadable.pcapng", verdict=("unknown", "none", "limited"),
           not_raised=("RM-16",), says=("the last octets were not read",)),
    Answer(1, "made/questions/fpdus-quoted-after-loss.pcapng", verdict=("completed", "none", "limited"), raises=("CA-01",),
           not_raised=("MF-01", "MF-11", "MF-12", "DD-07")),
    Answer(1, "made/questions/read-open-while-others-flow.pcapng", verdict=("running", "b", "likely"),
           says=("has not answered the Read Request with MSN 1", "while other messages flow")),
    # 2
    Answer(2, "made/questions/peer-to-peer-not-echoed.pcapng", verdict=("failed", "b", "certain"), raises=("MS-24",),
           says=("No matching RTR option", "mpa.peer-to-peer-differs (MS-24) in frame 5"),
           fields={"startup.request.peer_to_peer": True, "startup.reply.peer_to_peer": False}),
    Answer(2, "siw/mpa-p2p-rtr-read.pcap", verdict=("completed", "none", "certain"), not_raised=("MS-24", "MS-29"),
           fields={"startup.rtr.kind": "read"}),
    # 3
    Answer(3, "made/questions/rtr-of-another-kind.pcapng", verdict=("failed", "a", "certain"), raises=("MS-29",),
           says=("mpa.rtr-missing (MS-29) in frame 6", "No matching RTR option")),
    # 4
    Answer(4, "made/questions/rtr-with-stag-zero-refused.pcapng", verdict=("failed", "b", "likely"), raises=("QP-02",),
           says=("It refuses the RTR message", "whose STag need not be valid because its length is 0")),
    # 5
    Answer(5, "made/questions/ird-too-small.pcapng", raises=("MS-31",), finding_words=("The Reply's IRD 1 is below the Request's ORD 16",),
           says=("Insufficient IRD resources", "wants 16 Reads outstanding (ORD) and the Reply allows 1 (IRD)"),
           fields={"read_depth.a_to_b": 1, "read_depth.b_to_a": 16, "startup.request.ord": 16, "startup.reply.ird": 1},
           details=("limit of RDMA Reads 1 16",)),
    Answer(5, "made/startup/startup-ird-exceeded.pcapng", raises=("MS-30", "MS-31"),
           finding_words=("The Reply's ORD 8 is above the Request's IRD 4",)),
    # 6
    Answer(6, "made/startup/rev1-legacy-ird-ord.pcapng", raises=("MS-38",), finding_words=("looks like legacy IRD 16 and ORD 8",)),
    Answer(6, "made/questions/legacy-depths-little-endian.pcapng", raises=("MS-38",), not_raised=("TC-08",),
           finding_words=("looks like legacy IRD 16 and ORD 8, in little-endian order",),
           fields={"startup.request.ird": 16, "startup.request.ord": 8}),
    # 7
    Answer(7, "made/questions/fallback-to-revision-1.pcapng", qp=1, verdict=("completed", "none", "certain"),
           says=("fell back to MPA revision 1: the attempt of QP 0 with revision 2 (frame 4)",)),
    # 8
    Answer(8, "siw/rping-ipv4.pcap", raises=("MS-37",), finding_words=("Neither the Request nor the Reply asks for CRC",),
           fields={"crc.in_use": False}),
    Answer(8, "siw/mpa-crc-only-client-requires.pcap", not_raised=("MS-37",),
           fields={"crc.in_use": True, "crc.inferred": False, "startup.request.crc": True}, details=("wants CRC (C) yes",)),
    # 9
    Answer(9, "made/questions/markers-refused.pcapng", verdict=("refused", "b", "likely"),
           says=("the Request asks for markers", "Turn markers off on the Initiator's side")),
    # 10
    Answer(10, "made/faults/fault-crc-mismatch.pcapng", raises=("MF-04",), finding_words=("One wrong bit, in octet 126",),
           fields={"a_to_b.crc_bad": 1, "b_to_a.crc_bad": 0}),
    Answer(10, "made/faults/fault-octet-changed.pcapng", raises=("MF-04",), finding_words=("more than one bit differs",)),
    Answer(10, "made/network/snap-cut.pcapng", not_raised=("MF-04",), raises=("CA-02",), prints=("frames cut short",)),
    Answer(10, "siw/midstream-rping-crc.pcap.gz", not_raised=("MF-04",), raises=("CA-01",)),
    Answer(10, "made/questions/crc-read-out-of-zeros.pcapng", verdict=("failed", "unknown", "limited"), raises=("MF-04",),
           not_raised=("MF-25",), says=("the path changed the length of that FPDU",)),
    Answer(10, "made/questions/crc-read-out-of-zeros.pcapng", qp=1, verdict=("unknown", "unknown", "limited")),
    Answer(10, "made/questions/crc-read-out-of-zeros.pcapng", qp=2, verdict=("failed", "a", "likely"),
           says=("The CRC field of frame 32 is zero: only the Initiator",)),
    Answer(10, "made/questions/crc-read-out-of-zeros.pcapng", qp=3, verdict=("completed", "a", "likely"),
           says=("The CRC field of frame 42 has its octets in reverse order",)),
    # 11
    Answer(11, "made/questions/marker-late-in-header.pcapng", raises=("MF-12",), not_raised=("DD-07",)),
    Answer(11, "siw/mpa-gso-flag.pcap", raises=("MF-02", "MS-06", "MF-16"),
           finding_words=("ULPDU_Length is 8018; the MSS of 1460 leaves room for 1454",)),
    Answer(11, "siw/offload-gso-write-64k-crc.pcap.gz", qp=1, says=("turn its GSO option off",)),
    Answer(11, "made/messages/cut-crc-alone.pcapng", raises=("MF-16", "MF-17"), not_raised=("MF-02",)),
    # 12
    Answer(12, "siw/term-write-bad-stag.pcap", verdict=("failed", "unknown", "likely"), raises=("QP-02",),
           says=("sent a Terminate (", "Invalid STag", "The Terminate names the RDMA Write")),
    Answer(12, "siw/viol-opcode-8.pcap", verdict=("failed", "a", "certain"), raises=("AT-18",),
           says=("had broken rule rdmap.immediate-size (AT-03) in frame 8", "knows no message of RFC 7306", "(AT-18)")),
    Answer(12, "made/rules/rdmap.terminate-length-wrong.pcapng", verdict=("failed", "unknown", "likely"), raises=("RM-22",),
           says=("sent a Terminate in frame 9 that is too short to read",)),
    Answer(12, "made/rules/rdmap.terminate-names-unsent.pcapng", verdict=("failed", "b", "likely"), raises=("RM-27",),
           says=("quotes a DDP header that the Initiator 10.0.0.1:40000 never sent",)),
    Answer(12, "made/rules/mpa.rtr-mismatch-not-terminated.pcapng", verdict=("failed", "unknown", "likely"),
           raises=("MS-28",), says=("no common kind of RTR message",)),
    Answer(12, "made/rules/rdmap.read-response-length-wrong.pcapng", says=("(RM-12) in frame 10",),
           fields={"verdict.evidence": [8, 10, 11]}),
    Answer(12, "siw/viol-length-too-long.pcap", verdict=("failed", "path", "likely"),
           says=("The FPDU in frame 9 has a wrong CRC at the tap, too",), finding_words=("One wrong bit, in octet 1",)),
    # The rule that the message named in a Terminate broke, with any error code.
    Answer(12, "made/questions/terminate-over-length-zero.pcapng", verdict=("failed", "a", "certain"), raises=("MS-40",),
           says=("mpa.first-fpdu-unreadable (MS-40) in frame 6",)),
    Answer(12, "made/questions/terminate-over-length-zero.pcapng", qp=1, verdict=("failed", "path", "likely"),
           says=("was right at the tap",)),
    Answer(12, "made/questions/terminate-over-response-to-nothing.pcapng", verdict=("failed", "b", "likely"), raises=("RM-09",),
           says=("The message that it names broke rule rdmap.read-response-unrequested (RM-09) in frame 8",)),
    Answer(12, "made/questions/terminate-over-response-to-nothing.pcapng", qp=1, verdict=("failed", "unknown", "likely"),
           says=("It does not say which error in this stream it is about",)),
    Answer(12, "made/questions/terminate-over-atomic-code.pcapng", verdict=("failed", "a", "certain"), raises=("AT-04",),
           says=("rdmap.atomic-operation-unknown (AT-04) in frame 8",)),
    Answer(12, "made/questions/terminate-over-atomic-code.pcapng", qp=1, verdict=("failed", "a", "likely"), raises=("AT-18",),
           says=("refuses the Atomic or Immediate Data message",)),
    Answer(12, "made/questions/terminate-over-atomic-response.pcapng", verdict=("failed", "b", "certain"), raises=("AT-02",),
           says=("rdmap.atomic-response-size (AT-02) in frame 9",)),
    Answer(12, "made/questions/terminate-over-atomic-response.pcapng", qp=1, verdict=("failed", "b", "certain"), raises=("AT-11",),
           not_raised=("AT-18",), says=("rdmap.atomic-response-unrequested (AT-11)",)),
    Answer(12, "made/questions/rtr-kinds-differ.pcapng", verdict=("failed", "unknown", "certain"), raises=("MS-28",),
           says=("The Request offers Write as RTR message, the Reply offers Read",
                 "broken on the way: mpa.rtr-mismatch-not-terminated (MS-28)")),
    Answer(15, "made/questions/third-send-without-receive.pcapng", verdict=("failed", "b", "likely"),
           says=("No receive was posted: before, 2 messages of that length or more had been received",)),
    Answer(15, "made/questions/third-send-without-receive.pcapng", qp=1, verdict=("failed", "unknown", "likely"),
           says=("no receive was posted, or one too small; Linux siw",)),
    # 13
    Answer(13, "siw/term-read-bad-sink.pcap", verdict=("failed", "a", "likely"),
           says=("it is the sink of its Read Request", "the sink of an RDMA Read needs remote write")),
    # 14
    Answer(14, "siw/term-read-bad-stag.pcap", verdict=("failed", "a", "likely"), says=("The Terminate names the RDMA Read Request",)),
    Answer(14, "made/questions/stag-used-after-invalidate.pcapng", verdict=("failed", "a", "certain"), raises=("RM-35",),
           says=("Invalid STag", "rdmap.stag-used-after-invalidate (RM-35) in frame 12"),
           fields={"verdict.evidence": [10, 12, 13]}),
    Answer(14, "siw/term-read-oob.pcap", says=("beyond the registered buffer",)),
    # 15
    Answer(15, "siw/term-send-too-long.pcap", says=("(256 octets)", "one too small; Linux siw")),
    Answer(15, "siw/term-send-no-recv.pcap", says=("no receive was posted",)),
    # 16
    Answer(16, "made/faults/fault-msn-skipped.pcapng", raises=("DD-07",), finding_words=("has MSN 3; 2 comes next",)),
    Answer(16, "made/faults/fault-msn-repeated.pcapng", raises=("DD-07",)),
    # 17
    Answer(17, "made/questions/read-never-answered.pcapng", fields={"read_depth.a_to_b": 1, "a_to_b.max_outstanding_reads": 1},
           not_raised=("RM-17",)),
    Answer(17, "made/questions/too-many-reads.pcapng", raises=("RM-17",), fields={"read_depth.a_to_b": 2},
           finding_words=("With this request 3 reads are outstanding; the IRD that was agreed allows 2 reads",),
           says=("rdmap.too-many-reads (RM-17) in frame 11",)),
    # 18
    Answer(18, "made/questions/read-never-answered.pcapng", verdict=("stalled", "b", "likely"),
           says=("has not answered the Read Request with MSN 2 (frame", "for 30 s, although its TCP has acknowledged it",
                 "cannot send another")),
    Answer(18, "made/questions/send-never-answered.pcapng", verdict=("running", "none", "likely"),
           says=("idle for 30 s", "the Responder should send next")),
    Answer(18, "made/questions/window-stays-closed.pcapng", verdict=("stalled", "b", "likely"),
           says=("has accepted no more data since frame 9 (its TCP window is closed)",)),
    Answer(18, "made/questions/peer-gone-silent.pcapng", verdict=("failed", "path", "likely"),
           says=("324 octets, sent more than once, got no acknowledgment",
                 "The Responder 10.0.0.2:5000 was silent for 30 s")),
    # 19
    Answer(19, "siw/rping-ipv4.pcap", verdict=("completed", "none", "certain"),
           says=("closed normally", "no operation was outstanding")),
    Answer(19, "made/questions/reset-with-a-read-open.pcapng", verdict=("failed", "b", "likely"),
           says=("reset the connection in frame", "was not answered")),
    Answer(19, "made/rules/rdmap.read-request-unanswered.pcapng", verdict=("failed", "a", "likely"), raises=("RM-16",)),
    Answer(19, "siw/perf-write-lat-64-crc.pcap", qp=1, says=("mpa.responder-sends-first (MS-23) in frame 36",)),
    Answer(19, "made/network/one-sided-initiator.pcapng", verdict=("unknown", "capture", "limited"),
           says=("the capture does not show whether the Responder 10.0.0.2:5000 did",)),
    # 20
    Answer(20, "siw/many-100-rping-crc.pcap.gz", raises=("SX-10",),
           finding_words=("6 connections to 10.77.0.2:7174", "failed: 6 never answered")),
    Answer(20, "made/rules/mpa.many-startups.pcapng", raises=("SX-10",), finding_words=("6 reset, aborted or closed", "They came from 1 host")),
    # 21
    Answer(21, "siw/many-100-rping-crc.pcap.gz", qp=9, says=("after 10 s",)),
    Answer(21, "made/questions/reply-late.pcapng", verdict=("completed", "none", "certain"),
           says=("sent its MPA Request only 2.00 s after the connection began", "took 7.00 s to answer the MPA Request"),
           fields={"startup.reply_after_ns": 7_000_010_000}, details=("the Reply came 7.00 s after the Request",)),
    Answer(21, "made/questions/reply-never.pcapng", verdict=("failed", "b", "likely"),
           says=("after 12 s without an answer to the MPA Request of frame 4",)),
    # 22
    Answer(22, "made/rules/tcp.smb-without-rdma.pcapng", qp=None, raises=("TC-08",),
           finding_words=("of SMB over TCP port 445, beginning in frame 4; no host tried port 5445",)),
    # 23
    Answer(23, "made/rules/port-mapper.unanswered.pcapng", raises=("PM-01",),
           finding_words=("asked the port mapper of 10.0.0.2 for port 5000 and got no answer",)),
    Answer(23, "made/rules/port-mapper.rejected.pcapng", raises=("PM-02",), finding_words=("knows no listener on port 5000",)),
    Answer(23, "made/rules/port-mapper.unused.pcapng", raises=("PM-03",),
           finding_words=("named 10.0.0.2:45000 for 10.0.0.2:5000 to 10.0.0.1, and no connection to that port follows",)),
    # 24
    Answer(24, "made/questions/answered-by-another-program.pcapng", verdict=("refused", "b", "likely"), raises=("MS-02",),
           says=("An HTTP server answered there: 'HTTP/1.1 400 Bad'",), finding_words=("answered by 24 octets that are not an MPA Reply",)),
    Answer(24, "made/questions/another-program-speaks-first.pcapng", verdict=("refused", "b", "likely"), raises=("MS-02",),
           says=("An SSH server answered there: 'SSH-2.0-OpenSSH_'.",)),
    Answer(24, "made/questions/mail-server-speaks-first.pcapng", verdict=("refused", "b", "likely"),
           says=("An SMTP server answered there: '220 mail.example'.",)),
    Answer(24, "made/messages/ordinary-http.pcapng", prints=("No queue pair: no TCP connection in this capture carries MPA",)),
    # 25
    Answer(25, "made/questions/hole-holds-messages-back.pcapng", raises=("TC-04",),
           says=("held back 5 messages from the Initiator that had arrived",),
           details=("held back by a hole 5, 80",)),
    Answer(25, "siw/lossy-send-64k-crc-at-server.pcap.gz", qp=1, raises=("TC-04",),
           finding_words=("11 TCP segments were overtaken",), fields={"a_to_b.out_of_order_segments": 11}),
    # 26
    Answer(26, "siw/reject-private-data.pcap", says=("11 octets, the text 'lab says no'",),
           fields={"startup.reply.private_data_text": "11 octets, the text 'lab says no'"}),
    Answer(26, "made/questions/nvme-queue-refused.pcapng", verdict=("refused", "b", "certain"),
           says=("the controller refuses with status 6: it has no resources",)),
    # 27
    Answer(27, "made/questions/nvme-queue-too-small.pcapng", fields={"ulp": "nvme", "ulp_limits.compatible": False},
           says=("asks for a submission queue of 128 entries; the controller grants 64",)),
    Answer(27, "made/questions/nfs-thresholds-differ.pcapng", fields={"ulp": "nfs", "ulp_limits.compatible": True},
           details=("calls of up to 4096 octets and replies of up to 4096 go inline",)),
    # 28
    Answer(28, "made/messages/atomics.pcapng", raises=("AT-04",)),
    Answer(28, "made/questions/atomic-result-impossible.pcapng", raises=("AT-14",),
           finding_words=("returned 0x000000000000004d, but the FetchAdd of QP 0 (frame 10) left 0x000000000000000a",)),
    Answer(28, "made/questions/atomic-malformed-later.pcapng", raises=("AT-01", "AT-14")),
    Answer(28, "made/questions/atomic-malformed-before.pcapng", raises=("AT-01",), not_raised=("AT-14", "AT-15")),
    Answer(28, "made/questions/atomic-counter-run-again.pcapng", verdict=("completed", "none", "certain"),
           not_raised=("AT-14", "AT-15")),
    Answer(28, "made/questions/atomic-counter-after-terminate.pcapng", qp=1, verdict=("completed", "none", "certain"),
           not_raised=("AT-14", "AT-15")),
    Answer(28, "made/questions/atomic-counter-shared.pcapng", raises=("AT-15",)),
    Answer(28, "made/messages/write-immediate.pcapng", verdict=("completed", "none", "certain"), not_raised=("AT-03",)),
    # 29
    Answer(29, "made/questions/three-ways-to-fail.pcapng", fields={"verdict.since": 6},
           prints=("What came first: frame 6 of QP 0 (10.0.0.1:40000 -> 10.0.0.2:5000), then frame 15 of QP 1",)),
    # 30
    Answer(30, "made/questions/three-ways-to-fail.pcapng", prints=("Blamed more than once: 10.0.0.2 (2 QPs)",)),
    Answer(30, "siw/many-100-rping-crc.pcap.gz", qp=None,
           prints=("1 failed V-11, likely by the Responder 10.77.0.2:7174 QPs 9, 12, 20, 24, 63 and 99: 10.77.0.1 -> "
                   "10.77.0.2, port 7174 Example QP 9: The Initiator")),
]
