// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A session without Wireshark: the end of the capture, and special frames.
#include "session_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace iwarpscope::plugin {
namespace {

using findings::FindingId;
using testing::IsEmpty;
using testing::IsNull;
using testing::NotNull;
using testing::SizeIs;

TEST(Session, EndOfTheCapture_IsReportedLateAndOnce) {
  Script c;
  c.send(kI, 10);
  c.close();
  Fed fed(c.frames());
  for (Frame n = 1; n <= fed.count(); ++n) EXPECT_THAT(fed.session.frame(n).late, IsEmpty());
  EXPECT_THAT(fed.session.record(0), IsNull());
  EXPECT_FALSE(fed.session.is_finished());
  fed.session.finish();
  EXPECT_TRUE(fed.session.is_finished());
  EXPECT_THAT(fed.late(fed.count()), testing::Contains("SX-13"));
  ASSERT_THAT(fed.session.record(0), NotNull());
  EXPECT_TRUE(fed.session.record(0)->verdict.has_value());
  const std::size_t findings = fed.session.findings();
  fed.session.finish();
  fed.session.feed(test::frame_of(c.frames().front(), fed.count() + 1));
  EXPECT_EQ(fed.session.findings(), findings);
  EXPECT_EQ(fed.session.last_frame(), fed.count());
}

TEST(Session, FpdusAfterAHole_AreShownWhenTheCaptureHasEnded) {
  Script c;
  c.send(kI, 10);
  c.send(kR, 10);
  c.channel(kI, synth::Effect::lose_before_tap, {.delay = 100, .miss_retransmission = true});
  for (int i = 0; i < 4; ++i) c.send(kI, 300);
  synth::Frames frames = c.frames();
  Fed fed(std::move(frames));
  const std::size_t before = fed.half(Direction::a_to_b).fpdus.size();
  fed.session.finish();
  const auto& fpdus = fed.half(Direction::a_to_b).fpdus;
  ASSERT_GT(fpdus.size(), before);
  for (std::size_t i = before; i < fpdus.size(); ++i) {
    const auto late = fed.session.frame(fpdus[i].shown).late;
    EXPECT_TRUE(std::any_of(late.begin(), late.end(),
                            [&](const Item& item) { return item.kind == Item::Kind::fpdu && item.index == i; }));
  }
}

TEST(Session, OrdinaryTcp_IsNobodysQueuePair) {
  synth::Connection c;
  c.connect();
  c.stream(kI, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
  c.stream(kR, std::string_view(std::string(5000, 'x')));
  c.close();
  Fed fed(c.frames());
  fed.session.finish();
  EXPECT_EQ(fed.session.queue_pairs(), 0u);
  for (Frame n = 1; n <= fed.count(); ++n) {
    EXPECT_THAT(fed.session.frame(n).payload, IsNull());
    EXPECT_THAT(fed.session.queue_pair_of(n), IsNull());
  }
  EXPECT_EQ(fed.shown(Item::Kind::fpdu), 0u);
}

TEST(Session, ConnectionJoinedMidstream_HasThePayloadBeforeItsConfirmationToo) {
  synth::Connection c;
  c.begin_full_operation(kI);
  c.begin_full_operation(kR);
  for (int i = 0; i < 8; ++i) {
    c.send(kI, 200);
    c.send(kR, 200);
  }
  Fed fed(c.frames());
  fed.session.finish();
  ASSERT_EQ(fed.session.queue_pairs(), 1u);
  EXPECT_EQ(fed.half(Direction::a_to_b).fpdus.size() + fed.half(Direction::b_to_a).fpdus.size(), 16u);
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    for (const FpduEntry& fpdu : fed.half(d).fpdus) {
      EXPECT_EQ(fed.session.queue_pair_of(fpdu.first), fed.session.queue_pair(0));
      EXPECT_NE(fpdu.shown, 0u);
    }
  }
}

// A read filter rejected the first of the two: it leaves nothing in the tree of the frame that got its number.
TEST(Session, FrameNumberTwice_ShowsWhatCameLast) {
  Script c;
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  const synth::Frames frames = c.frames();
  Session session({});
  for (std::size_t i = 0; i < frames.size(); ++i) {
    session.feed(test::frame_of(frames[i], i + 1));
    session.feed(test::frame_of(frames[i], i + 1));
  }
  session.finish();
  ASSERT_EQ(session.queue_pairs(), 1u);
  const Half& half = session.queue_pair(0)->half(Direction::a_to_b);
  ASSERT_THAT(half.fpdus, SizeIs(1));
  const FrameView view = session.frame(half.fpdus[0].shown);
  EXPECT_EQ(
      std::count_if(view.items.begin(), view.items.end(), [](const Item& i) { return i.kind == Item::Kind::fpdu; }), 0);
}

TEST(Session, IpFragments_HaveNoPlaceInAFrame) {
  Script c({}, {.path = {.fragment_payload = 400}});
  c.send(kI, "after fragments");
  c.send(kI, 1200);
  c.close();
  const Fed fed(c.frames());
  const auto& fpdus = fed.half(Direction::a_to_b).fpdus;
  ASSERT_THAT(fpdus, SizeIs(2));
  EXPECT_EQ(fpdus[1].at, kNone);
  EXPECT_EQ(fpdus[1].octets.size, 1200 + kUntagged);
  const FrameView view = fed.session.frame(fpdus[1].shown);
  ASSERT_THAT(view.payload, NotNull());
  EXPECT_EQ(view.payload->at, kNone);
}

TEST(Session, Findings_AreShownInTheFrameThatDecidedThem) {
  Script c;
  c.fault("crc-mismatch");
  c.send(kI, 100);
  c.send(kI, 100);
  c.close();
  Fed fed(c.frames());
  fed.session.finish();
  const FpduEntry& bad = fed.half(Direction::a_to_b).fpdus.at(0);
  EXPECT_EQ(bad.crc, mpa::CrcVerdict::bad);
  const auto items = fed.session.frame(bad.shown).items;
  EXPECT_TRUE(std::any_of(items.begin(), items.end(), [&](const Item& i) {
    return i.kind == Item::Kind::finding && fed.session.finding(i.index).id == FindingId::mpa_crc_mismatch;
  }));
  EXPECT_EQ(fed.shown(Item::Kind::finding), fed.session.findings());
}

TEST(Session, AtomicResults_AreKnownInTheEnd) {
  Script c;
  c.send(kI, 10);
  c.atomic(kI, {.remote_stag = STag{0x10}, .remote_to = TaggedOffset{0x1000}, .data = 5});
  c.atomic(kI, {.remote_stag = STag{0x10}, .remote_to = TaggedOffset{0x1000}, .data = 7});
  c.close();
  Fed fed(c.frames());
  fed.session.finish();
  const auto& answers = fed.half(Direction::b_to_a).messages;
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0].verdict, AtomicVerdict::first);
  EXPECT_EQ(answers[1].verdict, AtomicVerdict::verified);
  ASSERT_TRUE(answers[1].has_result);
  EXPECT_EQ(answers[1].result, 12u);
}

TEST(Session, NoFrameAtAll_EndsWell) {
  Session session({});
  session.finish();
  EXPECT_EQ(session.queue_pairs(), 0u);
  EXPECT_EQ(session.findings(), 0u);
  EXPECT_THAT(session.frame(1).payload, IsNull());
}

}  // namespace
}  // namespace iwarpscope::plugin
