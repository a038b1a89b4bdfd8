// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about an association, each raised and nearly raised: SC-01, SC-02, SC-15, SC-18, SC-23, SC-25.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

TEST(SC01, DdpWithoutTheIndicationOfOneEnd) {
  Bench b;
  b.open(1, std::nullopt);
  EXPECT_EQ(b.codes(), "");
  b.establish();
  b.finish();
  EXPECT_EQ(b.codes(), "SC-01");
  EXPECT_EQ(b.last().direction, kB);
  EXPECT_EQ(b.last().seen, "none");
}

TEST(SC01, DdpWithAnotherIndicationOfBothEnds) {
  Bench b;
  b.open(7, 7);
  b.establish();
  b.finish();
  EXPECT_EQ(b.codes(), "SC-01 SC-01");
  EXPECT_EQ(b.last().seen, "0x00000007");
}

TEST(SC01, NoDdpWithoutTheIndicationIsOrdinary) {
  Bench b;
  b.open(std::nullopt, std::nullopt);
  b.send(kA, {b.data(kA, 0, 16, Buffer(100, std::byte{0xFF}))});
  b.send(kA, {b.data(kA, 0, 46, Buffer(100))});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC01, AnIndicationThatTheCaptureCutMayHaveBeenThere) {
  Bench b;
  b.send(kA, {b.init(kA)}, 4);
  b.send(kB, {b.init(kB)});
  b.establish();
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Opened, SC02AnotherPayload) {
  b.send(kB, {b.data(kB, 0, 46, Buffer(20))});
  b.send(kB, {b.data(kB, 0, 46, Buffer(20))});
  EXPECT_EQ(codes(), "SC-02");
  EXPECT_EQ(b.last().direction, kB);
  EXPECT_EQ(b.last().seen, "46");
}

TEST(SC02, AnotherPayloadWhereDdpIsInDoubt) {
  Bench b(false);
  b.send(kA, {b.segment(kA, 0, 5)});
  b.send(kA, {b.data(kA, 1, 46, Buffer(20))});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC15, OtherCountsOneWayThanTheOther) {
  Bench b;
  b.send(kA, {b.init(kA, 1, 10, 10)});
  b.send(kB, {b.init(kB, 1, 10, 8)});
  EXPECT_EQ(b.codes(), "SC-15");
  EXPECT_EQ(b.last().seen, "10");
  EXPECT_EQ(b.last().expected, "8");
  b.finish();
}

// What counts is what is agreed on.
TEST(SC15, EndsThatAllowMoreThanIsAskedFor) {
  Bench b;
  b.send(kA, {b.init(kA, 1, 10, 65'535)});
  b.send(kB, {b.init(kB, 1, 10, 2048)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC15, OrdinaryAssociationsMayHaveAnyCounts) {
  Bench b;
  b.send(kA, {b.init(kA, std::nullopt, 10, 10)});
  b.send(kB, {b.init(kB, std::nullopt, 10, 8)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

// ---- SC-18 ----

Buffer rdmap_terminate(Bench& b, std::uint16_t stream, std::uint16_t ssn) {
  wire::DdpUntagged header;
  header.rdmap_control = 0x47;
  header.qn = QueueNumber{2};
  return b.data(kA, stream, 16, wire::write_ddp_segment(ssn, wire::write(header, Buffer(4))));
}

TEST(SC18, AnRdmapTerminateOnEveryStream) {
  for (const bool on_all : {false, true}) {
    Bench b;
    b.open();
    b.establish(0);
    b.establish(1);
    b.establish(2);
    b.send(kA, {rdmap_terminate(b, 0, 1), rdmap_terminate(b, 1, 1)});
    b.send(kA, {on_all ? rdmap_terminate(b, 2, 1) : b.segment(kA, 2, 1)});
    b.send(kA, {wire::write(wire::Abort{})});
    EXPECT_EQ(b.codes(), on_all ? "SC-25 SC-18" : "SC-25");
  }
}

TEST(SC18, OneStreamIsNotEvery) {
  Bench b;
  b.open();
  b.establish(0);
  b.send(kA, {rdmap_terminate(b, 0, 1)});
  b.send(kA, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.codes(), "SC-25");
}

TEST(SC18, NotWhereTheAssociationGoesOn) {
  Bench b;
  b.open();
  b.establish(0);
  b.establish(1);
  b.send(kA, {rdmap_terminate(b, 0, 1), rdmap_terminate(b, 1, 1)});
  b.pass(4000);
  b.send(kA, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.codes(), "SC-25");
}

/// A SACK of all that the other end sent, which offers a window.
Buffer sack_with_window(const Ends& ends, Direction d, std::uint32_t window) {
  wire::Sack chunk;
  chunk.cumulative_tsn = ends.tsn[index(opposite(d))] - 1;
  chunk.window = window;
  return wire::write(chunk);
}

TEST_F(Opened, SC23AWindowThatIsClosed) {
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {sack_with_window(b, kB, 0)});
  b.pass(200);
  b.send(kB, {sack_with_window(b, kB, 0)});
  b.send(kB, {sack_with_window(b, kB, 5000)});
  ASSERT_EQ(codes(), "SC-23");
  EXPECT_EQ(b.last().direction, kB);
  EXPECT_EQ(b.last().frame.value, 9u);
  EXPECT_EQ(b.last().text, "2 SACKs of 10.0.0.2:5000 have a receive window of zero, the last of them in frame 10.");
}

TEST_F(Opened, SC23AWindowOfOne) {
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {sack_with_window(b, kB, 1)});
  EXPECT_EQ(codes(), "");
}

TEST(SC23, NotWhereDdpIsInDoubt) {
  Bench b(false);
  b.send(kA, {b.segment(kA, 0, 5)});
  b.send(kB, {sack_with_window(b, kB, 0)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Opened, SC25AnAbortAndItsCause) {
  b.send(kA, {wire::write(wire::Abort{.cause = 13, .cause_info = Buffer(3)})});
  ASSERT_EQ(codes(), "SC-25");
  EXPECT_EQ(b.last().seen, "13");
  EXPECT_EQ(b.last().text, "10.0.0.1:40000 aborted the association, for cause 13, Protocol Violation.");
}

TEST_F(Opened, SC25ACauseThatTheCaptureCutOrThatNoEndKnows) {
  const Buffer chunk = wire::write(wire::Abort{.cause = 0xF00D});
  const Packet whole = b.packet(kB, {chunk});
  Packet cut = whole;
  cut.sctp.chunks = cut.sctp.chunks.first(6);
  b.feed(kB, cut);
  ASSERT_EQ(codes(), "SC-25");
  EXPECT_EQ(b.last().text, "10.0.0.2:5000 aborted the association, for a cause that is cut off in the capture.");
  Bench other;
  other.open();
  other.feed(kB, other.packet(kB, {chunk}));
  other.finish();
  EXPECT_EQ(other.last().text, "10.0.0.2:5000 aborted the association, for cause 61453, unknown cause.");
}

TEST(SC25, NotWhereDdpIsInDoubt) {
  Bench b(false);
  b.send(kA, {b.segment(kA, 0, 5)});
  b.send(kB, {wire::write(wire::Abort{})});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
