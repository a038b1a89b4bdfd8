// Each SC rule is raised, and nearly raised.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

/// An association with one session on stream 0.
class Opened : public ::testing::Test {
 protected:
  Opened() {
    b.open();
    b.establish();
  }
  /// The codes at the end of the capture.
  std::string codes() {
    b.finish();
    return b.codes();
  }
  Bench b;
};

// ---- SC-01, SC-02, SC-15: the association ----

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

// ---- SC-03, SC-14: DATA chunks ----

TEST_F(Opened, SC03OrderedChunk) {
  wire::Data chunk;
  chunk.tsn = b.tsn[0]++;
  chunk.ppid = 16;
  chunk.unordered = false;
  chunk.user_data = Ends::user_data(1, 10);
  b.send(kA, {wire::write(chunk)});
  EXPECT_EQ(b.session().lines.back(), "A segment @1");
  EXPECT_EQ(codes(), "SC-03");
  EXPECT_EQ(b.last().direction, kA);
}

/// The message in chunks of so many octets, two of which share a packet.
void send_split(Bench& b, std::size_t payload, std::size_t each) {
  const Buffer whole = Ends::user_data(1, payload);
  std::vector<Buffer> chunks;
  for (std::size_t at = 0; at < whole.size(); at += each) {
    wire::Data chunk;
    chunk.tsn = b.tsn[0]++;
    chunk.ppid = 16;
    chunk.begin = at == 0;
    chunk.end = at + each >= whole.size();
    chunk.user_data.assign(whole.begin() + static_cast<std::ptrdiff_t>(at),
                           whole.begin() + static_cast<std::ptrdiff_t>(std::min(whole.size(), at + each)));
    chunks.push_back(wire::write(chunk));
  }
  for (std::size_t n = 0; n < chunks.size(); n += 2) {
    std::vector<Buffer> packet{chunks[n]};
    if (n + 1 < chunks.size()) packet.push_back(chunks[n + 1]);
    b.send(kA, packet);
  }
}

TEST_F(Opened, SC14FragmentsInOnePacket) {
  send_split(b, 1000, 600);
  EXPECT_EQ(b.session().lines.back(), "A segment @1");
  EXPECT_EQ(codes(), "SC-14");
}

TEST_F(Opened, SC14FragmentsOfWhatFitsIntoNoPacketThatWasSeen) {
  send_split(b, 3000, 700);
  EXPECT_EQ(b.session().lines.back(), "A segment @1");
  EXPECT_EQ(codes(), "");
}

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
  EXPECT_EQ(codes(), "");
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

// ---- SC-08, SC-09, SC-11, SC-19: the sequence of a session ----

TEST_F(Opened, SC08ASecondAccept) {
  b.send(kB, {b.control(kB, 0, 1, 2)});
  EXPECT_EQ(codes(), "SC-08");
  EXPECT_EQ(b.last().direction, kB);
}

TEST_F(Opened, SC08ASegmentBehindTheSendersTerminate) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kA, {b.segment(kA, 0, 2)});
  EXPECT_EQ(codes(), "SC-08");
  EXPECT_EQ(b.session().lines.back(), "whole ended terminated by A");
}

TEST_F(Opened, SC08ASegmentThatOvertookTheTerminateBeforeIt) {
  const Buffer terminate = b.control(kA, 0, 1, 4);
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kA, {terminate});
  EXPECT_EQ(codes(), "SC-08");
}

TEST_F(Opened, SC08TheOtherSideMayGoOnBehindATerminate) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.send(kB, {b.control(kB, 0, 2, 4)});
  EXPECT_EQ(codes(), "");
}

TEST(SC08, NotForAnAnswerWhoseInitiateWasNotSeen) {
  Bench b;
  b.open();
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kA, {b.sack(kA)});
  b.pass(4000);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.session().lines[0], "B code 2 @0");
}

TEST(SC08, AnAcceptThatTheMirrorShowsBeforeItsInitiate) {
  Bench b;
  b.open();
  const Packet initiate = b.packet(kA, {b.control(kA, 0, 0, 1)});
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.feed(kA, initiate);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.text(), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(SC08, NotForAnotherInitiateBeforeAnAnswerWasSeen) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.acknowledge();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.text(0), "A code 1 @0\nwhole ended reused by A\n");
}

