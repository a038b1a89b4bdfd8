// The order of messages: TSNs, DDP-SSNs, loss, reordering, repeats, fragments.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

const std::string kOpened =
    "A code 1 @0\n"
    "B code 2 @0\n";

TEST(Association, AnExchangeFromInitToShutdown) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1), b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 3, 4)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 2, 4)});
  b.send(kA, {b.sack(kA)});
  b.shut_down();
  EXPECT_EQ(b.text(), kOpened +
                          "A segment @1\nA segment @2\nB segment @1\nA code 4 @3\nA ended terminated\n"
                          "B code 4 @2\nwhole ended terminated by B\n");
  EXPECT_EQ(b.codes(), "");
  EXPECT_EQ(b.association->end(), AssociationEnd::shutdown);
  EXPECT_EQ(b.session().start.stream, 0);
  EXPECT_FALSE(b.session().start.joined);
  EXPECT_EQ(b.session().start.endpoints[0], endpoint(1, 40000));
  EXPECT_EQ(b.session().start.endpoints[1], endpoint(2, 5000));
}

TEST(Association, OctetsAreThoseBehindTheDdpSsn) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1, 5)});
  const Buffer whole = Ends::user_data(1, 5);
  ASSERT_EQ(b.session().payloads.size(), 1u);
  EXPECT_EQ(b.session().payloads[0], Buffer(whole.begin() + 2, whole.end()));
  EXPECT_EQ(b.session().messages.back().length, whole.size() - 2);
  b.finish();
}

TEST(Association, DirectionsOfASessionAreThoseOfItsActiveSide) {
  Bench b;
  b.open();
  b.send(kB, {b.control(kB, 3, 0, 1)});
  b.send(kA, {b.sack(kA), b.control(kA, 3, 0, 2)});
  b.finish();
  EXPECT_EQ(b.text(), kOpened + "whole ended capture end\n");
  EXPECT_EQ(b.session().start.endpoints[0], endpoint(2, 5000));
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, MessagesThatOvertookOneAnotherAreHandedUpInOrder) {
  Bench b;
  b.open();
  b.establish();
  const Packet one = b.packet(kA, {b.segment(kA, 0, 1)});
  const Packet two = b.packet(kA, {b.segment(kA, 0, 2)});
  const Packet three = b.packet(kA, {b.segment(kA, 0, 3)});
  b.feed(kA, three);
  b.feed(kA, one);
  EXPECT_EQ(b.text(), kOpened + "A segment @1\n");
  b.feed(kA, two);
  EXPECT_EQ(b.text(), kOpened + "A segment @1\nA segment @2\nA segment @3\n");
  EXPECT_EQ(b.session().messages.back().delivery_frame, two.sctp.frame);
  EXPECT_EQ(b.session().messages.back().last_frame, three.sctp.frame);
  EXPECT_FALSE(b.session().messages.back().retransmitted);
  EXPECT_TRUE(b.session().messages[2].retransmitted) << "it came after a higher TSN";
  EXPECT_EQ(b.session().statistics[0].out_of_order_chunks, 2u);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

// The sender need not assign TSNs in the order of DDP-SSNs. Source: RFC 5043 §10.
TEST(Association, TsnsInAnotherOrderThanDdpSsnsAreNoFault) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB)});
  b.pass(500);
  b.acknowledge();
  b.pass(500);
  b.acknowledge();
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.text(), kOpened + "A segment @1\nA segment @2\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, WhatIsAcknowledgedAndWasNeverSeenIsACaptureGapAtOnce) {
  Bench b;
  b.open();
  b.establish();
  (void)b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 2)});
  EXPECT_EQ(b.text(), kOpened);
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 gap\nA segment @2\n");
  EXPECT_TRUE(b.session().messages.back().after_gap);
  EXPECT_EQ(b.codes(), "CA-01");
  EXPECT_EQ(b.session().statistics[0].gap_messages, 1u);
  // What comes late was given up.
  b.finish();
}

