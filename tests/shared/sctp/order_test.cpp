// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The order of messages: TSNs, DDP-SSNs, loss, reordering, repeats.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

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
  EXPECT_EQ(b.session().chunks, (std::vector<std::string>{"A overtaken 52 in 8", "A overtaken 52 in 9"}));
  b.finish();
  EXPECT_EQ(b.codes(), "SC-22");
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

TEST(Association, AGapBeforeTheNextMessageOfItsStreamIsReportedWithThatMessage) {
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
  EXPECT_EQ(b.codes(), "SC-22");
}

TEST(Association, AHoleThatNoEndAcknowledgesIsGivenUpAfterTheTimeout) {
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

// FORWARD TSN: its sender gave it up. Source: RFC 3758 §3.5.
TEST(Association, WhatItsSenderGaveUpIsNoGapOfTheCapture) {
  Bench b;
  b.open();
  b.establish();
  (void)b.segment(kA, 0, 1);
  b.send(kA, {b.segment(kA, 0, 2)});
  wire::Chunk forward{static_cast<wire::ChunkType>(192), 0, Buffer(4), {}};
  const std::uint32_t tsn = b.tsn[0] - 2;
  for (std::size_t n = 0; n < 4; ++n) forward.value[n] = static_cast<std::byte>(tsn >> (24 - 8 * n));
  b.send(kA, {wire::write(forward)});
  b.send(kB, {b.sack(kB)});
  b.finish();
  EXPECT_EQ(b.text(), kOpened + "A missing @1 x1 unexplained\nA segment @2\nwhole ended capture end\n");
  EXPECT_EQ(b.session().statistics[0].gap_messages, 0u);
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
  EXPECT_EQ(b.session().chunks, (std::vector<std::string>{"A again 52 in 9"}));
  EXPECT_EQ(b.session().statistics[0].data_chunks, 2u);
  ASSERT_EQ(b.codes(), "SC-21");
  EXPECT_EQ(b.last().text, "1 DATA chunk was sent again, with 52 octets.");
  EXPECT_EQ(b.last().frame.value, 9u);
  EXPECT_EQ(b.last().direction, kA);
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
  ASSERT_EQ(b.codes(), "CA-03");
  EXPECT_EQ(b.last().text, "1 DATA chunk was captured twice.");
  EXPECT_EQ(b.last().direction, std::nullopt);
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

TEST(Association, WhatASessionThatIsOverSendsAgainIsNotOfTheNextOne) {
  Bench b;
  b.open();
  b.establish();
  const Buffer terminate = b.control(kA, 0, 1, 4);
  b.send(kA, {terminate});
  b.pass(1000);
  b.send(kA, {terminate});
  b.acknowledge();
  b.establish();
  b.pass(1000);
  b.send(kA, {terminate});
  b.finish();
  EXPECT_EQ(b.session(1).statistics[0].retransmitted_chunks, 0u);
  EXPECT_EQ(b.codes(), "SC-21") << "of the first one, on which the other side was still to close";
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

}  // namespace
}  // namespace iwarpscope::sctp::test
