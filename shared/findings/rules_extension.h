// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules of the RDMA protocol extensions (AT): Atomic Operations and Immediate Data.
// Source: RFC 7306. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kExtensionRules = std::to_array<Rule>({
    {rdmap_atomic_request_size, "rdmap.atomic-request-size", "AT-01", error, peer, each, "RFC 7306 §4, §5.2.1",
     "The Atomic Request is not one DDP segment with exactly 52 octets.",
     "The header has a fixed size and no payload may follow. The responder cannot carry out the operation.",
     "Report it to the sender's vendor; check which draft or RFC its atomics follow.",
     may_be_refused_with({{0, 2, 6}, {0, 2, 7}, {0, 2, 0xFF}, {1, 0, 0}, {1, 2, 5}})},
    {rdmap_atomic_response_size, "rdmap.atomic-response-size", "AT-02", error, peer, each, "RFC 7306 §5.2.2 Figure 6",
     "The Atomic Response is not one DDP segment with exactly 12 octets.",
     "It holds the request identifier and the original value. The '32 bytes' in section 4 of the RFC do not fit its "
     "own figure; a sender that took them literally is wrong.",
     "Report it to the responder's vendor.",
     may_be_refused_with({{0, 2, 6}, {0, 2, 7}, {0, 2, 0xFF}, {1, 0, 0}, {1, 2, 5}})},
    {rdmap_immediate_size, "rdmap.immediate-size", "AT-03", error, peer, each, "RFC 7306 §6.3",
     "The Immediate Data message is not one DDP segment with exactly 8 octets.",
     "The receiver must check for 8 octets and refuse anything else. A 32-bit value is sent padded to 8 octets.",
     "Check the sender's driver; cxgb4 puts its 32 bits first and fills with zeros, which is right.",
     may_be_refused_with({{0, 2, 6}, {0, 2, 0xFF}, {1, 0, 0}, {1, 2, 5}})},
    {rdmap_atomic_operation_unknown, "rdmap.atomic-operation-unknown", "AT-04", error, peer, each,
     "RFC 7306 §5.2.1 Figure 5, §10.1", "The atomic operation code is neither FetchAdd (0) nor CmpSwap (2).",
     "Code 1 was Swap in the first draft and is now reserved; all others are unassigned. The responder reports an "
     "error.",
     "With code 1, look for an implementation of the draft at the sender.",
     may_be_refused_with({{0, 2, 6}, {0, 2, 7}, {0, 2, 0xFF}})},
    {rdmap_atomic_reserved_bits, "rdmap.atomic-reserved-bits", "AT-05", note, peer, each, "RFC 7306 §5.2.1",
     "Reserved bits of the Atomic Request header are not zero.",
     "Receivers ignore them, so nothing fails; the sender does not follow the format.",
     "Report it to the sender's vendor."},
    {rdmap_atomic_fetchadd_compare, "rdmap.atomic-fetchadd-compare", "AT-06", warning, peer, each, "RFC 7306 §5.2.1",
     "A FetchAdd does not have Compare Data 0 and a Compare Mask of all ones.",
     "FetchAdd does not use them, and the responder ignores them. Other values suggest that the sender left old data.",
     "Check that the application meant FetchAdd and not CmpSwap."},
    {rdmap_atomic_misaligned, "rdmap.atomic-misaligned", "AT-07", warning, peer, each, "RFC 7306 §5.2.1, §8.2",
     "The tagged offset of this Atomic Request is not a multiple of 8.",
     "The target address must be 64-bit aligned. If offsets are addresses, the responder must terminate. If the "
     "buffer's offsets start at 0, the address may still be aligned.",
     "Check the alignment of the buffer in the application, and how the responder registers it.",
     may_be_refused_with({{0, 2, 7}})},
    {rdmap_atomic_misaligned_answered, "rdmap.atomic-misaligned-answered", "AT-08", warning, peer, each,
     "RFC 7306 §8.2", "An Atomic Request with an offset that is not a multiple of 8 was answered by a normal Response.",
     "If the address was misaligned, the responder had to leave memory unchanged and send a Terminate (0/2/07). The "
     "operation may not have been atomic.",
     "Check whether the responder's buffer uses offsets from 0; if not, report it to the vendor."},
    {rdmap_atomic_identifier_wrong, "rdmap.atomic-identifier-wrong", "AT-09", error, peer, each, "RFC 7306 §5.2.2",
     "The Atomic Response does not carry the request identifier of the Atomic Request that it answers.",
     "The responder must echo it. Responses are out of order, or one is missing, and values go to the wrong request.",
     "See whether the identifier fits another outstanding request (RM-14).",
     may_be_refused_with({{0, 2, 6}, {0, 2, 7}, {0, 2, 0xFF}})},
    {rdmap_atomic_response_msn_wrong, "rdmap.atomic-response-msn-wrong", "AT-10", error, peer, each,
     "RFC 7306 §5, §5.2.2",
     "The message sequence number of this Atomic Response does not match its position on queue 3.",
     "The n-th Atomic Response answers the n-th Atomic Request; queue 3 counts only atomics, queue 1 also counts "
     "reads.",
     "See whether the responder copied the number of the request from queue 1.",
     may_be_refused_with({{1, 2, 2}, {1, 2, 3}})},
    {rdmap_atomic_response_unrequested, "rdmap.atomic-response-unrequested", "AT-11", error, peer, each,
     "RFC 7306 §5.2.2", "An Atomic Response arrives although no Atomic Request is outstanding.",
     "Each Response answers one Request of the other direction. The responder sent a Response twice.",
     "Look for an earlier Response with the same request identifier.",
     may_be_refused_with({{0, 2, 6}, {1, 2, 2}, {1, 2, 3}})},
    {rdmap_atomic_request_unanswered, "rdmap.atomic-request-unanswered", "AT-12", warning, peer, each,
     "RFC 7306 §5.2.1 rule 8",
     "The connection or session ended with an unanswered Atomic Request, and no Terminate gives the reason.",
     "A valid request must be answered. The requester does not know whether the operation took place.",
     "Read the target word at the responder if its value matters, and look for the reason of the close.",
     never_refused(), Explains::nothing},
    {rdmap_too_many_atomics, "rdmap.too-many-atomics", "AT-13", warning, peer, per_direction,
     "RFC 7306 §5.2.2 rule 4; RFC 6581 §9.1",
     "More RDMA Reads and Atomic Operations were outstanding than the negotiated depth of reads.",
     "Both wait in the same queue of the responder. The upper layer decides how many atomics are allowed, so this may "
     "be agreed. If not, the responder terminates the connection.",
     "Check the depth that the applications agreed on, and whether a Terminate follows.",
     may_be_refused_with({{0, 2, 6}, {0, 2, 7}, {1, 2, 2}, {1, 2, 3}})},
    {rdmap_atomic_results_inconsistent, "rdmap.atomic-results-inconsistent", "AT-14", warning, peer, each,
     "RFC 7306 §5.3, §5.4",
     "The original value returned by an Atomic Response is impossible, given this connection's own operations.",
     "Each operation must find the value that the operation before it left. Something else wrote the word, or the "
     "responder's atomics are not atomic.",
     "See whether the host's own software or a DMA of another device writes that word. If not, report it to the "
     "responder's vendor."},
    {rdmap_atomics_not_linearizable, "rdmap.atomics-not-linearizable", "AT-15", warning, peer, each, "RFC 7306 §5.3",
     "No order of the operations of all connections on this word explains the returned values.",
     "Operations of several connections to one adapter must be atomic with respect to each other. A writer that is not "
     "in the capture would explain it as well.",
     "Check that all connections end at one adapter, that no software uses plain stores on the word, and that the "
     "capture shows every connection."},
    {rdmap_extension_version_wrong, "rdmap.extension-version-wrong", "AT-16", error, peer, each, "RFC 7306 §4.1",
     "An atomic or Immediate Data message has an RDMAP version other than 1.",
     "The extensions exist only in version 1; the RDMA Consortium's protocol does not have them.",
     "Check the MPA revisions in the startup frames.", may_be_refused_with({{0, 2, 5}})},
    {rdmap_extension_draft_queue, "rdmap.extension-draft-queue", "AT-17", error, peer, each, "RFC 7306 §4.1 Figure 2",
     "Immediate Data with Solicited Event, or an Atomic Response, is sent on queue 1 as in the first draft.",
     "The RFC uses queue 0 for Immediate Data and 3 for Atomic Responses. A peer that follows the RFC refuses this.",
     "Update the sender's firmware to one that follows RFC 7306.", may_be_refused_with({{0, 2, 6}, {1, 2, 1}})},
    {rdmap_extension_refused, "rdmap.extension-refused", "AT-18", note, peer, per_qp, "RFC 7306 §1.1",
     "An atomic or Immediate Data message was refused as an unexpected opcode.",
     "The receiver does not support RFC 7306. Most iWARP adapters have no atomics at all.",
     "Turn the use of atomics and Immediate Data off in the application or middleware, or use adapters that support "
     "them."},
    {rdmap_atomic_word_mixed_use, "rdmap.atomic-word-mixed-use", "AT-19", note, peer, each, "RFC 7306 §5",
     "A word that atomics work on is also read or written by RDMA Read or RDMA Write.",
     "Atomic Operations are atomic only with respect to each other. A Write may partly overwrite or undo them. A Read "
     "may see half of a change.",
     "Check that the application initialises the word before the first atomic, and reads it by atomics."},
    {rdmap_atomic_identifier_repeated, "rdmap.atomic-identifier-repeated", "AT-20", note, peer, each, "RFC 7306 §5.2.1",
     "An Atomic Request has the identifier of another one that is still outstanding.",
     "The sender chooses identifiers freely and responses come in order, so it works. Only the order distinguishes "
     "them.",
     "No action is needed, unless responses go to the wrong requests."},
});

}  // namespace iwarpscope::findings::table
