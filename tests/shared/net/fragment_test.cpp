// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "net/defragmenter.h"
#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

/// The TCP segment that the tests cut: header and 60 octets of payload, 80 octets.
Buffer segment() {
  Buffer octets = hex(kTcp);
  octets.resize(20);
  for (unsigned i = 0; i < 60; ++i) octets.push_back(static_cast<std::byte>('A' + i % 26));
  return octets;
}
std::string payload_text() {
  return text_of(Octets(segment()).subspan(20));
}

void put16(Buffer& octets, std::size_t at, std::size_t value) {
  octets[at] = static_cast<std::byte>(value >> 8);
  octets[at + 1] = static_cast<std::byte>(value);
}

/// Octets [begin, end) of a datagram's payload as an IPv4 fragment.
Buffer v4(Octets whole, std::size_t begin, std::size_t end, bool more, std::uint16_t id = 7) {
  Buffer out = hex("45 00 0000 0000 0000 40 06 0000 0a000001 0a000002");
  put16(out, 2, 20 + end - begin);
  put16(out, 4, id);
  put16(out, 6, begin / 8 | (more ? 0x2000u : 0u));
  const Octets part = whole.subspan(begin, end - begin);
  out.insert(out.end(), part.begin(), part.end());
  return out;
}
/// The same as an IPv6 fragment.
Buffer v6(Octets whole, std::size_t begin, std::size_t end, bool more) {
  Buffer out = hex("60000000 0000 2c 3f" + kIpv6Addresses + "06 00 0000 00012345");
  put16(out, 4, 8 + end - begin);
  put16(out, 42, begin | (more ? 1u : 0u));
  const Octets part = whole.subspan(begin, end - begin);
  out.insert(out.end(), part.begin(), part.end());
  return out;
}

class Fragments : public ::testing::Test {
 protected:
  Result feed(const Buffer& octets, std::int64_t time_ns = 0, std::size_t cut = 0) {
    const Buffer exact(octets.begin(), octets.end() - static_cast<std::ptrdiff_t>(cut));
    Result result = decode_with(decoder_, frame_of(exact, LinkType::raw_ip, octets.size(), time_ns));
    return result;
  }
  Buffer whole_ = segment();
  Decoder decoder_;
};

TEST_F(Fragments, InOrderAreJoined) {
  EXPECT_EQ(feed(v4(whole_, 0, 24, true)).reason, NoPacket::fragment_held);
  EXPECT_EQ(feed(v4(whole_, 24, 48, true)).reason, NoPacket::fragment_held);
  const auto result = feed(v4(whole_, 48, 80, false));
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, payload_text());
  EXPECT_TRUE(result.packet->fragmented);
  EXPECT_EQ(result.statistics.ip_fragments, 3u);
  EXPECT_EQ(result.statistics.fragments_dropped, 0u);
}

TEST_F(Fragments, OfIpv6InReverseAreJoined) {
  EXPECT_EQ(feed(v6(whole_, 40, 80, false)).reason, NoPacket::fragment_held);
  EXPECT_EQ(feed(v6(whole_, 16, 40, true)).reason, NoPacket::fragment_held);
  const auto result = feed(v6(whole_, 0, 16, true));
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, payload_text());
}

TEST_F(Fragments, OfOtherDatagramsAreKeptApart) {
  (void)feed(v4(whole_, 0, 40, true, 1));
  EXPECT_EQ(feed(v4(whole_, 40, 80, false, 2)).reason, NoPacket::fragment_held);
  EXPECT_TRUE(feed(v4(whole_, 40, 80, false, 1)).packet);
  EXPECT_TRUE(feed(v4(whole_, 0, 40, true, 2)).packet);
}

TEST_F(Fragments, OfATunnelInFragmentsAreJoinedTwice) {
  const auto inner_first = v4(whole_, 0, 40, true);
  const auto inner_last = v4(whole_, 40, 80, false);
  const auto outer = [](const Buffer& inner, std::size_t begin, std::size_t end, std::uint16_t id) {
    Buffer out = v4(inner, begin, end, end != inner.size(), id);
    out[9] = std::byte{4};
    return out;
  };
  (void)feed(outer(inner_first, 0, 32, 100));
  (void)feed(outer(inner_last, 0, 32, 101));
  (void)feed(outer(inner_last, 32, inner_last.size(), 101));
  const auto result = feed(outer(inner_first, 32, inner_first.size(), 100));
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, payload_text());
}

