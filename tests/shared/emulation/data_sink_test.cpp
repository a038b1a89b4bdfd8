// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/data_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulation/head_of_line.h"
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

/// The memory of B.
class DataSinkAtB : public ::testing::Test {
 protected:
  /// A writes `payload` at 0, then reads as much, and gets `seen`.
  void write_then_read(const std::string& payload, const std::string& seen) {
    qp_.write(kAtoB, kBuffer, 0, payload);
    read_back(seen);
  }
  void read_back(const std::string& seen) {
    const qp::Request r = request(static_cast<std::uint32_t>(seen.size()));
    qp_.respond(kBtoA, r, {seen});
  }
  qp::Request request(std::uint32_t size) { return qp_.read(kAtoB, kSink, 0x900, kBuffer, 0, size); }

  test::Collected notes_;
  test::FullSight sight_;
  DataSink sink_{kAtoB, sight_, notes_};
  test::QpEvents qp_{&sink_};
};

TEST_F(DataSinkAtB, RemembersTheMessageThatWroteEachOctetLast) {
  qp_.tagged(kAtoB, Opcode::rdma_write, kBuffer, 0, {std::string(1448, 'a'), std::string(1448, 'b')});
  qp_.send(kAtoB);
  qp_.write(kAtoB, kBuffer, 100, "xyz");
  ASSERT_EQ(sink_.extents().size(), 3U);
  EXPECT_EQ(sink_.extents()[0].end, 100U);
  EXPECT_EQ(sink_.extents()[1].placer.message, 2U);
  EXPECT_EQ(sink_.extents()[2].end, 2896U);
}

TEST_F(DataSinkAtB, HoldsNothingBeforeTheFirstPlacementAndAfterTrim) {
  qp_.send(kAtoB);
  qp_.write(kBtoA, kBuffer, 0, "of the other end");
  qp_.gap(kAtoB);
  EXPECT_EQ(sink_.held(), 0U);
  qp_.write(kAtoB, kBuffer, 0, "mine");
  EXPECT_GT(sink_.held(), 0U);
  sink_.trim();
  EXPECT_EQ(sink_.held(), 0U);
  EXPECT_THAT(sink_.extents(), IsEmpty());
}

// RM-39

TEST_F(DataSinkAtB, WriteOverAWriteWithNothingDeliveredBetweenIsNotedOnce) {
  qp_.write(kAtoB, kBuffer, 0x1000, std::string(100, 'a'));
  qp_.tagged(kAtoB, Opcode::rdma_write, kBuffer, 0x1000 + 90, {"123456", "7890", "more"});
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::overlapping_placement));
  const Note& n = notes_.all[0];
  EXPECT_EQ(n.direction, kAtoB);
  EXPECT_EQ(n.message, 1U);
  EXPECT_EQ(n.other_message, 0U);
  EXPECT_EQ(n.stag, kBuffer);
  EXPECT_EQ(n.to.value, 0x105AU);
  EXPECT_EQ(n.octets, 6U);
  EXPECT_EQ(n.frames[0].value, 1U);
  EXPECT_EQ(n.frames[1].value, 2U);
  EXPECT_EQ(
      sentence(n),
      "6 octets at STag 0x00001100, TO 0x000000000000105a are written again; message 0 wrote there, and nothing was "
      "delivered since.");
}

TEST_F(DataSinkAtB, ReadResponseOverAWriteIsNoted) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request r = qp_.read(kBtoA, kBuffer, 5, kOther, 0, 3);
  qp_.respond(kAtoB, r, {"abc"});
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::overlapping_placement));
}

TEST_F(DataSinkAtB, SendOrImmediateBetweenDeliversTheWrite) {
  for (const Opcode opcode : {Opcode::send, Opcode::send_se, Opcode::send_invalidate, Opcode::send_se_invalidate,
                              Opcode::immediate, Opcode::immediate_se}) {
    qp_.write(kAtoB, kBuffer, 0, "0123456789");
    qp_.untagged(kAtoB, opcode, "8 octets", kOther);
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, SendOfTheOtherDirectionDeliversNothing) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.send(kBtoA);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::overlapping_placement));
}

TEST_F(DataSinkAtB, AnsweredRequestBetweenDeliversTheWrite) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request r = qp_.read(kAtoB, kSink, 0, kOther, 0, 3);
  qp_.respond(kBtoA, r, {"abc"});
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request a = qp_.atomic(kAtoB, kOther, 0);
  qp_.respond(kBtoA, a, {});
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, RequestBetweenThatIsNotAnsweredYetDeliversNothing) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.read(kAtoB, kSink, 0, kOther, 0, 3);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::overlapping_placement));
}

