// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/history.h"

#include <gtest/gtest.h>

#include <array>

namespace iwarpscope::qp {
namespace {

ddp::Segment untagged(std::uint64_t message, std::uint8_t control, std::uint32_t qn, std::uint32_t msn) {
  ddp::Segment s;
  s.message = message;
  s.first_of_message = true;
  s.rdmap_control = control;
  s.qn = QueueNumber{qn};
  s.msn = MessageSequence{msn};
  s.payload_length = 10;
  return s;
}
ddp::Segment write(std::uint64_t message, std::uint32_t stag, std::uint64_t to, std::uint32_t length,
                   bool first = true) {
  ddp::Segment s;
  s.message = message;
  s.first_of_message = first;
  s.tagged = true;
  s.rdmap_control = 0x40;
  s.stag = STag{stag};
  s.to = TaggedOffset{to};
  s.payload_length = length;
  return s;
}

// A terminated DDP header as it lies in a Terminate.
std::vector<std::byte> untagged_header(std::uint8_t control, std::uint8_t qn, std::uint8_t msn, std::uint8_t mo = 0) {
  std::vector<std::byte> h(18);
  h[0] = std::byte{0x41};
  h[1] = std::byte{control};
  h[9] = std::byte{qn};
  h[13] = std::byte{msn};
  h[17] = std::byte{mo};
  return h;
}
std::vector<std::byte> tagged_header(std::uint8_t stag, std::uint16_t to) {
  std::vector<std::byte> h(14);
  h[0] = std::byte{0xC1};
  h[1] = std::byte{0x40};
  h[5] = std::byte{stag};
  h[12] = static_cast<std::byte>(to >> 8);
  h[13] = static_cast<std::byte>(to & 0xFF);
  return h;
}

TEST(History, AnUntaggedHeaderNamesItsMessageByQueueAndMsn) {
  History history;
  history.add(untagged(0, 0x43, 0, 1));
  history.add(untagged(1, 0x41, 1, 1));
  history.add(untagged(2, 0x43, 0, 2));
  EXPECT_EQ(history.find(untagged_header(0x43, 0, 2)), 2u);
  EXPECT_EQ(history.find(untagged_header(0x41, 1, 1)), 1u);
  EXPECT_EQ(history.find(untagged_header(0x43, 0, 9)), std::nullopt);
  EXPECT_EQ(history.find(untagged_header(0x45, 0, 2)), std::nullopt);
}

TEST(History, ALaterDdpSegmentOfAWriteNamesTheSameMessage) {
  History history;
  history.add(write(0, 7, 0x100, 0x40));
  history.add(write(0, 7, 0x140, 0x40, false));
  history.add(write(1, 8, 0x100, 0x40));
  EXPECT_EQ(history.find(tagged_header(7, 0x140)), 0u);
  EXPECT_EQ(history.find(tagged_header(7, 0x17F)), 0u);
  EXPECT_EQ(history.find(tagged_header(7, 0x180)), std::nullopt);
  EXPECT_EQ(history.find(tagged_header(8, 0x100)), 1u);
}

TEST(History, TheNewestOfSeveralEqualHeadersIsMeant) {
  History history;
  for (std::uint64_t m = 0; m < 3; ++m) history.add(write(m, 7, 0x100, 0x40));
  EXPECT_EQ(history.find(tagged_header(7, 0x100)), 2u);
}

TEST(History, CutHeadersNameNothing) {
  History history;
  history.add(untagged(0, 0x43, 0, 1));
  const auto whole = untagged_header(0x43, 0, 1);
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_EQ(history.find(Octets(whole).first(n)), std::nullopt) << n;
}

TEST(History, ForgetsTheOldestBeyondItsBound) {
  History history;
  for (std::uint64_t m = 0; m <= History::kMost; ++m) history.add(write(m, 7, 0x100 * (m + 1), 0x10));
  EXPECT_EQ(history.find(tagged_header(7, 0x100)), std::nullopt);
  EXPECT_EQ(history.find(tagged_header(7, 0x200)), 1u);
}

TEST(History, AfterTrimTheNewestAreStillKnown) {
  History history;
  for (std::uint64_t m = 0; m < 100; ++m) history.add(write(m, 7, 0x10 * (m + 1), 0x10));
  history.trim();
  EXPECT_EQ(history.find(tagged_header(7, 0x10 * 100)), 99u);
  EXPECT_EQ(history.find(tagged_header(7, 0x10)), std::nullopt);
  history.add(write(100, 9, 0x10, 0x10));
  EXPECT_EQ(history.find(tagged_header(9, 0x10)), 100u);
  EXPECT_EQ(history.find(tagged_header(7, 0x10 * 100)), 99u);
}

TEST(History, IsWholeUntilAMessageIsDiscarded) {
  History h;
  for (std::uint64_t m = 0; m < History::kMost; ++m) h.add(untagged(m, 0x43, 0, static_cast<std::uint32_t>(m + 1)));
  EXPECT_TRUE(h.is_whole());
  h.add(untagged(History::kMost, 0x43, 0, History::kMost + 1));
  EXPECT_FALSE(h.is_whole());
}

TEST(History, ThatWasTrimmedIsNotWhole) {
  History h;
  for (std::uint64_t m = 0; m < History::kIdle; ++m) h.add(untagged(m, 0x43, 0, static_cast<std::uint32_t>(m + 1)));
  h.trim();
  EXPECT_TRUE(h.is_whole());
  h.add(untagged(History::kIdle, 0x43, 0, 99));
  h.trim();
  EXPECT_FALSE(h.is_whole());
}

TEST(History, ANumberBehindTheNewestOfItsQueueIsReportedFromOlderOnes) {
  History h;
  h.add(untagged(0, 0x43, 0, 7));
  h.add(untagged(1, 0x41, 1, 200));
  EXPECT_TRUE(h.is_after_newest(untagged_header(0x43, 0, 8)));
  EXPECT_FALSE(h.is_after_newest(untagged_header(0x43, 0, 7)));
  EXPECT_FALSE(h.is_after_newest(untagged_header(0x43, 0, 6)));
  EXPECT_FALSE(h.is_after_newest(untagged_header(0x47, 2, 8)));
}

TEST(History, KeepsTheLengthOfTheFirstDdpSegment) {
  History h;
  h.add(write(0, 0x100, 0x1000, 1000));
  h.add(write(0, 0x100, 0x13E8, 500, false));
  ASSERT_NE(h.entry_of(0), nullptr);
  EXPECT_EQ(h.entry_of(0)->first_octets, 1000u);
  EXPECT_EQ(h.entry_of(0)->length, 1500u);
}

}  // namespace
}  // namespace iwarpscope::qp
