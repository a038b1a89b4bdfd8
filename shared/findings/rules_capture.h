// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about the capture itself (CA): what it lost, cut or doubled, and which limits of this analyser it reached.
// These rules never blame a peer. Source: ours. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kCaptureRules = std::to_array<Rule>({
    {capture_gap, "capture.gap", "CA-01", warning, capture, each, "no RFC",
     "Octets or messages that the receiver acknowledged were never seen: the capture lost them, not the network.",
     "Their content is unknown, and the messages they belong to are not checked. Mirror ports and capturing hosts drop "
     "frames under load.",
     "Check the drop counters of the mirror port and of the capture; use a filter, a larger buffer or a tap."},
    {capture_truncated_frames, "capture.truncated-frames", "CA-02", note, capture, per_direction, "no RFC",
     "Frames were captured only in part (snap length).",
     "The missing octets cannot be checked: CRCs are not checked, and contents are incomplete. If an FPDU begins in "
     "the missing octets, CA-20 reports it.",
     "Capture with a snap length of 0 or 262144 if CRCs or payloads matter."},
    {capture_mirror_duplicates, "capture.mirror-duplicates", "CA-03", note, capture, per_qp, "no RFC",
     "The capture holds the same packets twice.",
     "A switch mirrors both the port where a packet enters and the one where it leaves. The copies are ignored and not "
     "counted as retransmissions.",
     "Mirror one port, or one direction of each port."},
    {capture_one_sided, "capture.one-sided", "CA-04", warning, capture, per_qp, "no RFC",
     "Only one direction of this connection is in the capture, or the payload of only one.",
     "Answers cannot be matched with requests, and capture loss cannot be distinguished from network loss. Many rules "
     "are therefore not checked.",
     "Check that the mirror covers both directions, and whether the way back takes another path (LAG, ECMP)."},
    {capture_joined_midstream, "capture.joined-midstream", "CA-05", note, capture, per_qp, "no RFC",
     "The capture began after the startup of this connection or session.",
     "Roles, read depths and private data are unknown. Over TCP, FPDU boundaries were found from the data itself.",
     "Start the capture before the application connects if the startup matters."},
    {capture_inferred_settings, "capture.inferred-settings", "CA-06", note, capture, per_qp, "no RFC",
     "The use of markers or CRC on this connection is inferred from the data, because a startup frame was not seen.",
     "Several FPDUs agree with it, but the negotiation was not captured. Rules that depend on it are applied with "
     "care.",
     "Capture the startup to be certain."},
    {capture_interface_drops, "capture.interface-drops", "CA-07", warning, capture, per_qp,
     "pcapng, Interface Statistics Block",
     "The capture file reports that its interface dropped packets while capturing.",
     "Expect gaps anywhere in the streams. Missing packets do not indicate a network problem.",
     "Capture on a faster host, with a larger buffer, or with a filter for the RDMA connections."},
    {capture_truncated_file, "capture.truncated-file", "CA-08", warning, capture, per_qp, "no RFC",
     "The capture file ends in the middle of a record.",
     "The capture program was killed, the disk was full, or the copy is not complete. Everything before this record is "
     "analysed.",
     "Compare the size of the file with the original; copy it again."},
    {capture_clock_went_back, "capture.clock-went-back", "CA-09", warning, capture, per_qp, "no RFC",
     "Times in the capture go backwards.",
     "The clock of the capturing host was set, or files or interfaces were merged without sorting. Latencies near this "
     "point are not reliable. The order of the frames is used instead of their times.",
     "Sort merged files by time (reordercap), and configure the host's clock to be slewed, not set."},
    {capture_buffer_limit, "capture.buffer-limit", "CA-10", warning, capture, per_direction, "no RFC",
     "Octets were discarded because a reassembly buffer of this analyser was full.",
     "A hole in the stream stayed open until the buffer for the data after it was full. The analysis continues after "
     "the hole.",
     "Check the capture for loss; raise the buffer limit if the data after the hole matters."},
    {capture_table_limit, "capture.table-limit", "CA-11", warning, capture, per_qp, "no RFC",
     "Connections were discarded because a table of this analyser was full.",
     "The least recently used entries are discarded first. If they become active again, they appear as joined "
     "mid-stream.",
     "Use a filter to leave out traffic that is not iWARP, or raise the table limit."},
    {capture_framing_lost, "capture.framing-lost", "CA-12", note, capture, each, "no RFC",
     "The FPDU boundary was unknown. Captured octets were skipped until it was found, or to the end.",
     "After a gap, or in a stream joined mid-stream, the start of the next FPDU is unknown. The analyser searches for "
     "it. Octets before the first recognised FPDU are not checked.",
     "Look at the gap just before (CA-01, CA-02, CA-10 or TC-07); with markers in use the loss is shorter."},
    {capture_findings_limit, "capture.findings-limit", "CA-13", note, capture, per_qp, "no RFC",
     "There are more findings of one kind than are listed.",
     "The rest are only counted, so that one fault repeated a million times does not fill the report.",
     "See the counts in the summary; analyse a single queue pair to list more of them."},
    {capture_fragments_incomplete, "capture.fragments-incomplete", "CA-14", note, capture, per_qp,
     "RFC 791 §3.2; RFC 8200 §4.5", "IP fragments remained because their datagram was never complete.",
     "One fragment of it was lost, on the network or by the capture, so its TCP segment could not be read.",
     "See whether the TCP segment was sent again; avoid fragments by a matching MTU on the path."},
    {capture_fragments_limit, "capture.fragments-limit", "CA-15", warning, capture, per_qp, "no RFC",
     "IP fragments were discarded because too many datagrams were incomplete at once.",
     "The store of unfinished datagrams is bounded. It fills up in a flood of fragments, or when one fragment of each "
     "datagram is lost.",
     "Look for hosts that send many fragments; use a filter to leave them out."},
    {capture_undecodable_link, "capture.undecodable-link", "CA-16", warning, capture, per_qp, "no RFC",
     "The capture has a link type that is not supported, so its frames cannot be read.",
     "Ethernet, Linux cooked, raw IP and BSD loopback captures are read.",
     "Capture on an Ethernet interface, or convert the file."},
    {capture_malformed_frames, "capture.malformed-frames", "CA-17", note, capture, per_qp, "no RFC",
     "Frames have headers that contradict their own lengths, and were ignored.",
     "They were damaged, crafted, or written by a faulty capture program. A host would have dropped them too.",
     "Look at the frame: if all from one source are alike, suspect the capture program."},
    {capture_iwarp_unconfirmed, "capture.iwarp-unconfirmed", "CA-18", note, capture, per_qp, "no RFC",
     "A connection looked like iWARP but was never confirmed, so nothing in it is checked.",
     "An MPA frame or a plausible FPDU was seen, but too little followed, or it did not match. Text that quotes the "
     "MPA key looks like this, too.",
     "Capture more of the connection, from its start, if it is meant to be iWARP."},
    {capture_damaged_file, "capture.damaged-file", "CA-19", warning, capture, per_qp, "no RFC",
     "The capture file is damaged, and nothing after the damage was read.",
     "A record contradicts itself, or the compressed data cannot be unpacked. The octets changed on disk or in a copy, "
     "or the program that wrote them failed. How many frames follow is unknown.",
     "Copy the file again and compare checksums with the original; see whether another program reads it further."},
    {capture_cut_framing, "capture.cut-framing", "CA-20", warning, capture, per_direction, "no RFC",
     "Frames were cut (snap length) where FPDUs, or DATA chunks, begin: octets of this direction were skipped.",
     "If several FPDUs share a TCP segment, or one begins inside it, the cut removes the header that locates the next "
     "FPDU. Messages in the skipped octets are neither counted nor checked.",
     "Capture with a snap length of 0 or 262144, or as long as the largest frame."},
    {capture_model_limit, "capture.model-limit", "CA-21", note, capture, each, "no RFC",
     "Some memory, STag or atomic history was discarded to stay within limits.",
     "The history of each queue pair and of the whole capture has a limit. Discarded history causes no other finding, "
     "but overlaps, uses and values that depend on it are not checked.",
     "Filter the capture down to the connections of interest if such checks matter."},
    {capture_interleaved, "capture.interleaved", "CA-22", note, capture, per_qp, "no RFC",
     "User messages are interleaved (I-DATA chunks, RFC 8260), and their content was not read.",
     "RFC 5043 uses DATA chunks, and no known implementation of DDP sends other chunks. The content of I-DATA chunks "
     "is neither shown nor checked.",
     "If it is DDP, turn interleaving off at one of the two ends."},
    {capture_copies_differ, "capture.copies-differ", "CA-23", warning, capture, each, "no RFC",
     "One packet was captured twice, and its payload is not the same in both copies; the first copy is used here.",
     "IP ID, timestamp, ACK and window are equal, so it was not sent again. Its octets were changed between the two "
     "places of the capture, or by a mirror or tap; the TCP checksum fits. Which copy the receiver got is unknown.",
     "See which copy makes the FPDU's CRC right, and check what lies between the two ports, and the mirror itself."},
});

}  // namespace iwarpscope::findings::table