TEST_F(DataSinkAtB, WriteOverAReadResponseIsNone) {
  const qp::Request r = qp_.read(kBtoA, kBuffer, 0, kOther, 0, 10);
  qp_.respond(kAtoB, r, {"0123456789"});
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.respond(kAtoB, r, {"0123456789"});
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::overlapping_placement));
  EXPECT_EQ(notes_.all[0].message, 2U) << "the Response over the Write, not the Write over the Response";
}

TEST_F(DataSinkAtB, TouchingWritesOtherStagsAndZeroLengthAreNoOverlap) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.write(kAtoB, kBuffer, 10, "0123456789");
  qp_.write(kAtoB, kOther, 0, "0123456789");
  qp_.write(kAtoB, kBuffer, 5, "");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, AtomicOnAWrittenWordIsNoOverlap) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.atomic(kAtoB, kBuffer, 0);
  qp_.write(kAtoB, kBuffer, 0, "01234567");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, GapInTheDirectionMayHideTheSend) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.gap(kAtoB);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, DamagedDdpSegmentMayHaveBeenTheSend) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.intact = false;
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.intact = true;
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  EXPECT_THAT(notes_.all, IsEmpty());
}

// RM-38

TEST_F(DataSinkAtB, ReadThatReturnsWhatWasWrittenIsNone) {
  write_then_read("the same octets", "the same octets");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, ReadThatReturnsOtherOctetsIsNotedWithBoth) {
  qp_.write(kAtoB, kBuffer, 0x1000, "0123456789");
  const qp::Request r = qp_.read(kAtoB, kSink, 0x900, kBuffer, 0x0FF0, 0x40);
  qp_.respond(kBtoA, r, {std::string(0x10, '-'), "01234XX789" + std::string(0x26, '-')});
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::read_contradicts_write));
  const Note& n = notes_.all[0];
  EXPECT_EQ(n.direction, kBtoA);
  EXPECT_EQ(n.message, 0U);
  EXPECT_EQ(n.other_message, 0U);
  EXPECT_EQ(n.stag, kBuffer);
  EXPECT_EQ(n.to.value, 0x1005U);
  EXPECT_EQ(n.seen, "5858373839");
  EXPECT_EQ(n.due, "3536373839");
  EXPECT_EQ(n.frames, (std::array<FrameNumber, 3>{FrameNumber{1}, FrameNumber{2}, FrameNumber{4}}));
  EXPECT_EQ(sentence(n),
            "The RDMA Read returns 5858373839 at STag 0x00001100, TO 0x0000000000001005, where message 0 had written "
            "3536373839.");
}

TEST_F(DataSinkAtB, EachDdpSegmentOfAWriteIsSampled) {
  qp_.tagged(kAtoB, Opcode::rdma_write, kBuffer, 0, {std::string(1000, 'a'), std::string(1000, 'b')});
  read_back(std::string(1000, 'a') + std::string(1000, 'a'));
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::read_contradicts_write));
  EXPECT_EQ(notes_.all[0].to.value, 1000U);
}

TEST_F(DataSinkAtB, SecondReadIsComparedAsWell) {
  write_then_read("the same octets", "the same octets");
  read_back("not those octets");
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::read_contradicts_write));
}

