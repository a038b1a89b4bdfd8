// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A session without Wireshark, over SCTP: chunks, messages and control messages, as frames show them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "session_case.h"
#include "synth/association.h"

namespace iwarpscope::plugin {
namespace {

using sctp::SessionPhase;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsNull;
using testing::NotNull;
using testing::SizeIs;

/// An association with a session on stream 0.
class Begun : public synth::Association {
 public:
  explicit Begun(const synth::SctpOptions& options = {}) : Association({}, options) {
    connect();
    stream().startup();
  }
};

/// The chunks that frame `number` carries.
std::vector<ChunkEntry> chunks(const Fed& fed, Frame number) {
  std::vector<ChunkEntry> all;
  const FrameView view = fed.session.frame(number);
  for (std::uint32_t i = 0; i < view.chunks; ++i) all.push_back(fed.session.chunk(view.first_chunk + i));
  return all;
}

TEST(SessionOverSctp, SegmentInOneChunk_HasItsPlaceInTheFrame) {
  Begun a;
  a.stream().send(kI, "the first one");
  a.shutdown();
  const Fed fed(a.frames());
  ASSERT_THAT(fed.half(Direction::a_to_b).fpdus, SizeIs(1));
  const FpduEntry& segment = fed.half(Direction::a_to_b).fpdus.front();
  ASSERT_NE(segment.at, kNone);
  EXPECT_EQ(words(fed.octets(segment.shown).subspan(segment.at + kUntagged, 13)), "the first one");
  EXPECT_EQ(relative(segment.start), 1);  // the Initiate has DDP-SSN 0
  const auto carried = chunks(fed, segment.shown);
  ASSERT_THAT(carried, SizeIs(1));
  EXPECT_EQ(carried[0].at + 2, segment.at);  // after the DDP-SSN
  EXPECT_EQ(&fed.session.chunk(segment.chunk), &fed.session.chunk(fed.session.frame(segment.shown).first_chunk));
  EXPECT_EQ(fed.session.shown_in(carried[0]), segment.shown);
}

TEST(SessionOverSctp, ControlMessages_AreTheStartupAndKnowTheirAnswer) {
  Begun a;
  a.stream().close();
  a.shutdown();
  const Fed fed(a.frames());
  const Connection& connection = *fed.session.queue_pair(0);
  ASSERT_THAT(connection.over_sctp, testing::Optional(testing::_));
  ASSERT_THAT(connection.startup, SizeIs(4));
  const auto& control = [&](std::size_t i) -> const ControlEntry& { return *connection.startup[i].control; };
  EXPECT_EQ(control(0).code, 1);
  EXPECT_EQ(control(0).peer, 1u);
  EXPECT_EQ(control(1).code, 2);
  EXPECT_EQ(control(1).peer, 0u);
  EXPECT_EQ(control(2).code, 4);
  EXPECT_EQ(control(2).peer, kNone);
  EXPECT_THAT(
      (std::array{control(0).phase, control(1).phase, control(2).phase, control(3).phase}),
      ElementsAre(SessionPhase::opening, SessionPhase::open, SessionPhase::active_closed, SessionPhase::closed));
  EXPECT_EQ(fed.shown(Item::Kind::startup), 4u);
}

TEST(SessionOverSctp, FragmentsOfAMessage_NameEachOtherAndWhereItIsShown) {
  Begun a;
  a.fragment(kI, 400);
  const std::string payload(1000, 'f');
  a.stream().send(kI, std::string_view(payload));
  a.shutdown();
  const Fed fed(a.frames());
  const FpduEntry& segment = fed.half(Direction::a_to_b).fpdus.front();
  EXPECT_EQ(segment.at, kNone);
  EXPECT_EQ(words(segment.octets.view().subspan(kUntagged)), payload);
  std::vector<Frame> frames;
  for (std::uint32_t i = segment.chunk; i != kNone; i = fed.session.chunk(i).next) {
    EXPECT_EQ(fed.session.chunk(i).begins, frames.empty());
    EXPECT_EQ(fed.session.shown_in(fed.session.chunk(i)), segment.shown);
    frames.push_back(fed.session.chunk(i).frame);
  }
  EXPECT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames.front(), segment.first);
  EXPECT_EQ(frames.back(), segment.shown);
  EXPECT_THAT(fed.session.frame(frames.front()).items, IsEmpty());
}

TEST(SessionOverSctp, ChunkSentAgain_NamesTheFirstAndIsNoMessage) {
  Begun a;
  a.channel(kI, synth::Effect::lose_after_tap, {});
  a.stream().send(kI, 10);
  a.stream().send(kI, 11);
  a.settle(kI);
  a.shutdown();
  const Fed fed(a.frames());
  ASSERT_THAT(fed.half(Direction::a_to_b).fpdus, SizeIs(2));
  std::vector<ChunkEntry> again;
  for (Frame number = 1; number <= fed.count(); ++number) {
    for (const ChunkEntry& chunk : chunks(fed, number)) {
      if (chunk.again) again.push_back(chunk);
    }
  }
  ASSERT_THAT(again, SizeIs(1));
  const FpduEntry& first = fed.half(Direction::a_to_b).fpdus[0];
  EXPECT_EQ(again[0].repeats, first.chunk);
  EXPECT_EQ(again[0].connection, kNone);
  EXPECT_EQ(fed.session.shown_in(again[0]), first.shown);
}

TEST(SessionOverSctp, StreamsOfOneAssociation_AreQueuePairsOfTheirOwn) {
  Begun a;
  a.stream(7).startup();
  a.stream(0).send(kI, 10);
  a.stream(7).send(kR, 11);
  a.shutdown();
  const Fed fed(a.frames());
  ASSERT_EQ(fed.session.queue_pairs(), 2u);
  const Connection& one = *fed.session.queue_pair(0);
  const Connection& other = *fed.session.queue_pair(1);
  EXPECT_EQ(one.over_sctp->association, other.over_sctp->association);
  EXPECT_EQ(one.over_sctp->stream, 0);
  EXPECT_EQ(other.over_sctp->stream, 7);
  EXPECT_THAT(one.half(Direction::a_to_b).fpdus, SizeIs(1));
  EXPECT_THAT(other.half(Direction::b_to_a).fpdus, SizeIs(1));
}

TEST(SessionOverSctp, OtherPayloadOfAnOrdinaryAssociation_ShowsNothing) {
  synth::SctpOptions options;
  options.initiator.adaptation = options.responder.adaptation = std::nullopt;
  synth::Association a({}, options);
  a.connect();
  synth::wire::Data data;
  data.ppid = sctp::kSegmentPpid;
  data.user_data.assign(40, std::byte{0xFF});
  a.data(kI, data);
  a.shutdown();
  const Fed fed(a.frames());
  for (Frame number = 1; number <= fed.count(); ++number) {
    EXPECT_FALSE(fed.session.carries_ddp(number));
    EXPECT_THAT(fed.session.queue_pair_of(number), IsNull());
  }
}

TEST(SessionOverSctp, FrameWithDdp_IsKnownToCarryIt) {
  Begun a;
  a.stream().send(kI, 10);
  a.shutdown();
  const Fed fed(a.frames());
  const Frame number = fed.half(Direction::a_to_b).fpdus.front().shown;
  EXPECT_TRUE(fed.session.carries_ddp(number));
  EXPECT_THAT(fed.session.queue_pair_of(number), NotNull());
  EXPECT_FALSE(fed.session.carries_ddp(1));  // INIT
}

}  // namespace
}  // namespace iwarpscope::plugin
