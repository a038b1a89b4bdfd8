// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Some hundred thousand damaged captures: no end is accused for damage by a tap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "damage/campaign.h"
#include "damage/mutations.h"
#include "damage/shrink.h"
#include "net/decoder.h"

namespace iwarpscope::test {
namespace {

using ::testing::HasSubstr;

#ifdef IWARPSCOPE_SANITIZED
constexpr std::uint64_t kCaptures = 10'000;
#else
constexpr std::uint64_t kCaptures = 300'000;
#endif

const Seed& seed_of(std::string_view name) {
  static const std::vector<Seed> all = seeds(1500);
  const auto it = std::find_if(all.begin(), all.end(), [&](const Seed& s) { return s.name == name; });
  EXPECT_NE(it, all.end()) << name;
  return *it;
}

TEST(DamagedCaptures, AccuseNoEnd) {
  const CampaignResult result = run({.seed = 16, .captures = kCaptures});
  EXPECT_EQ(result.captures, kCaptures);
  EXPECT_TRUE(result.holds()) << result.line() << "\n" << result.text();
}

TEST(DamagedCaptures, OfTheSameSeedAreTheSame) {
  const CampaignOptions options{.seed = 5, .captures = 300, .sample = "siw/term"};
  const CampaignResult x = run(options), y = run(options);
  EXPECT_EQ(x.verdicts, y.verdicts);
  EXPECT_EQ(x.by_rule, y.by_rule);
}

TEST(Mutations, EachChangesCapturesOfItsOwnKind) {
  const Seed& seed = seed_of("made/startup/rev1.pcapng");
  for (const auto group : {losses(), moves()}) {
    for (const Mutation& mutation : group) {
      std::set<std::string> results;
      for (std::uint64_t n = 0; n < 50; ++n) {
        synth::Random random(n);
        const Pieces pieces = mutation.apply(seed, whole(seed), random);
        results.insert(describe(seed, pieces));
        EXPECT_TRUE(mutation.apply(seed, {}, random).empty()) << mutation.name;
        const bool loses = group.data() == losses().data();
        EXPECT_TRUE(loses ? pieces.size() <= seed.frames.size() : pieces.size() >= seed.frames.size()) << mutation.name;
      }
      results.erase("nothing");
      EXPECT_GE(results.size(), mutation.name == "pad" ? 1U : 4U) << mutation.name;
    }
  }
}

/// The checksum written by route() is correct: the decoder reads the segment, whose TTL is lower by one.
TEST(Built, AFrameSeenAfterARouterHasItsTtlLessByOne) {
  const Seed& seed = seed_of("made/startup/rev1.pcapng");
  Pieces pieces = whole(seed);
  for (Piece& piece : pieces) piece.routed = true;
  const Built built(seed, pieces);
  net::Decoder before{net::DecoderLimits{}}, after{net::DecoderLimits{}};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto x = before.decode(seed.frames[i]), y = after.decode(built.frames()[i]);
    ASSERT_TRUE(std::holds_alternative<net::TcpPacket>(x) && std::holds_alternative<net::TcpPacket>(y)) << i;
    EXPECT_EQ(std::get<net::TcpPacket>(x).ttl, std::get<net::TcpPacket>(y).ttl + 1) << i;
    EXPECT_EQ(net::checksum(std::get<net::TcpPacket>(y)).verdict, net::Checksum::good) << i;
  }
}

TEST(Built, PaddingAndCutsAreThoseOfThePieces) {
  const Seed& seed = seed_of("made/startup/rev1.pcapng");
  Pieces pieces = whole(seed);
  pieces[0].zeros = 6, pieces[0].check_sequence = true;
  pieces[1].kept = 20;
  const Built built(seed, pieces);
  EXPECT_EQ(built.frames()[0].octets.size(), seed.frames[0].octets.size() + 10);
  EXPECT_EQ(built.frames()[0].original_length, seed.frames[0].original_length + 10);
  EXPECT_EQ(built.frames()[1].octets.size(), 20u);
  EXPECT_EQ(built.frames()[1].original_length, seed.frames[1].original_length);
}

TEST(FalseCharges, AreThoseThatTheWholeHasNot) {
  const Accused good = accused(seed_of("made/startup/rev1.pcapng").frames);
  const Accused bad = accused(seed_of("made/faults/fault-msn-skipped.pcapng").frames);
  EXPECT_TRUE(false_charges("x", bad, bad).empty());
  EXPECT_TRUE(false_charges("x", bad, good).empty());
  const std::vector<Charge> made_up = false_charges("x", good, bad);
  ASSERT_FALSE(made_up.empty());
  EXPECT_EQ(made_up.front().what, "DD-07");
}

/// A true accusation that has another rule's name without the Reply is used as a false one.
TEST(Shrink, LeavesOutOnlyWhatTheChargeNeeds) {
  Seed seed = seed_of("made/faults/fault-marker-unwanted.pcapng");
  seed.name = "another";
  const Accused says = accused(seed.frames);
  Pieces pieces = whole(seed);
  pieces[15].kept = 60;
  pieces.erase(pieces.begin(), pieces.begin() + 5);
  for (Piece& piece : pieces) piece.time_ns += 5'000'000;
  const std::vector<Charge> made_up = false_charges(seed.name, says, accused(Built(seed, pieces).frames()));
  ASSERT_FALSE(made_up.empty());
  const Smallest small = shrink(seed, pieces, made_up.front());
  EXPECT_EQ(small.charge.key(), made_up.front().key());
  EXPECT_THAT(describe(seed, small.pieces), ::testing::StartsWith("without frames 4-5;"));
}

}  // namespace
}  // namespace iwarpscope::test
