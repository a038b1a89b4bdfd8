#include "net/sctp_packet.h"

#include <array>

#include "base/crc32c.h"
#include "net/sctp_header.h"

namespace iwarpscope::net {

Checksum checksum(const SctpPacket& packet) noexcept {
  if (packet.truncated() || packet.common_header.size() < SctpHeader::kOctets) return Checksum::unknown;
  constexpr std::array<std::byte, 4> kZero{};
  Crc32c crc;
  crc.add(packet.common_header.first(SctpHeader::kCrcAt));
  crc.add(kZero);
  crc.add(packet.chunks);
  if (crc.value() == packet.crc) return Checksum::good;
  return packet.crc == 0 ? Checksum::offloaded : Checksum::bad;
}

}  // namespace iwarpscope::net
