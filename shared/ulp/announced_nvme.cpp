// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// NVMe over Fabrics: the data of a command, by a keyed SGL descriptor.
#include "ulp/announcements.h"

namespace iwarpscope::ulp {
namespace {

constexpr std::size_t kCommandOctets = 64;
constexpr std::uint8_t kFabrics = 0x7F;  // opcode of all Fabrics commands; octet 4 is their type

/// Bits 1:0 of an opcode or Fabrics command type: 01 host to controller, 10 controller to host, 11 both.
Access granted_by(std::uint8_t operation) noexcept {
  Access granted = Access::none;
  if ((operation & 0x01) != 0) granted = granted | Access::read;
  if ((operation & 0x02) != 0) granted = granted | Access::write;
  return granted;
}

}  // namespace

Announcements announced_by_nvme(const SendPayload& payload) noexcept {
  Announcements found;
  if (payload.octets.size() < kCommandOctets) return found;
  const auto command = payload.octets.first<kCommandOctets>();
  const std::uint8_t opcode = to_u8(command[0]);
  const Access granted = granted_by(opcode == kFabrics ? to_u8(command[4]) : opcode);
  // PSDT 1: an SGL, and the metadata is no SGL segment; four reserved bits; FUSE may be anything.
  const bool uses_sgl = (to_u8(command[1]) & 0xFC) == 0x40;
  // Descriptor type 4: Keyed SGL Data Block; subtype 0: an address, 0xF: the same, to be invalidated by the peer.
  const std::uint8_t descriptor = to_u8(command[39]);
  if (granted == Access::none || !uses_sgl || (descriptor != 0x40 && descriptor != 0x4F)) return found;
  const auto address = load_le<std::uint64_t>(command.subspan(24));
  const std::uint32_t octets = load_le<std::uint32_t>(command.subspan(32)) & 0x00FFFFFF;
  const auto key = load_le<std::uint32_t>(command.subspan(35));
  found.add(STag{key}, address, octets, granted);
  return found;
}

}  // namespace iwarpscope::ulp
