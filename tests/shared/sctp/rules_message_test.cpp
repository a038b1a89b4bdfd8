// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about one message, each raised and nearly raised: SC-04 to SC-07, SC-12, SC-13.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

// ---- SC-04: DDP-SSNs ----

TEST_F(Opened, SC04OneLeftOut) {
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 3)});
  b.send(kB, {b.sack(kB)});
  b.pass(2000);
  b.send(kA, {b.segment(kA, 0, 4)});
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.codes(), "");
  b.pass(2000);
  b.acknowledge();
  EXPECT_EQ(b.session().lines[3], "A missing @2 x1 unexplained");
  EXPECT_EQ(b.session().lines.back(), "A segment @4");
  EXPECT_EQ(b.session().statistics[0].gap_messages, 0u) << "it was never sent";
  EXPECT_EQ(b.session().messages.back().delivered_time, b.session().messages.back().placed_time);
  EXPECT_EQ(b.session().decided_in.value, b.frame - 1) << "the first packet when nothing could come any more";
  EXPECT_EQ(codes(), "SC-04");
  EXPECT_EQ(b.last().seen, "3");
  EXPECT_EQ(b.last().expected, "2");
}

TEST_F(Opened, SC04OneLeftOutIsSettledByShutdown) {
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB)});
  b.shut_down();
  EXPECT_EQ(b.codes(), "SC-04");
}

TEST_F(Opened, SC04NotWhileSomethingIsUnacknowledged) {
  b.send(kA, {b.segment(kA, 0, 2)});
  b.pass(5000);
  b.send(kA, {b.sack(kA)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC04NotWhereATsnIsMissingToo) {
  b.send(kA, {b.segment(kA, 0, 2)});
  (void)b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 3)});
  b.acknowledge();
  b.pass(5000);
  b.acknowledge();
  EXPECT_EQ(codes(), "CA-01");
}

TEST_F(Opened, SC04AMessageWithoutOne) {
  b.send(kA, {b.data(kA, 0, 16, Buffer(1))});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.acknowledge();
  EXPECT_EQ(codes(), "SC-04");
  EXPECT_EQ(b.last().seen, "none");
  EXPECT_EQ(b.association->statistics().lost_tsns, 0u);
}

TEST_F(Opened, SC04UsedTwice) {
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 1)});
  EXPECT_EQ(codes(), "SC-04");
}

TEST_F(Opened, SC04NotForTheSameTsnSentAgain) {
  const Buffer one = b.segment(kA, 0, 1);
  b.send(kA, {one});
  b.pass(300);
  b.send(kA, {one});
  EXPECT_EQ(codes(), "SC-21");
}

TEST_F(Opened, SC04FarFromWhatIsNext) {
  b.send(kA, {b.segment(kA, 0, 40'000)});
  EXPECT_EQ(codes(), "SC-04");
}

TEST(SC04, ASessionThatBeginsWithAnotherDdpSsn) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 5, 1)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kA, {b.sack(kA), b.segment(kA, 0, 6)});
  b.finish();
  EXPECT_EQ(b.codes(), "SC-04");
  EXPECT_EQ(b.last().seen, "5");
  EXPECT_EQ(b.session().lines.size(), 4u);
}

// ---- SC-05, SC-06, SC-07, SC-12, SC-13: control messages ----

TEST_F(Opened, SC05UnknownCode) {
  b.send(kA, {b.control(kA, 0, 1, 8)});
  EXPECT_EQ(codes(), "SC-05");
  EXPECT_EQ(b.last().seen, "8");
}

