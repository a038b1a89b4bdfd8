// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ethernet II, 802.1Q tags, 802.2 LLC with SNAP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"

namespace iwarpscope::net {

/// EtherTypes this decoder follows. Source: IEEE 802 numbers, IANA.
namespace ether_type {
inline constexpr std::uint16_t ipv4 = 0x0800;
inline constexpr std::uint16_t transparent_ethernet = 0x6558;  ///< RFC 1701, NVGRE and GENEVE
inline constexpr std::uint16_t vlan = 0x8100;                  ///< IEEE 802.1Q
inline constexpr std::uint16_t ipv6 = 0x86DD;
inline constexpr std::uint16_t mpls_unicast = 0x8847;    ///< RFC 3032 §5
inline constexpr std::uint16_t mpls_multicast = 0x8848;  ///< RFC 5332 §3
inline constexpr std::uint16_t service_vlan = 0x88A8;    ///< IEEE 802.1ad
inline constexpr std::uint16_t old_qinq = 0x9100;        ///< QinQ before 802.1ad
inline constexpr std::uint16_t first = 0x0600;           ///< below it the field is a length or a Linux pseudo-type
}  // namespace ether_type

/// Ethernet II header: 14 octets, big-endian. Source: IEEE 802.3 §3.1.1. Borrows the frame.
class EthernetHeader {
 public:
  static constexpr std::size_t kOctets = 14;
  [[nodiscard]] static Decoded<EthernetHeader> parse(Octets frame) noexcept {
    if (frame.size() < kOctets) return Short{kOctets, frame.size()};
    return EthernetHeader{frame.first<kOctets>()};
  }
  /// An EtherType, or the length of an 802.3 frame when it is at most 1500.
  [[nodiscard]] std::uint16_t type() const noexcept { return load_be<std::uint16_t, 12>(octets_); }

 private:
  explicit EthernetHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// An 802.1Q or 802.1ad tag without the EtherType before it: 4 octets, big-endian. Source: IEEE 802.1Q §9.3.
class VlanTag {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<VlanTag> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return VlanTag{octets.first<kOctets>()};
  }
  /// VLAN identifier, 12 bits.
  [[nodiscard]] std::uint16_t identifier() const noexcept {
    return static_cast<std::uint16_t>(load_be<std::uint16_t, 0>(octets_) & 0x0FFFu);
  }
  /// The EtherType of what follows.
  [[nodiscard]] std::uint16_t type() const noexcept { return load_be<std::uint16_t, 2>(octets_); }

 private:
  explicit VlanTag(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// 802.2 LLC header of an unnumbered information frame: 3 octets. Source: IEEE 802.2 §3.2.
class LlcHeader {
 public:
  static constexpr std::size_t kOctets = 3;
  [[nodiscard]] static Decoded<LlcHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return LlcHeader{octets.first<kOctets>()};
  }
  /// DSAP and SSAP 0xAA, unnumbered information: a SNAP header follows. Source: RFC 1042.
  [[nodiscard]] bool is_snap() const noexcept { return is(0xAA); }
  /// Both SAPs 0x06: an IPv4 datagram follows. Source: RFC 1340, IEEE 802 numbers.
  [[nodiscard]] bool is_ip() const noexcept { return is(0x06); }

 private:
  explicit LlcHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  [[nodiscard]] bool is(std::uint8_t sap) const noexcept {
    return to_u8(octets_[0]) == sap && to_u8(octets_[1]) == sap && to_u8(octets_[2]) == 0x03;
  }
  std::span<const std::byte, kOctets> octets_;
};

/// SNAP header: 5 octets, big-endian. Source: RFC 1042, IEEE 802 §10.3.
class SnapHeader {
 public:
  static constexpr std::size_t kOctets = 5;
  [[nodiscard]] static Decoded<SnapHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return SnapHeader{octets.first<kOctets>()};
  }
  /// Organisation 00-00-00 (RFC 1042) or 00-00-F8 (IEEE 802.1H): the type is an EtherType.
  [[nodiscard]] bool has_ether_type() const noexcept {
    return load_be<std::uint16_t, 0>(octets_) == 0 && (to_u8(octets_[2]) == 0 || to_u8(octets_[2]) == 0xF8);
  }
  [[nodiscard]] std::uint16_t type() const noexcept { return load_be<std::uint16_t, 3>(octets_); }

 private:
  explicit SnapHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::net
