// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/stag_life.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shared/emulation/events.h"

namespace iwarpscope::emulation {
namespace {

using rdmap::Opcode;
using test::kAtoB;
using test::kBtoA;
using test::kBuffer;
using test::kOther;
using test::kSink;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr FrameNumber kPrivateData{1};

struct CollectedFacts final : StagFacts {
  void fact(const StagFact& fact) override { all.push_back(fact); }
  [[nodiscard]] std::vector<StagFact::Kind> kinds() const {
    std::vector<StagFact::Kind> kinds;
    for (const StagFact& f : all) kinds.push_back(f.kind);
    return kinds;
  }
  std::vector<StagFact> all;
};

class Stags : public ::testing::Test {
 protected:
  /// Nothing of the other direction reaches the senders from now on.
  void receive_nothing() { qp_.acknowledging = false; }
  void receive() { qp_.acknowledging = true; }
  void announce(Access granted = Access::none) {
    life_.announced(kAtoB, {.stag = kBuffer, .to = TaggedOffset{0}, .octets = 4096, .granted = granted}, kPrivateData);
  }

  test::Collected notes_;
  CollectedFacts facts_;
  StagLife life_{notes_, facts_};
  test::QpEvents qp_{&life_};
};

TEST_F(Stags, LearnsOwnerAccessesAndExtent) {
  qp_.write(kAtoB, kBuffer, 0x1000, "0123456789");
  const qp::Request r = qp_.read(kAtoB, kSink, 0x50, kBuffer, 0x800, 16);
  qp_.atomic(kAtoB, kBuffer, 0x2000);
  const std::optional<StagRecord> at_b = life_.find(kAtoB, kBuffer);
  ASSERT_TRUE(at_b);
  EXPECT_EQ(at_b->seen, Access::write | Access::read | Access::atomic);
  EXPECT_EQ(at_b->begin, 0x800U);
  EXPECT_EQ(at_b->end, 0x2008U);
  EXPECT_EQ(at_b->first_frame.value, 1U);
  const std::optional<StagRecord> at_a = life_.find(kBtoA, kSink);
  ASSERT_TRUE(at_a);
  EXPECT_EQ(at_a->seen, Access::sink);
  EXPECT_EQ(at_a->end, 0x60U);
  EXPECT_FALSE(life_.find(kBtoA, kBuffer));
  qp_.respond(kBtoA, r, {std::string(16, 'x')});
  EXPECT_EQ(life_.size(), 2U);
}

TEST_F(Stags, ExtentCoversAllDdpSegmentsOfAMessage) {
  qp_.tagged(kAtoB, Opcode::rdma_write, kBuffer, 0x1000, {std::string(1000, 'a'), std::string(500, 'b')});
  EXPECT_EQ(life_.find(kAtoB, kBuffer)->end, 0x1000U + 1500);
}

TEST_F(Stags, ZeroLengthAccessesSayNothing) {
  qp_.write(kAtoB, kBuffer, 0x1000, "");
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kOther, 0, 0);
  qp_.respond(kBtoA, r, {""});
  EXPECT_EQ(life_.size(), 0U);
  EXPECT_THAT(facts_.all, IsEmpty());
}

TEST_F(Stags, ZeroLengthAccessAfterInvalidateIsNoUse) {
  qp_.write(kAtoB, kBuffer, 0, "data");
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  qp_.write(kAtoB, kBuffer, 0, "");
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 0);
  EXPECT_THAT(notes_.all, IsEmpty());
}

// RM-35

