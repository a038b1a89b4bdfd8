// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/extents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "support/rounds.h"

namespace iwarpscope::emulation {
namespace {

constexpr STag kStag{0x100};
constexpr auto kIgnore = [](const Extent&) {};

Placer by(std::uint64_t message) {
  return {.message = message, .frame = FrameNumber{message + 1}, .by = PlacedBy::write};
}

TEST(Extents, NextDdpSegmentsOfOneMessageAreOneExtent) {
  Extents extents(16);
  for (std::uint64_t k = 0; k < 10; ++k) extents.write(kStag, TaggedOffset{k * 1448}, 1448, by(1), kIgnore);
  ASSERT_EQ(extents.all().size(), 1U);
  EXPECT_EQ(extents.all()[0].begin, 0U);
  EXPECT_EQ(extents.all()[0].end, 14480U);
  EXPECT_TRUE(extents.is_written_by(kStag, 0, 14480, 1));
  EXPECT_FALSE(extents.is_written_by(kStag, 0, 14481, 1));
  EXPECT_FALSE(extents.is_written_by(kStag, 0, 14480, 2));
  EXPECT_FALSE(extents.is_written_by(STag{0x200}, 0, 1, 1));
}

TEST(Extents, LaterWriteInTheMiddleSplitsAndIsGivenWhatItOverwrites) {
  Extents extents(16);
  extents.write(kStag, TaggedOffset{0}, 100, by(1), kIgnore);
  std::vector<std::uint64_t> overwritten;
  extents.write(kStag, TaggedOffset{40}, 20, by(2), [&](const Extent& e) { overwritten.push_back(e.placer.message); });
  EXPECT_EQ(overwritten, std::vector<std::uint64_t>{1});
  ASSERT_EQ(extents.all().size(), 3U);
  EXPECT_TRUE(extents.is_written_by(kStag, 0, 40, 1));
  EXPECT_TRUE(extents.is_written_by(kStag, 40, 60, 2));
  EXPECT_TRUE(extents.is_written_by(kStag, 60, 100, 1));
}

TEST(Extents, NeighboursOfDifferentMessagesStayApart) {
  Extents extents(16);
  extents.write(kStag, TaggedOffset{0}, 10, by(1), kIgnore);
  bool reported = false;
  extents.write(kStag, TaggedOffset{10}, 10, by(2), [&](const Extent&) { reported = true; });
  EXPECT_FALSE(reported);
  EXPECT_EQ(extents.all().size(), 2U);
}

TEST(Extents, GapBetweenTwoPiecesOfOneMessageClosesToOneExtent) {
  Extents extents(16);
  extents.write(kStag, TaggedOffset{0}, 10, by(1), kIgnore);
  extents.write(kStag, TaggedOffset{20}, 10, by(1), kIgnore);
  extents.write(kStag, TaggedOffset{10}, 10, by(1), kIgnore);
  EXPECT_EQ(extents.all().size(), 1U);
}

TEST(Extents, WriteThatPassesTheEndOf64BitsIsCut) {
  Extents extents(16);
  extents.write(kStag, TaggedOffset{0xFFFFFFFFFFFFFFF0}, 100, by(1), kIgnore);
  ASSERT_EQ(extents.all().size(), 1U);
  EXPECT_EQ(extents.all()[0].end, 0xFFFFFFFFFFFFFFFFU);
  extents.write(kStag, TaggedOffset{0xFFFFFFFFFFFFFFFF}, 1, by(1), kIgnore);
  extents.write(kStag, TaggedOffset{5}, 0, by(1), kIgnore);
  EXPECT_EQ(extents.all().size(), 1U);
}

TEST(Extents, WhenFullTheOldestHalfGoesAndIsCounted) {
  Extents extents(8);
  for (std::uint64_t k = 0; k < 7; ++k) extents.write(kStag, TaggedOffset{k * 10}, 1, by(k), kIgnore);
  EXPECT_EQ(extents.evicted(), 0U);
  extents.write(kStag, TaggedOffset{1000}, 1, by(7), kIgnore);
  EXPECT_EQ(extents.evicted(), 4U);
  EXPECT_FALSE(extents.is_written_by(kStag, 0, 1, 0));
  EXPECT_FALSE(extents.is_written_by(kStag, 30, 31, 3));
  EXPECT_TRUE(extents.is_written_by(kStag, 40, 41, 4));
  EXPECT_TRUE(extents.is_written_by(kStag, 1000, 1001, 7));
}

TEST(Extents, MillionScatteredOctetsStayWithinTheBound) {
  Extents extents(512);
  std::mt19937_64 random(7);
  for (std::uint64_t k = 0; k < 1'000'000; ++k) {
    extents.write(STag{static_cast<std::uint32_t>(random() % 8)}, TaggedOffset{random()}, 1, by(k), kIgnore);
    ASSERT_LE(extents.all().size(), 512U);
  }
  EXPECT_LE(extents.held(), 1024 * sizeof(Extent));
  EXPECT_GE(extents.evicted(), 999'000U);
  extents.clear();
  EXPECT_EQ(extents.held(), 0U);
}

/// One message for each octet, written down plainly.
using Model = std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>;

void expect_same(const Extents& extents, const Model& model) {
  Model seen;
  std::uint32_t stag = 0;
  std::uint64_t end = 0;
  std::uint64_t message = ~std::uint64_t{0};
  for (const Extent& e : extents.all()) {
    ASSERT_LT(e.begin, e.end);
    if (e.stag.value == stag) {
      ASSERT_GE(e.begin, end);
      ASSERT_FALSE(e.begin == end && e.placer.message == message) << "not merged";
    } else {
      ASSERT_GT(e.stag.value, stag);
    }
    stag = e.stag.value;
    end = e.end;
    message = e.placer.message;
    for (std::uint64_t k = e.begin; k < e.end; ++k) seen[{e.stag.value, k}] = e.placer.message;
  }
  ASSERT_EQ(seen, model);
}

TEST(Extents, RandomWritesLeaveWhatAMapOfOctetsHolds) {
  for (std::uint32_t seed = 0; seed < iwarpscope::test::rounds(20U); ++seed) {
    std::mt19937 random(seed);
    Extents extents(4096);
    Model model;
    std::uint64_t message = 0;
    std::uint64_t next = 0;
    for (int step = 0; step < 150; ++step) {
      if (random() % 3 != 0) ++message;
      const auto stag = static_cast<std::uint32_t>(1 + random() % 3);
      const std::uint64_t begin = random() % 2 != 0 ? next : random() % 200;
      const std::uint64_t octets = random() % 40;
      std::map<std::uint64_t, std::uint64_t> reported;
      extents.write(STag{stag}, TaggedOffset{begin}, octets, by(message), [&](const Extent& e) {
        for (std::uint64_t k = std::max(e.begin, begin); k < std::min(e.end, begin + octets); ++k) {
          reported[k] = e.placer.message;
        }
      });
      std::map<std::uint64_t, std::uint64_t> lost;
      for (std::uint64_t k = begin; k < begin + octets; ++k) {
        const auto it = model.find({stag, k});
        if (it != model.end()) lost[k] = it->second;
        model[{stag, k}] = message;
      }
      ASSERT_EQ(reported, lost);
      next = begin + octets;
      ASSERT_NO_FATAL_FAILURE(expect_same(extents, model));
    }
  }
}

TEST(Extents, RandomWritesIntoAFullTableNeverSayWhatIsNotSo) {
  for (std::uint32_t seed = 0; seed < iwarpscope::test::rounds(25U); ++seed) {
    std::mt19937 random(seed);
    Extents extents(16);
    Model model;
    for (std::uint64_t message = 0; message < 400; ++message) {
      const std::uint64_t begin = random() % 500;
      const std::uint64_t octets = 1 + random() % 20;
      extents.write(kStag, TaggedOffset{begin}, octets, by(message), kIgnore);
      for (std::uint64_t k = begin; k < begin + octets; ++k) model[{kStag.value, k}] = message;
      ASSERT_LE(extents.all().size(), 16U);
      ASSERT_TRUE(extents.is_written_by(kStag, begin, begin + octets, message));
      for (const Extent& e : extents.all()) {
        for (std::uint64_t k = e.begin; k < e.end; ++k) ASSERT_EQ((model[{kStag.value, k}]), e.placer.message);
      }
    }
    EXPECT_GT(extents.evicted(), 0U);
  }
}

}  // namespace
}  // namespace iwarpscope::emulation