TEST_F(DataSinkAtB, ResponseWithOctetsOfALaterWriteIsPermitted) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request r = request(10);
  qp_.write(kAtoB, kBuffer, 5, "ABCDE");
  notes_.all.clear();
  qp_.respond(kBtoA, r, {"01234ABCDE"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, ResponseWithoutOctetsOfALaterWriteIsPermitted) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request r = request(10);
  qp_.write(kAtoB, kBuffer, 5, "ABCDE");
  notes_.all.clear();
  qp_.respond(kBtoA, r, {"0123456789"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, LaterWriteThatMayHaveArrivedUnseenExcusesTheResponse) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  sight_.all = false;
  read_back("01234ABCDE");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, WriteAfterTheRequestNeedNotBeInTheResponse) {
  const qp::Request r = request(10);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.respond(kBtoA, r, {"----------"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, WriteInProgressAtTheRequestNeedNotBeInTheResponse) {
  const qp::MessageFacts facts = [&] {
    qp::MessageFacts f = qp_.begin(kAtoB, Opcode::rdma_write);
    f.tagged = true;
    f.stag = kBuffer;
    return f;
  }();
  const std::string payload = "0123456789";
  qp_.tell(facts, qp_.make(facts, payload, true, false));
  const qp::Request r = request(10);
  qp_.respond(kBtoA, r, {"----------"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, AtomicBetweenMayHaveChangedTheWord) {
  qp_.write(kAtoB, kBuffer, 0, "01234567");
  qp_.atomic(kAtoB, kBuffer, 0);
  read_back("76543210");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, AtomicOnAnotherWordExcusesNothing) {
  qp_.write(kAtoB, kBuffer, 0, "01234567");
  qp_.atomic(kAtoB, kBuffer, 8);
  read_back("76543210");
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::read_contradicts_write));
}

TEST_F(DataSinkAtB, SoftwareThatWasInformedMayHaveChangedItsMemory) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.send(kAtoB);
  read_back("9876543210");
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request r = request(10);
  qp_.untagged(kAtoB, Opcode::immediate, "12345678");
  qp_.respond(kBtoA, r, {"9876543210"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, SoftwareThatSpeaksMayHaveChangedItsMemory) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.send(kBtoA);
  read_back("9876543210");
  notes_.all.clear();
  qp_.send(kAtoB);
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.write(kBtoA, kSink, 0, "x");
  read_back("9876543210");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, SoftwareThatBeganToSpeakMayHaveChangedItsMemory) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request r = request(10);
  const qp::MessageFacts send = qp_.begin(kBtoA, Opcode::send);
  const std::string first_half = "first half";
  qp_.tell(send, qp_.make(send, first_half, true, false));
  qp_.respond(kBtoA, r, {"9876543210"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, GapInEitherDirectionExcusesTheResponse) {
  for (const Direction d : {kAtoB, kBtoA}) {
    qp_.write(kAtoB, kBuffer, 0, "0123456789");
    qp_.gap(d);
    read_back("9876543210");
    qp_.send(kAtoB);
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, DamagedOrIncompleteWriteIsNotSampled) {
  qp_.intact = false;
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.intact = true;
  read_back("9876543210");
  qp_.complete = false;
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  qp_.complete = true;
  read_back("9876543210");
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, AnswerToAnUncertainOrAnotherRequestIsNotBlamedOnIt) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request first = qp_.read(kAtoB, kSink, 0x900, kOther, 0, 10);
  const qp::Request second = request(10);
  qp_.respond(kBtoA, first, {"other data"});
  qp_.respond(kBtoA, second, {"0123456789"});
  const qp::Request third = request(10);
  qp_.respond(kBtoA, third, {"9876543210"}, false);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(DataSinkAtB, ResponsesToOneSinkAreComparedEachWithItsOwnRequest) {
  qp_.write(kAtoB, kBuffer, 0, "0123456789");
  const qp::Request first = qp_.read(kAtoB, kSink, 0x900, kOther, 0, 10);
  const qp::Request second = request(10);
  qp_.respond(kBtoA, first, {"0123456789"});
  qp_.respond(kBtoA, second, {"other data"});
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::read_contradicts_write));
}

TEST_F(DataSinkAtB, OtherStagAndOtherEndAreNotCompared) {
  qp_.write(kAtoB, kOther, 0, "0123456789");
  read_back("9876543210");
  const qp::Request r = qp_.read(kBtoA, kSink, 0, kOther, 0, 10);
  qp_.respond(kAtoB, r, {"9876543210"});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST(DataSink, ManyWritesAndReadsStayWithinTheBounds) {
  test::Collected notes;
  test::FullSight sight;
  DataSink sink(kAtoB, sight, notes);
  test::QpEvents qp{&sink};
  for (std::uint64_t k = 0; k < 20'000; ++k) {
    qp.write(kAtoB, kBuffer, k * 7919 % 100'000 * 2, std::string(1, 'a'));
    qp.read(kAtoB, kSink, 0, kBuffer, k * 7919 % 100'000 * 2, 1);
  }
  EXPECT_GT(sink.evicted(), 0U);
  EXPECT_LE(sink.extents().size(), 512U);
  EXPECT_LE(sink.held(), 80U * 1024);
  EXPECT_THAT(notes.all, IsEmpty());
}

qp::MessageFacts waiting(std::uint64_t message, std::int64_t placed_ns, std::int64_t delivered_ns) {
  qp::MessageFacts facts;
  facts.message = message;
  facts.placed_time = TimePoint{placed_ns};
  facts.delivered_time = TimePoint{delivered_ns};
  return facts;
}

TEST(HeadOfLine, CountsWhatWaitedForOctetsBeforeIt) {
  HeadOfLine wait;
  const ddp::MessageEnd whole{.complete = true, .last = {}};
  wait.add(waiting(3, 100, 100), whole);
  EXPECT_EQ(wait.waited, 0U);
  wait.add(waiting(4, 100, 150), whole);
  wait.add(waiting(5, 110, 150), whole);
  EXPECT_EQ(wait.waited, 2U);
  EXPECT_EQ(wait.total_ns, 90);
  EXPECT_EQ(wait.largest_ns, 50);
  EXPECT_EQ(wait.largest_message, 4U);
}

TEST(HeadOfLine, LeavesOutIncompleteMessagesAndClocksThatWentBack) {
  HeadOfLine wait;
  wait.add(waiting(1, 100, 150), {.last = {}});
  wait.add(waiting(2, 150, 100), {.complete = true, .last = {}});
  EXPECT_EQ(wait.waited, 0U);
  EXPECT_EQ(wait.total_ns, 0);
}

}  // namespace
}  // namespace iwarpscope::emulation
