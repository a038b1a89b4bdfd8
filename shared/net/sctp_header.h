// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The common header of an SCTP packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"

namespace iwarpscope::net {

/// SCTP common header: 12 octets, big-endian but for the CRC32c, which travels low octet first. Source: RFC 9260 §3.1,
/// App. A. Borrows the packet.
class SctpHeader {
 public:
  static constexpr std::size_t kOctets = 12;
  static constexpr std::size_t kCrcAt = 8;
  [[nodiscard]] static Decoded<SctpHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return SctpHeader{octets.first<kOctets>()};
  }
  [[nodiscard]] std::uint16_t source_port() const noexcept { return load_be<std::uint16_t, 0>(octets_); }
  [[nodiscard]] std::uint16_t destination_port() const noexcept { return load_be<std::uint16_t, 2>(octets_); }
  [[nodiscard]] std::uint32_t verification_tag() const noexcept { return load_be<std::uint32_t, 4>(octets_); }
  [[nodiscard]] std::uint32_t crc() const noexcept { return swap_octets(load_be<std::uint32_t, kCrcAt>(octets_)); }

 private:
  explicit SctpHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::net