TEST_F(Fragments, SeenTwiceThroughAMirrorAreTakenOnce) {
  for (const auto& fragment : {v4(whole_, 0, 40, true), v4(whole_, 0, 40, true)}) {
    EXPECT_EQ(feed(fragment).reason, NoPacket::fragment_held);
  }
  EXPECT_TRUE(feed(v4(whole_, 40, 80, false)).packet);
  const auto again = feed(v4(whole_, 40, 80, false));
  EXPECT_EQ(again.reason, NoPacket::fragment_held);
  EXPECT_EQ(again.statistics.fragments_dropped, 0u);
  // The whole datagram again is a datagram again.
  EXPECT_EQ(feed(v4(whole_, 0, 40, true)).reason, NoPacket::fragment_held);
  EXPECT_TRUE(feed(v4(whole_, 40, 80, false)).packet);
}

TEST_F(Fragments, OverlappingWithTheSameOctetsAreJoined) {
  (void)feed(v4(whole_, 16, 40, true));
  (void)feed(v4(whole_, 56, 80, false));
  (void)feed(v4(whole_, 8, 64, true));
  const auto result = feed(v4(whole_, 0, 24, true));
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, payload_text());
}

TEST_F(Fragments, ContradictingEachOtherDropTheDatagram) {
  (void)feed(v4(whole_, 0, 40, true));
  auto other = whole_;
  other[39] ^= std::byte{1};
  (void)feed(v4(other, 32, 64, true));
  const auto last = feed(v4(whole_, 40, 80, false));
  EXPECT_EQ(last.reason, NoPacket::fragment_held);
  EXPECT_EQ(last.statistics.fragments_dropped, 3u);
  EXPECT_EQ(feed(v4(whole_, 0, 40, true)).reason, NoPacket::fragment_held);
}

TEST_F(Fragments, OfIpv6OverlappingInPartDropTheDatagram) {
  (void)feed(v6(whole_, 0, 40, true));
  (void)feed(v6(whole_, 32, 64, true));
  const auto last = feed(v6(whole_, 40, 80, false));
  EXPECT_EQ(last.reason, NoPacket::fragment_held);
  EXPECT_EQ(last.statistics.fragments_dropped, 3u);
}

TEST_F(Fragments, OfIpv6SeenTwiceAreTakenOnce) {
  (void)feed(v6(whole_, 0, 40, true));
  (void)feed(v6(whole_, 0, 40, true));
  EXPECT_TRUE(feed(v6(whole_, 40, 80, false)).packet);
}

TEST_F(Fragments, DisagreeingAboutTheEndDropTheDatagram) {
  (void)feed(v4(whole_, 40, 72, false));
  EXPECT_EQ(feed(v4(whole_, 40, 80, false)).statistics.fragments_dropped, 2u);
}

// The rest of the old datagram was lost; 65536 datagrams later its identification comes again.
TEST_F(Fragments, OfAReusedIdentificationStartAgain) {
  auto old = whole_;
  old[50] ^= std::byte{1};
  (void)feed(v4(old, 40, 80, false));
  (void)feed(v4(whole_, 40, 80, false), 60 * kMillisecond);
  const auto result = feed(v4(whole_, 0, 40, true), 60 * kMillisecond);
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, payload_text());
  EXPECT_EQ(result.statistics.fragments_dropped, 1u);
}

