// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The DDP headers: control octet, Tagged and Untagged Buffer Model.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "base/octets.h"

namespace iwarpscope::ddp {

/// The DDP control octet: T, L, four reserved bits, DV. Source: RFC 5041 §4.1.
struct Control {
  std::uint8_t octet = 0;

  [[nodiscard]] constexpr bool tagged() const noexcept { return (octet & 0x80) != 0; }
  [[nodiscard]] constexpr bool last() const noexcept { return (octet & 0x40) != 0; }
  /// The reserved bits as a number, 0..15.
  [[nodiscard]] constexpr std::uint8_t reserved() const noexcept {
    return static_cast<std::uint8_t>((octet >> 2) & 0x0F);
  }
  /// 0 RDMAC, 1 IETF; 2 and 3 are undefined. Both defined versions have the same headers. Source: RFC 5044 App. C.
  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return static_cast<std::uint8_t>(octet & 0x03); }
};

/// DDP Tagged Buffer Model header: 14 octets, big-endian. Source: RFC 5041 §4.2.
/// Borrows the ULPDU it was parsed from and must not outlive it.
class DdpTaggedHeader {
 public:
  static constexpr std::size_t kOctets = 14;

  /// The header at the start of `ulpdu`; fails with Short. Does not check T.
  [[nodiscard]] static constexpr Decoded<DdpTaggedHeader> parse(Octets ulpdu) noexcept {
    if (ulpdu.size() < kOctets) return Short{kOctets, ulpdu.size()};
    return DdpTaggedHeader{ulpdu.first<kOctets>()};
  }

  [[nodiscard]] Control control() const noexcept { return Control{load_be<std::uint8_t, 0>(octets_)}; }
  /// RsvdULP, 8 bits: the RDMAP control octet. Source: RFC 5040 §4.1.
  [[nodiscard]] std::uint8_t rdmap_control() const noexcept { return load_be<std::uint8_t, 1>(octets_); }
  [[nodiscard]] STag stag() const noexcept { return STag{load_be<std::uint32_t, 2>(octets_)}; }
  [[nodiscard]] TaggedOffset to() const noexcept { return TaggedOffset{load_be<std::uint64_t, 6>(octets_)}; }
  [[nodiscard]] std::span<const std::byte, kOctets> octets() const noexcept { return octets_; }

 private:
  constexpr explicit DdpTaggedHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// DDP Untagged Buffer Model header: 18 octets, big-endian. Source: RFC 5041 §4.3.
/// Borrows the ULPDU it was parsed from and must not outlive it.
class DdpUntaggedHeader {
 public:
  static constexpr std::size_t kOctets = 18;

  /// The header at the start of `ulpdu`; fails with Short. Does not check T.
  [[nodiscard]] static constexpr Decoded<DdpUntaggedHeader> parse(Octets ulpdu) noexcept {
    if (ulpdu.size() < kOctets) return Short{kOctets, ulpdu.size()};
    return DdpUntaggedHeader{ulpdu.first<kOctets>()};
  }

  [[nodiscard]] Control control() const noexcept { return Control{load_be<std::uint8_t, 0>(octets_)}; }
  /// RsvdULP, the first 8 bits: the RDMAP control octet. Source: RFC 5040 §4.1.
  [[nodiscard]] std::uint8_t rdmap_control() const noexcept { return load_be<std::uint8_t, 1>(octets_); }
  /// RsvdULP, the other 32 bits: RDMAP's Invalidate STag, or 0. Source: RFC 5040 §4.1.
  [[nodiscard]] std::uint32_t reserved_ulp() const noexcept { return load_be<std::uint32_t, 2>(octets_); }
  [[nodiscard]] QueueNumber qn() const noexcept { return QueueNumber{load_be<std::uint32_t, 6>(octets_)}; }
  [[nodiscard]] MessageSequence msn() const noexcept { return MessageSequence{load_be<std::uint32_t, 10>(octets_)}; }
  [[nodiscard]] MessageOffset mo() const noexcept { return MessageOffset{load_be<std::uint32_t, 14>(octets_)}; }
  [[nodiscard]] std::span<const std::byte, kOctets> octets() const noexcept { return octets_; }

 private:
  constexpr explicit DdpUntaggedHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Octets of the DDP header that a control octet announces: 14 or 18.
[[nodiscard]] constexpr std::size_t header_octets(Control control) noexcept {
  return control.tagged() ? DdpTaggedHeader::kOctets : DdpUntaggedHeader::kOctets;
}

}  // namespace iwarpscope::ddp