TEST_F(Opened, SC05TheExperimentalCodeIsNone) {
  b.send(kA, {b.control(kA, 0, 1, 0xFFFF)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC05ACodeThatIsNotThere) {
  b.send(kA, {b.data(kA, 0, 17, Buffer{std::byte{0}, std::byte{1}})});
  EXPECT_EQ(codes(), "SC-05");
}

TEST_F(Opened, SC05ACodeThatTheCaptureCut) {
  b.send(kA, {b.control(kA, 0, 1, 4)}, 2);
  b.send(kA, {b.segment(kA, 0, 2)});
  EXPECT_EQ(b.text(), "A code 1 @0\nB code 2 @0\nA missing @1 x1 snap\nA segment @2\n");
  EXPECT_EQ(codes(), "");
}

TEST(SC06, PrivateDataOf513Octets) {
  for (const std::size_t octets : {512u, 513u}) {
    Bench b;
    b.open();
    b.send(kA, {b.control(kA, 0, 0, 1, Buffer(octets))});
    b.finish();
    EXPECT_EQ(b.codes(), octets > 512 ? "SC-06" : "");
    EXPECT_EQ(b.session().controls[0].startup.private_data.size(), 512u);
    EXPECT_EQ(b.session().controls[0].startup.private_data_length, octets);
  }
}

TEST_F(Opened, SC07TerminateWithPrivateData) {
  b.send(kA, {b.control(kA, 0, 1, 4, Buffer(1))});
  EXPECT_EQ(codes(), "SC-07");
}

TEST_F(Opened, SC07TerminateWithoutPrivateData) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  EXPECT_EQ(codes(), "");
}

TEST(SC12, AnswersOfTheOtherKind) {
  for (const unsigned ask : {1u, 5u}) {
    for (const unsigned answer : {2u, 3u, 4u, 6u, 7u}) {
      Bench b;
      b.open();
      b.send(kA, {b.control(kA, 0, 0, ask, Buffer(4))});
      b.send(kB, {b.sack(kB), b.control(kB, 0, 0, answer, Buffer(answer == 4 ? 0u : 4u))});
      b.finish();
      const bool wrong = answer != 4 && (ask == 1) != (answer < 4);
      EXPECT_EQ(b.codes(), wrong ? "SC-12" : "") << ask << " " << answer;
    }
  }
}

TEST(SC13, EnhancedInitiateWithThreeOctets) {
  for (const std::size_t octets : {3u, 4u}) {
    for (const unsigned code : {5u, 6u, 7u}) {
      Bench b;
      b.open();
      b.send(kA, {b.control(kA, 0, 0, 5, Buffer(code == 5 ? octets : 4u))});
      if (code != 5) b.send(kB, {b.sack(kB), b.control(kB, 0, 0, code, Buffer(octets))});
      b.finish();
      EXPECT_EQ(b.codes(), octets == 3 && code != 7 ? "SC-13" : "") << code << " " << octets;
    }
  }
}

std::string codes_of_enhanced(wire::EnhancedData ask, wire::EnhancedData answer) {
  Bench b;
  b.open();
  b.send(kA, {b.enhanced(kA, 0, 0, 5, ask)});
  b.send(kB, {b.sack(kB), b.enhanced(kB, 0, 0, 6, answer)});
  b.finish();
  return b.codes();
}

// The same code as for MPA's Requests and Replies; its own tests have every rule.
TEST(SC13, TheRulesOfEnhancedDataHold) {
  const wire::EnhancedData plain{.ird = 4, .ord = 4};
  const wire::EnhancedData peer{.peer_to_peer = true, .rtr_send = true, .ird = 4, .ord = 4};
  EXPECT_EQ(codes_of_enhanced(plain, plain), "");
  EXPECT_EQ(codes_of_enhanced(peer, peer), "");
  EXPECT_EQ(codes_of_enhanced(peer, plain), "MS-24");
  EXPECT_EQ(codes_of_enhanced({.rtr_read = true, .ird = 4, .ord = 4}, plain), "MS-25");
  EXPECT_EQ(codes_of_enhanced({.peer_to_peer = true, .ird = 4, .ord = 4}, peer), "MS-26");
  EXPECT_EQ(codes_of_enhanced(peer, {.peer_to_peer = true, .ird = 4, .ord = 4}), "MS-27");
  EXPECT_EQ(codes_of_enhanced(plain, {.ird = 4, .ord = 5}), "MS-30");
  EXPECT_EQ(codes_of_enhanced(plain, {.ird = 3, .ord = 4}), "MS-31");
  EXPECT_EQ(codes_of_enhanced({.ird = 4, .ord = 0x3FFF}, plain), "MS-32");
  EXPECT_EQ(codes_of_enhanced({.ird = 0x3FFF, .ord = 4}, plain), "MS-33");
  EXPECT_EQ(codes_of_enhanced(plain, {.ird = 0x3FFF, .ord = 4}), "MS-34");
  EXPECT_EQ(codes_of_enhanced({.ird = 0x3FFF, .ord = 0x3FFF}, {.ird = 0x3FFF, .ord = 0x3FFF}), "MS-36");
}

TEST(SC13, WordsAreThoseOfSessions) {
  Bench b;
  b.open();
  b.send(kA, {b.enhanced(kA, 0, 0, 5, {.ird = 4, .ord = 4})});
  b.send(kB, {b.sack(kB), b.enhanced(kB, 0, 0, 6, {.ird = 4, .ord = 5})});
  EXPECT_EQ(b.last().text, "The Accept's ORD 5 is above the Initiate's IRD 4.");
  ASSERT_TRUE(b.session().controls[0].startup.enhanced);
  EXPECT_EQ(b.session().controls[0].startup.enhanced->ird, 4);
  EXPECT_EQ(b.session().controls[1].startup.start, kStreamOrigin);
  EXPECT_EQ(b.session().controls[1].startup.end, kStreamOrigin + 1);
  b.finish();
}

}  // namespace
}  // namespace iwarpscope::sctp::test
