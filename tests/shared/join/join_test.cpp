// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "join/sentences.h"
#include "kit.h"

namespace iwarpscope::join::test {
namespace {

using findings::FindingId;
using Kind = Place::Kind;

/// Octets [100, 200) of A were lost between the taps: the first saw them and saw them again, the second saw them late.
std::vector<View> loss_between() {
  std::vector<View> views{view(0), view(1)};
  views[0].record.directions[0].loss_traces.sent_again = {{100, 100}};
  views[1].record.directions[0].loss_traces.filled_late = {{100, 100}};
  return views;
}

TEST(Join, LossLiesBetweenTheTapThatSawTheOriginalAndTheOneThatSawTheHole) {
  const auto all = joined(loss_between());
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].places.size(), 1u);
  EXPECT_EQ(all[0].places[0].kind, Kind::loss);
  EXPECT_EQ(all[0].places[0].direction, Direction::a_to_b);
  EXPECT_EQ(place_text(all[0].places[0], two_taps()), "between leaf 1 and leaf 2");
  EXPECT_EQ(all[0].places[0].offset, 100);
  EXPECT_EQ(all[0].order[0].taps, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(all[0].order[1].knowledge, Order::Knowledge::unknown);
  EXPECT_EQ(all[0].sentences.front(), "Data from 10.0.0.1:40000 was lost between leaf 1 and leaf 2, once.");
}

TEST(Join, LossOfTheOtherDirectionIsFoundThroughSwappedEnds) {
  auto views = loss_between();
  views[1] = turned_round(views[1]);
  const auto all = joined(views);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].places.size(), 1u);
  EXPECT_TRUE(all[0].places[0].is_between_taps());
}

TEST(Join, LossSeenAtBothIsBeforeTheFirstOrAfterTheLast) {
  auto views = loss_between();
  views[0].record.directions[0].loss_traces = views[1].record.directions[0].loss_traces;
  const auto before = joined(views);
  EXPECT_EQ(place_text(before[0].places.at(0), two_taps()), "before leaf 1 and leaf 2");
  views = loss_between();
  views[1].record.directions[0].loss_traces = views[0].record.directions[0].loss_traces;
  const auto after = joined(views);
  EXPECT_EQ(place_text(after[0].places.at(0), two_taps()), "after leaf 1 and leaf 2");
}

TEST(Join, ATapThatLostFramesItselfIsNoEvidence) {
  auto views = loss_between();
  views[1].record.directions[0].capture_gap_octets = 10;
  const auto gap = joined(views);
  EXPECT_FALSE(gap[0].places.at(0).is_between_taps());
  EXPECT_EQ(gap[0].places[0].undecided, std::vector<std::size_t>{1});
  EXPECT_EQ(gap[0].sentences.at(1), "Cannot tell on which side of leaf 2 the loss was.");
  auto taps = two_taps();
  taps[1].has_drops = true;
  EXPECT_FALSE(joined(loss_between(), taps)[0].places.at(0).is_between_taps());
}

TEST(Join, OtherRangesSayNothingTogether) {
  auto views = loss_between();
  views[1].record.directions[0].loss_traces.filled_late = {{400, 100}};
  const auto all = joined(views);
  for (const Place& place : all[0].places) EXPECT_FALSE(place.is_between_taps());
}

TEST(Join, OffsetsAreComparedBySequenceNumbers) {
  auto views = loss_between();
  views[1].record.joined_midstream = true;
  views[1].record.directions[0].sequence = middle(1051, 950);
  views[1].record.directions[0].loss_traces.filled_late = {{50, 100}};
  ASSERT_EQ(joined(views).size(), 1u);
  EXPECT_TRUE(joined(views)[0].places.at(0).is_between_taps());
}

TEST(Join, EvidenceForBothOrdersIsNone) {
  auto views = loss_between();
  views[1].record.directions[0].loss_traces.sent_again = {{600, 50}};
  views[0].record.directions[0].loss_traces.filled_late = {{600, 50}};
  const auto all = joined(views);
  EXPECT_EQ(all[0].order[0].knowledge, Order::Knowledge::contradictory);
  EXPECT_TRUE(all[0].places.empty());
}

/// The second tap saw an FPDU with a wrong CRC, and blames A.
std::vector<View> damage_between() {
  std::vector<View> views{view(0), view(1)};
  views[1].findings = {finding(FindingId::mpa_crc_mismatch, Direction::a_to_b, 300)};
  views[1].record.directions[0].crc_bad = 1;
  views[1].record.verdict->blame = qp::Blame::a;
  views[1].record.verdict->outcome = qp::Outcome::failed;
  views[1].record.verdict->code = "V-56";
  views[1].record.verdict->text = "A is to blame.";
  return views;
}

TEST(Join, DamageLiesBetweenARightAndAWrongCrcAndNoEndIsBlamed) {
  const auto all = joined(damage_between());
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].places.size(), 1u);
  EXPECT_EQ(all[0].places[0].kind, Kind::damage);
  EXPECT_TRUE(all[0].places[0].is_between_taps());
  ASSERT_TRUE(all[0].verdict);
  EXPECT_EQ(all[0].verdict->verdict.blame, qp::Blame::path);
  EXPECT_TRUE(all[0].verdict->blame_withdrawn);
  EXPECT_EQ(all[0].verdict->verdict.text.find("A is to blame"), std::string::npos);
}

