// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about the TCP connection below MPA (TC), as far as it matters to iWARP.
// Source: RFC 9293. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kTcpRules = std::to_array<Rule>({
    {tcp_wrong_checksum, "tcp.wrong-checksum", "TC-01", warning, path, each, "RFC 9293 §3.1",
     "The checksum of a TCP segment is wrong; it is ignored, because its receiver drops it.",
     "The packet was damaged on the way, by a link, a switch or a middlebox. TCP repairs it with a retransmission.",
     "Check the error counters of links and switches on the way to the tap."},
    {tcp_checksum_offload, "tcp.checksum-offload", "TC-02", note, capture, per_direction, "no RFC",
     "The TCP checksums of this direction are never right, so they are not checked.",
     "The capture was made on the sending host, where the adapter fills in the checksum after the capture point.",
     "No action is needed. If you suspect damaged packets, capture on the path or at the other end."},
    {tcp_retransmissions, "tcp.retransmissions", "TC-03", note, path, per_direction, "RFC 9293 §3.8.1",
     "TCP segments of this direction were sent again.",
     "Packets or their acknowledgments were lost or late. iWARP has no recovery of its own and waits for TCP.",
     "Check for drops and pause frames at the switches on the path, and compare with the loss at the time of stalls."},
    {tcp_out_of_order, "tcp.out-of-order", "TC-04", note, path, per_direction, "RFC 9293 §3.10.7.4",
     "TCP segments of this direction arrived in another order than sent.",
     "Several paths (LAG, ECMP) or a loss before the tap cause this. Receivers without markers must hold back the data "
     "after a hole.",
     "Check that one connection stays on one path; the hash should use addresses and ports."},
    {tcp_zero_window, "tcp.zero-window", "TC-05", note, peer, per_direction, "RFC 9293 §3.8.6",
     "The receiver closed its TCP window, so the sender had to wait.",
     "The receiving end processes the data more slowly than it arrives. With an RNIC this can mean a busy host bus or "
     "receive buffers posted too late.",
     "Look at the receiver's load, PCIe width and posted receives at that time."},
    {tcp_connection_reset, "tcp.connection-reset", "TC-06", note, peer, per_qp, "RFC 9293 §3.5.2",
     "The connection was ended by a TCP reset (RST).",
     "A program exited, a driver was reset, or one end no longer knew the connection. Messages in transit are lost.",
     "See which end sent it and what came just before; a firewall on the path can send one too."},
    {tcp_hole_never_filled, "tcp.hole-never-filled", "TC-07", warning, capture, each, "no RFC",
     "A hole in the stream was neither filled nor acknowledged before the connection or the capture ended.",
     "The octets were lost and the repair is not in the capture, or only this direction was captured. The data after "
     "the hole is still read. Messages across the hole are not checked.",
     "See whether the capture ended too early, and look for retransmissions that stopped."},
    {tcp_smb_without_rdma, "tcp.smb-without-rdma", "TC-08", note, peer, each, "no RFC",
     "Two hosts speak SMB over plain TCP, and no SMB Direct connection between them is in the capture.",
     "SMB starts on TCP port 445 and moves to RDMA only when both ends offer it. If RDMA was expected, it was not "
     "used.",
     "Check on both hosts that RDMA is enabled for the adapter and the share's multichannel, and that port 5445 is "
     "reachable."},
    {tcp_ignored_control, "tcp.ignored-control", "TC-09", note, path, per_direction, "RFC 5961 §3, §4",
     "An RST or a SYN did not fit this connection. The connection went on, so the receiver ignored it.",
     "Another host may try to reset the connection, or to open it again, without seeing its sequence numbers (a blind "
     "attack). A late copy from an older connection with the same addresses and ports looks the same.",
     "Compare the TTL and the MAC addresses of this frame with those of the sender's other frames."},
    {tcp_forged_segments, "tcp.forged-segments", "TC-10", note, path, per_direction,
     "RFC 9293 §3.10.7.4; RFC 5961; RFC 7323 §5.3",
     "TCP segments were ignored because their receiver drops them. Nothing of them was used.",
     "Another host may try to put octets into this connection, or to hide others from an observer. A damaged header or "
     "a late copy from an older connection with the same addresses and ports looks the same.",
     "Compare the TTL and the MAC addresses of the first one with those of the sender's other frames."},
});

}  // namespace iwarpscope::findings::table
