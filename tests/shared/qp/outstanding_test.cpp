// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/outstanding.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace iwarpscope::qp {
namespace {

Request read(std::uint64_t message, std::uint32_t stag, std::uint64_t to, std::uint32_t size = 100) {
  Request r;
  r.message = message;
  r.sink_stag = STag{stag};
  r.sink_to = TaggedOffset{to};
  r.size = size;
  return r;
}
Request atomic(std::uint64_t message, std::uint32_t id) {
  Request r;
  r.message = message;
  r.atomic = true;
  r.request_id = id;
  return r;
}

/// The position found, or nothing.
std::optional<std::size_t> at(const std::optional<Fit>& fit) {
  return fit ? std::optional(fit->position) : std::nullopt;
}

TEST(Outstanding, ReadResponseFitsTheOldestReadWithItsSink) {
  Outstanding o;
  o.add(read(0, 1, 0x1000), 16);
  o.add(read(1, 2, 0x1000), 16);
  o.add(read(2, 2, 0x1000), 16);
  EXPECT_EQ(at(o.find_read(STag{2}, TaggedOffset{0x1000}, false)), 1u);
  EXPECT_EQ(at(o.find_read(STag{2}, TaggedOffset{0x1001}, false)), std::nullopt);
  o.at(1).response_begun = true;
  EXPECT_EQ(at(o.find_read(STag{2}, TaggedOffset{0x1000}, false)), 2u);
}

// A request whose segments have another one between them is whole after that.
TEST(Outstanding, OneThatBeganFirstAndEndedLastIsFoundAndTaken) {
  Outstanding o;
  o.add(read(5, 1, 0), 16);
  o.add(read(7, 2, 0), 16);
  o.add(read(6, 3, 0), 16);
  ASSERT_EQ(o.size(), 3u);
  for (const std::uint64_t message : {5u, 6u, 7u}) {
    EXPECT_EQ(o.at(0).message, message);
    ASSERT_TRUE(o.take(o.at(0).message));
  }
  EXPECT_TRUE(o.empty());
}

TEST(Outstanding, ZeroLengthResponseFitsOnlyAReadOfNothing) {
  Outstanding o;
  o.add(read(0, 1, 0, 10), 16);
  EXPECT_EQ(at(o.find_read(STag{1}, TaggedOffset{0}, true)), std::nullopt);
  o.add(read(1, 7, 9, 0), 16);
  EXPECT_EQ(at(o.find_read(STag{0xdead}, TaggedOffset{3}, true)), 1u);
}

TEST(Outstanding, RequestThatWasPassedOverIsChosenLastAndMakesTheChoiceDoubtful) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.add(atomic(1, 9), 16);
  o.add(read(2, 2, 0), 16);
  EXPECT_EQ(o.passed_by(2), 0u);
  o.pass_over(2);
  EXPECT_EQ(o.passed_by(2), std::nullopt);
  o.add(read(3, 1, 0), 16);
  o.add(atomic(4, 9), 16);
  const auto read_fit = o.find_read(STag{1}, TaggedOffset{0}, false);
  EXPECT_EQ(at(read_fit), 3u);
  EXPECT_TRUE(read_fit->doubtful);
  EXPECT_EQ(at(o.find_atomic(9)), 4u);
  EXPECT_TRUE(o.find_atomic(9)->doubtful);
  EXPECT_FALSE(o.find_read(STag{2}, TaggedOffset{0}, false)->doubtful);
  EXPECT_EQ(o.oldest(false), 2u);
  EXPECT_EQ(o.passed_by(4), 2u);
  EXPECT_TRUE(o.take(3).has_value());
  EXPECT_EQ(at(o.find_read(STag{1}, TaggedOffset{0}, false)), 0u);
  EXPECT_FALSE(o.find_read(STag{1}, TaggedOffset{0}, false)->doubtful);
}

TEST(Outstanding, RequestWhoseResponseHasBegunIsNotPassedOver) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.add(read(1, 2, 0), 16);
  o.at(0).response_begun = true;
  EXPECT_EQ(o.passed_by(1), std::nullopt);
  o.pass_over(1);
  EXPECT_FALSE(o.at(0).passed_over);
}

TEST(Outstanding, AGapIsSeenUpToThePositionAskedFor) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.add(read(1, 2, 0), 16);
  o.at(1).before_gap = true;
  EXPECT_FALSE(o.is_gap_before(0));
  EXPECT_TRUE(o.is_gap_before(1));
}

TEST(Outstanding, ReadsAndAtomicsAreDistinguished) {
  Outstanding o;
  o.add(atomic(0, 5), 16);
  o.add(read(1, 1, 0), 16);
  EXPECT_EQ(o.oldest(true), 0u);
  EXPECT_EQ(o.oldest(false), 1u);
  EXPECT_EQ(o.certain_reads(), 1u);
  EXPECT_TRUE(o.take(1).has_value());
  EXPECT_EQ(o.certain_reads(), 0u);
  EXPECT_EQ(o.size(), 1u);
}

