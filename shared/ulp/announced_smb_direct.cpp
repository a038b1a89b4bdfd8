// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SMB Direct: the buffers of SMB2 READ and WRITE requests.
#include <algorithm>

#include "ulp/announcements.h"
#include "ulp/little_endian.h"

namespace iwarpscope::ulp {
namespace {

constexpr std::size_t kTransferOctets = 20;
constexpr std::size_t kHeaderOctets = 64;      // of SMB2. Source: [MS-SMB2] §2.2.1
constexpr std::size_t kRequestOctets = 48;     // of READ and WRITE requests without their buffer
constexpr std::uint16_t kRequestSize = 49;     // their StructureSize, which counts one octet of the buffer
constexpr std::size_t kDescriptorOctets = 16;  // SMB_DIRECT_BUFFER_DESCRIPTOR_V1: offset (8), token (4), length (4)
constexpr std::uint32_t kProtocol = 0xFE534D42;
constexpr std::uint32_t kResponse = 0x00000001;  // SMB2_FLAGS_SERVER_TO_REDIR
constexpr std::uint32_t kRdmaV1 = 1, kRdmaV1Invalidate = 2;

/// Where a request keeps its channel information.
struct RequestLayout {
  std::uint16_t command;
  Access granted;
  std::size_t channel, offset, length;  // of the fields, from the start of the SMB2 header
};
constexpr RequestLayout kRead{8, Access::write, 64 + 36, 64 + 44, 64 + 46};  // [MS-SMB2] §2.2.19
constexpr RequestLayout kWrite{9, Access::read, 64 + 32, 64 + 40, 64 + 42};  // [MS-SMB2] §2.2.21

/// The descriptors of one request. `request` begins with its SMB2 header. False: not as specified.
bool take_request(Octets request, const RequestLayout& layout, Announcements& found) noexcept {
  if (request.size() < kHeaderOctets + kRequestOctets || le16(request, kHeaderOctets) != kRequestSize) return false;
  const std::uint32_t channel = le32(request, layout.channel);
  if (channel != kRdmaV1 && channel != kRdmaV1Invalidate) return true;
  const std::size_t offset = le16(request, layout.offset);
  const std::size_t length = le16(request, layout.length);
  if (offset < kHeaderOctets + kRequestOctets || offset > request.size() || length > request.size() - offset)
    return false;
  if (length == 0 || length % kDescriptorOctets != 0) return false;
  for (Octets rest = request.subspan(offset, length); !rest.empty(); rest = rest.subspan(kDescriptorOctets)) {
    const auto address = load_le<std::uint64_t>(rest);
    if (!found.add(STag{le32(rest, 8)}, address, le32(rest, 12), layout.granted)) return false;
  }
  return true;
}

}  // namespace

std::optional<SmbDirectTransfer> smb_direct_transfer(const SendPayload& payload) noexcept {
  constexpr std::uint16_t kResponseRequested = 0x0001;
  const Octets octets = payload.octets;
  if (octets.size() < kTransferOctets) return std::nullopt;
  const std::uint16_t flags = le16(octets, 4), reserved = le16(octets, 6);
  const std::uint32_t remaining = le32(octets, 8), offset = le32(octets, 12), length = le32(octets, 16);
  if ((flags & ~kResponseRequested) != 0 || reserved != 0) return std::nullopt;
  if (length == 0) {
    if (remaining != 0 || offset != 0 || payload.length != kTransferOctets) return std::nullopt;
    return SmbDirectTransfer{};
  }
  // DataOffset is a multiple of 8, and the data reaches to the end of the message.
  if (offset < kTransferOctets || offset % 8 != 0 || offset > payload.length || length != payload.length - offset) {
    return std::nullopt;
  }
  const Octets data = octets.subspan(std::min<std::size_t>(offset, octets.size()));
  return SmbDirectTransfer{.remaining = remaining, .data_length = length, .data = data};
}

Announcements announced_by_smb_direct(const SendPayload& payload) noexcept {
  const std::optional<SmbDirectTransfer> transfer = smb_direct_transfer(payload);
  if (!transfer) return {};
  Announcements found;
  Octets rest = transfer->data;
  while (rest.size() >= kHeaderOctets) {
    if (load_be<std::uint32_t>(rest) != kProtocol || le16(rest, 4) != kHeaderOctets) return {};
    const std::uint16_t command = le16(rest, 12);
    const std::uint32_t flags = le32(rest, 16), next = le32(rest, 20);
    if (next != 0 && (next % 8 != 0 || next < kHeaderOctets)) return {};
    const Octets request = next == 0 ? rest : rest.first(std::min<std::size_t>(next, rest.size()));
    if ((flags & kResponse) == 0) {
      if (command == kRead.command && !take_request(request, kRead, found)) return {};
      if (command == kWrite.command && !take_request(request, kWrite, found)) return {};
    }
    if (next == 0 || next > rest.size()) break;
    rest = rest.subspan(next);
  }
  return found;
}

}  // namespace iwarpscope::ulp
