// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/atomic_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "shared/emulation/word_history.h"

namespace iwarpscope::emulation::test {
namespace {

const net::IpAddress kResponder = net::IpAddress::v4(0x0A000002);
const net::IpAddress kOtherResponder = net::IpAddress::v4(0x0A000003);

WordKey word(std::uint64_t to, std::uint32_t stag = 0x100, const net::IpAddress& responder = kResponder) {
  return {responder, STag{stag}, TaggedOffset{to}};
}

AtomicFunction fetch_and_add(std::uint64_t data) {
  return {rdmap::AOpCode::fetch_add, data, 0, 0, ~std::uint64_t{0}};
}

std::array<std::byte, 8> big_endian(std::uint64_t value) {
  std::array<std::byte, 8> octets{};
  for (std::size_t i = 0; i < 8; ++i) octets[i] = static_cast<std::byte>(value >> (56 - 8 * i));
  return octets;
}

/// A memory that is fed frame by frame.
class AtomicMemoryOfResponders : public testing::Test {
 protected:
  void atomic(AtomicMemory& memory, const WordKey& key, std::uint64_t qp, std::uint64_t original) {
    const std::uint64_t cookie = ++cookie_;
    memory.request(key, {qp}, cookie, fetch_and_add(1), at(++frame_));
    memory.response(cookie, original, at(++frame_));
    collect(memory);
  }
  void atomic(const WordKey& key, std::uint64_t qp, std::uint64_t original) { atomic(memory_, key, qp, original); }
  void write(std::uint64_t to, Octets octets, std::uint64_t qp = 1, std::uint32_t stag = 0x100) {
    memory_.write({kResponder, STag{stag}, TaggedOffset{to}, octets.size(), octets, qp}, at(++frame_));
  }
  void collect(AtomicMemory& memory) {
    for (AtomicDecision& decision : memory.decided()) decided_.push_back(std::move(decision));
  }
  void finish() {
    memory_.finish();
    collect(memory_);
  }
  /// What was said of the operation with this cookie.
  [[nodiscard]] WordVerdict verdict(std::uint64_t cookie) const {
    const auto found = std::find_if(decided_.begin(), decided_.end(),
                                    [&](const AtomicDecision& d) { return d.decision.cookie == cookie; });
    EXPECT_NE(found, decided_.end()) << cookie;
    return found == decided_.end() ? WordVerdict::undecidable : found->decision.verdict;
  }
  [[nodiscard]] WordVerdict last() const { return verdict(cookie_); }

