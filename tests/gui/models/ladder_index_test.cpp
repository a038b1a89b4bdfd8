// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Places of messages and findings, compared with simple searches.
#include "models/ladder/ladder_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

#include "gui/models/ladder_samples.h"
#include "models/ladder/ladder_findings.h"

namespace iwarpscope::gui::ladder_index_test {
namespace {

using findings::FindingId;

TEST(LadderIndex, EmptyKnowsNothing) {
  const LadderIndex index;
  EXPECT_FALSE(index.row_of(Direction::a_to_b, 0));
  EXPECT_FALSE(index.row_of_frame(FrameNumber{1}));
  EXPECT_EQ(index.frame_at(0), 0u);
  EXPECT_EQ(index.bin_at(0), nullptr);
}

TEST(LadderIndex, FindsWhatAPlainSearchFinds) {
  std::mt19937 random(1);
  std::vector<qp::MessageRecord> all;
  std::array<std::uint64_t, 2> next{};
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto d = static_cast<Direction>(random() % 2);
    all.push_back(ladder_message(d, next[iwarpscope::index(d)]++, 1 + i * 2 + random() % 5));
  }
  // Decided slightly out of order.
  for (std::size_t i = 0; i + 3 < all.size(); i += 7) std::swap(all[i], all[i + 3]);
  LadderIndex index;
  for (std::size_t from = 0; from < all.size(); from += 700) {
    MessageRows page{.from = from, .messages = {}};
    page.messages.assign(all.begin() + static_cast<std::ptrdiff_t>(from),
                         all.begin() + static_cast<std::ptrdiff_t>(std::min(from + 700, all.size())));
    index.add(page);
  }
  ASSERT_EQ(index.end(), all.size());
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(all[a].first_frame, all[a].index) < std::tie(all[b].first_frame, all[b].index);
  });
  std::uint64_t octets = 0;
  for (std::uint64_t row = 0; row < all.size(); ++row) {
    const qp::MessageRecord& message = all[order[row]];
    EXPECT_EQ(all[index.place(row)].first_frame, message.first_frame) << row;
    EXPECT_EQ(index.frame_at(row), message.first_frame.value);
    EXPECT_EQ(all[index.place(*index.row_of(message.direction, message.index))].index, message.index);
    EXPECT_EQ(index.frame_at(*index.row_of_frame(message.first_frame)), message.first_frame.value);
    EXPECT_EQ(index.row_of(*index.key_of(row)).has_value(), true);
    if (row % LadderIndex::kBin == 0) octets += index.bin_at(row)->octets[0] + index.bin_at(row)->octets[1];
  }
  EXPECT_EQ(octets, all.size() * 64);
  EXPECT_FALSE(index.row_of_frame(FrameNumber{all[order.back()].first_frame.value + 1}));
  EXPECT_EQ(index.place(all.size() + 3), all.size() + 3) << "what is not known yet is its own place";
}

TEST(LadderIndex, ARequestThatWasDecidedLastIsWhereItWasCaptured) {
  // In the daemon's order of an unanswered Read Request: after the Terminate that answers it.
  LadderIndex index;
  LadderFindings findings;
  findings.set({ladder_finding(FindingId::mpa_crc_mismatch, 20, 1)});
  index.add(
      {.from = 0, .messages = {ladder_message(Direction::a_to_b, 0, 10), ladder_message(Direction::a_to_b, 1, 20)}});
  findings.locate(index, false);
  ASSERT_EQ(findings.located().size(), 1u);
  EXPECT_EQ(findings.located()[0].place, 1u);
  const std::uint64_t before = index.generation();
  index.add({.from = 2, .messages = {ladder_message(Direction::b_to_a, 0, 15)}});
  EXPECT_NE(index.generation(), before);
  EXPECT_EQ(index.row_of(Direction::b_to_a, 0), 1u);
  EXPECT_EQ(index.row_of(Direction::a_to_b, 1), 2u);
  EXPECT_EQ(index.place(1), 2u);
  EXPECT_EQ(index.place(2), 1u);
  findings.locate(index, false);
  EXPECT_EQ(findings.located()[0].place, 2u) << "findings go with their messages";
}

