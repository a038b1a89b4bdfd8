// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// UDP and the overlay networks in it: VXLAN and GENEVE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"

namespace iwarpscope::net {

/// UDP ports this decoder knows: destination ports of the overlays, either port of the port mapper and of SCTP.
namespace udp_port {
inline constexpr std::uint16_t vxlan = 4789;        ///< RFC 7348 §5
inline constexpr std::uint16_t vxlan_linux = 8472;  ///< Linux before the assignment
inline constexpr std::uint16_t geneve = 6081;       ///< RFC 8926 §3.3
inline constexpr std::uint16_t port_mapper = 3935;  ///< IANA, iwpmd
inline constexpr std::uint16_t sctp = 9899;         ///< RFC 6951 §5.1
}  // namespace udp_port

/// UDP header: 8 octets, big-endian. Source: RFC 768. Borrows the datagram.
class UdpHeader {
 public:
  static constexpr std::size_t kOctets = 8;
  [[nodiscard]] static Decoded<UdpHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return UdpHeader{octets.first<kOctets>()};
  }
  [[nodiscard]] std::uint16_t source_port() const noexcept { return load_be<std::uint16_t, 0>(octets_); }
  [[nodiscard]] std::uint16_t destination_port() const noexcept { return load_be<std::uint16_t, 2>(octets_); }
  /// Octets, header included; 0 in a jumbogram (RFC 2675 §4) and where segmentation was left to the adapter.
  [[nodiscard]] std::size_t length() const noexcept { return load_be<std::uint16_t, 4>(octets_); }

 private:
  explicit UdpHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// VXLAN header: 8 octets, big-endian; an Ethernet frame follows. Source: RFC 7348 §5. Borrows the datagram.
class VxlanHeader {
 public:
  static constexpr std::size_t kOctets = 8;
  [[nodiscard]] static Decoded<VxlanHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return VxlanHeader{octets.first<kOctets>()};
  }
  /// The I flag: the network identifier is valid. A VXLAN header always has it.
  [[nodiscard]] bool has_identifier() const noexcept { return (to_u8(octets_[0]) & 0x08u) != 0; }
  /// VNI, 24 bits.
  [[nodiscard]] std::uint32_t identifier() const noexcept { return load_be<std::uint32_t, 4>(octets_) >> 8; }

 private:
  explicit VxlanHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// GENEVE header without its options: 8 octets, big-endian. Source: RFC 8926 §3.4. Borrows the datagram.
class GeneveHeader {
 public:
  static constexpr std::size_t kOctets = 8;
  [[nodiscard]] static Decoded<GeneveHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return GeneveHeader{octets.first<kOctets>()};
  }
  [[nodiscard]] unsigned version() const noexcept { return to_u8(octets_[0]) >> 6; }
  /// Octets of this header and its options: 8 to 260.
  [[nodiscard]] std::size_t length() const noexcept { return kOctets + (to_u8(octets_[0]) & 0x3Fu) * std::size_t{4}; }
  /// An EtherType.
  [[nodiscard]] std::uint16_t protocol() const noexcept { return load_be<std::uint16_t, 2>(octets_); }
  /// VNI, 24 bits.
  [[nodiscard]] std::uint32_t identifier() const noexcept { return load_be<std::uint32_t, 4>(octets_) >> 8; }

 private:
  explicit GeneveHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::net