  AtomicMemory memory_;
  std::vector<AtomicDecision> decided_;
  std::uint64_t frame_ = 0;
  std::uint64_t cookie_ = 0;
};

TEST_F(AtomicMemoryOfResponders, WordsAreDistinguishedByResponderStagAndOffset) {
  atomic(word(0), 1, 5);
  atomic(word(8), 1, 50);
  atomic(word(0, 0x200), 1, 500);
  atomic(word(0, 0x100, kOtherResponder), 1, 5000);
  atomic(word(0), 2, 6);
  finish();
  for (std::uint64_t cookie = 1; cookie <= 4; ++cookie) EXPECT_EQ(verdict(cookie), WordVerdict::first);
  EXPECT_EQ(last(), WordVerdict::verified);
  EXPECT_EQ(memory_.counters().words, 4U);
  EXPECT_EQ(decided_.front().word, word(0));
}

TEST_F(AtomicMemoryOfResponders, ConflictBetweenTwoQpsIsExplained) {
  atomic(word(0), 1, 5);
  atomic(word(0), 2, 5);
  finish();
  ASSERT_EQ(last(), WordVerdict::inconsistent);
  const WordConflict& conflict = *decided_.back().decision.conflict;
  EXPECT_EQ(conflict.operation.cookie, 2U);
  EXPECT_EQ(conflict.due[0].value, 6U);
  EXPECT_EQ(conflict.due[0].left_by->cookie, 1U);
  EXPECT_TRUE(conflict.repeated_original);
}

TEST_F(AtomicMemoryOfResponders, WriteOverSeveralWordsReachesEach) {
  atomic(word(0x10), 1, 0);
  atomic(word(0x20), 1, 0);
  atomic(word(0x30), 1, 0);
  std::vector<std::byte> octets(0x18);  // 0x10 .. 0x28
  octets[7] = octets[0x10] = std::byte{7};
  write(0x10, octets);
  atomic(word(0x10), 1, 7);
  atomic(word(0x20), 1, std::uint64_t{7} << 56);
  atomic(word(0x30), 1, 1);
  finish();
  EXPECT_EQ(verdict(4), WordVerdict::verified);
  EXPECT_EQ(verdict(5), WordVerdict::verified);
  EXPECT_EQ(verdict(6), WordVerdict::verified);
  EXPECT_EQ(memory_.order(kResponder), OctetOrder::big_endian);
}

TEST_F(AtomicMemoryOfResponders, WriteBesideTheWordIsNotOfIt) {
  atomic(word(0x10), 1, 0);
  const auto octets = big_endian(0x0102030405060708);
  write(0x08, octets);
  write(0x18, octets);
  atomic(word(0x10), 1, 77);
  finish();
  EXPECT_EQ(last(), WordVerdict::inconsistent);
  EXPECT_TRUE(memory_.mixed().empty());
}

TEST_F(AtomicMemoryOfResponders, WriteOverOneOctetOfTheWordMakesItUnknown) {
  for (const std::uint64_t to : {std::uint64_t{0x0F}, std::uint64_t{0x17}}) {
    atomic(word(0x10, static_cast<std::uint32_t>(to)), 1, 0);
    write(to, Octets{big_endian(0)}.first(to == 0x0F ? 2 : 1), 1, static_cast<std::uint32_t>(to));
    atomic(word(0x10, static_cast<std::uint32_t>(to)), 1, 77);
  }
  finish();
  EXPECT_EQ(verdict(2), WordVerdict::undecidable);
  EXPECT_EQ(verdict(4), WordVerdict::undecidable);
}

TEST_F(AtomicMemoryOfResponders, OctetsCutByTheCaptureMakeTheWordUnknown) {
  atomic(word(0x10), 1, 0);
  const auto octets = big_endian(3);
  memory_.write({kResponder, STag{0x100}, TaggedOffset{0x10}, 8, Octets{octets}.first(7), 1}, at(++frame_));
  atomic(word(0x10), 1, 77);
  finish();
  EXPECT_EQ(last(), WordVerdict::undecidable);
}

TEST_F(AtomicMemoryOfResponders, AccessAtTheEndOfTheOffsetsDoesNotWrap) {
  const std::uint64_t end = ~std::uint64_t{0};
  atomic(word(0), 1, 0);
  atomic(word(end - 3), 1, 0);
  const auto octets = big_endian(9);
  write(end - 2, octets);
  atomic(word(0), 1, 1);
  atomic(word(end - 3), 1, 77);
  finish();
  EXPECT_EQ(verdict(3), WordVerdict::verified);
  EXPECT_EQ(verdict(4), WordVerdict::undecidable);
}

TEST_F(AtomicMemoryOfResponders, OctetOrderLearntOnOneWordHoldsForTheOthers) {
  const auto octets = big_endian(0x1234);
  const std::uint64_t reversed = swap_octets(std::uint64_t{0x1234});
  atomic(word(0), 1, 0);
  write(0, octets);
  atomic(word(0), 1, reversed);
  atomic(word(0), 1, reversed + 1);
  EXPECT_EQ(memory_.order(kResponder), OctetOrder::little_endian);
  atomic(word(8), 2, 0);
  write(8, octets, 2);
  atomic(word(8), 2, 0x9999);
  finish();
  ASSERT_EQ(last(), WordVerdict::inconsistent);
  EXPECT_EQ(decided_.back().decision.conflict->due[0].value, reversed);
  EXPECT_FALSE(decided_.back().decision.conflict->more_due);
  EXPECT_EQ(memory_.order(kOtherResponder), OctetOrder::unknown);
}

TEST_F(AtomicMemoryOfResponders, OctetOrderThatAnotherWordContradictsIsNotBelieved) {
  const auto octets = big_endian(0x1234);
  atomic(word(0), 1, 0);
  write(0, octets);
  atomic(word(0), 1, 0x1234);
  atomic(word(0), 1, 0x1235);
  ASSERT_EQ(memory_.order(kResponder), OctetOrder::big_endian);
  atomic(word(8), 1, 0);
  write(8, octets);
  atomic(word(8), 1, swap_octets(std::uint64_t{0x1234}));
  atomic(word(8), 1, swap_octets(std::uint64_t{0x1234}) + 1);
  EXPECT_EQ(memory_.order(kResponder), OctetOrder::unknown);
  write(8, octets);
  atomic(word(8), 1, 0x99);
  finish();
  EXPECT_EQ(last(), WordVerdict::undecidable);
  EXPECT_TRUE(std::none_of(decided_.begin(), decided_.end(),
                           [](const AtomicDecision& d) { return d.decision.verdict == WordVerdict::inconsistent; }));
}

TEST_F(AtomicMemoryOfResponders, ReadShowsTheOctetOrder) {
  atomic(word(8), 1, 0x1233);
  std::vector<std::byte> octets(24);
  octets[8] = std::byte{0x34};
  octets[9] = std::byte{0x12};
  const TapPoint request = at(++frame_);
  memory_.read({kResponder, STag{0x100}, TaggedOffset{0}, octets.size(), octets, 1}, request, at(++frame_));
  finish();
  EXPECT_EQ(memory_.order(kResponder), OctetOrder::little_endian);
}

TEST_F(AtomicMemoryOfResponders, MixedUseIsReportedOncePerWordAndKind) {
  atomic(word(0), 1, 0);
  const auto octets = big_endian(5);
  write(0, octets, 7);
  write(0, octets, 8);
  memory_.read({kResponder, STag{0x100}, TaggedOffset{0}, 8, octets, 9}, at(10), at(11));
  memory_.read({kResponder, STag{0x100}, TaggedOffset{0}, 8, octets, 9}, at(12), at(13));
  const std::vector<MixedUse> mixed = memory_.mixed();
  ASSERT_EQ(mixed.size(), 2U);
  EXPECT_TRUE(mixed[0].is_write);
  EXPECT_EQ(mixed[0].qp, 7U);
  EXPECT_EQ(mixed[0].frame.value, 3U);
  EXPECT_FALSE(mixed[1].is_write);
  EXPECT_EQ(mixed[1].qp, 9U);
  EXPECT_TRUE(memory_.mixed().empty());
}

TEST_F(AtomicMemoryOfResponders, WriteJustBeforeTheFirstAtomicMayTakeEffectAfterIt) {
  const auto octets = big_endian(0x30);
  write(0, octets, 1);
  atomic(word(0), 2, 0);
  atomic(word(0), 2, 0x30);
  finish();
  EXPECT_EQ(last(), WordVerdict::verified);
  EXPECT_EQ(memory_.mixed().size(), 1U);
}

TEST_F(AtomicMemoryOfResponders, WordsThatShareOctetsAreUndecidable) {
  atomic(word(0), 1, 0);
  atomic(word(4), 1, 0);
  atomic(word(12), 1, 0);
  atomic(word(20), 1, 0);
  atomic(word(0), 1, 99);
  atomic(word(4), 1, 99);
  finish();
  EXPECT_EQ(last(), WordVerdict::undecidable);
  EXPECT_EQ(verdict(cookie_ - 1), WordVerdict::undecidable);
  EXPECT_EQ(memory_.counters().overlaps, 2U);
}

TEST_F(AtomicMemoryOfResponders, StagOfClosedQpsMayNameOtherMemory) {
  atomic(word(0), 1, 5);
  memory_.ended(1, at(frame_));
  atomic(word(0), 2, 0);
  finish();
  EXPECT_EQ(last(), WordVerdict::first);
}

TEST_F(AtomicMemoryOfResponders, StagOfAnOpenQpNamesTheSameMemory) {
  atomic(word(0), 1, 5);
  atomic(word(0), 3, 6);
  memory_.ended(1, at(frame_));
  atomic(word(0), 2, 0);
  finish();
  EXPECT_EQ(last(), WordVerdict::inconsistent);
}

TEST_F(AtomicMemoryOfResponders, QpAmongClosedOnesThatIsReportedLaterUsesTheSameMemory) {
  memory_.request(word(0), {1}, 1, fetch_and_add(1), at(1));
  memory_.response(1, 5, at(2));
  memory_.request(word(0), {1}, 2, fetch_and_add(1), at(5));
  memory_.response(2, 7, at(6));
  memory_.ended(1, at(6));
  memory_.request(word(0), {2}, 3, fetch_and_add(1), at(3));
  memory_.response(3, 6, at(4));
  memory_.request(word(0), {2}, 4, fetch_and_add(1), at(7));
  memory_.response(4, 8, at(8));
  collect(memory_);
  finish();
  for (const AtomicDecision& d : decided_) EXPECT_NE(d.decision.verdict, WordVerdict::inconsistent);
  EXPECT_EQ(memory_.counters().words, 1U);
}

TEST_F(AtomicMemoryOfResponders, StagOfClosedQpsMayNameOtherMemoryThoughTheClockWasSetBack) {
  atomic(word(0), 1, 5);
  memory_.ended(1, {FrameNumber{frame_}, TimePoint{3'600'000'000'000}});
  atomic(word(0), 2, 0);
  finish();
  EXPECT_EQ(last(), WordVerdict::first);
}

TEST_F(AtomicMemoryOfResponders, MayBeOtherMemoryOnceAllThatUsedItBeforeAreClosed) {
  const auto between = [this](std::uint64_t after, std::uint64_t until) {
    return memory_.may_be_other_memory(kResponder, STag{0x100}, at(after), at(until));
  };
  atomic(word(0), 1, 5);  // frames 1 and 2
  atomic(word(0), 2, 6);  // frames 3 and 4
  atomic(word(0), 3, 9);  // frames 5 and 6
  EXPECT_FALSE(between(3, 5));
  memory_.ended(1, at(2), at(4));
  EXPECT_FALSE(between(3, 5));  // 2 still uses it
  memory_.ended(2, at(4), at(4));
  EXPECT_TRUE(between(3, 5));
  EXPECT_FALSE(between(5, 6));  // nothing began in between
  EXPECT_FALSE(between(1, 3));  // 1 was open when 2 began
  EXPECT_FALSE(memory_.may_be_other_memory(kResponder, STag{0x101}, at(3), at(5)));
}

TEST_F(AtomicMemoryOfResponders, MayBeOtherMemoryWhereTheCloseMayBeMissingLikeTheNextBeginning) {
  const auto between = [this](std::uint64_t after, std::uint64_t until) {
    return memory_.may_be_other_memory(kResponder, STag{0x100}, at(after), at(until), Close::maybe_unseen);
  };
  const auto request = [this](AtomicUser user) {
    memory_.request(word(0), user, ++cookie_, fetch_and_add(1), at(++frame_));
  };
  request({.qp = 1});
  request({.qp = 2});
  EXPECT_FALSE(between(1, 2)) << "all of the second one's beginning is there";
  request({.qp = 3, .begin_seen = false});
  EXPECT_TRUE(between(2, 3));
  EXPECT_FALSE(memory_.may_be_other_memory(kResponder, STag{0x100}, at(2), at(3)));
  request({.qp = 2});
  EXPECT_FALSE(between(2, 3)) << "the second one went on";
}

TEST_F(AtomicMemoryOfResponders, IsTheSameMemoryForThoseThatWereOpenAtOnce) {
  atomic(word(0), 1, 5);  // frames 1 and 2
  atomic(word(0), 2, 9);  // frames 3 and 4
  memory_.ended(1, at(2), at(4));
  EXPECT_FALSE(memory_.may_be_other_memory(kResponder, STag{0x100}, at(1), at(3)));
}

TEST_F(AtomicMemoryOfResponders, GapExcusesTheWordsOfThatResponderOnly) {
  atomic(word(0), 1, 0);
  atomic(word(0, 0x100, kOtherResponder), 1, 0);
  memory_.gap(2, kResponder);
  memory_.gap(2, net::IpAddress::v4(1));
  atomic(word(0), 1, 77);
  atomic(word(0, 0x100, kOtherResponder), 1, 77);
  finish();
  EXPECT_EQ(verdict(3), WordVerdict::undecidable);
  EXPECT_EQ(verdict(4), WordVerdict::inconsistent);
}

TEST_F(AtomicMemoryOfResponders, MoreGapsThanAreRememberedStillExcuse) {
  atomic(word(0), 1, 0);
  for (std::uint64_t qp = 10; qp < 110; ++qp) memory_.gap(qp, kResponder);
  for (std::uint64_t qp = 10; qp < 110; ++qp) atomic(word(0), qp, qp * 100);
  finish();
  EXPECT_TRUE(std::none_of(decided_.begin(), decided_.end(),
                           [](const AtomicDecision& d) { return d.decision.verdict == WordVerdict::inconsistent; }));
}

TEST_F(AtomicMemoryOfResponders, GivenUpOperationMayHaveTakenEffect) {
  atomic(word(0), 1, 0);
  memory_.request(word(0), {2}, 1000, fetch_and_add(1), at(++frame_));
  memory_.give_up(1000);
  atomic(word(0), 1, 2);
  finish();
  EXPECT_EQ(last(), WordVerdict::verified);
  memory_.response(1000, 0, at(++frame_));
  const std::vector<AtomicDecision> late = memory_.decided();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].decision.cause, UndecidableCause::given_up);
}

