// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A slow and simple reader of SCTP for the synthesiser's own tests: Ethernet, IP without options, UDP if any, SCTP.
#pragma once

#include <map>
#include <vector>

#include "synth/association.h"
#include "synth/reader.h"

namespace iwarpscope::synth::test {

/// The default values of the two ends.
inline constexpr std::uint16_t kPortI = 40000, kPortR = 5000;

struct ReadChunk {
  unsigned type = 0, flags = 0;
  Buffer value;  // without pad
};

struct ReadPacket {
  std::uint16_t source_port = 0;
  std::uint32_t source = 0, destination = 0;  // IPv4 only
  std::uint32_t tag = 0;
  bool crc_right = false, crc_is_zero = false;
  std::vector<ReadChunk> chunks;
};

/// Reads a frame of an Association. Throws std::runtime_error if a length or a pad is wrong.
inline ReadPacket read_sctp(const Frame& frame) {
  Octets ip = Octets(frame.octets).subspan(14);
  ReadPacket p;
  Octets rest;
  std::uint64_t protocol = 0;
  if (number(ip, 0, 1) >> 4 == 6) {
    protocol = number(ip, 6, 1);
    rest = ip.subspan(40, number(ip, 4, 2));
  } else {
    protocol = number(ip, 9, 1);
    p.source = static_cast<std::uint32_t>(number(ip, 12, 4));
    p.destination = static_cast<std::uint32_t>(number(ip, 16, 4));
    rest = ip.subspan(20, number(ip, 2, 2) - 20);
  }
  if (protocol == 17) {
    if (number(rest, 2, 2) != 9899) throw std::runtime_error("port of the UDP datagram");
    rest = rest.subspan(8);
    protocol = 132;
  }
  if (protocol != 132) throw std::runtime_error("no SCTP");
  p.source_port = static_cast<std::uint16_t>(number(rest, 0, 2));
  p.tag = static_cast<std::uint32_t>(number(rest, 4, 4));
  Buffer zeroed(rest.begin(), rest.end());
  for (std::size_t i = 8; i < 12; ++i) zeroed[i] = std::byte{0};
  p.crc_is_zero = number(rest, 8, 4) == 0;
  p.crc_right = __builtin_bswap32(slow_crc(zeroed)) == number(rest, 8, 4);
  for (rest = rest.subspan(12); !rest.empty();) {
    const std::size_t length = number(rest, 2, 2);
    if (length < 4 || (length + 3) / 4 * 4 > rest.size()) throw std::runtime_error("length of a chunk");
    const Octets value = rest.subspan(4, length - 4);
    p.chunks.push_back({static_cast<unsigned>(number(rest, 0, 1)), static_cast<unsigned>(number(rest, 1, 1)),
                        Buffer(value.begin(), value.end())});
    for (std::size_t i = length; i % 4 != 0; ++i) {
      if (rest[i] != std::byte{0}) throw std::runtime_error("pad of a chunk");
    }
    rest = rest.subspan((length + 3) / 4 * 4);
  }
  return p;
}

inline std::vector<ReadPacket> read_sctp(const Frames& frames) {
  std::vector<ReadPacket> out;
  for (const Frame& frame : frames) out.push_back(read_sctp(frame));
  return out;
}

/// The chunk types of each packet, "1 | 2 | 10 | 11 | 3 0 0".
inline std::string types(const std::vector<ReadPacket>& packets) {
  std::string out;
  for (const ReadPacket& p : packets) {
    if (!out.empty()) out += " | ";
    for (std::size_t i = 0; i < p.chunks.size(); ++i) out += (i == 0 ? "" : " ") + std::to_string(p.chunks[i].type);
  }
  return out;
}

struct ReadMessage {
  std::uint32_t tsn = 0;  // of its first chunk
  std::uint32_t ppid = 0;
  std::uint16_t stream = 0;
  std::uint64_t ddp_ssn = 0;
  Buffer octets;  // after the DDP-SSN
};

/// The user messages of one side in the order of their TSNs; packets with a wrong CRC are skipped, the first copy is
/// used.
inline std::vector<ReadMessage> messages(const std::vector<ReadPacket>& packets, std::uint16_t port) {
  std::map<std::uint64_t, ReadChunk> by_tsn;
  for (const ReadPacket& p : packets) {
    for (const ReadChunk& c : p.chunks) {
      if (c.type == 0 && p.source_port == port && p.crc_right) by_tsn.emplace(number(c.value, 0, 4), c);
    }
  }
  std::vector<ReadMessage> out;
  bool open = false;
  std::uint64_t next = by_tsn.empty() ? 0 : by_tsn.begin()->first;
  for (const auto& [tsn, chunk] : by_tsn) {
    if (tsn != next++) throw std::runtime_error("no TSN " + std::to_string(next - 1));
    const Octets data = Octets(chunk.value).subspan(12);
    if (((chunk.flags & 2) != 0) == open) throw std::runtime_error("B of TSN " + std::to_string(tsn));
    if (!open) {
      out.push_back({static_cast<std::uint32_t>(tsn),
                     static_cast<std::uint32_t>(number(chunk.value, 8, 4)),
                     static_cast<std::uint16_t>(number(chunk.value, 4, 2)),
                     number(data, 0, 2),
                     {}});
    }
    out.back().octets.insert(out.back().octets.end(), data.begin() + (open ? 0 : 2), data.end());
    open = (chunk.flags & 1) == 0;
  }
  return out;
}

}  // namespace iwarpscope::synth::test