TEST(Join, ACrcThatWasNotCheckedShowsNoSide) {
  auto views = damage_between();
  views[0].record.directions[0].crc_unjudged = 1;
  const auto all = joined(views);
  EXPECT_EQ(place_text(all[0].places.at(0), two_taps()), "before leaf 2");
  EXPECT_EQ(all[0].places[0].undecided, std::vector<std::size_t>{0});
  EXPECT_EQ(all[0].sentences.at(1), "Cannot tell on which side of leaf 1 the damage was.");
  EXPECT_EQ(all[0].verdict->verdict.blame, qp::Blame::path);
}

TEST(Join, ACrcThatTheSenderWroteIsNoDamage) {
  auto views = damage_between();
  views[1].findings[0].sender_crc = findings::SenderCrc::zero;
  EXPECT_TRUE(joined(views)[0].places.empty());
}

TEST(Join, ADamagedTcpSegmentThatIsSentAgainWasDamagedBetween) {
  auto views = loss_between();
  views[1].findings = {finding(FindingId::tcp_wrong_checksum, Direction::a_to_b, 100)};
  const auto all = joined(views);
  ASSERT_EQ(all[0].places.size(), 1u);
  EXPECT_EQ(all[0].places[0].kind, Kind::damage);
  EXPECT_TRUE(all[0].places[0].is_between_taps());
}

TEST(Join, TapsThatDisagreeBlameNoEnd) {
  auto views = damage_between();
  views[1].findings.clear();
  views[1].record.directions[0].crc_bad = 0;
  views[0].record.directions[0].tcp_segments = 19;  // so that the second view is the better one
  const auto all = joined(views);
  EXPECT_EQ(all[0].verdict->verdict.blame, qp::Blame::unknown);
  EXPECT_FALSE(all[0].verdict->taps_agree);
}

TEST(Join, AnEndThatBothTapsBlameIsBlamed) {
  std::vector<View> views{view(0), turned_round(view(1))};
  for (View& v : views) {
    v.record.verdict->code = "V-56";
    v.record.verdict->outcome = qp::Outcome::failed;
  }
  views[0].record.verdict->blame = qp::Blame::b;
  views[1].record.verdict->blame = qp::Blame::a;
  const auto all = joined(views);
  EXPECT_EQ(all[0].verdict->verdict.blame, qp::Blame::b);
  EXPECT_FALSE(all[0].verdict->blame_withdrawn);
}

TEST(Join, WhatAGapExplainsIsNoFindingIfTheOtherTapHasIt) {
  std::vector<View> views{view(0), view(1)};
  views[0].findings = {finding(FindingId::capture_gap, Direction::a_to_b, 100)};
  views[0].record.directions[0].capture_gap_octets = 100;
  const auto all = joined(views);
  EXPECT_TRUE(all[0].findings.empty());
  EXPECT_EQ(all[0].explained, 1u);
  EXPECT_EQ(all[0].verdict->tap, 1u);
  // Near miss: the other tap has a gap, too.
  views[1].record.directions[0].capture_gap_octets = 1;
  EXPECT_EQ(joined(views)[0].findings.size(), 1u);
}

TEST(Join, TheSameFindingAtBothTapsIsOne) {
  std::vector<View> views{view(0), view(1)};
  for (View& v : views) v.findings = {finding(FindingId::mpa_pad_not_zero, Direction::a_to_b, 100)};
  ASSERT_EQ(joined(views)[0].findings.size(), 1u);
  EXPECT_EQ(joined(views)[0].findings[0].taps, (std::vector<std::size_t>{0, 1}));
  views[1].findings[0].offset = kStreamOrigin + 101;
  EXPECT_EQ(joined(views)[0].findings.size(), 2u);
}

TEST(Join, ClocksShowTheOrderOnlyBeyondTheirBounds) {
  auto views = loss_between();
  for (View& v : views) v.record.directions[0].loss_traces = {};
  for (std::size_t i = 0; i < 2; ++i) {
    views[i].record.summary.directions[0].syn = {FrameNumber{1}, TimePoint{1'000'000'000 + 1000 * static_cast<int>(i)}};
  }
  const auto order = [&](std::optional<std::int64_t> bound) { return joined(views, two_taps(bound))[0].order[0]; };
  EXPECT_EQ(order(400).knowledge, Order::Knowledge::known);
  EXPECT_EQ(order(500).knowledge, Order::Knowledge::unknown);
  EXPECT_EQ(order(std::nullopt).knowledge, Order::Knowledge::unknown);
  EXPECT_EQ(joined(views, two_taps(400))[0].clock_bound_ns, 800);
  EXPECT_EQ(joined(views)[0].clock_bound_ns, std::nullopt);
}

TEST(Join, WithoutAWholeViewTheFramesOfAllTapsCount) {
  std::vector<View> views{view(0), view(1)}, together{view(7)};
  for (View& v : views) {
    v.record.directions[0].capture_gap_octets = 10;
    v.record.verdict->code = "V-31";
  }
  const auto taps = two_taps(1000);
  const auto all = join({taps, views, together});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].views.size(), 2u);
  EXPECT_EQ(all[0].verdict->verdict.code, "V-30");
  EXPECT_FALSE(all[0].verdict->tap);
}

TEST(Join, SentencesAreShort) {
  std::vector<std::vector<View>> cases{loss_between(), damage_between()};
  cases.push_back({view(0), view(1)});
  cases.back()[1].record.a.address = net::IpAddress::v4(0xC0000201);
  for (const auto& views : cases) {
    const auto all = joined(views);
    for (const std::string& sentence : all[0].sentences) {
      EXPECT_LE(std::count(sentence.begin(), sentence.end(), ' ') + 1, 25) << sentence;
      EXPECT_EQ(sentence.back(), '.');
    }
  }
}

}  // namespace
}  // namespace iwarpscope::join::test
