// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <string>

#include "shared/emulation/linearizer_of_word.h"

namespace iwarpscope::emulation::test {
namespace {

TEST_F(LinearizerOfWord, FirstOriginalHasNothingToCompareWith) {
  atomic(1, 1, 2, add(1), 40);
  finish();
  ASSERT_EQ(decided_.size(), 1U);
  EXPECT_EQ(verdict(), WordVerdict::first);
  EXPECT_EQ(decided_[0].cookie, 1U);
  EXPECT_EQ(decided_[0].qp, 1U);
}

TEST_F(LinearizerOfWord, OriginalThatTheOneBeforeLeftIsVerified) {
  atomic(1, 1, 2, add(1), 40);
  atomic(2, 3, 4, add(1), 41);
  finish();
  ASSERT_EQ(decided_.size(), 2U);
  EXPECT_EQ(verdict(), WordVerdict::verified);
}

TEST_F(LinearizerOfWord, RequestBehindItsResponseMayHaveTakenEffectAnyTimeBefore) {
  const std::uint64_t one = word_.request(2, 1, add(1), at(1));
  const std::uint64_t late = word_.request(1, 2, add(1), at(9));
  EXPECT_TRUE(word_.response(one, 5, at(2)));
  EXPECT_FALSE(word_.response(late, 6, at(3)));
  EXPECT_EQ(word_.counters().late, 1U);
  const std::uint64_t other = word_.request(2, 3, add(1), at(5));
  EXPECT_TRUE(word_.response(other, 7, at(6)));
  finish();
  EXPECT_EQ(decided_.size(), 2U);
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
}

TEST_F(LinearizerOfWord, RequestBehindItsResponseExcusesNothingAfterTheNext) {
  EXPECT_FALSE(word_.response(word_.request(1, 1, add(1), at(4)), 5, at(3)));
  atomic(1, 5, 6, add(1), 6);
  atomic(1, 7, 8, add(1), 7);
  atomic(1, 9, 10, add(1), 77);
  finish();
  EXPECT_EQ(verdict(), WordVerdict::inconsistent);
}

TEST_F(LinearizerOfWord, RequestBehindTheNextOfItsQpComesBeforeItNevertheless) {
  const TapPoint moved{FrameNumber{5}, TimePoint{250'000}};
  const auto soon = [](std::uint64_t frame) {
    return TapPoint{FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 20'000}};
  };
  const std::uint64_t first = word_.request(1, 1, add(1), moved);
  const std::uint64_t next = word_.request(1, 2, add(1), soon(3));
  EXPECT_TRUE(word_.response(first, 5, TapPoint{FrameNumber{6}, TimePoint{50'000}}));
  EXPECT_TRUE(word_.response(next, 6, soon(4)));
  finish();
  ASSERT_EQ(decided_.size(), 2U);
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
}

/// A request that comes after its response by time alone, and another one by frame alone.
TEST_F(LinearizerOfWord, RequestAfterItsResponseByTimeOrFrameAloneIsAsEarlyAsIt) {
  const auto point = [](std::uint64_t frame, std::int64_t us) {
    return TapPoint{FrameNumber{frame}, TimePoint{us * 1000}};
  };
  for (const bool by_time : {true, false}) {
    decided_.clear();
    Linearizer word;
    const std::uint64_t first = word.request(1, 1, add(0), point(1, 1));
    EXPECT_TRUE(word.response(first, 0, point(2, 2)));
    // It found what the moved one left, which was asked for after it by time and frame.
    const std::uint64_t one = word.request(2, 2, add(1), point(3, 10));
    EXPECT_TRUE(word.response(one, 5, by_time ? point(4, 20) : point(6, 12)));
    const std::uint64_t moved = word.request(3, 3, add(5), by_time ? point(5, 40) : point(9, 13));
    EXPECT_TRUE(word.response(moved, 0, by_time ? point(6, 18) : point(5, 30)));
    word.finish(search_, decided_);
    EXPECT_EQ(decided_.size(), 3U);
    EXPECT_EQ(count(WordVerdict::inconsistent), 0U) << by_time;
  }
}

/// The same operations, where frame and time agree.
TEST_F(LinearizerOfWord, RequestAfterAResponseByTimeAndFrameTakesEffectAfterIt) {
  atomic(1, 1, 2, add(0), 0);
  atomic(2, 3, 4, add(1), 5);
  atomic(3, 5, 6, add(5), 0);
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 2U);
}

TEST_F(LinearizerOfWord, CarryStopsAtTheTopBitOfItsField) {
  atomic(1, 1, 2, add(1, 0x80), 0xFF);
  atomic(1, 3, 4, add(1), 0);
  atomic(1, 5, 6, compare_and_swap(0x01, 0xAB00, 0xFF, 0xFF00), 0x01);
  atomic(1, 7, 8, swap(5), 0xAB01);
  atomic(1, 9, 10, add(0), 5);
  finish();
  EXPECT_EQ(count(WordVerdict::verified), 4U);
}

TEST_F(LinearizerOfWord, CarryLeftInTheWordIsInconsistent) {
  atomic(1, 1, 2, add(1, 0x80), 0xFF);
  atomic(1, 3, 4, add(1), 0x100);
  finish();
  ASSERT_EQ(verdict(), WordVerdict::inconsistent);
  EXPECT_EQ(conflict().due[0].value, 0U);
}

TEST_F(LinearizerOfWord, OneQpContradictingItselfProvesItAlone) {
  atomic(3, 1, 2, add(5), 10);
  atomic(3, 3, 4, add(5), 10);
  finish();
  ASSERT_EQ(verdict(), WordVerdict::inconsistent);
  EXPECT_TRUE(conflict().proved_by_one_qp);
  EXPECT_FALSE(conflict().unseen_writer);
  EXPECT_TRUE(conflict().repeated_original);
  ASSERT_EQ(conflict().due_shown, 1U);
  EXPECT_EQ(conflict().due[0].value, 15U);
  EXPECT_EQ(conflict().due[0].left_by->invoked.frame.value, 1U);
  EXPECT_EQ(conflict().operation.invoked.frame.value, 3U);
}

TEST_F(LinearizerOfWord, TwoQpsInConflictAreExplainedByBothOperations) {
  atomic(1, 8, 9, compare_and_swap(0, 7), 0);
  atomic(3, 10, 12, add(1), 5);
  finish();
  ASSERT_EQ(verdict(), WordVerdict::inconsistent);
  EXPECT_FALSE(conflict().proved_by_one_qp);
  EXPECT_TRUE(conflict().unseen_writer);
  EXPECT_FALSE(conflict().repeated_original);
  EXPECT_EQ(conflict().operation.qp, 3U);
  EXPECT_EQ(conflict().operation.original, 5U);
  ASSERT_EQ(conflict().due_shown, 1U);
  EXPECT_FALSE(conflict().more_due);
  EXPECT_EQ(conflict().due[0].value, 7U);
  EXPECT_EQ(conflict().due[0].left_by->qp, 1U);
  EXPECT_EQ(conflict().due[0].left_by->response.frame.value, 9U);
}

TEST_F(LinearizerOfWord, AnotherProgramInBetweenIsNoProofByOneQp) {
  atomic(3, 1, 2, add(5), 10);
  atomic(4, 3, 4, compare_and_swap(0, 1), 15);
  atomic(3, 5, 6, add(5), 10);
  finish();
  ASSERT_EQ(verdict(), WordVerdict::inconsistent);
  EXPECT_FALSE(conflict().proved_by_one_qp);
}

// The tap saw it before the operation that left the value; 100 ms of skew may hide that it was carried out after it.
TEST_F(LinearizerOfWord, AnotherProgramShortlyBeforeIsNoProofByOneQp) {
  for (const bool shortly : {false, true}) {
    const std::uint64_t after = shortly ? 13 : 14;  // frames of 10 ms
    decided_.clear();
    word_ = Linearizer{};
    atomic(4, 1, 4, add(0), 10);
    atomic(3, after, after + 1, add(5), 10);
    atomic(3, after + 2, after + 3, add(5), 11);
    finish();
    ASSERT_EQ(verdict(), WordVerdict::inconsistent);
    EXPECT_EQ(conflict().proved_by_one_qp, !shortly);
    EXPECT_EQ(conflict().unseen_writer, shortly);
  }
}

// Its request came before the conflict was decided; the tap may hold it late.
TEST_F(LinearizerOfWord, AnotherProgramShortlyAfterMayHaveComeInBetween) {
  for (const bool shortly : {false, true}) {
    decided_.clear();
    word_ = Linearizer{};
    atomic(3, 1, 2, add(5), 10);
    atomic(3, 3, 4, add(5), 11);
    const std::uint64_t after = shortly ? 14 : 15;  // frames of 10 ms
    word_.request(4, after, add(1), at(after));
    finish();
    ASSERT_EQ(verdict(), WordVerdict::inconsistent);
    EXPECT_TRUE(conflict().proved_by_one_qp);
    EXPECT_EQ(conflict().crossed, shortly);
  }
}

// What it did itself before is no matter of others, however soon it came.
TEST_F(LinearizerOfWord, ManyOperationsOfOneQpAfterAnothersProveItAlone) {
  atomic(4, 1, 4, add(0), 10);
  atomic(3, 5, 6, add(5), 10);
  atomic(3, 14, 15, add(5), 15);
  atomic(3, 16, 17, add(5), 21);
  finish();
  ASSERT_EQ(verdict(), WordVerdict::inconsistent);
  EXPECT_TRUE(conflict().proved_by_one_qp);
}

TEST_F(LinearizerOfWord, AfterAConflictTheHistoryGoesOnFromWhatTheOperationLeft) {
  atomic(3, 1, 2, add(5), 10);
  atomic(3, 3, 4, add(5), 100);
  atomic(4, 5, 6, add(5), 105);
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 1U);
  EXPECT_EQ(verdict(), WordVerdict::verified);
}

TEST_F(LinearizerOfWord, WhatWasPendingAtAConflictBlamesNoEnd) {
  const std::uint64_t slow = word_.request(7, 1, add(1), at(1));
  atomic(3, 2, 3, add(5), 10);
  atomic(3, 4, 5, add(5), 100);
  answer(slow, 6, 15);
  atomic(3, 7, 8, add(5), 105);
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 1U);
}

TEST_F(LinearizerOfWord, PendingOperationsMayTakeEffectInAnyOrder) {
  const std::uint64_t a = word_.request(1, 1, add(1), at(1));
  const std::uint64_t b = word_.request(2, 2, add(1), at(2));
  answer(a, 3, 1);
  answer(b, 4, 0);
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
}

TEST_F(LinearizerOfWord, OperationsOfOneQpKeepTheirOrder) {
  const std::uint64_t a = word_.request(1, 1, add(1), at(1));
  const std::uint64_t b = word_.request(1, 2, add(1), at(2));
  answer(a, 3, 1);
  answer(b, 4, 0);
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 1U);
}

TEST_F(LinearizerOfWord, DecisionWaitsForThoseInvokedBeforeTheResponse) {
  const std::uint64_t a = word_.request(1, 1, add(1), at(1));
  const std::uint64_t b = word_.request(2, 2, add(1), at(2));
  answer(a, 3, 1);
  atomic(3, 4, 5, add(0), 2);
  EXPECT_TRUE(decided_.empty());
  answer(b, 6, 0);
  EXPECT_EQ(decided_.size(), 2U);  // the last response may have others of its time to come
  finish();
  EXPECT_EQ(decided_.size(), 3U);
}

TEST_F(LinearizerOfWord, EqualTimesAreNoOrder) {
  const TapPoint early{FrameNumber{1}, TimePoint{5}};
  const auto same_time = [](std::uint64_t frame) { return TapPoint{FrameNumber{frame}, TimePoint{10}}; };
  const std::uint64_t a = word_.request(1, 1, add(1), early);
  EXPECT_TRUE(word_.response(a, 1, same_time(2)));
  const std::uint64_t b = word_.request(2, 2, add(1), same_time(3));
  EXPECT_TRUE(word_.response(b, 0, same_time(4)));
  finish();
  EXPECT_EQ(count(WordVerdict::inconsistent), 0U);
}

TEST_F(LinearizerOfWord, UnansweredOperationMayHaveTakenEffectOrNot) {
  atomic(1, 1, 2, add(1), 0);
  static_cast<void>(word_.request(2, 3, add(10), at(3)));
  atomic(1, 4, 5, add(1), 1);
  atomic(1, 6, 7, add(1), 12);
  finish();
  EXPECT_EQ(count(WordVerdict::verified), 2U);
}

TEST_F(LinearizerOfWord, UnansweredOperationTakesEffectNoMoreAfterALaterOneOfItsQp) {
  atomic(1, 1, 2, add(1), 0);
  const std::uint64_t lost = word_.request(2, 3, add(10), at(3));
  word_.give_up(lost);
  EXPECT_FALSE(word_.response(lost + 100, 0, at(3)));
  atomic(2, 4, 5, add(1), 1);
  atomic(1, 6, 7, add(1), 12);
  finish();
  EXPECT_EQ(verdict(), WordVerdict::inconsistent);
}

TEST_F(LinearizerOfWord, WriteMayTakeEffectLongAfterItsArrival) {
  atomic(1, 1, 2, add(1), 0);
  word_.write(2, 0, at(3));
  atomic(1, 4, 5, add(1), 1);
  atomic(1, 6, 7, add(1), 0);
  finish();
  EXPECT_EQ(count(WordVerdict::verified), 2U);
}

TEST_F(LinearizerOfWord, WriteTookEffectBeforeALaterAtomicOfItsQp) {
  atomic(1, 1, 2, add(1), 0);
  word_.write(2, 0, at(3));
  atomic(2, 4, 5, add(1), 1);
  finish();
  ASSERT_EQ(verdict(), WordVerdict::inconsistent);
  EXPECT_FALSE(conflict().proved_by_one_qp);
}

TEST_F(LinearizerOfWord, WriteShowsTheOctetOrderByWhatIsFoundAfterIt) {
  atomic(1, 1, 2, add(1), 0);
  word_.write(1, swap_octets(std::uint64_t{0x1234}), at(3));
  atomic(1, 4, 5, add(1), 0x1234);
  finish();
  EXPECT_EQ(verdict(), WordVerdict::verified);
  EXPECT_EQ(word_.order(), OctetOrder::little_endian);
}

TEST_F(LinearizerOfWord, ReadOfAQuietWordShowsTheOctetOrder) {
  atomic(1, 1, 2, add(1), 0x1233);
  word_.read(0x1234, at(3), at(4));
  finish();
  EXPECT_EQ(word_.order(), OctetOrder::big_endian);
}

TEST_F(LinearizerOfWord, ReadDuringAnAtomicShowsNothing) {
  const std::uint64_t id = word_.request(1, 1, add(1), at(1));
  word_.read(0x1234, at(2), at(4));
  answer(id, 3, 0x1233);
  finish();
  EXPECT_EQ(word_.order(), OctetOrder::unknown);
}

TEST_F(LinearizerOfWord, WriteThatFitsOnlyTheOtherOctetOrderThanReportedIsUndecidable) {
  word_.learn(OctetOrder::big_endian);
  atomic(1, 1, 2, add(1), 0);
  word_.write(1, swap_octets(std::uint64_t{0x1234}), at(3));
  atomic(1, 4, 5, add(1), 0x1234);
  finish();
  EXPECT_EQ(verdict(), WordVerdict::undecidable);
  EXPECT_EQ(cause(), UndecidableCause::octet_order);
  EXPECT_EQ(word_.order(), OctetOrder::unknown);
}

TEST_F(LinearizerOfWord, UnknownWriteLeavesAnythingUntilTheNextOriginal) {
  atomic(1, 1, 2, add(1), 0);
  word_.write(1, std::nullopt, at(3));
  atomic(1, 4, 5, add(1), 77);
  atomic(1, 6, 7, add(1), 78);
  finish();
  EXPECT_EQ(decided_[1].verdict, WordVerdict::undecidable);
  EXPECT_EQ(decided_[1].cause, UndecidableCause::unknown_value);
  EXPECT_EQ(verdict(), WordVerdict::verified);
}

TEST_F(LinearizerOfWord, GapExcusesUntilTheQpIsSeenAgain) {
  atomic(1, 1, 2, add(1), 0);
  word_.gap(2);
  atomic(1, 3, 4, add(1), 50);
  atomic(1, 5, 6, add(1), 60);
  atomic(2, 7, 8, add(1), 70);
  atomic(1, 9, 10, add(1), 71);
  atomic(1, 11, 12, add(1), 5);
  finish();
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_EQ(decided_[i].verdict, WordVerdict::undecidable);
  EXPECT_EQ(decided_[4].verdict, WordVerdict::verified);
  EXPECT_EQ(verdict(), WordVerdict::inconsistent);
}

TEST_F(LinearizerOfWord, UnknownOperationLeavesSomethingUnknown) {
  atomic(1, 1, 2, {}, 5);
  atomic(1, 3, 4, add(1), 9);
  finish();
  EXPECT_EQ(verdict(), WordVerdict::undecidable);
}

}  // namespace
}  // namespace iwarpscope::emulation::test
