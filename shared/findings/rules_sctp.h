// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules of DDP over SCTP (SC): associations, DATA chunks and DDP stream sessions.
// Source: RFC 5043; RFC 6581 §7. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kSctpRules = std::to_array<Rule>({
    {sctp_adaptation_missing, "sctp.adaptation-missing", "SC-01", error, peer, each, "RFC 5043 §5.1, §11.1",
     "DDP is used on an SCTP association whose INIT or INIT ACK does not announce it.",
     "Both ends must send the Adaptation Layer Indication 0x00000001. Without it the peer does not support DDP over "
     "SCTP, and DDP must not be used.",
     "Check that both ends set the adaptation layer of the SCTP socket to DDP, and that nothing on the path rewrites "
     "INIT chunks."},
    {sctp_other_payload, "sctp.other-payload", "SC-02", error, peer, per_direction, "RFC 5043 §5.1, §5.2",
     "A DATA chunk of a DDP association has a Payload Protocol Identifier other than 16 and 17.",
     "All streams of such an association carry DDP and nothing else; the receiver may end the association.",
     "Find the program that sends other data on this association. It needs an association of its own."},
    {sctp_ordered_chunk, "sctp.ordered-chunk", "SC-03", error, peer, each, "RFC 5043 §10",
     "A DATA chunk that carries DDP is sent ordered: its U flag is 0.",
     "DDP uses the DDP-SSN for ordering. After a loss, the receiving SCTP holds back ordered chunks. Direct placement "
     "is meant to avoid this delay.",
     "Check that the sender asks its SCTP for unordered delivery of every message."},
    {sctp_ddp_ssn_wrong, "sctp.ddp-ssn-wrong", "SC-04", error, peer, each, "RFC 5043 §5.2.1, §6, §6.1",
     "The DDP-SSNs of a session do not count 0, 1, 2 and so on: a number is missing, or was used twice.",
     "The receiver waits forever for the missing number, or ends the session. It cannot know the order of two messages "
     "with the same DDP-SSN.",
     "Look at how the sender assigns DDP-SSNs when several threads submit to one stream, and at the start of a "
     "session."},
    {sctp_function_code_unknown, "sctp.function-code-unknown", "SC-05", error, peer, each,
     "RFC 5043 §5.2.3; RFC 6581 §7", "A session control message has a function code that is not assigned.",
     "Codes 1 to 7 are assigned, 0xFFFF is for experiments. The receiver ends the session.",
     "Look at the octets: the code follows the DDP-SSN, high octet first.", never_refused(), Explains::startup},
    {sctp_private_data_too_long, "sctp.private-data-too-long", "SC-06", error, peer, each,
     "RFC 5043 §5.2.3; RFC 6581 §7", "A session control message carries more than 512 octets of private data.",
     "The maximum is 512 octets, including enhanced data. The receiver may truncate the data, or end the session.",
     "Check the length that the application gives. With enhanced data, the application has 508 octets.",
     never_refused(), Explains::startup},
    {sctp_terminate_private_data, "sctp.terminate-private-data", "SC-07", error, peer, each, "RFC 5043 §5.2.3",
     "A Session Terminate carries private data.",
     "A Session Terminate has no private data. The data may be meant for an RDMAP Terminate, which is a separate DDP "
     "segment.",
     "Check how the sender ends its sessions."},
    {sctp_session_sequence_wrong, "sctp.session-sequence-wrong", "SC-08", error, peer, each, "RFC 5043 §6.1 to §6.4",
     "A message is not allowed in the session's current state: control messages and DDP segments follow none of the "
     "legal sequences.",
     "A session is an Initiate, its answer, DDP segments, and a Terminate. The receiver must end a session that breaks "
     "this order.",
     "Look at the messages before it. After a gap in the capture this is not checked."},
    {sctp_segment_before_session, "sctp.segment-before-session", "SC-09", error, peer, each, "RFC 5043 §6.2, §6.6",
     "A DDP segment precedes the Initiate or the Accept of its sender, in the order of DDP-SSNs.",
     "The other side has no DDP endpoint for the stream yet, and must end the session.",
     "Check the sender's connection setup: the first message of each side is a session control message."},
    {sctp_segment_before_acknowledgment, "sctp.segment-before-acknowledgment", "SC-10", warning, peer, per_qp,
     "RFC 5043 §6.6", "The active side sent a DDP segment before its Initiate was acknowledged or answered.",
     "Chunks are unordered, so the DDP segment may overtake the Initiate and arrive on a stream without a session.",
     "Check that the sender waits for a SACK of its Initiate, or for the Accept. It is reported only if no SACK can be "
     "missing: both came in one packet, or a later SACK does not cover the Initiate."},
    {sctp_session_not_terminated, "sctp.session-not-terminated", "SC-11", warning, peer, per_qp, "RFC 5043 §6.2",
     "A session ended although neither side sent a Session Terminate.",
     "At least one side must send code 4 as its last message. Without it the other side cannot know that it received "
     "everything.",
     "See which side closed first, and whether its program ended or crashed."},
    {sctp_answer_kind_wrong, "sctp.answer-kind-wrong", "SC-12", error, peer, each, "RFC 6581 §7, §10",
     "An enhanced Initiate was answered by a plain Accept or Reject, or a plain Initiate by an enhanced answer.",
     "Code 5 is answered by 6, 7 or 4, code 1 by 2, 3 or 4. The two sides disagree on whether IRD and ORD were "
     "negotiated.",
     "Check whether both ends support RFC 6581, and the connection settings of the side that answered.",
     never_refused(), Explains::startup},
    {sctp_enhanced_data_missing, "sctp.enhanced-data-missing", "SC-13", error, peer, each, "RFC 6581 §7, §9",
     "An enhanced Initiate or Accept has fewer than the four octets of enhanced data.",
     "The peer cannot read the read depths and the RTR options, and is likely to end the session.",
     "Check how the sender builds the private data of codes 5 and 6.", never_refused(), Explains::startup},
    {sctp_fragmented, "sctp.fragmented", "SC-14", warning, peer, per_direction, "RFC 5043 §9",
     "A message that fits into one packet is split over several DATA chunks.",
     "SCTP should fragment a message only if IP would otherwise have to. A receiver must join the fragments before it "
     "can place anything.",
     "Compare the fragmentation limit of the sender's SCTP socket with the path MTU and the DDP segment size."},
    {sctp_stream_counts_differ, "sctp.stream-counts-differ", "SC-15", error, peer, each, "RFC 5043 §8",
     "A DDP association has more streams in one direction than in the other.",
     "A DDP stream is a pair of SCTP streams of one number; those without a partner cannot be used.",
     "Set the same number of outbound and inbound streams at both ends."},
    {sctp_stream_reused_early, "sctp.stream-reused-early", "SC-16", warning, peer, each, "RFC 5043 §6.6",
     "A new session was opened on a stream before all chunks of the previous session were acknowledged.",
     "A late chunk of the old session can then be taken for one of the new, because both count from DDP-SSN 0.",
     "Check that the sender waits for the SACK of its last message before it uses the stream again. It is reported "
     "only if no SACK can be missing: both came in one packet, or a later SACK does not cover the chunk."},
    {sctp_too_many_outstanding, "sctp.too-many-outstanding", "SC-17", error, peer, each, "RFC 5043 §10",
     "More than 32767 messages of one stream were sent without being acknowledged.",
     "DDP-SSNs have 16 bits: the receiver can no longer distinguish old messages from new ones. A later SACK showed "
     "that the oldest of them was still missing.",
     "Limit the messages in flight on a stream; do not count on the flow control of the ULP for it."},
    {sctp_terminate_on_every_stream, "sctp.terminate-on-every-stream", "SC-18", note, peer, each, "RFC 5043 §11.3",
     "An RDMAP Terminate was sent on every stream before the association ended.",
     "When the association itself ends, these Terminates delay its end. They report nothing that SCTP does not report.",
     "No action is needed. Find out why the association ended."},
    {sctp_both_sent_initiate, "sctp.both-sent-initiate", "SC-19", error, peer, each, "RFC 5043 §6.2",
     "Both sides sent an Initiate on one stream; neither is passive.",
     "A session has one active side. Each program assumes that it is the connecting side, or both chose the same "
     "stream at the same time.",
     "Check which side is meant to listen, and that both choose stream numbers from different ranges."},
    {sctp_wrong_checksum, "sctp.wrong-checksum", "SC-20", warning, path, each, "RFC 9260 §6.8",
     "Packets of an association have a wrong CRC32c; they are ignored, because their receiver drops them.",
     "They were damaged on the way, by a link, a switch or a middlebox. SCTP repairs it by sending their chunks again.",
     "Check the error counters of links and switches on the way to the tap."},
    {sctp_retransmissions, "sctp.retransmissions", "SC-21", note, path, per_direction, "RFC 9260 §6.3.3",
     "DATA chunks of this direction were sent again.",
     "Packets or their acknowledgments were lost or late. iWARP has no recovery of its own and waits for SCTP.",
     "Check for drops and pause frames at the switches on the path, and compare with the loss at the time of stalls."},
    {sctp_out_of_order, "sctp.out-of-order", "SC-22", note, path, per_direction, "RFC 9260 §6.7",
     "DATA chunks of this direction arrived in another order than that of their TSNs.",
     "Several paths (LAG, ECMP, multihoming) or a loss before the tap cause this. Chunks are unordered and are placed "
     "as they come, but messages are completed in the order of their DDP-SSNs.",
     "Check that one association stays on one path; the hash should use addresses and ports."},
    {sctp_zero_window, "sctp.zero-window", "SC-23", note, peer, each, "RFC 9260 §6.1",
     "The receiver closed its SCTP window, so the sender had to wait on all its streams.",
     "The receiving end processes the data more slowly than it arrives. With an RNIC this can mean a busy host bus or "
     "receive buffers posted too late.",
     "Look at the receiver's load, PCIe width and posted receives at that time."},
    {sctp_checksum_offload, "sctp.checksum-offload", "SC-24", note, capture, each, "RFC 9260 §6.8; RFC 9653",
     "Packets of this direction have a CRC32c of zero, which is not checked.",
     "Usually the capture was made on the sending host, where the adapter fills in the CRC32c later. The two ends may "
     "also have agreed to send no CRC32c.",
     "No action is needed. If you suspect damaged packets, capture on the path or at the other end."},
    {sctp_association_aborted, "sctp.association-aborted", "SC-25", note, peer, each, "RFC 9260 §3.3.7, §3.3.10",
     "The association was ended by an ABORT.",
     "A program exited or aborted, a driver was reset, an end broke the protocol, or an end no longer knew the "
     "association. All sessions end, and messages in transit are lost.",
     "See which end sent it, the cause that it names, and what came just before; a firewall on the path can send one "
     "too."},
    {sctp_forged_packets, "sctp.forged-packets", "SC-26", note, path, each, "RFC 9260 §6.2, §6.2.1; RFC 1122 §3.2.1.2",
     "Packets of an association were ignored because their receiver drops them. Nothing of them was used.",
     "Another host may try to put chunks into this association, or to hide others from an observer. A damaged header "
     "looks the same.",
     "Compare the TTL and the MAC addresses of the first one with those of the sender's other packets."},
});

}  // namespace iwarpscope::findings::table
