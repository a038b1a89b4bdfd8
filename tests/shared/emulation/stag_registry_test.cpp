// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/stag_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "shared/emulation/events.h"

namespace iwarpscope::emulation {
namespace {

using test::kAtoB;
using test::kBuffer;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = StagFact::Kind;

const net::IpAddress kHost = net::IpAddress::v4(0x0A000001);
const net::IpAddress kPeer = net::IpAddress::v4(0x0A000002);
const net::IpAddress kStranger = net::IpAddress::v4(0x0A000003);

class Registry : public ::testing::Test {
 protected:
  void tell(Kind kind, std::uint64_t qp, const net::IpAddress& peer, STag stag = kBuffer) {
    ++frame_;
    StagFact fact{.kind = kind, .owner = kAtoB, .stag = stag, .message = frame_ * 10, .frame = FrameNumber{frame_}};
    registry_.fact(qp, {kHost}, peer, fact);
  }
  void use_all(std::initializer_list<std::uint32_t> stags) {
    for (const std::uint32_t stag : stags) tell(Kind::used, 1, kPeer, STag{stag});
  }

  test::Collected notes_;
  StagRegistry registry_{notes_};
  std::uint64_t frame_ = 0;
};

// SX-01

TEST_F(Registry, UseFromAnotherPeersStreamIsNotedOnce) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::used, 2, kStranger);
  tell(Kind::used, 3, kStranger);
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_from_another_stream));
  const Note& n = notes_.all[0];
  EXPECT_EQ(n.qp, 2U);
  EXPECT_EQ(n.other_qp, 1U);
  EXPECT_EQ(n.stag, kBuffer);
  EXPECT_EQ(n.message, 20U);
  EXPECT_EQ(n.other_message, 10U);
  EXPECT_EQ(n.frames, (std::array<FrameNumber, 3>{FrameNumber{1}, FrameNumber{2}, FrameNumber{}}));
  EXPECT_EQ(sentence(n), "STag 0x00001100 is used from queue pair 2; queue pair 1, with another peer, used it first.");
}

TEST_F(Registry, UseOfWhatWasAnnouncedToAnotherPeerIsNoted) {
  tell(Kind::announced, 1, kPeer);
  tell(Kind::used, 2, kStranger);
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::stag_from_another_stream));
}

TEST_F(Registry, StreamsWithOnePeerMayShareAnStag) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::used, 2, kPeer);
  EXPECT_THAT(notes_.all, IsEmpty());
  EXPECT_TRUE(registry_.is_shared({kHost}, kBuffer));
}

TEST_F(Registry, StagAnnouncedToBothIsMeantForBoth) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::announced, 2, kStranger);
  tell(Kind::used, 2, kStranger);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, StagOfAnEndedStreamMayLiveOnElsewhere) {
  tell(Kind::used, 1, kPeer);
  registry_.ended(1);
  tell(Kind::used, 2, kStranger);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, InvalidatedStagMayLiveOnElsewhere) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::invalidated, 1, kPeer);
  tell(Kind::used, 2, kStranger);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, GapMayHideThatTheFirstStreamGaveItUp) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::gap, 1, kPeer);
  tell(Kind::used, 1, kPeer, STag{0x9900});
  tell(Kind::used, 2, kStranger);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, OtherOwnerOrTenantWithTheSameNumberIsNone) {
  const StagFact fact{.kind = Kind::used, .owner = kAtoB, .stag = kBuffer, .frame = FrameNumber{1}};
  registry_.fact(1, {kHost}, kPeer, fact);
  registry_.fact(2, {kPeer}, kStranger, fact);
  registry_.fact(3, {kHost, 5}, kStranger, fact);
  EXPECT_THAT(notes_.all, IsEmpty());
  EXPECT_EQ(registry_.size(), 3U);
  EXPECT_FALSE(registry_.is_shared({kHost}, kBuffer));
}

// SX-09

TEST_F(Registry, InvalidateOfAnStagThatAnotherStreamBeganToUseIsNoted) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::used, 2, kPeer);
  tell(Kind::invalidated, 1, kPeer);
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::invalidated_while_in_use));
  EXPECT_EQ(notes_.all[0].qp, 1U);
  EXPECT_EQ(notes_.all[0].other_qp, 2U);
  EXPECT_EQ(notes_.all[0].message, 30U);
  EXPECT_EQ(notes_.all[0].other_message, 20U);
}

TEST_F(Registry, InvalidateByAStreamThatNeverUsedItIsNoted) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::invalidated, 2, kStranger);
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::invalidated_while_in_use));
  EXPECT_EQ(notes_.all[0].other_qp, 1U);
}

