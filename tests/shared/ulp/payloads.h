// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Payloads of upper layers, as octets: real ones as captured from Linux, and hand-made ones.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "ulp/announcements.h"

namespace iwarpscope::ulp::test {

/// Octets of hexadecimal digits; blanks are left out.
inline std::string from_hex(std::string_view digits) {
  const auto value = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string octets;
  std::string pair;
  for (const char c : digits) {
    if (c == ' ') continue;
    pair += c;
    if (pair.size() < 2) continue;
    octets += static_cast<char>(value(pair[0]) * 16 + value(pair[1]));
    pair.clear();
  }
  return octets;
}
inline Octets octets_of(const std::string& octets) {
  return std::as_bytes(std::span{octets});
}
inline SendPayload whole(const std::string& octets) {
  return {.octets = octets_of(octets), .length = octets.size()};
}

// rping, 100 octets: the client's first and second Send, and the server's.
inline constexpr std::string_view kRpingFirst = "000056368cc5a450 e6b38000 00000064";
inline constexpr std::string_view kRpingSecond = "000056368cc57db0 8be33200 00000064";
inline constexpr std::string_view kRpingServer = "00000000000000000000000000000000";
// What the server did next: a Read Request (sink STag, sink TO, size, source STag, source TO), and a Write to STag and
// TO.
inline constexpr std::string_view kRpingReadRequest = "fed84c00 000055c510220db0 00000064 e6b38000 000056368cc5a450";
inline constexpr std::string_view kRpingWriteTo = "8be33200 000056368cc57db0";

// NVMe over Fabrics: Connect, I/O Read of 4096 octets, I/O Write of 65536 octets, Write with its data in the capsule
// (without them), Property Get; and a completion.
inline constexpr std::string_view kNvmeConnect =
    "7f40000001000000 0000000000000000 0000000000000000 00f4240459c11eff 000400 0122b9b9 4f"
    "000000001f000000 00000000000000000000000000000000";
inline constexpr std::string_view kNvmeConnectReadRequest =
    "6e01be01 ff1733c10bfb2000 00000400 b9b92201 ff1ec1590424f400";
inline constexpr std::string_view kNvmeRead =
    "0240090001000000 0000000000000000 0000000000000000 0060690359c11eff 001000 01621170 4f"
    "0000000000000000 07000000000000000000000000000000";
inline constexpr std::string_view kNvmeWrite =
    "01400a0001000000 0000000000000000 0000000000000000 00e05b0859c11eff 000001 01dab10c 4f"
    "0000000000000000 7f000000000000000000000000000000";
inline constexpr std::string_view kNvmeWriteReadRequest =
    "7ad83501 ff1733c106c0d000 00010000 0cb1da01 ff1ec159085be000";
inline constexpr std::string_view kNvmeWriteInCapsule =
    "01400a7001000000 0000000000000000 0000000000000000 0000000000000000 001000 00621170 01"
    "0000000000000000 07000000000000000000000000000000";
inline constexpr std::string_view kNvmePropertyGet =
    "7f40010004000000 0000000000000000 0000000000000000 0000000000000000 000000 00000000 40"
    "0100000000000000 00000000000000000000000000000000";
inline constexpr std::string_view kNvmeCompletion = "01000000000000000100000000000000";

// SMB Direct: Negotiate Request and Response, credits alone, a READ of 102400 octets and what the server wrote first,
// a WRITE of 98304 and what the server read, a READ of the response's direction, a WRITE that carries its data.
inline constexpr std::string_view kSmbRequest = "0001 0001 0000 ff00 54050000 54050000 56a70200";
inline constexpr std::string_view kSmbResponse =
    "0001 0001 0001 0000 ff00 fe00 00000000 00008000 54050000 54050000 56a70200";
inline constexpr std::string_view kSmbCredits = "ff00ff00 00000000 00000000 00000000 00000000";
inline constexpr std::string_view kSmbRead =
    "ff0001000000000000000000180000008000000000000000"
    "fe534d42400002000000000008000a0000000000000000002200000000000000490100000200000001000000000000000000000000000000"
    "0000000000000000"
    "310000000090010000000000000000000900000000000000090000000000000000000000020000000000000070001000"
    "00e0280259c11eff02c1680c00900100";
inline constexpr std::string_view kSmbReadWrittenTo = "0c68c102 ff1ec1590228e000";
inline constexpr std::string_view kSmbWrite =
    "ff0001000000000000000000180000008000000000000000"
    "fe534d42400002000000000009000a00000000000000000032000000000000004d0100000200000001000000000000000000000000000000"
    "0000000000000000"
    "310000000000000000000000000000000c000000000000000c0000000000000002000000008001007000100000000000"
    "00b04f0659c11eff03c1680c00800100";
inline constexpr std::string_view kSmbWriteReadRequest = "9c218e01 ff1733c10c200000 00018000 0c68c103 ff1ec159064fb000";
inline constexpr std::string_view kSmbWriteInline =
    "ff0001000000000006000000180000007000000000000000"
    "fe534d4240000100000000000900090000000000000000002c000000000000004b0100000200000001000000000000000000000000000000"
    "0000000000000000"
    "310070000600000000000000000000000a000000000000000a0000000000000000000000000000000000000000000000";
inline constexpr std::string_view kSmbWriteInlineRest = "ff0000000000000000000000180000000600000000000000736d616c6c0a";

// RPC over RDMA, by RFC 8166 §4.3: a call with two Read segments, a Write chunk of two and a Reply chunk of one; its
// reply; and a call that lies in the chunk at position 0.
inline constexpr std::string_view kRpcCall =
    "12345678 00000001 00000020 00000000"
    "00000001 00000094 11223344 00001000 00007f0012345000"
    "00000001 00000094 11223345 00000400 00007f0012347000 00000000"
    "00000001 00000002 21223344 00002000 00007f0022345000 21223345 00000064 00007f0022349000 00000000"
    "00000001 00000001 31223344 00000800 00007f0032345000"
    "12345678 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000";
inline constexpr std::size_t kRpcCallNeeded = 16 + 2 * 24 + 4 + 8 + 2 * 16 + 4 + 8 + 16 + 12;
inline constexpr std::string_view kRpcReply =
    "12345678 00000001 00000020 00000000 00000000"
    "00000001 00000002 21223344 00002000 00007f0022345000 21223345 00000064 00007f0022349000 00000000 00000000"
    "12345678 00000001 00000000 00000000 00000000 00000000";
inline constexpr std::string_view kRpcLongCall =
    "9abcdef0 00000001 00000020 00000001"
    "00000001 00000000 41223344 00000bb8 0000000000001000 00000000 00000000"
    "00000001 00000001 51223344 00002328 0000000000002000";

/// Octets without meaning, the same in each run.
class Noise {
 public:
  explicit Noise(std::uint32_t seed) : random_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::string octets(std::size_t count) {
    std::string text(count, '\0');
    for (char& c : text) c = static_cast<char>(below(256));
    return text;
  }

 private:
  std::mt19937 random_;
};

}  // namespace iwarpscope::ulp::test