TEST(LadderIndex, FindsTheMessageThatAFrameIsIn) {
  LadderIndex index;
  qp::MessageRecord wide = ladder_message(Direction::a_to_b, 0, 10);
  wide.last_frame = FrameNumber{14};
  index.add({.from = 0, .messages = {wide, ladder_message(Direction::a_to_b, 1, 20)}});
  EXPECT_EQ(index.row_of_frame(FrameNumber{12}), 0u);
  EXPECT_EQ(index.row_of_frame(FrameNumber{14}), 0u);
  EXPECT_EQ(index.row_of_frame(FrameNumber{15}), 1u);
}

TEST(LadderIndex, GivesUpWhatTheDaemonForgot) {
  LadderIndex index;
  index.add({.from = 0, .messages = ladder_with_read(100, 3, 5)});
  index.forget_before(40);
  EXPECT_EQ(index.begin(), 40u);
  EXPECT_EQ(index.end(), 100u);
  EXPECT_FALSE(index.row_of(Direction::a_to_b, 3));
  EXPECT_EQ(index.row_of(Direction::a_to_b, 60), 61u);
  EXPECT_EQ(index.bin_at(31), nullptr);
  EXPECT_NE(index.bin_at(40), nullptr);
  index.add({.from = 500, .messages = ladder_with_read(1, 9, 9)});
  EXPECT_EQ(index.begin(), 500u) << "the messages in between are missing";
}

TEST(LadderIndex, NumbersThatNoDaemonGivesTakeNoMemory) {
  LadderIndex index;
  std::vector<qp::MessageRecord> wild{ladder_message(Direction::a_to_b, 5, 1)};
  wild.push_back(ladder_message(Direction::a_to_b, std::uint64_t{1} << 60, 2));
  wild.push_back(ladder_message(Direction::a_to_b, 4, 3));
  index.add({.from = 0, .messages = wild});
  EXPECT_EQ(index.row_of(Direction::a_to_b, 5), 0u);
  EXPECT_FALSE(index.row_of(Direction::a_to_b, std::uint64_t{1} << 60));
  EXPECT_EQ(index.row_of(Direction::a_to_b, 4), 2u);
}

TEST(LadderFindings, LieAtTheirMessageElseBeforeTheFrameTheyCameWith) {
  LadderIndex index;
  LadderFindings findings;
  live::FindingView of_no_row = ladder_finding(FindingId::mpa_pad_not_zero, 12);
  of_no_row.finding.direction = Direction::b_to_a;
  findings.set({ladder_finding(FindingId::mpa_crc_mismatch, 15, 5), of_no_row,
                ladder_finding(FindingId::mpa_closed_inside_fpdu, 900)});
  findings.locate(index, false);
  EXPECT_TRUE(findings.located().empty()) << "nothing has arrived yet";
  index.add({.from = 0, .messages = ladder_with_read(20, 99, 99)});
  findings.locate(index, false);
  ASSERT_EQ(findings.located().size(), 2u) << "frame 900 is still to come";
  findings.locate(index, true);
  ASSERT_EQ(findings.located().size(), 3u);
  EXPECT_EQ(findings.located()[0].place, 2u);
  EXPECT_FALSE(findings.located()[0].of_message);
  EXPECT_EQ(findings.located()[1].place, 5u);
  EXPECT_TRUE(findings.located()[1].of_message);
  EXPECT_EQ(findings.located()[1].severity, findings::Severity::error);
  EXPECT_EQ(findings.located()[2].place, 20u) << "after all messages";
  EXPECT_EQ(findings.next(2)->place, 5u);
  EXPECT_EQ(findings.previous(5)->place, 2u);
  EXPECT_EQ(findings.previous(2), nullptr);
  EXPECT_EQ(findings.next(20), nullptr);
}

