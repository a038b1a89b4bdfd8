// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An SCTP packet as it was found in a frame.
#pragma once

#include <cstdint>
#include <utility>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"
#include "net/address.h"
#include "net/tcp_packet.h"

namespace iwarpscope::net {

/// Between which two addresses an association's packets go. Behind one address translator (NAT) several hosts have one
/// address, and over UDP ports that tell them apart; the SCTP ports may be the same. Source: RFC 6951 §4, §5.
struct SctpPath {
  FlowKey flow;
  std::uint16_t udp_low = 0, udp_high = 0;  ///< UDP ports of the flow's ends; 0 over IP alone

  friend bool operator==(const SctpPath&, const SctpPath&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SctpPath& p) {
    return H::combine(std::move(h), p.flow, p.udp_low, p.udp_high);
  }
};

/// One SCTP packet, over IP or over UDP (RFC 6951). Borrows its octets as TcpPacket does. Units: octets.
/// Source: RFC 9260 §3.
struct SctpPacket {
  FrameNumber frame;  ///< the frame that completed it
  TimePoint time;     ///< of that frame
  Endpoint source;    ///< with the SCTP port, over UDP too
  Endpoint destination;
  std::uint32_t overlay = 0;     ///< as in FlowKey
  std::uint32_t tap_group = 0;   ///< as in FlowKey
  std::uint32_t tenant = 0;      ///< as FlowKey::overlay over TCP: it may differ by direction
  std::uint16_t udp_source = 0;  ///< of the UDP datagram around it; 0: none
  std::uint16_t udp_destination = 0;
  std::uint32_t verification_tag = 0;
  std::uint32_t crc = 0;            ///< the CRC32c field, as a number
  std::uint8_t ttl = 0;             ///< IPv4 TTL or IPv6 hop limit
  std::uint16_t ip_id = 0;          ///< 0 on IPv6
  bool fragmented = false;          ///< came as more than one IP fragment
  bool ip_checksum_good = false;    ///< as in TcpPacket
  bool ip_checksum_wrong = false;   ///< the same
  Octets chunks;                    ///< what follows the common header, as far as captured
  std::uint32_t chunks_length = 0;  ///< on the wire; more than chunks.size() when the capture cut it

  /// The common header, 12 octets. Private to checksum().
  Octets common_header;

  /// All but the octets, which it borrows.
  template <class A>
  void archive(A& a) {
    a(frame, time, source, destination, overlay, tap_group, tenant, udp_source, udp_destination, verification_tag, crc);
    a(ttl, ip_id, fragmented, ip_checksum_good, ip_checksum_wrong, chunks_length);
  }

  [[nodiscard]] bool truncated() const noexcept { return chunks.size() < chunks_length; }
  [[nodiscard]] FlowKey flow() const noexcept {
    return source < destination ? FlowKey{source, destination, overlay, tap_group}
                                : FlowKey{destination, source, overlay, tap_group};
  }
  [[nodiscard]] SctpPath path() const noexcept {
    return source < destination ? SctpPath{flow(), udp_source, udp_destination}
                                : SctpPath{flow(), udp_destination, udp_source};
  }
};

/// The CRC32c of all octets captured. Source: RFC 9260 App. A.
[[nodiscard]] std::uint32_t crc32c(const SctpPacket& packet) noexcept;

/// What the CRC32c says of the packet. A field of zero is that of a sending host whose adapter fills it in, or of an
/// association without CRC (RFC 9653): offloaded, unless it is right. Reads every octet.
/// Source: RFC 9260 §6.8, App. A.
[[nodiscard]] Checksum checksum(const SctpPacket& packet) noexcept;

}  // namespace iwarpscope::net