TEST(Association, AGapBeforeTheNextMessageOfItsStreamIsToldWithThatMessage) {
  Bench b;
  b.open();
  b.establish(0);
  b.establish(1);
  (void)b.segment(kA, 1, 1);
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.text(1), kOpened);
  b.send(kA, {b.segment(kA, 1, 2)});
  EXPECT_EQ(b.text(1), kOpened + "A missing @1 x1 gap\nA segment @2\n");
  EXPECT_EQ(b.text(0), kOpened + "A segment @1\n");
  b.finish();
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST(Association, WhatTheNetworkLostIsWaitedForUntilItIsSentAgain) {
  Bench b;
  b.open();
  b.establish();
  const Buffer lost = b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB, 2)});
  b.pass(1000);
  b.send(kA, {lost});
  EXPECT_EQ(b.text(), kOpened + "A segment @1\nA segment @2\n");
  EXPECT_TRUE(b.session().messages[2].retransmitted);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AHoleThatNobodyAcknowledgesIsGivenUpAfterTheTimeout) {
  Bench b;
  b.open();
  b.establish();
  (void)b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 2)});
  b.pass(2900);
  b.send(kA, {b.sack(kA)});
  EXPECT_EQ(b.text(), kOpened);
  b.pass(200);
  b.send(kA, {b.sack(kA)});
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 unexplained\nA segment @2\n");
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, ARetransmissionIsCountedAndNotHandedUpTwice) {
  Bench b;
  b.open();
  b.establish();
  const Buffer one = b.segment(kA, 0, 1);
  b.send(kA, {one});
  b.pass(1000);
  b.send(kA, {one});
  EXPECT_EQ(b.text(), kOpened + "A segment @1\n");
  b.finish();
  EXPECT_EQ(b.session().statistics[0].retransmitted_chunks, 1u);
  EXPECT_EQ(b.session().statistics[0].retransmitted_octets, 52u);
  EXPECT_EQ(b.session().statistics[0].data_chunks, 2u);
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AMirrorsCopyIsNoRetransmission) {
  Bench b;
  b.open();
  b.establish();
  const Packet one = b.packet(kA, {b.segment(kA, 0, 1)});
  b.feed(kA, one);
  Packet copy = one;
  copy.sctp.ttl = 63;
  copy.sctp.time.ns += 1000;
  b.feed(kA, copy);
  b.finish();
  EXPECT_EQ(b.session().statistics[0].retransmitted_chunks, 0u);
  EXPECT_EQ(b.session().statistics[0].mirror_duplicates, 1u);
  EXPECT_EQ(b.association->statistics().mirror_duplicates, 1u);
}

TEST(Association, AnIdenticalPacketOfAnotherIpIdentificationIsARetransmission) {
  Bench b;
  b.open();
  b.establish();
  b.ip_id = 7;
  Packet one = b.packet(kA, {b.segment(kA, 0, 1)});
  b.feed(kA, one);
  one.sctp.ip_id = 8;
  b.feed(kA, one);
  b.finish();
  EXPECT_EQ(b.session().statistics[0].retransmitted_chunks, 1u);
}