TEST(LadderFindings, WithoutAMessageAreOfTheMessageThatBeginsInTheirFrame) {
  LadderIndex index;
  index.add({.from = 0, .messages = ladder_with_read(20, 99, 99)});
  LadderFindings findings;
  findings.set({ladder_finding(FindingId::mpa_crc_mismatch, 12)});
  findings.locate(index, true);
  ASSERT_EQ(findings.located().size(), 1u);
  EXPECT_EQ(findings.located()[0].place, 2u);
  EXPECT_TRUE(findings.located()[0].of_message);
}

LadderLife life(LadderLife::Kind kind, std::uint64_t frame) {
  return {kind, Direction::a_to_b, FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 1000},
          QStringLiteral("life")};
}

TEST(LadderIndex, RowsThatAreNoMessagesAreAmongThem) {
  using Kind = LadderLife::Kind;
  LadderIndex index;
  index.set_life({life(Kind::syn, 1), life(Kind::startup, 4)});
  EXPECT_EQ(index.end(), 2u);
  EXPECT_EQ(index.life_rows(), 2u);
  MessageRows page;
  for (std::uint64_t i = 0; i < 3; ++i) page.messages.push_back(ladder_message(Direction::a_to_b, i, 10 + i));
  index.add(page);
  ASSERT_EQ(index.end(), 5u);
  EXPECT_EQ(index.life_at(1)->frame.value, 4u);
  EXPECT_EQ(index.life_at(2), nullptr);
  EXPECT_EQ(index.place(2), 0u);
  EXPECT_EQ(index.place(4), 2u);
  EXPECT_EQ(index.place(5), 3u) << "not known yet";
  EXPECT_EQ(index.row_of(Direction::a_to_b, 2), 4u);
  EXPECT_EQ(index.row_of_frame(FrameNumber{4}), 1u);
  // The end comes after the message in its frame.
  const std::uint64_t generation = index.generation();
  index.set_life({life(Kind::syn, 1), life(Kind::startup, 4), life(Kind::end, 12)});
  EXPECT_NE(index.generation(), generation);
  ASSERT_EQ(index.end(), 6u);
  EXPECT_EQ(index.life_at(5)->kind, Kind::end);
  EXPECT_EQ(index.key_of(5).has_value(), true);
  EXPECT_EQ(index.row_of(*index.key_of(5)), 5u);
  // Later messages come after it, and the oldest are discarded.
  page.from = 3;
  page.messages = {ladder_message(Direction::a_to_b, 3, 20)};
  index.add(page);
  EXPECT_EQ(index.place(6), 3u);
  index.forget_before(2);
  EXPECT_EQ(index.begin(), 2u);
  EXPECT_EQ(index.end(), 7u);
  EXPECT_EQ(index.life_at(2)->frame.value, 1u);
  EXPECT_EQ(index.place(4), 2u);
}

TEST(LadderIndex, MessagesThatWereDiscardedLeaveTheOtherRows) {
  LadderIndex index;
  index.set_life({life(LadderLife::Kind::syn, 1)});
  MessageRows page;
  page.from = 1000;
  page.messages = {ladder_message(Direction::a_to_b, 1000, 5000)};
  index.add(page);
  EXPECT_EQ(index.begin(), 1000u);
  ASSERT_EQ(index.end(), 1002u);
  EXPECT_NE(index.life_at(1000), nullptr);
  EXPECT_EQ(index.place(1001), 1000u);
}

TEST(LadderFindings, FindingAboutAFrameOfTheStartupIsOfItsRow) {
  LadderIndex index;
  index.set_life({life(LadderLife::Kind::startup, 4), life(LadderLife::Kind::reset, 9)});
  LadderFindings findings;
  findings.set({ladder_finding(FindingId::mpa_crc_off, 4), ladder_finding(FindingId::mpa_crc_mismatch, 9)});
  findings.locate(index, true);
  ASSERT_EQ(findings.located().size(), 2u);
  EXPECT_TRUE(findings.located()[0].of_message);
  EXPECT_EQ(findings.located()[1].place, 1u);
  EXPECT_EQ(findings.worst(), 1u);
}

}  // namespace
}  // namespace iwarpscope::gui::ladder_index_test
