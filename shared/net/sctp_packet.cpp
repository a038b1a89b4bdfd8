// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sctp_packet.h"

#include <algorithm>
#include <array>

#include "base/crc32c.h"
#include "net/sctp_header.h"

namespace iwarpscope::net {

std::uint32_t crc32c(const SctpPacket& packet) noexcept {
  constexpr std::array<std::byte, 4> kZero{};
  Crc32c crc;
  crc.add(packet.common_header.first(std::min(packet.common_header.size(), std::size_t{SctpHeader::kCrcAt})));
  crc.add(kZero);
  crc.add(packet.chunks);
  return crc.value();
}

Checksum checksum(const SctpPacket& packet) noexcept {
  if (packet.truncated() || packet.common_header.size() < SctpHeader::kOctets) return Checksum::unknown;
  if (crc32c(packet) == packet.crc) return Checksum::good;
  return packet.crc == 0 ? Checksum::offloaded : Checksum::bad;
}

}  // namespace iwarpscope::net
