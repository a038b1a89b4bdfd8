// The upper layer's octets in what the tap "iwarp" tells.
#pragma once

#include "epan/taps.h"

namespace iwarpscope::plugin {

/// The address in Wireshark's form. Borrows `address`.
[[nodiscard]] address address_of(const net::IpAddress& address) noexcept;

/// Octets of the upper layer in the FPDU's DDP segment as its headers say, captured or not; 0 if it carries none, or is
/// no DDP segment, or this is no FPDU.
[[nodiscard]] std::uint32_t payload_octets(const Tapped& tapped) noexcept;

/// Those that were captured. Lives as long as the packet; empty where they were not kept. `edt`: of the packet.
[[nodiscard]] Octets payload(const Tapped& tapped, epan_dissect_t* edt) noexcept;

/// Whether the frame shows this finding since the capture ended: it need not speak of what the frame carries.
[[nodiscard]] bool is_late(const Session& session, Frame frame, std::uint32_t finding);

/// Whether this is the first that the packet tells of its connection and direction: so that a packet counts once.
[[nodiscard]] bool is_first_in_packet(const Tapped& tapped, const packet_info* pinfo);

}  // namespace iwarpscope::plugin
