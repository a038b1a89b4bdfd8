// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A slow and simple reader for the synthesiser's own tests: Ethernet, IPv4 without options, TCP, MPA. It implements
// only what the writers can produce, and shares no code with them or with the core.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "synth/connection.h"

namespace iwarpscope::synth::test {

inline std::uint64_t number(Octets octets, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8 | std::to_integer<std::uint64_t>(octets[at + i]);
  return value;
}

struct Packet {
  Side sender;
  std::uint32_t sequence, acknowledgment;
  std::uint8_t flags;
  Buffer payload;
  bool checksum_right;
};

/// Reads a frame of a Connection with default addresses.
inline Packet read(const Frame& frame) {
  const Octets ip = Octets(frame.octets).subspan(14);
  const std::size_t length = number(ip, 2, 2);
  const Octets tcp = ip.subspan(20, length - 20);
  Packet p{};
  p.sender = number(ip, 12, 4) == 0x0A000001 ? Side::initiator : Side::responder;
  p.sequence = static_cast<std::uint32_t>(number(tcp, 4, 4));
  p.acknowledgment = static_cast<std::uint32_t>(number(tcp, 8, 4));
  p.flags = static_cast<std::uint8_t>(number(tcp, 13, 1));
  const Octets payload = tcp.subspan(number(tcp, 12, 1) / 16 * 4);
  p.payload.assign(payload.begin(), payload.end());
  std::uint64_t sum = number(ip, 12, 2) + number(ip, 14, 2) + number(ip, 16, 2) + number(ip, 18, 2) + 6 + tcp.size();
  for (std::size_t i = 0; i < tcp.size(); ++i) sum += number(tcp, i, 1) << (i % 2 == 0 ? 8 : 0);
  while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
  p.checksum_right = sum == 0xFFFF;
  return p;
}

/// The octets of one direction from the ISN on; segments with wrong checksums are skipped, the first copy is used.
inline Buffer stream(const Frames& frames, Side side, std::uint32_t isn) {
  std::map<std::uint32_t, std::byte> octets;
  for (const Frame& frame : frames) {
    const Packet p = read(frame);
    if (p.sender != side || !p.checksum_right) continue;
    for (std::size_t i = 0; i < p.payload.size(); ++i) {
      octets.emplace(p.sequence - isn - 1 + static_cast<std::uint32_t>(i), p.payload[i]);
    }
  }
  Buffer out;
  for (const auto& [at, octet] : octets) {
    if (at != out.size()) throw std::runtime_error("hole at " + std::to_string(out.size()));
    out.push_back(octet);
  }
  return out;
}

inline std::uint32_t slow_crc(Octets octets) {
  std::uint32_t state = 0xFFFFFFFF;
  for (const std::byte octet : octets) {
    state ^= std::to_integer<std::uint32_t>(octet);
    for (int bit = 0; bit < 8; ++bit) state = state >> 1 ^ ((state & 1) != 0 ? 0x82F63B78U : 0U);
  }
  return ~state;
}

/// The ULPDUs after the startup frame of a stream. Throws if a marker, the CRC or the end is wrong.
inline std::vector<Buffer> ulpdus(const Buffer& stream, bool markers, bool crc) {
  const Octets raw = Octets(stream).subspan(20 + number(stream, 18, 2));
  std::vector<Buffer> out;
  std::size_t at = 0;
  const auto marker = [&](std::size_t expected) {
    if (!markers || at % 512 != 0) return;
    if (number(raw, at, 4) != expected) throw std::runtime_error("marker at " + std::to_string(at));
    at += 4;
  };
  while (at < raw.size()) {
    const std::size_t start = at;
    marker(0);
    const std::size_t header = at;
    const std::size_t length = number(raw, header, 2);
    Buffer octets;
    while (octets.size() < (2 + length + 3) / 4 * 4) {
      if (at != header) marker(at - header);
      const Octets four = raw.subspan(at, 4);
      octets.insert(octets.end(), four.begin(), four.end());
      at += 4;
    }
    marker(at - header);
    const std::uint32_t expected = crc ? __builtin_bswap32(slow_crc(raw.subspan(start, at - start))) : 0;
    if (number(raw, at, 4) != expected) throw std::runtime_error("CRC of the FPDU at " + std::to_string(start));
    at += 4;
    out.emplace_back(octets.begin() + 2, octets.begin() + 2 + static_cast<std::ptrdiff_t>(length));
  }
  return out;
}

}  // namespace iwarpscope::synth::test