TEST(Association, DdpSsnsAreCountedOnBeyondSixteenBits) {
  Bench b;
  b.open();
  b.establish();
  for (std::uint32_t n = 1; n <= 70'000; ++n) {
    b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
    if (n % 64 == 0) b.send(kB, {b.sack(kB)});
  }
  b.finish();
  EXPECT_EQ(b.session().messages.back().ssn, 70'000u);
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, ManyStreamsAndSeveralSessionsOnOne) {
  Bench b;
  b.open();
  for (std::uint16_t stream = 0; stream < 5; ++stream) b.establish(stream);
  b.send(kA, {b.control(kA, 2, 1, 4)});
  b.send(kB, {b.sack(kB), b.control(kB, 2, 1, 4)});
  b.send(kA, {b.sack(kA)});
  b.establish(2);
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 6u);
  EXPECT_EQ(b.session(5).start.number, 1u);
  EXPECT_EQ(b.session(5).start.stream, 2);
  EXPECT_EQ(b.text(2), kOpened + "A code 4 @1\nA ended terminated\nB code 4 @1\nwhole ended terminated by B\n");
  EXPECT_EQ(b.text(5), kOpened + "whole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, JoinedInTheMiddleOfASession) {
  Bench b(false);
  b.tsn = {5000, 6000};
  b.send(kB, {b.segment(kB, 1, 40'000)});
  b.send(kA, {b.sack(kA), b.segment(kA, 1, 7)});
  b.send(kA, {b.control(kA, 1, 8, 4)});
  b.finish();
  EXPECT_TRUE(b.session().start.joined);
  EXPECT_EQ(b.session().start.endpoints[0], endpoint(1, 40000)) << "the lower endpoint";
  EXPECT_EQ(b.text(), "B segment @40000\nA segment @7\nA code 4 @8\nA ended terminated\nwhole ended terminated by A\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AnAnswerWhoseInitiateTheCaptureMissedShowsWhoAsked) {
  Bench b(false);
  b.send(kA, {b.control(kA, 1, 0, 2)});
  b.send(kB, {b.sack(kB), b.segment(kB, 1, 1)});
  EXPECT_EQ(b.session().lines.size(), 3u) << "nothing is waited for";
  b.finish();
  EXPECT_EQ(b.session().start.endpoints[0], endpoint(2, 5000));
  EXPECT_EQ(b.text(), "B code 2 @0\nA missing @0 x1 unexplained\nA segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AnInitiateThatTheCaptureLostLeavesAJoinedSession) {
  Bench b;
  b.open();
  (void)b.control(kA, 0, 0, 1);
  b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
  b.send(kA, {b.sack(kA), b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_TRUE(b.session().start.joined);
  EXPECT_EQ(b.text(), "B code 2 @0\nA missing @0 x1 gap\nA segment @1\nwhole ended capture end\n");
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST(Association, AnAnswerThatTheCaptureLostIsNotHeldAgainstThePassiveSide) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  (void)b.control(kB, 0, 0, 2);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.send(kA, {b.sack(kA)});
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.finish();
  EXPECT_EQ(b.text(),
            "A code 1 @0\nB missing @0 x1 gap\nB segment @1\nA code 4 @1\nA ended terminated\n"
            "whole ended terminated by A\n");
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST(Association, OneDirectionMayBeAllThereIs) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  for (std::uint16_t n = 1; n < 20; ++n) b.send(kA, {b.segment(kA, 0, n)});
  (void)b.segment(kA, 0, 20);
  b.send(kA, {b.segment(kA, 0, 21)});
  b.finish();
  EXPECT_EQ(b.session().lines.size(), 23u);
  EXPECT_EQ(b.session().lines[20], "A missing @20 x1 unexplained");
}

TEST(Association, FragmentsAreJoinedWhateverTheirOrder) {
  for (const auto& order : {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{1, 0, 2}, std::array{0, 2, 1}}) {
    Bench b;
    b.open();
    b.establish();
    const Buffer whole = Ends::user_data(1, 3000);
    std::vector<Packet> parts;
    for (std::size_t n = 0; n < 3; ++n) {
      wire::Data chunk;
      chunk.tsn = b.tsn[0]++;
      chunk.ppid = 16;
      chunk.begin = n == 0;
      chunk.end = n == 2;
      const std::size_t from = n * 1200, to = std::min(whole.size(), from + 1200);
      chunk.user_data.assign(whole.begin() + static_cast<std::ptrdiff_t>(from),
                             whole.begin() + static_cast<std::ptrdiff_t>(to));
      parts.push_back(b.packet(kA, {wire::write(chunk)}));
    }
    for (const int n : order) b.feed(kA, parts[static_cast<std::size_t>(n)]);
    ASSERT_EQ(b.session().payloads.size(), 1u);
    EXPECT_EQ(b.session().payloads[0], Buffer(whole.begin() + 2, whole.end()));
    EXPECT_EQ(b.session().messages.back().first_frame, parts[0].sctp.frame);
    EXPECT_EQ(b.session().statistics[0].data_chunks, 4u);
    b.finish();
    EXPECT_EQ(b.codes(), "");
  }
}

TEST(Association, AMessageWhoseFragmentTheCaptureLostIsMissing) {
  Bench b;
  b.open();
  b.establish();
  const auto part = [&](bool begin, bool end) {
    wire::Data chunk;
    chunk.tsn = b.tsn[0]++;
    chunk.ppid = 16;
    chunk.begin = begin;
    chunk.end = end;
    chunk.user_data = Ends::user_data(1, 100);
    return wire::write(chunk);
  };
  b.send(kA, {part(true, false)});
  (void)part(false, false);
  b.send(kA, {part(false, true)});
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB)});
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 gap\nA segment @2\n");
  b.finish();
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST(Association, WhatIsHeldIsBounded) {
  Bench b;
  b.open();
  b.establish();
  (void)b.segment(kA, 0, 1);
  for (std::uint16_t n = 2; n < 200; ++n) b.send(kA, {b.segment(kA, 0, n, 1000)});
  EXPECT_LE(b.budget.held(), 64u << 10);
  EXPECT_EQ(b.session().lines[2], "A missing @1 x1 limit");
  EXPECT_EQ(b.session().lines.size(), 2u + 1 + 198);
  EXPECT_GT(b.budget.met().direction_octets + b.budget.met().direction_chunks, 0u);
  b.finish();
  EXPECT_EQ(b.codes(), "CA-10");
}

TEST(Association, APacketOfWrongCrcIsNotUsed) {
  Bench b;
  b.open();
  b.establish();
  const Buffer one = b.segment(kA, 0, 1);
  b.checksum = wire::Checksum::wrong;
  b.send(kA, {one});
  b.checksum = wire::Checksum::right;
  EXPECT_EQ(b.text(), kOpened);
  EXPECT_EQ(b.association->statistics().wrong_checksums, 1u);
  b.send(kA, {one});
  EXPECT_EQ(b.text(), kOpened + "A segment @1\n");
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, WhereNoCrcIsEverRightNoneIsJudged) {
  for (const auto checksum : {wire::Checksum::wrong, wire::Checksum::zero}) {
    Bench b;
    b.checksum = checksum;
    b.open();
    b.establish();
    EXPECT_EQ(b.text(), kOpened);
    b.finish();
    EXPECT_EQ(b.codes(), "");
  }
}

TEST(Association, ACutSegmentIsHandedUpAsFarAsItGoes) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1, 100)}, 60);
  EXPECT_EQ(b.text(), kOpened + "A segment @1 cut\n");
  EXPECT_EQ(b.session().messages.back().length, 118u);
  EXPECT_EQ(b.session().payloads[0].size(), 58u);
  b.finish();
  EXPECT_EQ(b.session().statistics[0].cut_octets, 60u);
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AMessageCutBeforeItsDdpSsnIsMissingAndNobodysFault) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1, 100)}, 119);
  b.send(kA, {b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB)});
  b.shut_down();
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 snap\nA segment @2\nwhole ended shutdown by A\n");
  EXPECT_EQ(b.codes(), "");
}

