// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Annotated octets, and how the tests of net put frames together from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "net/decoder.h"

namespace iwarpscope::net::test {

using Buffer = std::vector<std::byte>;

/// Octets from hex digits; spaces do not matter.
[[nodiscard]] inline Buffer hex(std::string_view digits) {
  Buffer out;
  std::optional<unsigned> high;
  for (const char c : digits) {
    if (c == ' ') continue;
    const auto digit = static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    if (high) {
      out.push_back(static_cast<std::byte>(*high * 16 + digit));
      high.reset();
    } else {
      high = digit;
    }
  }
  return out;
}

/// A TCP segment: ports 1000 to 5355, sequence 1, acknowledgment 2, ACK and PSH, window 256, payload "wxyz".
/// The checksum is good between 10.0.0.1 and 10.0.0.2.
inline const std::string kTcp =
    "03e8 14eb 00000001 00000002 5018 0100 90fd 0000"
    "7778797a";
/// kTcp in an IPv4 datagram of 44 octets, identification 7, DF, TTL 64, from 10.0.0.1 to 10.0.0.2.
inline const std::string kIpv4 = "45 00 002c 0007 4000 40 06 0000 0a000001 0a000002" + kTcp;
/// kTcp in an IPv6 packet, hop limit 63, from fd00::1 to fd00::2.
inline const std::string kIpv6Addresses = "fd000000000000000000000000000001 fd000000000000000000000000000002";
inline const std::string kIpv6 = "60000000 0018 06 3f" + kIpv6Addresses + kTcp;
/// Destination, source; the EtherType is for the test to add.
inline const std::string kMacs = "020000000002 020000000001";

[[nodiscard]] inline Frame frame_of(Octets octets, LinkType link = LinkType::ethernet, std::size_t original = 0,
                                    std::int64_t time_ns = 0) {
  Frame frame;
  frame.number = FrameNumber{1};
  frame.time = TimePoint{time_ns};
  frame.link = link;
  frame.original_length = static_cast<std::uint32_t>(original == 0 ? octets.size() : original);
  frame.octets = octets;
  return frame;
}

/// What one frame gives. The packet's spans are emptied, their octets copied, so that a result may outlive the frame.
struct Result {
  std::optional<TcpPacket> packet;
  std::optional<NoPacket> reason;
  std::string payload;
  bool truncated = false;
  ChecksumResult checksum;
  Statistics statistics;
};

[[nodiscard]] inline std::string text_of(Octets octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

[[nodiscard]] inline Result decode_with(Decoder& decoder, const Frame& frame) {
  Result result;
  const auto decoded = decoder.decode(frame);
  if (const auto* packet = std::get_if<TcpPacket>(&decoded)) {
    result.packet = *packet;
    result.payload = text_of(packet->payload);
    result.truncated = packet->truncated();
    result.checksum = checksum(*packet);
    result.packet->payload = {};
    result.packet->tcp_header = {};
  } else if (const auto* reason = std::get_if<NoPacket>(&decoded)) {
    result.reason = *reason;
  }
  result.statistics = decoder.statistics();
  return result;
}

[[nodiscard]] inline Result decode(const std::string& digits, LinkType link = LinkType::ethernet,
                                   const DecoderLimits& limits = {}) {
  const Buffer octets = hex(digits);
  Decoder decoder(limits);
  return decode_with(decoder, frame_of(octets, link));
}

/// Whether the frame gives kTcp whole, and each of its prefixes, as a snap length would cut it, gives no packet or that
/// TCP segment with a part of its payload. Prefixes are in buffers of their exact size, for the address sanitizer.
[[nodiscard]] inline bool holds_tcp(const std::string& digits, LinkType link = LinkType::ethernet) {
  const Result whole = decode(digits, link);
  if (!whole.packet || whole.payload != "wxyz" || whole.packet->source.port != 1000 ||
      whole.packet->destination.port != 5355 || whole.packet->sequence != 1 || whole.packet->payload_length != 4) {
    return false;
  }
  const Buffer octets = hex(digits);
  for (std::size_t cut = 0; cut < octets.size(); ++cut) {
    const Buffer prefix(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(cut));
    Decoder decoder;
    const Result part = decode_with(decoder, frame_of(prefix, link, octets.size()));
    if (part.statistics.truncated_frames != 1 || part.statistics.malformed != 0) return false;
    if (part.reason && *part.reason != NoPacket::truncated) return false;
    if (part.packet && (part.packet->payload_length != 4 || std::string_view("wxyz").find(part.payload) != 0)) {
      return false;
    }
  }
  return true;
}

}  // namespace iwarpscope::net::test