TEST_F(AtomicMemoryOfResponders, FullTableForgetsTheWordUsedLeastRecently) {
  AtomicMemory memory({.words = 2});
  atomic(memory, word(0), 1, 0);
  atomic(memory, word(8), 1, 0);
  atomic(memory, word(0), 1, 1);
  atomic(memory, word(16), 1, 0);  // 8 goes
  atomic(memory, word(0), 1, 2);
  atomic(memory, word(8), 1, 99);
  memory.finish();
  collect(memory);
  EXPECT_EQ(memory.counters().evicted, 2U);
  EXPECT_EQ(memory.counters().words, 2U);
  EXPECT_EQ(verdict(5), WordVerdict::verified);
  EXPECT_EQ(last(), WordVerdict::first);
  EXPECT_EQ(decided_.size(), 6U);
}

TEST_F(AtomicMemoryOfResponders, EvictedOperationsAreDecidedIfTheyAreAnsweredLater) {
  AtomicMemory memory({.words = 1});
  memory.request(word(0), {1}, 1, fetch_and_add(1), at(1));
  memory.request(word(8), {1}, 2, fetch_and_add(1), at(2));
  memory.response(1, 0, at(3));
  memory.response(2, 0, at(4));
  memory.finish();
  collect(memory);
  EXPECT_EQ(verdict(1), WordVerdict::undecidable);
  EXPECT_EQ(verdict(2), WordVerdict::first);
}

