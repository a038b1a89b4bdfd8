// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MPA startup rules (MS): Request and Reply, revisions 0, 1 and 2, enhanced data, the RTR indication.
// Source: RFC 5044 §7.1, App. C; RFC 6581 §5 to §10. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kMpaStartupRules = std::to_array<Rule>({
    {mpa_request_key_wrong, "mpa.request-key-wrong", "MS-01", error, peer, each, "RFC 5044 §7.1.1",
     "The Initiator's startup frame does not carry the key 'MPA ID Req Frame'.",
     "A Responder must close the connection on any other key. Usually one end entered MPA mode earlier than the other, "
     "so application data is in the place of the Request.",
     "Compare the sixteen octets with the key, and check at which point of the connection each application starts MPA.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_reply_key_wrong, "mpa.reply-key-wrong", "MS-02", error, peer, each, "RFC 5044 §7.1.1",
     "The answer to the MPA Request does not carry the key 'MPA ID Rep Frame'.",
     "An Initiator must close the connection on any other key. Usually the answering program does not speak iWARP, or "
     "it still sends application data.",
     "Check which program listens on that port, and that RDMA is enabled for it.", may_be_refused_with({{2, 0, 4}}),
     Explains::startup},
    {mpa_both_sent_request, "mpa.both-sent-request", "MS-03", error, peer, each, "RFC 5044 §7.1.2 rule 8",
     "Both ends sent an MPA Request; neither acts as Responder.",
     "MPA has no active/active start, so both ends must give up. Two applications each believe that they are the "
     "connecting side.",
     "Check which side is meant to listen for RDMA connections, and that nothing on the path echoes data back.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_startup_slow, "mpa.startup-slow", "MS-04", warning, peer, per_qp, "RFC 5044 §7.1.2 rules 8, 10",
     "The MPA Request or the MPA Reply did not come within 10 seconds.",
     "The end that waits gives up: Linux siw after 5 to 10 seconds, cxgb4 after 60. The end that keeps it waiting is "
     "busy, or its application has not accepted the connection yet.",
     "Look at the load and the listener of the end that is late, and at the timeouts of the other.", never_refused(),
     Explains::startup},
    {mpa_request_reject_bit, "mpa.request-reject-bit", "MS-05", warning, peer, each, "RFC 5044 §7.1.1",
     "The R (rejected) bit is set in an MPA Request, where it has no meaning and must be zero.",
     "Responders ignore it, so the connection still starts. The sender builds its startup frame wrongly.",
     "Note the sender's driver and firmware versions. No other action is needed while the connection works.",
     never_refused(), Explains::startup},
    {mpa_startup_reserved_bits, "mpa.startup-reserved-bits", "MS-06", note, peer, each, "RFC 6581 §6; RFC 5044 §7.1.1",
     "A reserved flag bit of this startup frame is not zero.",
     "Receivers must ignore these bits, so nothing fails. Linux siw sets bit 0x08 to announce FPDUs larger than one "
     "TCP segment to another siw.",
     "With Linux siw, expect FPDUs above the MULPDU (MF-02). With another sender, ask its vendor what the bit means.",
     never_refused(), Explains::startup},
    {mpa_revision_unknown, "mpa.revision-unknown", "MS-07", warning, peer, each, "RFC 5044 §7.1.1, App. C; RFC 6581 §6",
     "The MPA revision in this startup frame is not 0, 1 or 2.",
     "Revision 1 is RFC 5044, revision 2 adds RFC 6581, and 0 is the older RDMA Consortium protocol. A peer that does "
     "not know the revision must close the connection.",
     "Check whether the rest of the frame makes sense. If it does, look for a setting of the MPA revision at the "
     "sender.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_revision_0_settings, "mpa.revision-0-settings", "MS-08", warning, peer, each, "RFC 5044 App. C.1",
     "A startup frame of revision 0 does not ask for both markers and CRC.",
     "Revision 0 is the RDMA Consortium protocol, which always uses both. The peer may refuse, or the two ends may "
     "disagree on the framing.",
     "Check the sender's MPA settings. Prefer revision 1 or 2 if both ends know it.", never_refused(),
     Explains::startup},
    {mpa_enhanced_below_revision_2, "mpa.enhanced-below-revision-2", "MS-09", error, peer, each, "RFC 6581 §6",
     "The S bit announces enhanced data, but the frame's revision is below 2.",
     "Enhanced data needs revision 2 or higher. The peer may take the four enhanced octets for the application's "
     "private data; some implementations look only at the revision, others only at S.",
     "Check the sender's MPA revision setting, and which form the peer's Reply has.", may_be_refused_with({{2, 0, 4}}),
     Explains::startup},
    {mpa_enhanced_data_missing, "mpa.enhanced-data-missing", "MS-10", error, peer, each, "RFC 6581 §6, §9",
     "The S bit is set, but the private data is shorter than the four octets of enhanced data.",
     "The peer cannot read the read depths and the RTR options which the S bit announces, and is likely to close the "
     "connection.",
     "Check how the sender fills in PD_Length; it must count the four enhanced octets.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_private_data_too_long, "mpa.private-data-too-long", "MS-11", error, peer, each, "RFC 5044 §7.1.1",
     "PD_Length announces more than 512 octets of private data.",
     "A receiver must close the connection. The length was computed wrongly, or these octets are no startup frame.",
     "Check how much private data the application passes when it connects or accepts; enhanced data takes four octets "
     "of the 512.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_startup_cut_short, "mpa.startup-cut-short", "MS-12", error, peer, each, "RFC 5044 §7.1.1, §7.1.2 rule 9",
     "The connection was closed before all the octets that PD_Length announces had been sent.",
     "The sender gave a length that does not match its private data, or it gave up in the middle of the startup frame.",
     "Compare PD_Length with the octets that follow, and look in the sender's log for the reason of the close.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_fpdu_before_reply, "mpa.fpdu-before-reply", "MS-13", error, peer, each, "RFC 5044 §7.1.2 rule 2",
     "The Initiator sent octets after its Request, before it had received the Reply.",
     "Only the Reply says whether markers and CRC are in use, so the Responder may read these octets wrongly or close "
     "the connection.",
     "Check the Initiator's driver: applications cannot send before the connection is established.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_reply_before_request, "mpa.reply-before-request", "MS-14", error, peer, each, "RFC 5044 §7.1.2 rule 2",
     "The Responder sent its Reply before it had received the whole Request.",
     "It cannot have read the Request's private data. A program that sends a fixed Reply, or a proxy, would do so.",
     "Check what answers on that port, and whether something on the path splits the TCP connection.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_reply_to_malformed_request, "mpa.reply-to-malformed-request", "MS-15", error, peer, each,
     "RFC 5044 §7.1.2 rules 2, 5 and 9", "The Responder answered a malformed MPA Request with a Reply.",
     "A Responder must close the TCP connection after a malformed Request. This one does not check what it receives.",
     "Read the finding on the Request: it says what is wrong. Correct the Initiator first, then report the Responder.",
     never_refused(), Explains::startup},
    {mpa_fpdu_after_malformed_reply, "mpa.fpdu-after-malformed-reply", "MS-16", error, peer, each,
     "RFC 5044 §7.1.2 rule 3", "The Initiator went on with FPDUs after a malformed MPA Reply.",
     "An Initiator must close the TCP connection after a malformed Reply. The two ends may now disagree on markers and "
     "CRC.",
     "Read the finding on the Reply: it says what is wrong. Correct the Responder first, then report the Initiator.",
     never_refused(), Explains::startup},
    {mpa_enhanced_bit_differs, "mpa.enhanced-bit-differs", "MS-17", error, peer, each, "RFC 6581 §10",
     "The S bit of the MPA Reply differs from the S bit of the Request.",
     "A Responder must answer an enhanced Request with an enhanced Reply and a plain Request with a plain Reply, or "
     "close. Otherwise one end reads enhanced data where the other put private data.",
     "Check the MPA revision that each end is set to use.", may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_enhanced_reply_below_revision_2, "mpa.enhanced-reply-below-revision-2", "MS-18", error, peer, each,
     "RFC 6581 §6", "The MPA Reply carries enhanced data, but its revision is below 2.",
     "Enhanced data needs revision 2 or higher. An Initiator that checks only the revision ignores the read depths in "
     "it.",
     "Check the Responder's MPA revision setting and firmware.", may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_reply_revision_higher, "mpa.reply-revision-higher", "MS-19", warning, peer, each,
     "RFC 5044 App. C.1; RFC 6581 §10", "The MPA Reply has a higher revision than the Request.",
     "The revisions may differ. But an Initiator with the lower revision may not support the higher one, and may "
     "close.",
     "If the Initiator closes right after this Reply, set both ends to the same MPA revision.",
     may_be_refused_with({{2, 0, 4}}), Explains::startup},
    {mpa_closed_without_reply, "mpa.closed-without-reply", "MS-20", warning, peer, each, "RFC 6581 §6",
     "The Responder closed the TCP connection without an answer to a well-formed MPA Request of revision 1.",
     "A Responder must accept revision 1 even if it supports revision 2. To reject a Request, it should send a Reply. "
     "Here the Initiator never learns the reason.",
     "Look in the Responder's log. Usual reasons are: no listener, no free resources, or a minimum MPA revision.",
     never_refused(), Explains::startup},
    {mpa_fpdu_after_reject, "mpa.fpdu-after-reject", "MS-21", error, peer, each, "RFC 5044 §7.1.2 rules 2 and 3",
     "An FPDU was sent although the MPA Reply rejected the connection.",
     "After a rejection both ends leave MPA. One of them did not read the R bit, or assumes that the connection is "
     "established.",
     "Check the application's handling of a rejected connection at the end which sent the FPDU.",
     may_be_refused_somehow(), Explains::startup},
    {mpa_closed_after_reject, "mpa.closed-after-reject", "MS-22", note, peer, per_qp, "RFC 5044 §7.1.2 rule 2",
     "The Responder closed TCP together with its rejecting MPA Reply.",
     "MPA itself leaves TCP open, and the application may close it. Linux siw and irdma close at once, so a second try "
     "needs a new connection.",
     "Find out why the connection was rejected; the private data of the Reply may contain the reason.", never_refused(),
     Explains::startup},
    {mpa_responder_sends_first, "mpa.responder-sends-first", "MS-23", error, peer, each, "RFC 5044 §7.1.2 rule 4",
     "The Responder sent an FPDU before it had received the Initiator's first FPDU.",
     "The Initiator may still be in streaming mode and lose these octets. Therefore the Initiator has to send first.",
     "Use revision 2 with peer-to-peer and an RTR indication, or let the application at the Initiator send first.",
     may_be_refused_somehow(), Explains::startup},
    {mpa_peer_to_peer_differs, "mpa.peer-to-peer-differs", "MS-24", error, peer, each, "RFC 6581 §9.2",
     "The A flag (peer-to-peer) of the accepting Reply, or Accept, differs from that of the Request, or Initiate.",
     "The Responder must copy the flag. One end now waits for an RTR indication that the other does not expect.",
     "Set the same peer-to-peer option at both ends. cxgb4 with peer2peer=0 answers this way.",
     may_be_refused_with({{2, 0, 7}}), Explains::startup},
    {mpa_rtr_without_peer_to_peer, "mpa.rtr-without-peer-to-peer", "MS-25", error, peer, each, "RFC 6581 §9.2",
     "An RTR (ready to receive) option (flag B, C or D) is set while flag A (peer-to-peer) is not.",
     "Without A the options must be zero. The peer ignores them, so the connection usually still starts.",
     "Check the sender's connection settings; report it to the vendor if the application did not ask for this.",
     may_be_refused_with({{2, 0, 7}}), Explains::startup},
    {mpa_request_offers_no_rtr, "mpa.request-offers-no-rtr", "MS-26", warning, peer, each, "RFC 6581 §9.2",
     "The Request, or Initiate, asks for peer-to-peer mode but offers no RTR (ready to receive) option (flags B, C, "
     "D).",
     "The Initiator must say which kinds it can send, and must send one of them. With none offered the two ends cannot "
     "agree.",
     "Check whether the Initiator's driver lets you choose the RTR type.", may_be_refused_with({{2, 0, 7}}),
     Explains::startup},
    {mpa_reply_offers_no_rtr, "mpa.reply-offers-no-rtr", "MS-27", error, peer, each, "RFC 6581 §9.2",
     "The accepting Reply, or Accept, agrees to peer-to-peer mode but sets no RTR (ready to receive) option.",
     "The Responder must set at least one option that it supports, even one that was not asked for. The Initiator "
     "cannot know what to send and has to terminate.",
     "Check the Responder's RTR setting and firmware.", may_be_refused_with({{2, 0, 7}}), Explains::startup},
    {mpa_rtr_mismatch_not_terminated, "mpa.rtr-mismatch-not-terminated", "MS-28", error, peer, each, "RFC 6581 §9.2",
     "The two ends have no RTR (ready to receive) type in common. The Initiator's first message is not the Terminate "
     "that must report this.",
     "The Initiator must send a Terminate with layer 2, error type 0, code 7 and end the connection. Instead it went "
     "on, and the Responder may wait forever or fail later.",
     "Choose an RTR type which both ends support; the two startup frames list them.", may_be_refused_with({{2, 0, 7}}),
     Explains::startup},
    {mpa_rtr_missing, "mpa.rtr-missing", "MS-29", error, peer, each, "RFC 6581 §5, §9.2",
     "Peer-to-peer mode was agreed, but the Initiator's first message is not a zero-length message of a type that both "
     "ends offered.",
     "The Responder must not send before it has received this message. Another first message may be refused. It may "
     "also be taken for the RTR indication and lost to the application.",
     "Compare the options of the two startup frames with the first message, and update the Initiator's driver.",
     may_be_refused_with({{2, 0, 7}}), Explains::startup},
    {mpa_reply_ord_too_high, "mpa.reply-ord-too-high", "MS-30", error, peer, each, "RFC 6581 §9.1",
     "The accepting Reply, or Accept, sets an ORD above the IRD that the Request, or Initiate, offered.",
     "The Responder may send more RDMA Read Requests at once than the Initiator can hold. The excess ends in a "
     "Terminate.",
     "Raise the Initiator's IRD or lower the Responder's ORD, and look for Terminates while many reads are "
     "outstanding.",
     may_be_refused_with({{2, 0, 6}}), Explains::startup},
    {mpa_reply_ird_too_low, "mpa.reply-ird-too-low", "MS-31", warning, peer, each, "RFC 6581 §9.1",
     "The accepting Reply, or Accept, offers an IRD below the ORD that the Request, or Initiate, asked for.",
     "The Initiator has to lower its ORD to that IRD. If it does not, its reads overrun the Responder's queue.",
     "Check that the Initiator's outstanding reads stay within the Responder's IRD; raise the Responder's IRD if reads "
     "are slow.",
     never_refused(), Explains::startup},
    {mpa_unnegotiated_ord_not_answered, "mpa.unnegotiated-ord-not-answered", "MS-32", error, peer, each,
     "RFC 6581 §9.1",
     "The Initiator left its ORD to the application (0x3FFF), but the Responder answers with another IRD.",
     "The Responder must answer 0x3FFF with 0x3FFF. Linux siw and cxgb4 take it for the number 16383 and clamp it.",
     "Check that the application sets the read depths itself. If it does not, set a real ORD at the Initiator.",
     may_be_refused_with({{2, 0, 6}}), Explains::startup},
    {mpa_unnegotiated_ird_not_answered, "mpa.unnegotiated-ird-not-answered", "MS-33", error, peer, each,
     "RFC 6581 §9.1",
     "The Initiator left its IRD to the application (0x3FFF), but the Responder answers with another ORD.",
     "The Responder must answer 0x3FFF with 0x3FFF. Linux siw and cxgb4 take it for the number 16383 and clamp it.",
     "Check that the application sets the read depths itself. If it does not, set a real IRD at the Initiator.",
     may_be_refused_with({{2, 0, 6}}), Explains::startup},
    {mpa_unnegotiated_depth_not_asked, "mpa.unnegotiated-depth-not-asked", "MS-34", warning, peer, each,
     "RFC 6581 §9.1",
     "The Responder leaves a read depth to the application (0x3FFF) although the Initiator gave a number.",
     "The value is an answer to 0x3FFF only, and the limit on outstanding reads stays unknown. irdma answers 0x3FFF to "
     "both depths as soon as one of them was left open.",
     "Agree the read depths in the application, or give real numbers for both depths at the Initiator.",
     never_refused(), Explains::startup},
    {mpa_read_rtr_with_zero_ird, "mpa.read-rtr-with-zero-ird", "MS-35", warning, peer, each, "RFC 6581 §9.1",
     "The RTR indication is a zero-length RDMA Read, but the Responder's IRD is 0.",
     "An IRD of 0 means that the Responder takes no RDMA Read at all, so it may terminate the connection.",
     "Raise the Responder's IRD to at least 1, or choose another RTR type.",
     may_be_refused_with({{2, 0, 6}, {2, 0, 7}}), Explains::startup},
    {mpa_enhanced_asks_nothing, "mpa.enhanced-asks-nothing", "MS-36", note, peer, each, "RFC 6581 §10",
     "The enhanced startup frame asks for nothing: no peer-to-peer mode, both read depths left to the application.",
     "The enhanced form is meant only for a sender that wants one of its functions. It does no harm, but a peer that "
     "does not know it closes the connection.",
     "If the other end refuses the connection, try revision 1.", never_refused(), Explains::startup},
    {mpa_crc_off, "mpa.crc-off", "MS-37", note, peer, per_qp, "RFC 5044 §4.4, §7.1.1",
     "Neither end asked for CRC, so no CRC protects this connection.",
     "Only TCP's weak checksum protects the data, and CRC errors cannot be found. The RFC wants CRC to be on unless an "
     "administrator disables it; Linux siw has it off by default.",
     "Turn CRC on at one end (it is enough) unless the path is protected otherwise, for instance by IPsec.",
     never_refused(), Explains::startup},
    {mpa_legacy_read_depths, "mpa.legacy-read-depths", "MS-38", note, peer, each, "[MS-SMBD] §6.1",
     "The private data of this plain startup frame begins with what looks like read depths in the form used before RFC "
     "6581.",
     "Some SMB Direct implementations pass IRD and ORD this way, in either octet order. It is a guess from the values, "
     "and it is not used to check any limit.",
     "If reads fail on this connection, compare these values with the read depths that each end really uses.",
     never_refused(), Explains::startup},
    {mpa_unnegotiated_rtr, "mpa.unnegotiated-rtr", "MS-39", note, peer, per_qp, "RFC 6581 §9.2",
     "The first FPDU is a zero-length RDMA Write or Read although no RTR indication was negotiated.",
     "A cxgb4 node with peer2peer=1 does this after a revision 1 startup, so that the other end may send first. Some "
     "peers do not expect it.",
     "No action is needed if the connection works. Otherwise set peer2peer=0 at the sender, or use revision 2 at both "
     "ends.",
     never_refused(), Explains::startup},
    {mpa_first_fpdu_unreadable, "mpa.first-fpdu-unreadable", "MS-40", error, peer, per_direction,
     "RFC 5044 §7.1, §7.1.2 rule 7",
     "The octets after the startup frame are not an FPDU with the negotiated use of markers and CRC.",
     "The sender ignored the peer's marker or CRC request, or PD_Length does not match the private data really sent.",
     "Compare the M and C bits of both startup frames with what follows, and PD_Length with the private data.",
     may_be_refused_with(
         {{2, 0, 2}, {2, 0, 3}, {2, 0, 4}, {1, 0, 0}, {1, 1, 4}, {1, 2, 1}, {1, 2, 6}, {0, 2, 5}, {0, 2, 6}}),
     Explains::startup},
});

}  // namespace iwarpscope::findings::table
