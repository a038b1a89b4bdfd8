// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

constexpr std::array kLinks{LinkType::null,      LinkType::ethernet, LinkType::raw_ip, LinkType::openbsd_loop,
                            LinkType::linux_sll, LinkType::ipv4,     LinkType::ipv6,   LinkType::linux_sll2};

/// Reads everything that the decoder claims to be there.
void use(const Result& result, const Frame& frame) {
  if (!result.packet) return;
  EXPECT_LE(result.payload.size(), result.packet->payload_length);
  EXPECT_LE(result.payload.size(), frame.octets.size() + 65535);
}

/// Feeds the octets as a frame of every link type, from a buffer of their exact size.
void decode_all(Decoder& decoder, const Buffer& octets, std::size_t original, std::int64_t time) {
  for (const LinkType link : kLinks) {
    const Frame frame = frame_of(octets, link, original, time);
    use(decode_with(decoder, frame), frame);
  }
}

TEST(RandomFrames, NoneIsReadBeyondItsEnd) {
  std::mt19937 random(20);
  Decoder decoder;
  for (int i = 0; i < 100'000; ++i) {
    Buffer octets(random() % 120);
    for (auto& octet : octets) octet = static_cast<std::byte>(random() & 0xFFu);
    decode_all(decoder, octets, octets.size() + random() % 3 * 40, i * std::int64_t{1'000'000});
  }
  EXPECT_EQ(decoder.statistics().frames, 800'000u);
}

// Frames that are nearly right reach deeper than random ones.
TEST(RandomFrames, DamagedVectorsAreNotReadBeyondTheirEnd) {
  const std::string mirror = "45 00 006e 0001 0000 40 2f 0000 c0000201 c0000202 1000 88be 00000001 1064 1805 00000001";
  const std::array vectors{
      hex(kMacs + "8100 0001 0800" + mirror + kMacs + "0800" + kIpv4),
      hex(kMacs + "8847 00010 1 40 00000000" + kMacs + "86dd" + kIpv6),
      hex(kMacs +
          "0800 45 00 0062 0001 0000 40 11 0000 c0000201 c0000202 c000 17c1 0000 0000 01 00 6558 00002a 00 "
          "00000000" +
          kMacs + "0800" + kIpv4),
      hex(kMacs + "86dd 60000000 0038 00 3f" + kIpv6Addresses +
          "2b 00 01 04 00000000 2c 00 00 00 00000000 06 00 0001 00000001" + kTcp + "0000000000000000"),
  };
  std::mt19937 random(21);
  Decoder decoder;
  unsigned packets = 0;
  for (int i = 0; i < 100'000; ++i) {
    Buffer octets = vectors[random() % vectors.size()];
    for (auto damage = random() % 4; damage > 0; --damage) {
      octets[random() % octets.size()] = static_cast<std::byte>(random() & 0xFFu);
    }
    const std::size_t original = octets.size();
    if (random() % 3 == 0) octets.resize(random() % octets.size());
    octets.shrink_to_fit();
    const Frame frame = frame_of(octets, LinkType::ethernet, original, i * std::int64_t{10'000'000});
    const auto result = decode_with(decoder, frame);
    use(result, frame);
    packets += result.packet ? 1u : 0u;
  }
  EXPECT_GT(packets, 10'000u);
}

}  // namespace
}  // namespace iwarpscope::net::test
