// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// IPv4, IPv6 and IPv6 extension headers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"
#include "net/address.h"

namespace iwarpscope::net {

/// IP protocol numbers this decoder follows. Source: IANA, protocol numbers.
namespace ip_protocol {
inline constexpr std::uint8_t hop_by_hop = 0;
inline constexpr std::uint8_t ipv4 = 4;
inline constexpr std::uint8_t tcp = 6;
inline constexpr std::uint8_t udp = 17;
inline constexpr std::uint8_t ipv6 = 41;
inline constexpr std::uint8_t routing = 43;
inline constexpr std::uint8_t fragment = 44;
inline constexpr std::uint8_t gre = 47;
inline constexpr std::uint8_t authentication = 51;
inline constexpr std::uint8_t destination_options = 60;
inline constexpr std::uint8_t sctp = 132;
inline constexpr std::uint8_t mobility = 135;
inline constexpr std::uint8_t host_identity = 139;
inline constexpr std::uint8_t shim6 = 140;
}  // namespace ip_protocol

/// IPv4 header without its options: 20 octets, big-endian. Source: RFC 791 §3.1. Borrows the datagram.
class Ipv4Header {
 public:
  static constexpr std::size_t kOctets = 20;
  [[nodiscard]] static Decoded<Ipv4Header> parse(Octets datagram) noexcept {
    if (datagram.size() < kOctets) return Short{kOctets, datagram.size()};
    return Ipv4Header{datagram.first<kOctets>()};
  }
  [[nodiscard]] unsigned version() const noexcept { return to_u8(octets_[0]) >> 4; }
  /// Octets, options included: 0 to 60. Less than 20 is malformed.
  [[nodiscard]] std::size_t header_length() const noexcept { return (to_u8(octets_[0]) & 0x0Fu) * std::size_t{4}; }
  /// Octets, header included. 0 where a sending host left segmentation to its adapter.
  [[nodiscard]] std::size_t total_length() const noexcept { return load_be<std::uint16_t, 2>(octets_); }
  [[nodiscard]] std::uint16_t identification() const noexcept { return load_be<std::uint16_t, 4>(octets_); }
  [[nodiscard]] bool dont_fragment() const noexcept { return (to_u8(octets_[6]) & 0x40u) != 0; }
  [[nodiscard]] bool more_fragments() const noexcept { return (to_u8(octets_[6]) & 0x20u) != 0; }
  /// Octets, a multiple of 8, 0 to 65528.
  [[nodiscard]] std::uint32_t fragment_offset() const noexcept {
    return (load_be<std::uint16_t, 6>(octets_) & 0x1FFFu) * 8u;
  }
  [[nodiscard]] std::uint8_t ttl() const noexcept { return to_u8(octets_[8]); }
  [[nodiscard]] std::uint8_t protocol() const noexcept { return to_u8(octets_[9]); }
  [[nodiscard]] std::uint16_t checksum() const noexcept { return load_be<std::uint16_t, 10>(octets_); }
  [[nodiscard]] IpAddress source() const noexcept { return IpAddress::v4(load_be<std::uint32_t, 12>(octets_)); }
  [[nodiscard]] IpAddress destination() const noexcept { return IpAddress::v4(load_be<std::uint32_t, 16>(octets_)); }

 private:
  explicit Ipv4Header(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// An IPv6 address as it is on the wire.
[[nodiscard]] inline IpAddress ipv6_address(std::span<const std::byte, 16> octets) noexcept {
  IpAddress address;
  std::memcpy(address.octets.data(), octets.data(), octets.size());
  return address;
}

/// IPv6 header: 40 octets, big-endian. Source: RFC 8200 §3. Borrows the datagram.
class Ipv6Header {
 public:
  static constexpr std::size_t kOctets = 40;
  [[nodiscard]] static Decoded<Ipv6Header> parse(Octets datagram) noexcept {
    if (datagram.size() < kOctets) return Short{kOctets, datagram.size()};
    return Ipv6Header{datagram.first<kOctets>()};
  }
  [[nodiscard]] unsigned version() const noexcept { return to_u8(octets_[0]) >> 4; }
  /// Octets after this header. 0 in a jumbogram (RFC 2675 §3) and where segmentation was left to the adapter.
  [[nodiscard]] std::size_t payload_length() const noexcept { return load_be<std::uint16_t, 4>(octets_); }
  [[nodiscard]] std::uint8_t next_header() const noexcept { return to_u8(octets_[6]); }
  [[nodiscard]] std::uint8_t hop_limit() const noexcept { return to_u8(octets_[7]); }
  [[nodiscard]] IpAddress source() const noexcept { return ipv6_address(octets_.subspan<8, 16>()); }
  [[nodiscard]] IpAddress destination() const noexcept { return ipv6_address(octets_.subspan<24, 16>()); }

 private:
  explicit Ipv6Header(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// The start that IPv6 extension headers share: 8 octets. Source: RFC 8200 §4. Borrows the datagram.
class Ipv6Extension {
 public:
  static constexpr std::size_t kOctets = 8;
  [[nodiscard]] static Decoded<Ipv6Extension> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return Ipv6Extension{octets.first<kOctets>()};
  }
  [[nodiscard]] std::uint8_t next_header() const noexcept { return to_u8(octets_[0]); }
  /// Whole length in octets of options and routing headers (RFC 8200 §4.3 to §4.6).
  [[nodiscard]] std::size_t length() const noexcept { return (to_u8(octets_[1]) + std::size_t{1}) * 8; }
  /// Whole length in octets of an Authentication Header (RFC 4302 §2.2).
  [[nodiscard]] std::size_t authentication_length() const noexcept { return (to_u8(octets_[1]) + std::size_t{2}) * 4; }
  /// For a routing header: its type, and how many addresses are still to be visited. Source: RFC 8200 §4.4.
  [[nodiscard]] std::uint8_t routing_type() const noexcept { return to_u8(octets_[2]); }
  [[nodiscard]] std::uint8_t segments_left() const noexcept { return to_u8(octets_[3]); }
  /// For a fragment header: offset in octets, M flag, identification. Source: RFC 8200 §4.5.
  [[nodiscard]] std::uint32_t fragment_offset() const noexcept { return load_be<std::uint16_t, 2>(octets_) & 0xFFF8u; }
  [[nodiscard]] bool more_fragments() const noexcept { return (to_u8(octets_[3]) & 0x01u) != 0; }
  [[nodiscard]] std::uint32_t identification() const noexcept { return load_be<std::uint32_t, 4>(octets_); }

 private:
  explicit Ipv6Extension(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::net