// What the sender of a message had received when it sent it.
TEST(Association, AcknowledgedCountsWhatSacksOfTheSenderCover) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1), b.segment(kA, 0, 2)});
  b.send(kB, {b.sack(kB, 1), b.segment(kB, 0, 1)});
  EXPECT_TRUE(b.session().messages.back().has_acknowledged);
  EXPECT_EQ(b.session().messages.back().acknowledged, 2u);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 2)});
  EXPECT_EQ(b.session().messages.back().acknowledged, 3u);
  b.finish();
}

TEST(Association, GapAckBlocksDoNotCountBeyondAHole) {
  Bench b;
  b.open();
  b.establish();
  const Buffer lost = b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 2)});
  wire::Sack sack;
  sack.cumulative_tsn = b.tsn[0] - 3;
  sack.gaps = {{2, 2}};
  b.send(kB, {wire::write(sack), b.segment(kB, 0, 1)});
  b.send(kA, {lost});
  EXPECT_EQ(b.text(), kOpened + "B segment @1\nA segment @1\nA segment @2\n");
  EXPECT_FALSE(b.session().messages[2].has_acknowledged)
      << "what was received behind the hole is not known to whom it was";
  b.finish();
}

// Of a session before: a chunk that was given up and comes all the same.
TEST(Association, WhatComesAfterItsSessionEndedBeginsNoOther) {
  for (const bool is_initiate : {false, true}) {
    Bench b;
    b.open();
    Buffer late;
    if (is_initiate) {
      late = b.control(kA, 0, 0, 1);
      b.send(kB, {b.sack(kB), b.control(kB, 0, 0, 2)});
    } else {
      b.establish();
      late = b.segment(kA, 0, 1);
    }
    b.send(kA, {b.sack(kA), b.control(kA, 0, is_initiate ? 1 : 2, 4)});
    b.send(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
    b.send(kA, {b.sack(kA)});
    EXPECT_TRUE(b.session().lines.back().starts_with("whole ended terminated"));
    b.send(kA, {late});
    b.finish();
    EXPECT_EQ(b.sink.sessions.size(), 1u) << is_initiate;
    EXPECT_EQ(b.codes(), "CA-01");
  }
}

TEST(Association, WhatComesOnceAnotherSessionBeganIsNotOfThatOne) {
  Bench b;
  b.open();
  b.establish();
  const Buffer late = b.segment(kA, 0, 1);
  b.send(kA, {b.control(kA, 0, 2, 4)});
  b.send(kB, {b.sack(kB)});
  b.send(kB, {b.control(kB, 0, 1, 4)});
  b.send(kA, {b.sack(kA)});
  b.establish();
  b.send(kA, {late});
  EXPECT_EQ(b.text(1), kOpened);
  b.finish();
  EXPECT_EQ(b.codes(), "CA-01");
}

TEST(Association, WhatTheActiveSideSentBeforeTheRejectCameIsNoSession) {
  for (const unsigned code : {3u, 4u}) {
    Bench b;
    b.open();
    b.send(kA, {b.control(kA, 0, 0, 1)});
    b.send(kB, {b.sack(kB)});
    b.send(kB, {b.control(kB, 0, 0, code)});
    b.send(kA, {b.segment(kA, 0, 1)});
    b.send(kA, {b.sack(kA), b.control(kA, 0, 2, 4)});
    b.send(kB, {b.sack(kB)});
    b.shut_down();
    EXPECT_EQ(b.sink.sessions.size(), 1u);
    EXPECT_EQ(b.codes(), "");
  }
}

TEST(Association, ASackThatAnotherOneOvertookTakesNothingBack) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  const Packet older = b.packet(kB, {b.sack(kB, 1)});
  b.send(kB, {b.sack(kB)});
  b.feed(kB, older);
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.codes(), "") << "the Initiate was acknowledged";
}

