// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The message of the iWARP port mapper, which gives a connecting host the TCP port that replaces that of a listener.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"
#include "net/address.h"

namespace iwarpscope::net {

/// What a port mapper message says. A Request asks for the iWARP port of a listener's port; Accept names it, and Ack
/// confirms that; Reject knows no such listener.
enum class PortMapperType : std::uint8_t { request = 0, accept = 1, ack = 2, reject = 3 };

/// Port mapper message: 48 octets, big-endian; a Request has 16 more, which may be absent in an older form. No RFC:
/// facts as Linux' iwpmd (rdma-core) has them, version 0.
///
///     0      version(2 bits) type(2) IP version(4)      1  time          2..3    connecting peer's mapped port
///     (Request) 4..5   accepting peer's port                      6..7  connecting peer's port      8..15  association
///     handle 16..31 connecting peer's address                  32..47 accepting peer's address   48..63 its mapped
///     address (Request)
///
/// An IPv4 address is in the first four of its 16 octets. Borrows the datagram.
class PortMapperMessage {
 public:
  static constexpr std::size_t kOctets = 48;
  [[nodiscard]] static Decoded<PortMapperMessage> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return PortMapperMessage{octets.first<kOctets>()};
  }
  [[nodiscard]] unsigned version() const noexcept { return to_u8(octets_[0]) >> 6; }
  [[nodiscard]] PortMapperType type() const noexcept {
    return static_cast<PortMapperType>((to_u8(octets_[0]) >> 4) & 0x3u);
  }
  /// 4 or 6; anything else is no message that iwpmd reads.
  [[nodiscard]] unsigned ip_version() const noexcept { return to_u8(octets_[0]) & 0xFu; }
  /// Chosen by the connecting peer, the same in all messages of one exchange.
  [[nodiscard]] std::uint64_t association() const noexcept { return load_be<std::uint64_t, 8>(octets_); }
  /// In a Request the listener as applications know it; in Accept and Ack where to connect.
  [[nodiscard]] Endpoint accepting() const noexcept { return {address<32>(), load_be<std::uint16_t, 4>(octets_)}; }
  [[nodiscard]] Endpoint connecting() const noexcept { return {address<16>(), load_be<std::uint16_t, 6>(octets_)}; }

 private:
  explicit PortMapperMessage(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  template <std::size_t At>
  [[nodiscard]] IpAddress address() const noexcept {
    if (ip_version() != 6) return IpAddress::v4(load_be<std::uint32_t, At>(octets_));
    IpAddress result;
    std::transform(octets_.begin() + At, octets_.begin() + At + 16, result.octets.begin(),
                   [](std::byte o) { return to_u8(o); });
    return result;
  }
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::net
