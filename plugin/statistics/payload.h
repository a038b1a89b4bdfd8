// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The upper layer's octets in the data of the tap "iwarp".
#pragma once

#include "epan/taps.h"

namespace iwarpscope::plugin {

/// The address in Wireshark's form. Borrows `address`.
[[nodiscard]] address address_of(const net::IpAddress& address) noexcept;

/// Octets of the upper layer in the FPDU's DDP segment according to its headers, captured or not; 0 if it carries none,
/// is not a DDP segment, or is not an FPDU.
[[nodiscard]] std::uint32_t payload_octets(const Tapped& tapped) noexcept;

/// The captured ones of them. Lives as long as the packet; empty if they were not kept. `edt`: of the packet.
[[nodiscard]] Octets payload(const Tapped& tapped, epan_dissect_t* edt) noexcept;

/// Whether the frame shows this finding only since the end of the capture: it need not refer to the frame's contents.
[[nodiscard]] bool is_late(const Session& session, Frame frame, std::uint32_t finding);

/// Whether this is the first item of the packet for its connection and direction: so a packet counts once.
[[nodiscard]] bool is_first_in_packet(const Tapped& tapped, const packet_info* pinfo);

}  // namespace iwarpscope::plugin