TEST_F(AtomicMemoryOfResponders, WaitingOperationsAreBoundedOverAllWords) {
  AtomicMemory memory({.held = 10'000});
  std::mt19937 random(3);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    memory.request(word(8 * (random() % 1000)), {random() % 50}, i, fetch_and_add(1), at(i + 1));
    ASSERT_LE(memory.counters().held, 10'000U);
    if (i % 64 != 0) continue;
    const auto octets = big_endian(i);
    memory.write({kResponder, STag{0x100}, TaggedOffset{8 * (random() % 1000)}, 8, octets, random() % 50}, at(i + 1));
  }
  EXPECT_GT(memory.counters().evicted, 0U);
}

TEST_F(AtomicMemoryOfResponders, RandomTrafficOnManyWordsIsVerifiedAndRepeatable) {
  const auto run = [](std::vector<AtomicDecision>& decided) {
    AtomicMemory memory({.words = 64});
    std::mt19937 random(5);
    std::vector<std::uint64_t> values(64);
    for (std::uint64_t i = 1; i <= 20'000; ++i) {
      const std::size_t which = random() % values.size();
      const WordKey key = word(16 * which, 0x100, which % 2 == 0 ? kResponder : kOtherResponder);
      if (random() % 8 == 0) {
        values[which] = random();
        const auto octets = big_endian(which % 2 == 0 ? values[which] : swap_octets(values[which]));
        memory.write({key.responder, key.stag, key.to, 8, octets, 1}, at(3 * i));
      }
      memory.request(key, {1}, i, fetch_and_add(1), at(3 * i + 1));
      memory.response(i, values[which]++, at(3 * i + 2));
    }
    memory.finish();
    decided = memory.decided();
  };
  std::vector<AtomicDecision> once;
  std::vector<AtomicDecision> again;
  run(once);
  run(again);
  ASSERT_EQ(once.size(), 20'000U);
  ASSERT_EQ(again.size(), once.size());
  std::size_t verified = 0;
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].decision.cookie, again[i].decision.cookie);
    EXPECT_EQ(once[i].decision.verdict, again[i].decision.verdict);
    EXPECT_NE(once[i].decision.verdict, WordVerdict::inconsistent);
    verified += once[i].decision.verdict == WordVerdict::verified ? 1U : 0U;
  }
  EXPECT_GT(verified, 19'800U);
}

}  // namespace
}  // namespace iwarpscope::emulation::test