TEST_F(Registry, InvalidateByTheLatestUserMayFollowAMove) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::used, 2, kPeer);
  tell(Kind::invalidated, 2, kPeer);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, InvalidateAfterMovingThereAndBackIsNone) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::used, 2, kPeer);
  tell(Kind::used, 1, kPeer);
  tell(Kind::invalidated, 1, kPeer);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, InvalidateOfAnStagOfItsOwnIsNone) {
  for (int round = 0; round < 3; ++round) {
    tell(Kind::announced, 1, kPeer);
    tell(Kind::used, 1, kPeer);
    tell(Kind::invalidated, 1, kPeer);
  }
  tell(Kind::invalidated, 1, kPeer, STag{0x9900});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, InvalidateAfterTheOtherStreamEndedOrLostOctetsIsNone) {
  tell(Kind::used, 1, kPeer);
  tell(Kind::used, 2, kPeer);
  registry_.ended(2);
  tell(Kind::invalidated, 1, kPeer);
  tell(Kind::used, 1, kPeer);
  tell(Kind::used, 3, kPeer);
  tell(Kind::gap, 3, kPeer);
  tell(Kind::invalidated, 1, kPeer);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, InvalidateOfWhatWasAnnouncedElsewhereButNotUsedIsNone) {
  tell(Kind::announced, 1, kPeer);
  tell(Kind::invalidated, 2, kPeer);
  tell(Kind::used, 1, kPeer);
  tell(Kind::announced, 2, kPeer);
  tell(Kind::invalidated, 2, kPeer);
  EXPECT_THAT(notes_.all, IsEmpty());
}

// SX-11

TEST_F(Registry, EightStagsInEqualStepsAreNotedOnce) {
  use_all({7, 0x100, 0x200, 0x300, 0x400, 0x500, 0x600, 0x700, 0x800, 0x900});
  ASSERT_THAT(notes_.kinds(), ElementsAre(NoteKind::predictable_stags));
  EXPECT_EQ(notes_.all[0].step, 0x100U);
  EXPECT_EQ(notes_.all[0].stag.value, 0x800U);
  EXPECT_EQ(sentence(notes_.all[0]),
            "The STags of this host follow each other in steps of 0x100; the latest is 0x00000800.");
}

TEST_F(Registry, StepsMayGoDown) {
  use_all({80, 70, 60, 50, 40, 30, 20, 10});
  EXPECT_THAT(notes_.kinds(), ElementsAre(NoteKind::predictable_stags));
}

TEST_F(Registry, SevenStagsInEqualStepsAreNone) {
  use_all({0x100, 0x200, 0x300, 0x400, 0x500, 0x600, 0x700, 0x900, 0xA00});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, FewStagsUsedAgainAndAgainAreNone) {
  for (int round = 0; round < 20; ++round) use_all({0x100, 0x200, 0x300, 0x400});
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(Registry, StagsOfDifferentOwnersAreNoSequence) {
  for (std::uint32_t k = 0; k < 14; ++k) {
    const StagFact fact{.kind = Kind::used, .owner = kAtoB, .stag = STag{0x100 * k}, .frame = FrameNumber{k + 1}};
    registry_.fact(k, {k % 2 == 0 ? kHost : kPeer}, kStranger, fact);
  }
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST(StagRegistryBounds, ManyStagsOwnersAndStreamsStayWithinThem) {
  test::Collected notes;
  StagRegistry registry(notes, {.stags = 100, .owners = 10, .streams = 20});
  for (std::uint32_t k = 0; k < 10'000; ++k) {
    const StagFact fact{.kind = Kind::used, .owner = kAtoB, .stag = STag{k * k * 2654435761U}, .frame = FrameNumber{k}};
    registry.fact(k, {net::IpAddress::v4(k % 30)}, kPeer, fact);
  }
  EXPECT_EQ(registry.size(), 100U);
  EXPECT_GT(registry.evicted(), 9'900U);
  EXPECT_LE(registry.held(), 64U * 1024);
  EXPECT_THAT(notes.all, IsEmpty());
}

TEST(StagRegistryBounds, StagsOfEndedStreamsMakeRoomUncounted) {
  test::Collected notes;
  StagRegistry registry(notes, {.stags = 100, .owners = 10, .streams = 20});
  for (std::uint32_t k = 0; k < 10'000; ++k) {
    const StagFact fact{.kind = Kind::used, .owner = kAtoB, .stag = STag{k * k * 2654435761U}, .frame = FrameNumber{k}};
    registry.fact(k, {net::IpAddress::v4(k)}, kPeer, fact);
    if (k != 7) registry.ended(k);
  }
  EXPECT_EQ(registry.size(), 100U);
  EXPECT_EQ(registry.evicted(), 2U) << "the STag and the owner of the stream that is open";
}

TEST(StagRegistryBounds, StreamBeyondTheBoundBlamesNoEnd) {
  test::Collected notes;
  StagRegistry registry(notes, {.streams = 1});
  const StagFact fact{.kind = Kind::used, .owner = kAtoB, .stag = kBuffer, .frame = FrameNumber{1}};
  registry.fact(9, {kHost}, kPeer, {.kind = Kind::used, .owner = kAtoB, .stag = STag{5}, .frame = FrameNumber{1}});
  registry.fact(1, {kHost}, kPeer, fact);
  registry.fact(2, {kHost}, kStranger, fact);
  EXPECT_THAT(notes.all, IsEmpty());
  EXPECT_EQ(registry.evicted(), 2U);
}

}  // namespace
}  // namespace iwarpscope::emulation