TEST_F(Fragments, OlderThanTheTimeOutAreDropped) {
  (void)feed(v4(whole_, 0, 40, true));
  const auto late = feed(v4(whole_, 40, 80, false), 30'001 * kMillisecond);
  EXPECT_EQ(late.reason, NoPacket::fragment_held);
  EXPECT_EQ(late.statistics.fragments_dropped, 1u);
}

TEST_F(Fragments, JustWithinTheTimeOutAreJoined) {
  (void)feed(v4(whole_, 0, 40, true));
  EXPECT_TRUE(feed(v4(whole_, 40, 80, false), 30'000 * kMillisecond).packet);
}

TEST_F(Fragments, CutBySnapLengthAreUsedAsFarAsTheyGo) {
  (void)feed(v4(whole_, 0, 40, true));
  (void)feed(v4(whole_, 40, 64, true), 0, 4);
  const auto result = feed(v4(whole_, 64, 80, false));
  ASSERT_TRUE(result.packet);
  EXPECT_EQ(result.payload, payload_text().substr(0, 40));
  EXPECT_EQ(result.packet->payload_length, 60u);
  EXPECT_EQ(result.checksum.verdict, Checksum::unknown);
}

TEST_F(Fragments, WithLengthsOutOfBoundsAreMalformed) {
  const Buffer big(600);
  EXPECT_EQ(feed(v4(whole_, 0, 20, true)).reason, NoPacket::malformed);
  auto beyond = v4(big, 0, 600, false);
  put16(beyond, 6, 0x1FFF);
  EXPECT_EQ(feed(beyond).reason, NoPacket::malformed);
  EXPECT_EQ(feed(v4(whole_, 8, 8, false)).statistics.fragments_dropped, 3u);
}

TEST(FragmentLimits, TooManyDatagramsGiveUpTheOldest) {
  DecoderLimits limits;
  limits.max_datagrams = 10;
  Decoder decoder(limits);
  const Buffer whole = segment();
  Statistics statistics;
  for (std::uint16_t id = 0; id < 100; ++id) {
    const auto octets = v4(whole, 0, 40, true, id);
    statistics = decode_with(decoder, frame_of(octets, LinkType::raw_ip)).statistics;
  }
  EXPECT_EQ(statistics.fragments_dropped, 90u);
  EXPECT_EQ(statistics.fragments_over_limit, 90u);
  EXPECT_EQ(statistics.fragments_waiting, 10u);
  const auto last_of_newest = v4(whole, 40, 80, false, 99);
  const auto joined = decode_with(decoder, frame_of(last_of_newest, LinkType::raw_ip));
  EXPECT_TRUE(joined.packet);
  EXPECT_EQ(joined.statistics.fragments_waiting, 9u);
}

TEST(FragmentLimits, AMillionTinyFragmentsStayWithinTheOctets) {
  DecoderLimits limits;
  limits.max_fragment_octets = 100'000;
  Defragmenter defragmenter(limits);
  const Buffer eight(8);
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    Walk walk;
    walk.rest = eight;
    walk.ip.is_v4 = true;
    walk.ip.source = IpAddress::v4(i / 1000);
    walk.fragment = {i / 1000 % 65536, (i * 7919 % 8000) * 8, true};
    ASSERT_EQ(defragmenter.add(walk, TimePoint{i}), Layer::none);
    ASSERT_LE(defragmenter.held_octets(), limits.max_fragment_octets);
  }
  EXPECT_GT(defragmenter.dropped(), 900'000u);
}

// Any cut, any order, any repeats: one packet, with the octets that were sent.
TEST(FragmentModel, RandomCutsOrdersAndRepeatsAreJoined) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    Buffer whole = segment();
    whole.resize(20 + random() % 2000);
    for (std::size_t i = 20; i < whole.size(); ++i) whole[i] = static_cast<std::byte>(random() & 0xFFu);
    std::vector<Buffer> fragments;
    for (std::size_t begin = 0; begin < whole.size();) {
      const std::size_t end = std::min(whole.size(), begin + 8 * (1 + random() % 20));
      // An IPv4 fragment may also reach back into its predecessor with the same octets.
      const std::size_t from = random() % 4 == 0 ? begin - begin / 8 % 3 * 8 : begin;
      fragments.push_back(v4(whole, from, end, end != whole.size()));
      begin = end;
    }
    if (fragments.size() == 1) continue;
    std::ranges::shuffle(fragments, random);
    Decoder decoder;
    int packets = 0;
    for (const auto& fragment : fragments) {
      const auto result = decode_with(decoder, frame_of(fragment, LinkType::raw_ip));
      if (!result.packet) continue;
      ++packets;
      EXPECT_EQ(result.payload, text_of(Octets(whole).subspan(20)));
    }
    ASSERT_EQ(packets, 1) << "round " << round;
  }
}

}  // namespace
}  // namespace iwarpscope::net::test
