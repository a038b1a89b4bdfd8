// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DDP rules (DD): the control field, queues, sequence numbers and offsets, the parts of a message.
// Source: RFC 5041 §4 to §7. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kDdpRules = std::to_array<Rule>({
    {ddp_header_short, "ddp.header-short", "DD-01", error, peer, each, "RFC 5041 §4.2, §4.3",
     "The ULPDU is too short for a DDP header: 14 octets if tagged, 18 if untagged.",
     "The sender built the FPDU wrongly, or the FPDU boundary is lost.",
     "Check the CRC of this FPDU and the one before. If both are right, the sender built it this way.",
     may_be_refused_with({{1, 0, 0}})},
    {ddp_version_changed, "ddp.version-changed", "DD-02", error, peer, each, "RFC 5041 §4.1; RFC 5044 App. C.1",
     "The DDP version of this DDP segment differs from the one used before on this connection.",
     "All DDP segments of both directions must carry one version: 1, or 0 with the RDMA Consortium's protocol.",
     "Check the MPA revisions in the startup frames, and whether one end only knows the older protocol.",
     may_be_refused_with({{1, 1, 4}, {1, 2, 6}})},
    {ddp_version_wrong, "ddp.version-wrong", "DD-03", error, peer, each, "RFC 5041 §4.1; RFC 5044 App. C",
     "The DDP version of this DDP segment is not the one that the startup determined.",
     "It must be 1, and may be 0 only after a startup of MPA revision 0. The receiver terminates.",
     "Check the sender's MPA revision setting. A version of 2 or 3 means damage or a foreign protocol.",
     must_be_refused_with({{1, 1, 4}, {1, 2, 6}})},
    {ddp_reserved_bits, "ddp.reserved-bits", "DD-04", note, peer, each, "RFC 5041 §4.1",
     "Reserved bits of the DDP control field are not zero.",
     "Receivers must not check them, so nothing fails; the sender does not follow the format.",
     "Report it to the sender's vendor. If other fields look odd too, suspect a lost FPDU boundary."},
    {ddp_queue_unknown, "ddp.queue-unknown", "DD-05", error, peer, each, "RFC 5041 §7.1; RFC 7306 §10.2",
     "The queue number of this untagged DDP segment is not 0, 1, 2 or 3.",
     "Queues 0 to 2 belong to RFC 5040 and 3 to Atomic Responses; no other is assigned, so the receiver terminates.",
     "Check whether the sender uses a vendor's extension that the receiver lacks.", must_be_refused_with({{1, 2, 1}})},
    {ddp_first_msn_wrong, "ddp.first-msn-wrong", "DD-06", error, peer, each, "RFC 5041 §4.3",
     "The first message of this queue does not carry the message sequence number 1.",
     "Every queue starts at 1 in each direction. The receiver finds no buffer for another number and terminates.",
     "Check that the sender resets its counters when a queue pair is used again. The RTR indication is counted, too.",
     must_be_refused_with({{1, 2, 2}, {1, 2, 3}})},
    {ddp_msn_out_of_sequence, "ddp.msn-out-of-sequence", "DD-07", error, peer, each, "RFC 5041 §4.3",
     "The message sequence number does not follow that of the previous message of this queue.",
     "Each message adds 1, and 0 follows 0xFFFFFFFF. The receiver terminates with an invalid MSN.",
     "See whether a message is missing, repeated or counted on another queue; requests for reads and atomics share "
     "queue 1.",
     must_be_refused_with({{1, 2, 2}, {1, 2, 3}})},
    {ddp_message_changed, "ddp.message-changed", "DD-08", error, peer, each, "RFC 5041 §4.3",
     "The queue or message sequence number changes before the DDP segment with the Last flag.",
     "All DDP segments of one message must carry the same two numbers. The earlier message has no end.",
     "See whether the last DDP segment of the earlier message is missing, or only its Last flag.",
     may_be_refused_with({{1, 2, 1}, {1, 2, 2}, {1, 2, 3}})},
    {ddp_rsvdulp_changed, "ddp.rsvdulp-changed", "DD-09", error, peer, each, "RFC 5041 §4.2, §4.3",
     "The RDMAP control octet or the Invalidate STag differs between DDP segments of one message.",
     "All of them must carry the same value. Receivers may take either one, so two receivers may act differently.",
     "Compare the first and the last DDP segment of the message, and report the difference to the sender's vendor.",
     may_be_refused_with({{0, 2, 6}, {1, 0, 0}})},
    {ddp_first_mo_not_zero, "ddp.first-mo-not-zero", "DD-10", error, peer, each, "RFC 5041 §4.3",
     "The first DDP segment of this untagged message does not have the message offset 0.",
     "The offset counts from the start of the message. The receiver would leave a hole at the start of its buffer.",
     "Check whether the start of the message is missing, or whether the sender reuses an old offset.",
     must_be_refused_with({{1, 2, 4}})},
    {ddp_mo_wrong, "ddp.mo-wrong", "DD-11", error, peer, each, "RFC 5041 §5.2",
     "The message offset does not equal the octets of this message sent before it.",
     "The DDP segments overlap or leave a hole, so the receiver's buffer holds wrong data or the stream is terminated.",
     "Compare the offsets and lengths of the DDP segments around it.", must_be_refused_with({{1, 2, 4}})},
    {ddp_offset_decreases, "ddp.offset-decreases", "DD-12", warning, peer, each, "RFC 5041 §5.3",
     "A DDP segment of this message has a lower offset than the one before it.",
     "Senders should send increasing offsets within a message. Receivers that expect this treat a lower offset as an "
     "error.",
     "If the receiver terminates here, ask both vendors which order they support."},
    {ddp_last_misplaced, "ddp.last-misplaced", "DD-13", error, peer, each, "RFC 5041 §4.1",
     "The Last flag is not on the last DDP segment of the message, or that DDP segment does not have the highest "
     "offset.",
     "The receiver delivers the message at the Last flag; here it delivers too early or never.",
     "Compare the message's length with the offsets of its DDP segments.", may_be_refused_with({{1, 0, 0}})},
    {ddp_message_too_long, "ddp.message-too-long", "DD-14", error, peer, each, "RFC 5041 §5.2",
     "The message would be 2^32 octets long or more.",
     "DDP messages must be shorter, and the message offset has only 32 bits.",
     "Check for a Last flag that the sender forgot; two or more messages may run together.",
     may_be_refused_with({{1, 2, 5}})},
    {ddp_zero_length_not_alone, "ddp.zero-length-not-alone", "DD-15", warning, peer, each, "RFC 5041 §5.2",
     "A DDP segment without payload is not the only one of its message, or lacks the Last flag.",
     "An empty message must be exactly one DDP segment. No rule forbids an empty DDP segment in a longer message, but "
     "none is needed, and a receiver may refuse it.",
     "Check how the sender ends a message whose length is a multiple of its DDP segment size.",
     may_be_refused_with({{1, 0, 0}})},
    {ddp_stag_changed, "ddp.stag-changed", "DD-16", error, peer, each, "RFC 5041 §4.2",
     "The STag changes inside a tagged message.",
     "All DDP segments of a message go to one buffer. Either two messages run together or the sender mixes buffers.",
     "See whether the Last flag is missing where the STag changes.", may_be_refused_with({{1, 1, 0}, {1, 1, 2}})},
    {ddp_to_not_contiguous, "ddp.to-not-contiguous", "DD-17", error, peer, each, "RFC 5041 §5.2",
     "The tagged offset does not continue where the DDP segment before it ended.",
     "The DDP segments of a message follow one another without holes. Data goes to the wrong place of the buffer.",
     "See whether the Last flag is missing where the offset jumps; two messages may run together.",
     may_be_refused_with({{1, 1, 1}})},
    {ddp_to_wraps, "ddp.to-wraps", "DD-18", error, peer, each, "RFC 5041 §7.1",
     "The tagged offset plus the length of the payload exceeds 64 bits.",
     "No buffer can have such offsets. The receiver terminates (TO wrap).",
     "Check the offset that the application or the Read Request gave; a negative number looks like this.",
     must_be_refused_with({{0, 1, 4}, {1, 1, 1}, {1, 1, 3}})},
    {ddp_messages_interleaved, "ddp.messages-interleaved", "DD-19", error, peer, each, "RFC 5041 §4.1, §5.3",
     "DDP segments of a new message come before an earlier message of the same kind has ended.",
     "A receiver cannot distinguish two unfinished tagged messages, or two of one queue. A sender must send one "
     "message after the other.",
     "Check the sender's scheduler. Linux siw as receiver ends the connection here.",
     may_be_refused_with({{1, 0, 0}, {1, 2, 4}})},
    {ddp_models_interleaved, "ddp.models-interleaved", "DD-20", warning, peer, each, "RFC 5041 §5.3",
     "DDP segments of a tagged and of an untagged message are mixed.",
     "A sender should send one message after the other. A receiver can distinguish the two kinds by the T flag, and "
     "Linux siw accepts this. Other receivers may not.",
     "No action is needed while it works. If the receiver terminates here, this is the likely cause."},
    {ddp_message_unfinished, "ddp.message-unfinished", "DD-21", warning, peer, per_direction, "RFC 5041 §6.2",
     "This direction ended (FIN, Session Terminate or RDMAP Terminate) before a message was complete.",
     "The message can never be delivered. Normally a sender finishes its message before it closes.",
     "Look for the reason of the close: a Terminate of either end, or an application that exited.", never_refused(),
     Explains::nothing},
    {ddp_segment_after_terminate, "ddp.segment-after-terminate", "DD-22", error, peer, per_direction, "RFC 5040 §5.4",
     "A message that had begun continues after this direction's Terminate.",
     "A Terminate is the last message of its sender on the stream. The receiver discards the rest. RM-19 reports "
     "messages that begin after the Terminate.",
     "Report it to the sender's vendor; look at the Terminate for what went wrong first."},
    {ddp_answered_after_error, "ddp.answered-after-error", "DD-23", warning, peer, each, "RFC 5041 §7.1",
     "An end that reported an error still answers requests which were sent after the reported DDP segment.",
     "After the first error a receiver must drop all later DDP segments silently, so it should not know these "
     "requests.",
     "Check that the Terminate names the right DDP segment. If it does, report the problem to the vendor of its "
     "sender."},
});

}  // namespace iwarpscope::findings::table