TEST_F(Stags, UseAfterInvalidateIsNotedOnce) {
  qp_.send(kBtoA);
  qp_.write(kAtoB, kBuffer, 0, "data");
  receive_nothing();
  const std::uint64_t invalidate = qp_.invalidate(kAtoB, kBuffer);
  const std::uint64_t use = qp_.write(kAtoB, kBuffer, 0x10, "more");
  qp_.write(kAtoB, kBuffer, 0x20, "more");
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_used_after_invalidate));
  const Note& n = notes_.all[0];
  EXPECT_EQ(n.direction, kAtoB);
  EXPECT_EQ(n.message, use);
  EXPECT_EQ(n.other_message, invalidate);
  EXPECT_EQ(n.stag, kBuffer);
  EXPECT_EQ(n.to.value, 0x10U);
  EXPECT_EQ(n.frames, (std::array<FrameNumber, 3>{FrameNumber{3}, FrameNumber{4}, FrameNumber{}}));
  EXPECT_FALSE(n.certain);
  EXPECT_EQ(findings::rule(rule_of(n.kind)).code, "RM-35");
}

TEST_F(Stags, ReadAndAtomicAfterInvalidateAreNoted) {
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.invalidate(kAtoB, kOther);
  qp_.atomic(kAtoB, kOther, 0);
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_used_after_invalidate, NoteKind::stag_used_after_invalidate));
}

TEST_F(Stags, OwnerThatSpokeSinceMayHaveRenewedTheStag) {
  qp_.write(kAtoB, kBuffer, 0, "data");
  qp_.invalidate(kAtoB, kBuffer);
  qp_.send(kBtoA);
  qp_.write(kAtoB, kBuffer, 0, "more");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, OwnerWhoseMessagesWereNotCapturedMayHaveRenewedTheStag) {
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  qp_.send(kBtoA);
  receive();  // what it acknowledges may be more than was seen: only the number counts
  qp_.write(kAtoB, kBuffer, 0, "more");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, OwnerWhoseMessageHasNotArrivedYetRenewedNothing) {
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  qp_.send(kBtoA);
  qp_.write(kAtoB, kBuffer, 0, "more");
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_used_after_invalidate));
}

TEST_F(Stags, WithoutAcknowledgmentNumbersNothingBlamesAnEnd) {
  receive_nothing();
  qp_.has_acknowledged = false;
  qp_.invalidate(kAtoB, kBuffer);
  qp_.write(kAtoB, kBuffer, 0, "more");
  qp_.invalidate(kAtoB, kOther);
  qp_.invalidate(kAtoB, kOther);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, GapInEitherDirectionEndsWhatInvalidateSaid) {
  receive_nothing();
  for (const Direction d : {kAtoB, kBtoA}) {
    qp_.invalidate(kAtoB, kBuffer);
    qp_.gap(d);
    qp_.write(kAtoB, kBuffer, 0, "more");
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, AnnouncementRenewsTheStag) {
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  announce();
  qp_.write(kAtoB, kBuffer, 0, "more");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, NextKeyOfTheSameBufferIsAnotherStag) {
  receive_nothing();
  qp_.write(kAtoB, kBuffer, 0, "data");
  qp_.invalidate(kAtoB, kBuffer);
  qp_.write(kAtoB, STag{kBuffer.value + 1}, 0, "more");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, SameNumberOfTheOtherEndIsAnotherStag) {
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  qp_.write(kBtoA, kBuffer, 0, "more");
  qp_.read(kAtoB, kBuffer, 0, kOther, 0, 8);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, IncompleteOrDamagedInvalidateInvalidatesNothing) {
  receive_nothing();
  qp_.complete = false;
  qp_.invalidate(kAtoB, kBuffer);
  qp_.complete = true;
  qp_.write(kAtoB, kBuffer, 0, "more");
  qp_.intact = false;
  qp_.invalidate(kAtoB, kOther);
  qp_.intact = true;
  qp_.write(kAtoB, kOther, 0, "more");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, UseThatItsOwnerRefusesIsCertain) {
  qp_.write(kAtoB, kBuffer, 0, "data");
  qp_.invalidate(kAtoB, kBuffer);
  qp_.send(kBtoA);
  const std::uint64_t use = qp_.write(kAtoB, kBuffer, 0x40, "more");
  qp_.terminate(kBtoA, 1, 1, 0, use);
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_used_after_invalidate));
  EXPECT_TRUE(notes_.all[0].certain);
  EXPECT_EQ(notes_.all[0].message, use);
  EXPECT_EQ(notes_.all[0].to.value, 0x40U);
  EXPECT_EQ(sentence(notes_.all[0]),
            "STag 0x00001100 is used although message 1 of the same sender had invalidated it; its owner refused it.");
}

