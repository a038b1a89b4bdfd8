// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Link layers that a capture makes up: Linux cooked v1 and v2, BSD loopback.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"

namespace iwarpscope::net {

/// Linux pseudo-EtherTypes in a cooked header's protocol field. Source: pcap LINKTYPE_LINUX_SLL.
namespace linux_type {
inline constexpr std::uint16_t llc = 0x0004;  ///< an 802.2 LLC header follows
}

/// Linux cooked capture v1: 16 octets, big-endian. Source: pcap LINKTYPE_LINUX_SLL (113). Borrows the frame.
class CookedHeader {
 public:
  static constexpr std::size_t kOctets = 16;
  [[nodiscard]] static Decoded<CookedHeader> parse(Octets frame) noexcept {
    if (frame.size() < kOctets) return Short{kOctets, frame.size()};
    return CookedHeader{frame.first<kOctets>()};
  }
  /// An EtherType, or a Linux pseudo-type below ether_type::first.
  [[nodiscard]] std::uint16_t protocol() const noexcept { return load_be<std::uint16_t, 14>(octets_); }

 private:
  explicit CookedHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Linux cooked capture v2: 20 octets, big-endian. Source: pcap LINKTYPE_LINUX_SLL2 (276). Borrows the frame.
class CookedHeader2 {
 public:
  static constexpr std::size_t kOctets = 20;
  [[nodiscard]] static Decoded<CookedHeader2> parse(Octets frame) noexcept {
    if (frame.size() < kOctets) return Short{kOctets, frame.size()};
    return CookedHeader2{frame.first<kOctets>()};
  }
  /// An EtherType, or a Linux pseudo-type below ether_type::first.
  [[nodiscard]] std::uint16_t protocol() const noexcept { return load_be<std::uint16_t, 0>(octets_); }

 private:
  explicit CookedHeader2(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// BSD loopback: the address family in 4 octets, in the byte order of the capturing machine (LINKTYPE_NULL, 0) or of
/// the network (LINKTYPE_LOOP, 108). Borrows the frame.
class LoopbackHeader {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<LoopbackHeader> parse(Octets frame) noexcept {
    if (frame.size() < kOctets) return Short{kOctets, frame.size()};
    return LoopbackHeader{frame.first<kOctets>()};
  }
  /// The family in whichever order makes it a small number: families are below 256 everywhere.
  [[nodiscard]] std::uint32_t family() const noexcept {
    const auto value = load_be<std::uint32_t, 0>(octets_);
    return value > 0xFFFFu ? swap_octets(value) : value;
  }
  /// AF_INET is 2 everywhere; AF_INET6 is 10 on Linux, 23 on Windows, 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on
  /// Darwin.
  [[nodiscard]] bool is_ip() const noexcept {
    const auto f = family();
    return f == 2 || f == 10 || f == 23 || f == 24 || f == 28 || f == 30;
  }

 private:
  explicit LoopbackHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::net
