// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Remarks: sentences that may follow any verdict. Inside of catalogue.cpp.
#pragma once

#include <array>

#include "verdict/catalogue.h"

namespace iwarpscope::verdict::table {

using enum RemarkId;
using enum Effect;

// What Request and Reply disagree about. Sources: RFC 5044 §7.1, RFC 6581 §6, §7, §9.
inline constexpr auto kReasonRows = std::to_array<RemarkRow>({
    {reason_markers_asked, "reason.markers-asked", "VR-01", explains, qp::Confidence::likely,
     "The likely reason: the Request asks for markers, which many RNICs (and Linux siw) do not send.",
     "Turn markers off on the Initiator's side."},
    {reason_crc_not_granted, "reason.crc-not-granted", "VR-02", explains, qp::Confidence::likely,
     "The likely reason: the Request asks for CRC and the Reply does not grant it.",
     "Set CRC the same way on both sides; RFC 5044 wants it on by default."},
    {reason_crc_not_asked, "reason.crc-not-asked", "VR-03", explains, qp::Confidence::likely,
     "The likely reason: the Reply asks for CRC and the Request did not.",
     "Turn CRC on on the Initiator's side as well."},
    {reason_reply_asks_markers, "reason.reply-asks-markers", "VR-04", explains, qp::Confidence::likely,
     "The likely reason: the Reply asks for markers.",
     "Turn markers off on the Responder's side, or use an Initiator that can send them."},
    {reason_revision, "reason.revision", "VR-05", explains, qp::Confidence::likely,
     "The likely reason: the Request has revision {of_request}, the Reply {of_reply}.",
     "Set both sides to the same MPA revision."},
    {reason_answer_plain, "reason.answer-plain", "VR-06", explains, qp::Confidence::likely,
     "The likely reason: the Session Initiate is an enhanced one, and its answer a plain one.",
     "Check whether both ends support the enhanced session control of RFC 6581."},
    {reason_answer_enhanced, "reason.answer-enhanced", "VR-07", explains, qp::Confidence::likely,
     "The likely reason: the Session Initiate is a plain one, and its answer an enhanced one.",
     "Check whether both ends support the enhanced session control of RFC 6581."},
    {reason_enhanced_bit, "reason.enhanced-bit", "VR-08", explains, qp::Confidence::likely,
     "The likely reason: the bit of enhanced startup (S) is {of_request} in the Request and {of_reply} in the Reply.",
     "Set both sides to the same MPA revision and peer-to-peer option: the Reply has to take S from the Request."},
    {reason_peer_to_peer, "reason.peer-to-peer", "VR-09", explains, qp::Confidence::likely,
     "The likely reason: only the {what} asks for peer-to-peer mode.",
     "Set peer-to-peer mode the same way on both sides."},
    {reason_ord, "reason.ord", "VR-10", explains, qp::Confidence::likely,
     "The likely reason: the Request wants {of_request} Reads outstanding (ORD) and the Reply allows {of_reply} (IRD).",
     "Raise the Responder's IRD, or lower the Initiator's ORD. In rdma_cm these are responder_resources and "
     "initiator_depth."},
    {reason_reply_ord, "reason.reply-ord", "VR-11", explains, qp::Confidence::likely,
     "The likely reason: the Reply wants {of_reply} Reads outstanding (ORD) and the Request allows {of_request} (IRD).",
     "Lower the Responder's ORD, or raise the Initiator's IRD. In rdma_cm these are initiator_depth and "
     "responder_resources."},
    {reason_private_data, "reason.private-data", "VR-12", explains, qp::Confidence::certain,
     "The startup frames are compatible, so the Responder's application rejected the {connection}. The Reply's private "
     "data may say why: {what}.",
     "Read the private data of the Reply as the upper layer defines it, and the log of that application."},
    {reason_not_on_wire, "reason.not-on-wire", "VR-13", adds, qp::Confidence::certain,
     "The startup frames are compatible, so the Responder's application or driver rejected the {connection}.", ""},
    {reason_rule, "reason.rule", "VR-14", explains, qp::Confidence::likely, "{rule_what}", "{rule_next}"},
    {reason_other_program, "reason.other-program", "VR-15", adds, qp::Confidence::certain,
     "So another program answers on that port, or one that is not ready for RDMA.", ""},
    {reason_ulp_limits, "reason.ulp-limits", "VR-16", adds, qp::Confidence::certain, "{what}",
     "Compare the limits that the upper layer is set up with on both sides."},
    {reason_not_mpa, "reason.not-mpa", "VR-17", adds, qp::Confidence::likely,
     "Its driver does not take this kind of Request, or what listens there does not speak MPA.", ""},
    {reason_too_many_wait, "reason.too-many-wait", "VR-18", adds, qp::Confidence::likely,
     "This is how a session is refused before the upper layer sees it: too many wait to be accepted.", ""},
    {reason_spoke_first, "reason.spoke-first", "VR-19", adds, qp::Confidence::likely,
     "{responder} sent octets before the {request} in this capture: another program may own the port.",
     "Check which program listens on the Responder's port."},
});

// What was outstanding, and what the way it ended means.
inline constexpr auto kOpenRemarkRows = std::to_array<RemarkRow>({
    {open_request, "open.request", "VR-20", adds, qp::Confidence::certain,
     "The {request_kind} with MSN {msn} (frame {frame}) from {who} was not answered.", ""},
    {open_message, "open.message", "VR-21", adds, qp::Confidence::certain,
     "The {opcode} that {who} began in frame {frame} was not finished.", ""},
    {open_fpdu, "open.fpdu", "VR-22", adds, qp::Confidence::certain, "{who} did not finish an FPDU.", ""},
    {open_all_requests, "open.all-requests", "VR-23", adds, qp::Confidence::certain,
     "All {amount} that {who} may have outstanding are waiting: it cannot send another.", ""},
    {open_only_request, "open.only-request", "VR-24", adds, qp::Confidence::certain,
     "{who} may have at most one request outstanding, so it cannot send another.", ""},
    {open_requests, "open.requests", "VR-25", adds, qp::Confidence::certain, "{amount} are waiting in total.", ""},
    {may_be_artefact, "open.may-be-artefact", "VR-26", adds, qp::Confidence::limited,
     "This may be an artefact: the capture is missing data exactly where the rest would be.", ""},
    {reset_is_usual, "end.reset-is-usual", "VR-27", adds, qp::Confidence::certain,
     "Some RNICs and drivers close this way; a program that was killed looks the same.", ""},
    {not_sent_again, "open.not-sent-again", "VR-28", adds, qp::Confidence::certain,
     "It was not sent again: the acknowledgment may be missing from the capture, or its sender is gone.", ""},
    {whose_turn, "open.whose-turn", "VR-29", adds, qp::Confidence::certain,
     "If the upper layer answers messages, {peer} should send next.", ""},
    {rule_broken, "way.rule-broken", "VR-30", adds, qp::Confidence::certain,
     "A rule was broken on the way: {rule} in frame {of_frame}.", "{rule_next}"},
    {rule_broken_by, "way.rule-broken-by", "VR-31", adds, qp::Confidence::certain,
     "{breaker} broke a rule on the way: {rule} in frame {of_frame}.", "{rule_next}", BlameRule::breaker},
    {damaged, "way.damaged", "VR-32", adds, qp::Confidence::likely,
     "Data was damaged on the way: {rule} in frame {of_frame}.", "{rule_next}", BlameRule::path},
    {suspicious, "way.suspicious", "VR-33", adds, qp::Confidence::certain,
     "Something was suspicious on the way: {rule} in frame {of_frame}.", "{rule_next}"},
    {siw_gso, "way.siw-gso", "VR-34", adds, qp::Confidence::certain, "This sender uses the GSO option of Linux siw.",
     "With Linux siw, turn its GSO option off: other receivers may reject the FPDUs that it makes."},
    {open_still_waiting, "open.still-waiting", "VR-35", adds, qp::Confidence::likely,
     "{peer} has not answered the {request_kind} with MSN {msn} (frame {frame}) for {waited}, while other messages "
     "flow.",
     "Look at the side that does not answer: its RNIC, its kernel log, and whether the memory is still registered.",
     BlameRule::peer},
    {either_end, "way.either-end", "VR-36", adds, qp::Confidence::likely,
     "The cause may be at either end: {peer} sent more messages after this error.", ""},
    {unfit_answer, "way.unfit-answer", "VR-37", adds, qp::Confidence::likely,
     "{who} had sent a Read Response in frame {of_frame} that no earlier request asked for; {peer} may have refused "
     "it.",
     ""},
    {repaired, "way.repaired", "VR-38", adds, qp::Confidence::certain,
     "{transport} repaired data from {who} that was damaged on the way, first in frame {of_frame}.",
     "Check the error counters of links and switches on the path."},
    {sent_again, "way.sent-again", "VR-39", adds, qp::Confidence::certain,
     "{transport} sent {amount} from {who} again ({what}).",
     "Look for drops and pause frames on the path; {transport_name}.retransmissions and {transport_name}.out-of-order "
     "give the counts."},
});

// What limits a verdict.
inline constexpr auto kLimitRows = std::to_array<RemarkRow>({
    {limit_frames_lost, "limit.frames-lost", "VR-40", limits, qp::Confidence::limited,
     "The capture itself lost frames: {what} may be among them.",
     "Capture again without loss: raise the capture's buffer, or tap both directions.", BlameRule::none, true},
    {limit_interface_down, "limit.interface-down", "VR-41", limits, qp::Confidence::limited,
     "An interface of the capture was down for {waited} meanwhile: {what} may have passed then.",
     "See why an interface of the capture was down."},
    {limit_other_path, "limit.other-path", "VR-42", limits, qp::Confidence::limited,
     "The association has addresses whose packets are not in the capture: it may go on between those.",
     "Tap every path of the association."},
    {limit_one_sided, "limit.one-sided", "VR-43", limits, qp::Confidence::limited,
     "Only one direction is in the capture: what the other side sent is not known.", "Capture both directions.",
     BlameRule::none, true},
    {limit_gap, "limit.gap", "VR-44", limits, qp::Confidence::limited,
     "The capture lacks {amount} of this {connection}, {what}.",
     "Capture again without loss: raise the capture's buffer, or tap both directions.", BlameRule::none, true},
    {limit_reset_shows_more, "limit.reset-shows-more", "VR-45", limits, qp::Confidence::limited,
     "The reset shows octets that are not in the capture, {what}.",
     "Capture again without loss: raise the capture's buffer, or tap both directions.", BlameRule::none, true},
    {limit_end_missing, "limit.end-missing", "VR-46", limits, qp::Confidence::limited,
     "The capture may lack the end of this session, {what}.",
     "Capture again without loss: raise the capture's buffer, or tap both directions.", BlameRule::none, true},
    {limit_framing_lost, "limit.framing-lost", "VR-47", limits, qp::Confidence::limited,
     "At the end, the FPDU boundary was unknown, so the last octets were not read.", ""},
    {limit_frames_cut, "limit.frames-cut", "VR-48", limits, qp::Confidence::limited,
     "Frames were cut by the capture's snap length.", "Capture whole frames.", BlameRule::none, true},
    {limit_closed_so_soon, "limit.closed-so-soon", "VR-49", limits, qp::Confidence::limited,
     "A program that closes normally so soon may have had an answer that the capture lacks.",
     "Capture on the Initiator's side.", BlameRule::none, true},
    {limit_abort, "limit.abort", "VR-50", limits, qp::Confidence::limited,
     "An ABORT does not show what was sent before it: the capture may lack {what}.", ""},
    {limit_no_answer, "limit.no-answer", "VR-51", limits, qp::Confidence::limited,
     "This may not be the answer to the {request}: {what}.", ""},
    {limit_joined_late, "limit.joined-late", "VR-52", limits, qp::Confidence::limited,
     "The capture began after the {connection} and has no message of {peer}, which may have stopped before.", ""},
    {limit_skipped, "limit.skipped", "VR-53", limits, qp::Confidence::limited,
     "Octets of {who} were skipped, because the FPDU boundary was unknown.", ""},
    {limit_reaction, "limit.reaction", "VR-54", limits, qp::Confidence::limited,
     "It may have been right where it was received: see {rule}.", ""},
    {limit_request_unfinished, "limit.request-unfinished", "VR-55", limits, qp::Confidence::limited,
     "Private data that the {request} announces was not complete, so no answer was expected yet.", ""},
    {limit_crc_inferred, "limit.crc-inferred", "VR-56", limits, qp::Confidence::limited,
     "The capture lacks the startup frames: only the FPDUs suggest that no CRC is in use.",
     "Capture from before the connection is set up.", BlameRule::none, true},
});

// What was slow, or was tried before.
inline constexpr auto kHistoryRows = std::to_array<RemarkRow>({
    {slow_request, "slow.request", "VR-60", adds, qp::Confidence::certain,
     "{initiator} sent its {request} only {waited} after the {connection} began.", ""},
    {slow_reply, "slow.reply", "VR-61", adds, qp::Confidence::certain,
     "{responder} took {waited} to answer the {request}; some drivers give up after 5 s.",
     "See why the application on the Responder's side accepts late: its load, its backlog."},
    {slow_path, "slow.path", "VR-62", adds, qp::Confidence::certain,
     "Loss or reordering on the path held back {amount} from {who} that had arrived: {what}.",
     "Look for drops and pause frames on the path; {transport_name}.retransmissions and {transport_name}.out-of-order "
     "give the counts."},
    {earlier_plain, "earlier.plain-initiate", "VR-63", adds, qp::Confidence::certain,
     "It fell back to a plain Initiate: the attempt of QP {qp} with an enhanced one (frame {of_frame}) failed just "
     "before.",
     "A plain Initiate has no IRD, ORD or RTR negotiation; see why the enhanced one was rejected."},
    {earlier_revision, "earlier.lower-revision", "VR-64", adds, qp::Confidence::certain,
     "It fell back to MPA revision {revision}: the attempt of QP {qp} with revision {old_revision} (frame {of_frame}) "
     "failed just before.",
     "Revision 1 has no IRD, ORD or RTR negotiation; see why the Responder rejected revision 2."},
    {earlier_attempt, "earlier.attempt", "VR-65", adds, qp::Confidence::certain,
     "This is a retry: the attempt in QP {qp} (frame {of_frame}) failed.", ""},
    {fpdu_length, "open.fpdu-length", "VR-66", adds, qp::Confidence::certain,
     "The ULPDU_Length of that FPDU, in frame {of_frame}, says {length} octets; {amount} of the FPDU came.",
     "If its message was shorter, the ULPDU_Length is wrong: look at the driver and firmware of its sender."},
    {named_program, "reason.named-program", "VR-67", adds, qp::Confidence::likely, "{what} answered there: '{banner}'.",
     ""},
});

}  // namespace iwarpscope::verdict::table