TEST_F(Stags, TerminateForAnotherReasonOrMessageProvesNothing) {
  qp_.write(kAtoB, kBuffer, 0, "data");
  qp_.invalidate(kAtoB, kBuffer);
  qp_.send(kBtoA);
  const std::uint64_t use = qp_.write(kAtoB, kBuffer, 0x40, "more");
  qp_.terminate(kBtoA, 1, 1, 1, use);
  qp_.terminate(kBtoA, 1, 1, 0, use - 1);
  qp_.terminate(kAtoB, 1, 1, 0, use);
  EXPECT_THAT(notes_.all, IsEmpty());
}

// RM-36

TEST_F(Stags, SecondInvalidateIsNoted) {
  receive_nothing();
  qp_.write(kAtoB, kBuffer, 0, "data");
  qp_.invalidate(kAtoB, kBuffer);
  qp_.invalidate(kAtoB, kBuffer);
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_invalidated_twice));
  EXPECT_EQ(notes_.all[0].message, 2U);
  EXPECT_EQ(notes_.all[0].other_message, 1U);
}

TEST_F(Stags, SecondInvalidateAfterTheOwnerSpokeIsNone) {
  for (int round = 0; round < 3; ++round) {
    qp_.send(kBtoA);
    qp_.write(kAtoB, kBuffer, 0, "data");
    qp_.invalidate(kAtoB, kBuffer);
  }
  qp_.send(kBtoA);
  qp_.invalidate(kAtoB, kBuffer);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, SecondInvalidateAfterAUseIsTheUsesFault) {
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  qp_.write(kAtoB, kBuffer, 0, "data");
  qp_.invalidate(kAtoB, kBuffer);
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_used_after_invalidate));
}

TEST_F(Stags, InvalidatesOfBothEndsOrOfOtherStagsAreNone) {
  receive_nothing();
  qp_.invalidate(kAtoB, kBuffer);
  qp_.invalidate(kAtoB, kOther);
  qp_.invalidate(kBtoA, kBuffer);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, InvalidateOfStagZeroIsAnotherRule) {
  receive_nothing();
  qp_.invalidate(kAtoB, STag{0});
  qp_.invalidate(kAtoB, STag{0});
  EXPECT_THAT(notes_.all, IsEmpty());
  EXPECT_EQ(life_.size(), 0U);
}

// RM-37

TEST_F(Stags, ResponseToASinkThatTheResponderInvalidatedIsNoted) {
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  const std::uint64_t invalidate = qp_.invalidate(kBtoA, kSink);
  const std::uint64_t response = qp_.respond(kBtoA, r, {"8 octets"});
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::response_to_invalidated_stag));
  EXPECT_EQ(notes_.all[0].direction, kBtoA);
  EXPECT_EQ(notes_.all[0].message, response);
  EXPECT_EQ(notes_.all[0].other_message, invalidate);
}