TEST(SC08, NotWhereTheCaptureLostTheAnswer) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  (void)b.control(kB, 0, 0, 3);
  b.acknowledge();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(Session, RejectedAndRefusedAndOpenedAgain) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 3)});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 0, 1)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 4)});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 0, 1)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 3u);
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 3 @0\nwhole ended rejected by B\n");
  EXPECT_EQ(b.text(1), "A code 1 @0\nB code 4 @0\nwhole ended refused by B\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(SC09, ThePassiveSidesSegmentInPlaceOfItsAccept) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 0)});
  b.send(kB, {b.segment(kB, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "SC-09");
  EXPECT_EQ(b.last().direction, kB);
}

TEST(SC09, ThePassiveSidesSegmentOvertakesItsAccept) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  const Buffer accept = b.control(kB, 0, 0, 2);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.send(kB, {accept});
  b.finish();
  EXPECT_EQ(b.text(), "A code 1 @0\nB code 2 @0\nB segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(SC09, NotForASegmentOfASessionWhoseInitiateWasNotSeen) {
  Bench b;
  b.open();
  b.send(kA, {b.segment(kA, 4, 0)});
  b.send(kB, {b.sack(kB)});
  b.pass(4000);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.session().lines[0], "A segment @0");
}

TEST(SC09, NotWhereATsnIsMissing) {
  Bench b;
  b.open();
  (void)b.control(kA, 4, 0, 1);
  b.send(kA, {b.segment(kA, 4, 1)});
  b.pass(4000);
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Opened, SC11ShutDownWithoutATerminate) {
  b.shut_down();
  EXPECT_EQ(b.codes(), "SC-11");
  EXPECT_EQ(b.session().lines.back(), "whole ended shutdown by A");
}

TEST_F(Opened, SC11ReusedWithoutATerminate) {
  b.establish();
  EXPECT_EQ(codes(), "SC-11");
}

TEST_F(Opened, SC11OneTerminateIsEnough) {
  b.send(kB, {b.control(kB, 0, 1, 4)});
  b.acknowledge();
  b.shut_down();
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.session().lines.back(), "whole ended terminated by B");
}

TEST_F(Opened, SC11NotWhereTheCaptureLostMessages) {
  (void)b.control(kB, 0, 1, 4);
  b.acknowledge();
  b.shut_down();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC19, BothSidesAsk) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.send(kB, {b.control(kB, 0, 0, 1)});
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "SC-19");
  EXPECT_EQ(b.sink.sessions.size(), 1u);
}

TEST(SC19, BothSidesAskOnStreamsOfTheirOwn) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.send(kB, {b.control(kB, 1, 0, 1)});
  b.acknowledge();
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

// ---- SC-10, SC-16, SC-17: what SACKs tell ----

TEST(SC10, ASegmentBeforeTheInitiateIsAcknowledged) {
  for (const bool is_acknowledged : {false, true}) {
    Bench b;
    b.open();
    b.send(kA, {b.control(kA, 0, 0, 1)});
    if (is_acknowledged) b.send(kB, {b.sack(kB)});
    b.send(kA, {b.segment(kA, 0, 1)});
    b.send(kA, {b.segment(kA, 0, 2)});
    b.finish();
    EXPECT_EQ(b.codes(), is_acknowledged ? "" : "SC-10");
  }
}

TEST(SC10, TheAcceptIsAnAcknowledgmentToo) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.send(kB, {b.control(kB, 0, 0, 2)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC10, SoIsWhatOvertookTheAccept) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  const Buffer accept = b.control(kB, 0, 0, 2);
  b.send(kB, {b.segment(kB, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {accept});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(SC10, NotWhereOnlyOneDirectionWasCaptured) {
  Bench b;
  b.send(kA, {b.init(kA)});
  b.association->open(kB, {b.tag[1], b.tsn[1], 10, 10, {true, 1}}, FrameNumber{1}, TimePoint{});
  b.send(kA, {b.control(kA, 0, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Opened, SC16AnotherSessionBeforeTheLastChunkWasAcknowledged) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kA, {b.control(kA, 0, 0, 1)});
  EXPECT_EQ(codes(), "SC-16");
}

TEST_F(Opened, SC16AnotherSessionOnceAllWasAcknowledged) {
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kB, {b.sack(kB)});
  b.send(kA, {b.control(kA, 0, 0, 1)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC16NotWhereTheCaptureLostSomething) {
  (void)b.segment(kB, 0, 1);
  b.send(kA, {b.sack(kA)});
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kA, {b.control(kA, 0, 0, 1)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC17MoreThan32767MessagesAreOutstanding) {
  b.limits.max_buffered_octets = 1 << 20;
  for (std::uint32_t n = 1; n <= 32'767; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  EXPECT_EQ(b.codes(), "");
  b.send(kA, {b.segment(kA, 0, 32'768, 0)});
  b.send(kA, {b.segment(kA, 0, 32'769, 0)});
  EXPECT_EQ(codes(), "SC-17");
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
    EXPECT_EQ(b.codes(), on_all ? "SC-18" : "");
  }
}

TEST(SC18, OneStreamIsNotEvery) {
  Bench b;
  b.open();
  b.establish(0);
  b.send(kA, {rdmap_terminate(b, 0, 1)});
  b.send(kA, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.codes(), "");
}

TEST(SC18, NotWhereTheAssociationGoesOn) {
  Bench b;
  b.open();
  b.establish(0);
  b.establish(1);
  b.send(kA, {rdmap_terminate(b, 0, 1), rdmap_terminate(b, 1, 1)});
  b.pass(4000);
  b.send(kA, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.codes(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