// Where no SACK is captured, what is not acknowledged is not remembered for ever.
TEST(Association, MessagesWithoutAnySackTakeLittleMemory) {
  Bench b;
  b.open();
  b.send(kA, {b.control(kA, 0, 0, 1)});
  for (std::uint32_t n = 1; n < 5000; ++n) b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
  EXPECT_EQ(b.session().lines.size(), 5000u);
  EXPECT_EQ(b.budget.held(), 0u);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 0, 0)});
  EXPECT_FALSE(b.session().messages.back().has_acknowledged);
  b.finish();
}

TEST(Association, ALongSessionTakesNoMoreMemoryThanItsWindow) {
  Bench b;
  b.open();
  b.establish();
  for (std::uint32_t n = 1; n < 20'000; ++n) {
    b.send(kA, {b.segment(kA, 0, static_cast<std::uint16_t>(n), 0)});
    if (n % 50 == 0) b.send(kB, {b.sack(kB, 10), b.segment(kB, 0, static_cast<std::uint16_t>(n / 50), 0)});
  }
  EXPECT_LE(b.budget.held(), 8192u);
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 400, 0)});
  EXPECT_TRUE(b.session().messages.back().has_acknowledged);
  EXPECT_EQ(b.session().messages.back().acknowledged, 20'000u);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, AnAbortEndsEverySession) {
  Bench b;
  b.open();
  b.establish(0);
  b.establish(1);
  EXPECT_EQ(b.association->live_sessions(), 2u);
  b.send(kB, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.text(0), kOpened + "whole ended aborted by B\n");
  EXPECT_EQ(b.text(1), kOpened + "whole ended aborted by B\n");
  EXPECT_EQ(b.association->live_sessions(), 0u);
  EXPECT_EQ(b.association->end(), AssociationEnd::aborted);
  EXPECT_EQ(b.codes(), "");
}

TEST(Association, ASessionThatIsNotFollowedIsFollowedInSilence) {
  Bench b;
  b.sink.follows = false;
  b.open();
  b.establish();
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.text(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
