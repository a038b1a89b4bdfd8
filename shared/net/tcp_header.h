// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The TCP header as it is on the wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"

namespace iwarpscope::net {

/// TCP header without its options: 20 octets, big-endian. Source: RFC 9293 §3.1. Borrows the datagram.
class TcpHeader {
 public:
  static constexpr std::size_t kOctets = 20;
  [[nodiscard]] static Decoded<TcpHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return TcpHeader{octets.first<kOctets>()};
  }
  [[nodiscard]] std::uint16_t source_port() const noexcept { return load_be<std::uint16_t, 0>(octets_); }
  [[nodiscard]] std::uint16_t destination_port() const noexcept { return load_be<std::uint16_t, 2>(octets_); }
  [[nodiscard]] std::uint32_t sequence() const noexcept { return load_be<std::uint32_t, 4>(octets_); }
  [[nodiscard]] std::uint32_t acknowledgment() const noexcept { return load_be<std::uint32_t, 8>(octets_); }
  /// Octets of header and options: 0 to 60. Less than 20 is malformed.
  [[nodiscard]] std::size_t length() const noexcept { return (to_u8(octets_[12]) >> 4) * std::size_t{4}; }
  [[nodiscard]] std::uint8_t flags() const noexcept { return to_u8(octets_[13]); }
  [[nodiscard]] std::uint16_t window() const noexcept { return load_be<std::uint16_t, 14>(octets_); }
  [[nodiscard]] std::uint16_t checksum() const noexcept { return load_be<std::uint16_t, 16>(octets_); }

 private:
  explicit TcpHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// TCP option kinds this decoder reads. Source: RFC 9293 §3.1, RFC 7323.
namespace tcp_option {
inline constexpr std::uint8_t end = 0;
inline constexpr std::uint8_t no_operation = 1;
inline constexpr std::uint8_t mss = 2;
inline constexpr std::uint8_t window_scale = 3;
inline constexpr std::uint8_t timestamps = 8;
}  // namespace tcp_option

}  // namespace iwarpscope::net
