// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts on streams that a Terminate ended, where something in the capture shows why. Inside of catalogue.cpp.
#pragma once

#include <array>

#include "verdict/catalogue.h"

namespace iwarpscope::verdict::table {

using enum VerdictId;
using enum qp::Outcome;
using B = BlameRule;
using C = qp::Confidence;

inline constexpr auto kTerminateRows = std::to_array<VerdictRow>({
    {terminate_over_rule, "terminate.over-rule", "V-50", failed, B::breaker, C::certain,
     "{who} sent a Terminate ({what}) in frame {frame}. {breaker} had broken rule {rule} in frame {of_frame}.",
     "{rule_next}"},
    {terminate_over_named_rule, "terminate.over-named-rule", "V-51", failed, B::breaker, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The message that it names broke rule {rule} in frame "
     "{of_frame}.",
     "{rule_next}"},
    {terminate_before_rule, "terminate.before-rule", "V-52", failed, B::breaker, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. {breaker} broke rule {rule} in frame {of_frame}, which the "
     "capture "
     "shows later.",
     "{rule_next}"},
    {terminate_over_other_rule, "terminate.over-other-rule", "V-53", failed, B::breaker, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Before, {breaker} broke rule {rule} in frame {of_frame}, which "
     "every receiver refuses.",
     "{rule_next}"},
    {terminate_rtr_kinds_differ, "terminate.rtr-kinds-differ", "V-54", failed, B::unknown, C::certain,
     "{who} sent a Terminate ({what}) in frame {frame}. The Request offers {of_request} as RTR message, the Reply "
     "offers {of_reply}.",
     "Allow a common kind of RTR message at both ends: {of_request} at the Responder, or {of_reply} at the Initiator."},
    {terminate_crc_never_right, "terminate.crc-never-right", "V-55", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. All {amount} of {peer} have a wrong CRC.",
     "See what the findings of mpa.crc-mismatch (MF-04) say about the octet order, then check the driver and firmware "
     "of that end."},
    {terminate_crc_wrong_at_tap, "terminate.crc-wrong-at-tap", "V-56", failed, B::path, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The FPDU in frame {of_frame} has a wrong CRC at the tap, too.",
     "Suspect a middlebox before the tap that recomputes the TCP checksum, or the sending adapter. "
     "Compare a capture from nearer to the sender."},
    {terminate_crc_not_in_use, "terminate.crc-not-in-use", "V-57", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. CRC is not in use on this connection.",
     "Compare the CRC settings of both drivers, and look at the kernel log of the end that complains."},
    {terminate_crc_unchecked, "terminate.crc-unchecked", "V-58", failed, B::unknown, C::limited,
     "{who} sent a Terminate ({what}) in frame {frame}. No FPDU of {peer} could be checked.",
     "Capture whole frames, to see whether the damage happens before or after the tap.", true},
    {terminate_crc_not_captured, "terminate.crc-not-captured", "V-59", failed, B::unknown, C::limited,
     "{who} sent a Terminate ({what}) in frame {frame}. The capture lacks FPDUs of {peer}; those in it are right "
     "({amount}).",
     "Capture whole frames, to see whether the damage happens before or after the tap.", true},
    {terminate_crc_unfinished, "terminate.crc-unfinished-fpdu", "V-60", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The last FPDU of {peer} is not complete, and may be the one "
     "meant.",
     "Check the ULPDU_Length of the last FPDU: with a wrong one, the receiver looks for the CRC in the wrong place."},
    {terminate_crc_wrong_after_tap, "terminate.crc-wrong-after-tap", "V-61", failed, B::path, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Every FPDU of {peer} was right at the tap.",
     "Suspect a middlebox after the tap, or the receiving adapter. Compare a capture from the end that "
     "sent the Terminate."},
    {terminate_markers_wrong_after_tap, "terminate.markers-wrong-after-tap", "V-62", failed, B::path, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Every FPDU and marker of {peer} was right at the tap.",
     "Suspect a middlebox after the tap, or the receiving adapter. Compare a capture from the end that "
     "sent the Terminate."},
    {terminate_claim_false, "terminate.claim-false", "V-63", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The DDP header that it quotes cannot have that error.",
     "Look at the kernel log and the RNIC's firmware at the end that sent the Terminate."},
    {terminate_names_unsent, "terminate.names-unsent", "V-64", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It quotes a DDP header that {peer} never sent.",
     "Look at the kernel log and the RNIC's firmware at the end that sent the Terminate."},
    {terminate_rtr_refused, "terminate.rtr-refused", "V-65", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It refuses the RTR message, whose STag need not be valid "
     "because its length is 0.",
     "Choose another kind of RTR message (Send, Read or Write) at the Initiator, or update the Responder's firmware "
     "and driver."},
    {terminate_extension_refused, "terminate.extension-refused", "V-66", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It refuses the Atomic or Immediate Data message of {peer}: "
     "{rule}.",
     "{rule_next}"},
    {terminate_rtr_mismatch_unsaid, "terminate.rtr-mismatch-unsaid", "V-67", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The startup frames have no common kind of RTR message: {rule}.",
     "Compare the A, B, C and D bits of Request and Reply: one kind of RTR message must be common to both."},
    {terminate_no_receive, "terminate.no-receive-posted", "V-68", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. No receive was posted: before, {amount} of that length or "
     "more had been received.",
     "Check how many receives the end that sent the Terminate keeps posted, and the credits of the upper layer."},
    {terminate_receive_smaller, "terminate.receive-smaller", "V-69", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The receive posted was smaller than others: before, {amount} "
     "of that length or more had been received.",
     "Check the sizes of the receives that the end which sent the Terminate posts."},
    {terminate_read_sink, "terminate.read-sink", "V-70", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The refused buffer belongs to {who}: it is the sink of its "
     "Read Request.",
     "On iWARP the sink of an RDMA Read needs remote write. Check that its registration allows it, is still valid and "
     "long enough."},
    {terminate_unreadable, "terminate.unreadable", "V-71", failed, B::unknown, C::likely,
     "{who} sent a Terminate in frame {frame} that is too short to read.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_crc_by_sender, "terminate.crc-by-sender", "V-72", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The CRC field of frame {of_frame} {crc}: only {peer} can have "
     "written it so.",
     "Check the CRC setting, driver and firmware of the end that sent this CRC."},
    {terminate_crc_and_framing, "terminate.crc-and-framing", "V-73", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Frame {of_frame} has a wrong CRC, and no FPDU follows it.",
     "Compare captures from both ends: either the sender framed wrongly, or the path changed the length of that FPDU."},
    {terminate_over_last_rule, "terminate.over-last-rule", "V-74", failed, B::breaker, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Just before, {breaker} had broken rule {rule} in frame "
     "{of_frame}.",
     "{rule_next}"},
});

// What a Terminate names, and what else is known of it.
inline constexpr auto kTerminateRemarkRows = std::to_array<RemarkRow>({
    {RemarkId::named_message, "named.message", "VR-80", Effect::adds, C::certain,
     "The Terminate names the {opcode} of {peer} in frame {of_frame}.", ""},
    {RemarkId::named_untagged, "named.untagged", "VR-81", Effect::adds, C::certain,
     "The Terminate names the {opcode} of {peer} in frame {of_frame} ({amount}).", ""},
    {RemarkId::named_untagged_so_far, "named.untagged-so-far", "VR-82", Effect::adds, C::certain,
     "The Terminate names the {opcode} of {peer} in frame {of_frame} ({amount} so far).", ""},
    {RemarkId::named_tagged, "named.tagged", "VR-83", Effect::adds, C::certain,
     "The Terminate names the {opcode} of {peer} in frame {of_frame} (STag {stag}, TO {to}, {amount}).", ""},
    {RemarkId::named_tagged_so_far, "named.tagged-so-far", "VR-84", Effect::adds, C::certain,
     "The Terminate names the {opcode} of {peer} in frame {of_frame} (STag {stag}, TO {to}, {amount} so far).", ""},
    {RemarkId::named_read, "named.read", "VR-85", Effect::adds, C::certain,
     "The Terminate names the {opcode} of {peer} in frame {of_frame} (STag {stag}, TO {to}, {amount} to read).", ""},
    {RemarkId::named_atomic, "named.atomic", "VR-86", Effect::adds, C::certain,
     "The Terminate names the {opcode} of {peer} in frame {of_frame} (STag {stag}, TO {to}).", ""},
    {RemarkId::usually_other_error, "terminate.usually-other-error", "VR-87", Effect::adds, C::likely,
     "Receivers usually report a violation of that rule with another error.", ""},
    {RemarkId::broken_before, "terminate.broken-before", "VR-88", Effect::adds, C::certain,
     "{breaker} had broken rule {rule} in frame {of_frame}; whether that led to the Terminate is not known.", ""},
    {RemarkId::lacks_extension, "terminate.lacks-extension", "VR-89", Effect::adds, C::certain,
     "{who} knows no message of RFC 7306 at all: {rule}.", ""},
    {RemarkId::cause_unseen, "terminate.cause-unseen", "VR-90", Effect::adds, C::limited,
     "The capture may lack what the Terminate is about.", ""},
    {RemarkId::crc_by_sender, "way.crc-by-sender", "VR-91", Effect::adds, C::likely,
     "The CRC field of frame {of_frame} {crc}. Only {breaker} can have written it so: {rule}.",
     "Check the CRC setting, driver and firmware of that end.", B::breaker},
    {RemarkId::markers_not_known, "terminate.markers-not-known", "VR-92", Effect::limits, C::limited,
     "The capture lacks the startup frame in which {who} says whether it wants markers.",
     "Capture from before the connection is set up.", B::none, true},
    {RemarkId::rule_means, "terminate.rule-means", "VR-93", Effect::adds, C::certain, "{rule_what}", ""},
});

}  // namespace iwarpscope::verdict::table