TEST_F(Stags, ResponseBeforeTheInvalidateIsNone) {
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.respond(kBtoA, r, {"8 octets"});
  qp_.invalidate(kBtoA, kSink);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ResponseToARequestMadeAfterTheInvalidateIsNone) {
  qp_.invalidate(kBtoA, kSink);
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.respond(kBtoA, r, {"8 octets"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ResponseToASinkNamedAgainSinceIsNone) {
  const qp::Request first = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.invalidate(kBtoA, kSink);
  const qp::Request second = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.respond(kBtoA, first, {"8 octets"});
  qp_.respond(kBtoA, second, {"8 octets"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, RequestThatWasSentAfterTheInvalidateButSeenBeforeItIsNone) {
  qp_.acknowledging_more = 1500;  // the two directions were captured by two clocks
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.invalidate(kBtoA, kSink);
  qp_.respond(kBtoA, r, {"8 octets"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, GapBetweenRequestAndInvalidateMayHideANewerRequest) {
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.gap(kAtoB);
  qp_.invalidate(kBtoA, kSink);
  qp_.respond(kBtoA, r, {"8 octets"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, SinkThatItsOwnerNamesAgainIsValidAgain) {
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.invalidate(kBtoA, kSink);
  EXPECT_EQ(life_.find(kBtoA, kSink)->invalidated_frame.value, 2U);
  receive_nothing();
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  EXPECT_EQ(life_.find(kBtoA, kSink)->invalidated_frame.value, 2U);
  receive();
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  EXPECT_EQ(life_.find(kBtoA, kSink)->invalidated_frame.value, 0U);
}

TEST_F(Stags, GapBetweenInvalidateAndResponseExcusesIt) {
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 8);
  qp_.invalidate(kBtoA, kSink);
  qp_.gap(kAtoB);
  qp_.respond(kBtoA, r, {"8 octets"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

// SX-04, SX-05

TEST_F(Stags, WriteAfterTheSendThatAnnouncedTheDataIsNoted) {
  announce();
  qp_.send(kBtoA);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  receive_nothing();
  const std::uint64_t done = qp_.send(kAtoB);
  const std::uint64_t again = qp_.write(kAtoB, kBuffer, 9, "X");
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::written_after_completion));
  EXPECT_EQ(notes_.all[0].message, again);
  EXPECT_EQ(notes_.all[0].other_message, done);
  EXPECT_EQ(notes_.all[0].frames, (std::array<FrameNumber, 3>{FrameNumber{2}, FrameNumber{3}, FrameNumber{4}}));
}

TEST_F(Stags, WritingOneBufferAgainAndAgainIsNone) {
  // A bandwidth test with Immediate Data: one buffer, never announced in a message that is understood.
  receive_nothing();
  for (int k = 0; k < 10; ++k) {
    qp_.write(kAtoB, kBuffer, 0, "0123456789");
    qp_.untagged(kAtoB, Opcode::immediate, "12345678");
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, WritingOneBufferForEachRequestIsNone) {
  announce();
  for (int k = 0; k < 10; ++k) {
    qp_.send(kBtoA);  // a request that could not be decoded
    qp_.write(kAtoB, kBuffer, 0, "0123456789");
    qp_.send(kAtoB);
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, WriteBehindOrBesideOrAfterANewAnnouncementIsNone) {
  receive_nothing();
  announce();
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.send(kAtoB);
  qp_.write(kAtoB, kBuffer, 10, "0123456789");
  qp_.write(kAtoB, kOther, 0, "0123456789");
  announce();
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, WriteBetweenScatteredOnesIsNone) {
  receive_nothing();
  announce();
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.write(kAtoB, kBuffer, 100, "0123456789");
  qp_.send(kAtoB);
  qp_.write(kAtoB, kBuffer, 50, "0123456789");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, WriteTwiceBeforeTheSendIsNone) {
  receive_nothing();
  announce();
  qp_.send(kAtoB);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.send(kAtoB);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, GapAfterTheSendMayHideARenewal) {
  receive_nothing();
  announce();
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.send(kAtoB);
  qp_.gap(kBtoA);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ReadAfterTheTransferEndedIsNoted) {
  announce();
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  qp_.respond(kBtoA, r, {"0123456789"});
  const std::uint64_t done = qp_.send(kAtoB);
  qp_.read(kAtoB, kSink, 0, kBuffer, 5, 10);
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::read_after_completion));
  EXPECT_EQ(notes_.all[0].other_message, done);
}

TEST_F(Stags, ReadAgainAfterTheOwnerSpokeIsNone) {
  announce();
  for (int k = 0; k < 3; ++k) {
    const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
    qp_.respond(kBtoA, r, {"0123456789"});
    qp_.send(kAtoB);
    qp_.send(kBtoA);
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ReadsAroundASendWhileTheFirstIsUnansweredAreNone) {
  announce();
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  qp_.send(kAtoB);
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  qp_.respond(kBtoA, r, {"0123456789"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ReadsAroundASendOfOneWhoHadNotReceivedTheResponseAreNone) {
  announce();
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  qp_.respond(kBtoA, r, {"0123456789"});
  receive_nothing();
  qp_.send(kAtoB);
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ReadsOfABufferThatNoEndAnnouncedAreNone) {
  for (int k = 0; k < 3; ++k) {
    const qp::Request r = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
    qp_.respond(kBtoA, r, {"0123456789"});
    qp_.send(kAtoB);
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

// SX-06

TEST_F(Stags, FirstReadOfABufferOnlyWrittenIsNotedOnce) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const std::uint64_t read = qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10).message;
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::read_of_written_buffer));
  EXPECT_EQ(notes_.all[0].message, read);
  EXPECT_EQ(notes_.all[0].other_message, 0U);
}

TEST_F(Stags, ReadOfABufferReadBeforeOrAnnouncedForReadingIsNone) {
  qp_.read(kAtoB, kSink, 0, kOther, 0, 10);
  qp_.write(kAtoB, kOther, 0, "0123456789");
  qp_.read(kAtoB, kSink, 0, kOther, 0, 10);
  announce(Access::read | Access::write);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ReadOfABufferWhoseStartWasMissedIsNone) {
  qp_.gap(kAtoB);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ReadAfterAGapMayNotBeTheFirst) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.gap(kAtoB);
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  EXPECT_THAT(notes_.all, IsEmpty());
}

// Facts, bounds

TEST_F(Stags, ShowsFirstUseAnnouncementAndInvalidation) {
  using enum StagFact::Kind;
  announce();
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.invalidate(kAtoB, kBuffer);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.gap(kAtoB);
  qp_.gap(kAtoB);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(facts_.kinds(), ElementsAre(announced, used, invalidated, used, gap, used));
  EXPECT_EQ(facts_.all[1].owner, kAtoB);
  EXPECT_EQ(facts_.all[1].stag, kBuffer);
  EXPECT_EQ(facts_.all[1].access, Access::write);
  EXPECT_EQ(facts_.all[1].frame.value, 1U);
  EXPECT_EQ(facts_.all[2].message, 2U);
}

TEST_F(Stags, HoldsNothingBeforeTheFirstStagAndAfterTrim) {
  qp_.send(kAtoB);
  qp_.gap(kBtoA);
  EXPECT_EQ(life_.held(), 0U);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_GT(life_.held(), 0U);
  life_.trim();
  EXPECT_EQ(life_.held(), 0U);
  EXPECT_FALSE(life_.find(kAtoB, kBuffer));
}

TEST_F(Stags, WhatTrimForgotIsNotTakenForUnused) {
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  life_.trim();
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Stags, ManyStagsStayWithinTheBoundAndDiscardedOnesAreNotTakenForUnused) {
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  for (std::uint32_t k = 0; k < 10'000; ++k) qp_.write(kAtoB, STag{0x10000 + k}, 0, "x");
  EXPECT_EQ(life_.size(), StagLife::kMost);
  EXPECT_EQ(life_.evicted(), 10'002U - StagLife::kMost);
  EXPECT_LE(life_.held(), 128U * 1024);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.read(kAtoB, kSink, 0, kBuffer, 0, 10);
  EXPECT_THAT(notes_.all, IsEmpty());
}

}  // namespace
}  // namespace iwarpscope::emulation