TEST(Outstanding, ReadsWhoseResponseMayBeMissingAreNotCertain) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.add(read(1, 2, 0), 16);
  EXPECT_EQ(o.certain_reads(), 2u);
  o.mark_gap();
  EXPECT_EQ(o.certain_reads(), 0u);
  o.add(read(2, 3, 0), 16);
  EXPECT_EQ(o.certain_reads(), 1u);
  EXPECT_TRUE(o.take(0).has_value());
  EXPECT_EQ(o.certain_reads(), 1u);
  EXPECT_TRUE(o.take(2).has_value());
  EXPECT_EQ(o.certain_reads(), 0u);
  EXPECT_EQ(o.size(), 1u);
}

TEST(Outstanding, AtItsLimitTheOldestIsGivenBack) {
  Outstanding o;
  EXPECT_FALSE(o.add(read(0, 1, 0), 2).has_value());
  EXPECT_FALSE(o.add(read(1, 1, 0), 2).has_value());
  const auto discarded = o.add(read(2, 1, 0), 2);
  ASSERT_TRUE(discarded.has_value());
  EXPECT_EQ(discarded->message, 0u);
  EXPECT_EQ(o.size(), 2u);
}

TEST(Outstanding, AGapMarksWhatWaits) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.mark_gap();
  o.add(read(1, 1, 0), 16);
  EXPECT_TRUE(o.at(0).before_gap);
  EXPECT_FALSE(o.at(1).before_gap);
}

TEST(Outstanding, AgreesWithAPlainDequeOnRandomUse) {
  std::mt19937 random(7);
  Outstanding o;
  std::deque<std::uint64_t> model;
  std::uint64_t next = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0 || model.empty()) {
      if (const auto discarded = o.add(read(next, 1, next), 40)) {
        EXPECT_EQ(discarded->message, model.front());
        model.pop_front();
      }
      model.push_back(next++);
    } else {
      const std::size_t k = random() % 4 == 0 ? random() % model.size() : 0;
      const auto taken = o.take(model[k]);
      ASSERT_TRUE(taken.has_value());
      EXPECT_EQ(taken->message, model[k]);
      model.erase(model.begin() + static_cast<std::ptrdiff_t>(k));
    }
    ASSERT_EQ(o.size(), model.size());
    for (std::size_t k = 0; k < model.size(); ++k) ASSERT_EQ(o.at(k).message, model[k]);
  }
}

TEST(Outstanding, TakingWhatIsNotThereGivesNothing) {
  Outstanding o;
  EXPECT_FALSE(o.take(3).has_value());
  o.add(read(3, 1, 0), 4);
  EXPECT_FALSE(o.take(2).has_value());
  EXPECT_FALSE(o.take(4).has_value());
  EXPECT_EQ(o.size(), 1u);
}

Request twin(std::uint64_t message, std::uint32_t stag, std::uint32_t size) {
  Request r;
  r.message = message;
  r.sink_stag = STag{stag};
  r.size = size;
  return r;
}

TEST(Outstanding, ReadsIntoOneBufferAreTwins) {
  Outstanding o;
  o.add(twin(0, 1, 100), 10);
  o.add(twin(1, 2, 100), 10);
  o.add(twin(2, 1, 900), 10);
  EXPECT_TRUE(o.has_twin_after(0));
  EXPECT_FALSE(o.has_twin_after(1));
  EXPECT_FALSE(o.has_twin_after(2));
}

TEST(Outstanding, ReadsOfNothingAreTwinsWhereverTheyGo) {
  Outstanding o;
  o.add(twin(0, 1, 0), 10);
  o.add(twin(1, 2, 0), 10);
  o.add(twin(2, 1, 100), 10);
  EXPECT_TRUE(o.has_twin_after(0));
  EXPECT_FALSE(o.has_twin_after(1));
}

TEST(Outstanding, DoubtLastsUntilNoRequestWaits) {
  Outstanding o;
  o.add(twin(0, 1, 100), 10);
  o.add(twin(1, 1, 100), 10);
  o.doubt();
  o.take(0);
  EXPECT_TRUE(o.is_in_doubt());
  o.take(1);
  EXPECT_FALSE(o.is_in_doubt());
}

TEST(Outstanding, BothKindsCountUntilAGapMakesThemUncertain) {
  Outstanding o;
  o.add(twin(0, 1, 100), 10);
  Request atomic;
  atomic.message = 1;
  atomic.atomic = true;
  o.add(std::move(atomic), 10);
  EXPECT_EQ(o.certain(), 2u);
  EXPECT_EQ(o.certain_reads(), 1u);
  o.mark_gap();
  EXPECT_EQ(o.certain(), 0u);
  o.take(0);
  EXPECT_EQ(o.certain(), 0u);
}

}  // namespace
}  // namespace iwarpscope::qp
