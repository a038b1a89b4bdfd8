// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Effects of network, tap and capture on a connection.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synth/connection.h"
#include "synth/reader.h"

namespace iwarpscope::synth {
namespace {

using testing::ElementsAre;

// The payload octets of each TCP segment with payload of the Initiator, as offsets of their first octet after the
// startup, in the order of the tap.
std::vector<std::uint32_t> offsets(const Frames& frames, std::uint32_t base) {
  std::vector<std::uint32_t> out;
  for (const Frame& frame : frames) {
    const test::Packet p = test::read(frame);
    if (p.sender == kI && !p.payload.empty() && p.sequence >= base) out.push_back((p.sequence - base) / 1448);
  }
  return out;
}

struct Outcome {
  Frames frames;
  std::vector<std::uint32_t> order;
  std::uint32_t last_ack;
};

// Six TCP segments of 1448 octets; the effect applies to the second.
Outcome run(Effect effect, EffectOptions options = {.skip = 1, .delay = 2}) {
  Connection c;
  c.connect();
  c.startup();
  c.channel(kI, effect, options);
  c.send(kI, 6 * 1424);
  const auto base = static_cast<std::uint32_t>(0x1000 + 1 + 20);
  c.close();
  Outcome r{c.frames(), {}, 0};
  r.order = offsets(r.frames, base);
  for (const Frame& frame : r.frames) {
    const test::Packet p = test::read(frame);
    if (p.sender == kR) r.last_ack = p.acknowledgment - base;
  }
  return r;
}

TEST(Channel, LossBeforeTheTapShowsTheRetransmissionLate) {
  const Outcome r = run(Effect::lose_before_tap);
  EXPECT_THAT(r.order, ElementsAre(0, 2, 3, 1, 4, 5));
  EXPECT_EQ(r.last_ack, 6U * 1448 + 1) << "with the FIN";
}

TEST(Channel, LossBehindTheTapShowsBothCopies) {
  EXPECT_THAT(run(Effect::lose_after_tap).order, ElementsAre(0, 1, 2, 3, 1, 4, 5));
}

TEST(Channel, MissedTcpSegmentIsAcknowledgedAllTheSame) {
  const Outcome r = run(Effect::miss);
  EXPECT_THAT(r.order, ElementsAre(0, 2, 3, 4, 5));
  EXPECT_EQ(r.last_ack, 6U * 1448 + 1) << "with the FIN";
}

TEST(Channel, HeldBackTcpSegmentKeepsItsIdentification) {
  const Outcome r = run(Effect::hold_back);
  EXPECT_THAT(r.order, ElementsAre(0, 2, 3, 1, 4, 5));
  std::vector<std::uint64_t> ids;
  for (const Frame& frame : r.frames) {
    if (test::read(frame).sender == kI && !test::read(frame).payload.empty()) {
      ids.push_back(test::number(frame.octets, 18, 2));
    }
  }
  EXPECT_EQ(ids[4] + 1, ids[2]) << "sent before the one that overtook it";
}

TEST(Channel, MirrorDuplicateIsIdentical) {
  const Outcome r = run(Effect::mirror_duplicate);
  EXPECT_THAT(r.order, ElementsAre(0, 1, 1, 2, 3, 4, 5));
  std::size_t twins = 0;
  for (std::size_t i = 1; i < r.frames.size(); ++i) {
    if (r.frames[i].octets == r.frames[i - 1].octets) ++twins;
  }
  EXPECT_EQ(twins, 1U);
}

TEST(Channel, RetransmissionHasANewIdentification) {
  const Outcome r = run(Effect::retransmit);
  EXPECT_THAT(r.order, ElementsAre(0, 1, 2, 3, 1, 4, 5));
  for (std::size_t i = 1; i < r.frames.size(); ++i) EXPECT_NE(r.frames[i].octets, r.frames[i - 1].octets);
}

TEST(Channel, ChangedRetransmissionHasOtherOctetsAndARightChecksum) {
  const Outcome r = run(Effect::retransmit_changed);
  std::map<std::uint32_t, std::vector<Buffer>> copies;
  for (const Frame& frame : r.frames) {
    const test::Packet p = test::read(frame);
    EXPECT_TRUE(p.checksum_right);
    if (p.sender == kI && !p.payload.empty()) copies[p.sequence].push_back(p.payload);
  }
  std::size_t changed = 0;
  for (const auto& [sequence, c] : copies) changed += c.size() == 2 && c[0] != c[1] ? 1U : 0U;
  EXPECT_EQ(changed, 1U);
}

TEST(Channel, DamageBreaksTheChecksumAndIsRepaired) {
  const Outcome r = run(Effect::corrupt);
  EXPECT_THAT(r.order, ElementsAre(0, 1, 2, 3, 1, 4, 5));
  std::size_t wrong = 0;
  for (const Frame& frame : r.frames) wrong += test::read(frame).checksum_right ? 0U : 1U;
  EXPECT_EQ(wrong, 1U);
  EXPECT_EQ(r.last_ack, 6U * 1448 + 1) << "with the FIN";
}

TEST(Channel, RetransmissionMayBeMissedToo) {
  EXPECT_THAT(run(Effect::lose_after_tap, {.skip = 1, .delay = 2, .miss_retransmission = true}).order,
              ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Channel, LossWithoutFollowersIsRepairedBeforeTheAnswer) {
  Connection c;
  c.connect();
  c.startup();
  c.channel(kI, Effect::lose_after_tap);
  c.read(kI, {.size = 10});
  const Frames frames = c.frames();
  EXPECT_EQ(test::read(frames.back()).sender, kR);
  EXPECT_FALSE(test::read(frames.back()).payload.empty());
  EXPECT_EQ(test::read(frames.back()).acknowledgment, 0x1000U + 1 + 20 + 52);
}

TEST(Channel, LostTcpSegmentCausesDuplicateAcksWithSack) {
  const Outcome r = run(Effect::lose_before_tap, {.skip = 1, .delay = 4});
  std::size_t duplicates = 0;
  for (const Frame& frame : r.frames) {
    const test::Packet p = test::read(frame);
    const bool sack = test::number(frame.octets, 14 + 20 + 12, 1) / 16 > 8;
    if (p.sender == kR && p.acknowledgment == 0x1000U + 1 + 20 + 1448 && sack) ++duplicates;
  }
  EXPECT_EQ(duplicates, 4U);
}

TEST(Channel, ImpairedStreamIsWholeInTheEnd) {
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    Connection c;
    c.connect();
    c.startup({.markers = seed % 2 == 0});
    c.packing(Packing::packed);
    c.impair({.seed = seed,
              .lose_before_tap = 50,
              .lose_after_tap = 50,
              .hold_back = 100,
              .mirror_duplicate = 50,
              .retransmit = 50,
              .corrupt = 50});
    c.send(kI, 40000);
    c.read(kI, {.size = 20000});
    c.close();
    const std::size_t sent = test::ulpdus(test::stream(c.frames(), kI, 0x1000), seed % 2 == 0, true).size();
    EXPECT_EQ(sent, 30U) << seed;
    const test::Packet last = test::read(c.frames().back());
    EXPECT_EQ(last.acknowledgment, 0x80000000U + 2 + static_cast<std::uint32_t>(c.stream_octets(kR))) << seed;
  }
}

TEST(Channel, ImpairedCaptureHoldsEffectsOfEachKind) {
  Connection c;
  c.connect();
  c.startup();
  c.impair({.miss = 500});
  c.send(kI, 100000);
  EXPECT_THROW((void)test::stream(c.frames(), kI, 0x1000), std::runtime_error);
}

TEST(Capture, OffAndOnHidesTheBeginning) {
  Connection c;
  c.capture(false);
  c.connect();
  c.startup();
  c.capture(true);
  c.send(kI, 10);
  ASSERT_EQ(c.frames().size(), 1U);
  EXPECT_EQ(test::read(c.frames()[0]).sequence, 0x1000U + 1 + 20);
}

TEST(Capture, OneSideOnly) {
  Connection c;
  c.capture_only(kR);
  c.connect();
  c.startup();
  c.send(kI, 10000);
  for (const Frame& frame : c.frames()) EXPECT_EQ(test::read(frame).sender, kR);
}

TEST(Capture, SnapLengthCutsFramesAndKeepsTheirLength) {
  Connection c({.path = {.snap_length = 60}});
  c.connect();
  c.startup();
  for (const Frame& frame : c.frames()) {
    EXPECT_LE(frame.octets.size(), 60U);
    EXPECT_GE(frame.original_length, 66U);
  }
}

TEST(Touch, ChangesWhatIsSeenOfOneTcpSegment) {
  Connection c;
  c.connect();
  c.startup();
  c.touch(
      kI, [](TcpSegment& tcp) { tcp.acknowledgment -= 20; }, 1);
  c.send(kI, 1);
  c.send(kI, 1);
  const Frames frames = c.frames();
  const auto n = frames.size();
  EXPECT_EQ(test::read(frames[n - 2]).acknowledgment + 20, 0U + test::read(frames[n - 3]).acknowledgment)
      << "the ACK of both Sends follows";
}

TEST(KeepAlive, ProbesTheOctetBeforeTheNext) {
  Connection c;
  c.connect();
  c.keep_alive(kI, true);
  const Frames frames = c.frames();
  EXPECT_EQ(test::read(frames[3]).sequence, 0x1000U);
  EXPECT_EQ(test::read(frames[3]).payload.size(), 1U);
  EXPECT_EQ(test::read(frames[4]).acknowledgment, 0x1001U);
}

TEST(Offload, TcpSegmentsExceedTheMss) {
  Connection c;
  c.connect();
  c.startup();
  c.packing(kI, Packing::offload);
  c.send(kI, 60000);
  std::size_t largest = 0;
  for (const TcpSegment& tcp : c.tcp_segments()) largest = std::max(largest, tcp.payload.size());
  EXPECT_GT(largest, 60000U);
}

}  // namespace
}  // namespace iwarpscope::synth
