// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MPA Full Operation rules (MF): length, PAD, CRC, markers, alignment, the end of the stream.
// Source: RFC 5044 §3 to §9, App. A; RFC 5041 §5.2, §6.2. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kMpaFpduRules = std::to_array<Rule>({
    {mpa_ulpdu_length_invalid, "mpa.ulpdu-length-invalid", "MF-01", error, peer, each, "RFC 5044 §3",
     "An FPDU was expected here, but ULPDU_Length is invalid (0 or above 64768). Or no valid DDP and RDMAP header is "
     "found here, nor where the length points to.",
     "No sender may post such a ULPDU. The sender framed wrongly or sent something other than FPDUs, or one end lost "
     "the FPDU boundary.",
     "Look at the FPDU before this one: if its CRC is right, the sender wrote these octets. Text or another protocol "
     "in them shows which program did.",
     may_be_refused_with({{2, 0, 2}, {2, 0, 3}, {1, 0, 0}, {1, 1, 4}, {1, 2, 1}, {1, 2, 6}, {0, 2, 5}, {0, 2, 6}})},
    {mpa_ulpdu_above_mulpdu, "mpa.ulpdu-above-mulpdu", "MF-02", warning, peer, per_direction,
     "RFC 5044 §4.5; RFC 5041 §5.2", "FPDUs of this direction are larger than one TCP segment of the negotiated MSS.",
     "DDP should fit each DDP segment into one TCP segment, so that a receiver can place it on arrival. Linux siw "
     "exceeds the limit on purpose when it uses TCP segmentation offload (GSO).",
     "Check the MSS in the SYN and the path MTU. With Linux siw, turn its GSO use off if the receiver is an RNIC."},
    {mpa_pad_not_zero, "mpa.pad-not-zero", "MF-03", note, peer, per_direction, "RFC 5044 §4.1",
     "The PAD octets of this FPDU are not zero.",
     "Senders must send zeros; receivers ignore them, so nothing fails. The octets may be left-overs of the sender's "
     "memory; Linux siw does this.",
     "Report it to the sender's vendor: it can leak up to three octets with each FPDU."},
    {mpa_crc_mismatch, "mpa.crc-mismatch", "MF-04", error, path, each, "RFC 5044 §4.4",
     "The CRC at the end of this FPDU does not match its octets.",
     "The octets changed after the sender computed the CRC: on a link, in a switch or NAT that rewrote the data, or in "
     "the sender. The receiver terminates, or drops the TCP segment and waits for a retransmission.",
     "Compare captures from both ends to find where the octets change; check link error counters on the way between.",
     may_be_refused_with({{2, 0, 2}})},
    {mpa_crc_not_judged, "mpa.crc-not-judged", "MF-05", note, peer, per_direction, "RFC 5044 §4.1, §7.1.1",
     "CRC is off on this connection, so the CRC field is not checked.",
     "The field is still sent and may hold any value. The report shows whether it held zero (as Linux siw sends), a "
     "right CRC or another value.",
     "No action is needed. Turn CRC on if you suspect damaged data."},
    {mpa_marker_missing, "mpa.marker-missing", "MF-06", error, peer, each, "RFC 5044 §4.3, §7.1.1",
     "There is no marker at a position where the receiver requires one.",
     "The receiver asked for markers in its startup frame. The sender leaves them out, or counts the 512 octets from "
     "the wrong start.",
     "Check the M bit of the receiver's startup frame and the sender's marker setting.",
     may_be_refused_with({{2, 0, 3}, {2, 0, 2}})},
    {mpa_marker_unexpected, "mpa.marker-unexpected", "MF-07", error, peer, each, "RFC 5044 §7.1.1",
     "The stream holds markers although the receiver did not ask for them; it can be read only after the markers are "
     "removed.",
     "Without the M bit of the receiver, markers must not be sent. The receiver takes them for data and fails.",
     "Check whether the sender has markers forced on, or took its own M bit for the receiver's.",
     may_be_refused_with({{2, 0, 3}, {2, 0, 2}})},
    {mpa_first_marker_wrong, "mpa.first-marker-wrong", "MF-08", error, peer, each, "RFC 5044 §4.3, §7.1.2 rule 7",
     "With markers in use, the first four octets after the startup frame are not a marker of zeros.",
     "The stream must start with such a marker. The sender leaves markers out, or starts to count them elsewhere.",
     "Check the M bit of the receiver's startup frame, and that PD_Length gives the true end of the sender's own "
     "frame.",
     may_be_refused_with({{2, 0, 3}, {2, 0, 2}})},
    {mpa_marker_reserved_bits, "mpa.marker-reserved-bits", "MF-09", note, peer, each, "RFC 5044 §4.2",
     "The reserved octets of a marker are not zero.",
     "Receivers ignore them, so nothing fails by this alone; the sender does not follow the format.",
     "If there are other marker findings here, these octets are probably not a marker. Read those findings first.",
     may_be_refused_with({{2, 0, 3}})},
    {mpa_marker_pointer_low_bits, "mpa.marker-pointer-low-bits", "MF-10", note, peer, each, "RFC 5044 §4.2, §4.3",
     "The two low bits of a marker's FPDUPTR are not zero.",
     "FPDUs are multiples of four octets, so these bits are reserved. Receivers treat them as zero and nothing fails.",
     "Report it to the sender's vendor; if FPDUPTR is wrong as well (MF-11), start there.",
     may_be_refused_with({{2, 0, 3}})},
    {mpa_marker_pointer_wrong, "mpa.marker-pointer-wrong", "MF-11", error, peer, each, "RFC 5044 §4.3",
     "A marker's FPDUPTR does not give the distance back to the ULPDU_Length of its FPDU.",
     "A receiver that uses markers to find FPDUs in data out of order would look in the wrong place. Others report a "
     "marker error (Terminate, layer 2, code 3).",
     "Check whether the FPDU's CRC is right. If it is, the sender computed the pointer wrongly.",
     may_be_refused_with({{2, 0, 3}})},
    {mpa_marker_pointer_zero, "mpa.marker-pointer-zero", "MF-12", error, peer, each, "RFC 5044 §4.3",
     "A marker's FPDUPTR is zero inside an FPDU, or not zero between two FPDUs.",
     "Zero means only that an FPDU starts right after the marker. The marker and ULPDU_Length disagree about where "
     "FPDUs begin.",
     "Compare with the lengths of the FPDUs around it. The CRC shows whether the marker was sent this way.",
     may_be_refused_with({{2, 0, 3}})},
    {mpa_markers_disagree, "mpa.markers-disagree", "MF-13", error, peer, each, "RFC 5044 §4.3",
     "The markers inside one FPDU point to different octets.",
     "All of them must point to the ULPDU_Length of the FPDU that holds them. The sender's marker counting drifts "
     "within the FPDU.",
     "Look at the distances between the markers: 512 octets including the marker itself, not 516.",
     may_be_refused_with({{2, 0, 3}})},
    {mpa_closed_inside_fpdu, "mpa.closed-inside-fpdu", "MF-14", warning, peer, per_direction, "RFC 5044 §7.2, §8",
     "The connection was closed (FIN) in the middle of an FPDU.",
     "The last FPDU can never be delivered. The sender was stopped while it was sending, for instance because its "
     "process ended.",
     "Look for a Terminate or an application error just before, and in the sender's log.", never_refused(),
     Explains::nothing},
    {mpa_marker_at_end, "mpa.marker-at-end", "MF-15", warning, peer, per_direction, "RFC 5044 §4.3",
     "The stream ends with a marker that no FPDU follows.",
     "A marker between FPDUs belongs to the next FPDU, so a marker is never sent alone. The sender emitted it too "
     "early, or was stopped before the next FPDU.",
     "Check whether the sender ended in a normal way; if so, report it to the vendor."},
    {mpa_fpdu_not_aligned, "mpa.fpdu-not-aligned", "MF-16", note, peer, per_direction, "RFC 5044 §5.1, App. A.1",
     "TCP segments of this direction do not start with an FPDU.",
     "It is allowed, but the receiver has to reassemble before it can place data, which costs speed. Sockets-based "
     "senders such as Linux siw and re-segmenting middleboxes do this, and so does offload on a capturing host.",
     "If throughput matters, compare a capture at the sender with one from the path to find what splits the stream."},
    {mpa_fpdu_split, "mpa.fpdu-split", "MF-17", note, peer, per_direction, "RFC 5044 §5.1",
     "FPDUs of this direction are spread over several TCP segments although each would fit into one.",
     "It is allowed, but a loss of either part delays the whole FPDU. Small windows, Nagle's algorithm and separate "
     "writes of header and CRC cause it.",
     "Look at the receive window and at the sizes of the TCP segments around it; check that TCP_NODELAY is set."},
    {tcp_retransmission_differs, "tcp.retransmission-differs", "MF-18", warning, path, each, "RFC 5044 §9.1.1",
     "Retransmitted octets differ from those first sent at the same place of the stream; the first copy is used here.",
     "A correct sender repeats the same octets. Possible causes are damage that TCP's checksum missed, a middlebox "
     "that rewrites data, or an attacker that injects packets.",
     "See which copy makes the FPDU's CRC right, and compare addresses, TTL and timing of the two frames."},
    {mpa_crc_mismatch_reaction, "mpa.crc-mismatch-reaction", "MF-19", note, path, each, "RFC 5044 §8",
     "How the receiver reacted to an FPDU with a wrong CRC: a Terminate, a retransmission of the octets, or nothing.",
     "A Terminate (layer 2, code 2) ends the connection; a receiver may also drop the TCP segment and let TCP repair "
     "it. No reaction suggests that only the tap's copy was damaged, or that the receiver does not check.",
     "If it did not react, check the mirror port and the tap for errors. Otherwise follow up the CRC mismatch "
     "(MF-04)."},
    {mpa_reported_error_not_seen, "mpa.reported-error-not-seen", "MF-20", warning, path, each, "RFC 5044 §8",
     "The receiver reported a CRC or marker error, but all CRCs and markers are right in this capture.",
     "The octets were damaged between the tap and the receiver, or the receiver's check is wrong. The data left the "
     "sender, and passed the tap, intact.",
     "Check links, cables and memory between the tap and the receiver, and its error counters; then its firmware."},
    {tcp_data_after_fin, "tcp.data-after-fin", "MF-21", error, peer, each, "RFC 5041 §6.2.1",
     "New data octets were sent in a direction that its sender had closed with FIN.",
     "Data after a graceful close must make the receiver tear the stream down. It points to a faulty TCP, or to two "
     "hosts that use the same address and port.",
     "Compare MAC address, TTL and TCP options of the frames before and after the FIN."},
    {mpa_fpdu_small, "mpa.fpdu-small", "MF-22", note, peer, per_direction, "RFC 5044 §4.5",
     "FPDUs inside messages of several DDP segments are much smaller than the MULPDU.",
     "DDP should fill each FPDU. Small ones cost throughput; the sender may assume a smaller MTU, or packs several "
     "FPDUs into one TCP segment.",
     "Check the MTU that the RNIC uses against the path's, and look for ICMP messages that lower it."},
    {mpa_ip_fragmented, "mpa.ip-fragmented", "MF-23", note, path, per_direction, "RFC 5044 App. A.5.1",
     "IP datagrams of this connection are fragmented, or may be (Don't Fragment is not set).",
     "Senders should set Don't Fragment and follow the path MTU. An RNIC may drop fragments or handle them slowly, and "
     "one lost fragment loses the whole datagram.",
     "Check the MTU of every hop and tunnel, and that ICMP 'fragmentation needed' is not filtered."},
    {mpa_framing_lost, "mpa.framing-lost", "MF-24", note, path, each, "RFC 5044 §3, §8",
     "The FPDU boundary was lost although no octet is missing, and found again further on in the stream.",
     "An FPDU could not be read, or no FPDU starts where its ULPDU_Length points to. A receiver loses the boundary "
     "there, too, and cannot find it again without markers. The octets between are not checked.",
     "Read the error just before this one: it says what was wrong. Then check how the receiver reacted to it."},
    {mpa_crc_not_computed, "mpa.crc-not-computed", "MF-25", error, peer, per_direction, "RFC 5044 §7.1.1, §4.4",
     "CRC is in use on this connection, but the CRC field of every FPDU of this direction is zero.",
     "The sender does not compute the CRC. If either end sets the C bit in its startup frame, both ends must compute "
     "it. A receiver that checks it refuses the first FPDU (Terminate, layer 2, code 2).",
     "Turn CRC on in the sender's driver, or off at both ends. If its setting is right, report it to the vendor.",
     may_be_refused_with({{2, 0, 2}})},
    {mpa_boundary_not_found, "mpa.boundary-not-found", "MF-26", warning, path, per_direction, "RFC 5044 §3, §4.1",
     "The FPDU boundary was lost although no octet is missing, and it was not found again: the rest of this direction "
     "was not read.",
     "The octets are not FPDUs, or the sender does not build FPDUs as RFC 5044 says, for instance without PAD. "
     "Messages in the skipped octets are neither counted nor checked.",
     "Look at the octets where the boundary was lost and compare ULPDU_Length, PAD and CRC with RFC 5044, section "
     "4.1."},
    {mpa_fpdu_ends_elsewhere, "mpa.fpdu-ends-elsewhere", "MF-27", error, peer, per_direction, "RFC 5044 §4.1",
     "The CRC of this FPDU is right, but not at the place that ULPDU_Length and PAD give.",
     "The sender left PAD out, or ULPDU_Length counts more than the ULPDU: itself (2 octets), the CRC (4), or both. "
     "The "
     "path did not do this, because the CRC covers ULPDU_Length. Receivers look for the CRC in the wrong place "
     "(Terminate, layer 2, code 2).",
     "Correct the sender: ULPDU_Length counts only the ULPDU, and PAD fills the FPDU up to a multiple of four octets.",
     may_be_refused_with({{2, 0, 2}, {2, 0, 3}, {1, 0, 0}})},
});

}  // namespace iwarpscope::findings::table
