// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// GRE and the ERSPAN headers it carries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"

namespace iwarpscope::net {

/// GRE protocol types beside the EtherTypes.
namespace gre_type {
inline constexpr std::uint16_t erspan_3 = 0x22EB;
inline constexpr std::uint16_t erspan = 0x88BE;  ///< type I without a sequence number, type II with one
}  // namespace gre_type

/// GRE header without its optional fields: 4 octets, big-endian. Source: RFC 2784 §2, RFC 2890 §2, RFC 1701.
/// Borrows the datagram.
class GreHeader {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<GreHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return GreHeader{octets.first<kOctets>()};
  }
  [[nodiscard]] bool has_checksum() const noexcept { return (flags() & 0x8000u) != 0; }
  [[nodiscard]] bool has_routing() const noexcept { return (flags() & 0x4000u) != 0; }
  [[nodiscard]] bool has_key() const noexcept { return (flags() & 0x2000u) != 0; }
  [[nodiscard]] bool has_sequence() const noexcept { return (flags() & 0x1000u) != 0; }
  /// 0 for GRE; 1 is PPTP's (RFC 2637).
  [[nodiscard]] unsigned version() const noexcept { return flags() & 0x0007u; }
  [[nodiscard]] std::uint16_t protocol() const noexcept { return load_be<std::uint16_t, 2>(octets_); }
  /// Octets of this header and its optional fields, without the source routes.
  [[nodiscard]] std::size_t length() const noexcept {
    return kOctets + (has_checksum() || has_routing() ? 4u : 0u) + (has_key() ? 4u : 0u) + (has_sequence() ? 4u : 0u);
  }

 private:
  explicit GreHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  [[nodiscard]] unsigned flags() const noexcept { return load_be<std::uint16_t, 0>(octets_); }
  std::span<const std::byte, kOctets> octets_;
};

/// A GRE source route entry's header: 4 octets, big-endian. The list ends with family 0 and length 0. Source: RFC 1701.
class GreRoute {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<GreRoute> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return GreRoute{octets.first<kOctets>()};
  }
  [[nodiscard]] bool is_last() const noexcept { return load_be<std::uint16_t, 0>(octets_) == 0 && data_length() == 0; }
  /// Octets after this header.
  [[nodiscard]] std::size_t data_length() const noexcept { return to_u8(octets_[3]); }

 private:
  explicit GreRoute(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// ERSPAN type II header: 8 octets, big-endian. Source: draft-foschiano-erspan-03 §4.2. Borrows the datagram.
class Erspan2Header {
 public:
  static constexpr std::size_t kOctets = 8;
  static constexpr unsigned kVersion = 1;
  [[nodiscard]] static Decoded<Erspan2Header> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return Erspan2Header{octets.first<kOctets>()};
  }
  [[nodiscard]] unsigned version() const noexcept { return to_u8(octets_[0]) >> 4; }
  /// The VLAN of the mirrored frame, whose tag the switch may have taken off; 0: none.
  [[nodiscard]] std::uint16_t vlan() const noexcept {
    return static_cast<std::uint16_t>(load_be<std::uint16_t, 0>(octets_) & 0x0FFFu);
  }
  /// The mirror cut the frame.
  [[nodiscard]] bool truncated() const noexcept { return (to_u8(octets_[2]) & 0x04u) != 0; }

 private:
  explicit Erspan2Header(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// ERSPAN type III header without its platform-specific subheader: 12 octets, big-endian.
/// Source: draft-foschiano-erspan-03 §4.3. Borrows the datagram.
class Erspan3Header {
 public:
  static constexpr std::size_t kOctets = 12;
  static constexpr unsigned kVersion = 2;
  static constexpr std::size_t kSubheaderOctets = 8;
  [[nodiscard]] static Decoded<Erspan3Header> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return Erspan3Header{octets.first<kOctets>()};
  }
  [[nodiscard]] unsigned version() const noexcept { return to_u8(octets_[0]) >> 4; }
  /// As Erspan2Header::vlan().
  [[nodiscard]] std::uint16_t vlan() const noexcept {
    return static_cast<std::uint16_t>(load_be<std::uint16_t, 0>(octets_) & 0x0FFFu);
  }
  /// The mirror cut the frame.
  [[nodiscard]] bool truncated() const noexcept { return (to_u8(octets_[2]) & 0x04u) != 0; }
  /// FT: 0 an Ethernet frame, 2 an IP datagram.
  [[nodiscard]] unsigned frame_type() const noexcept { return (to_u8(octets_[10]) >> 2) & 0x1Fu; }
  /// O: the subheader of kSubheaderOctets follows.
  [[nodiscard]] bool has_subheader() const noexcept { return (to_u8(octets_[11]) & 0x01u) != 0; }

 private:
  explicit Erspan3Header(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::net
