// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A session without Wireshark: FPDUs, messages and their links, as frames show them.
#include "session_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mpa/marker.h"

namespace iwarpscope::plugin {
namespace {

using synth::Packing;
using testing::Each;
using testing::Field;
using testing::IsEmpty;
using testing::IsNull;
using testing::NotNull;
using testing::SizeIs;

TEST(Session, FpduInOneFrame_HasItsPlaceInTheFrame) {
  Script c;
  c.send(kI, "the first one");
  c.close();
  const Fed fed(c.frames());
  ASSERT_THAT(fed.half(Direction::a_to_b).fpdus, SizeIs(1));
  const FpduEntry& fpdu = fed.half(Direction::a_to_b).fpdus.front();
  ASSERT_NE(fpdu.at, kNone);
  EXPECT_EQ(fpdu.octets.size, 0u);
  EXPECT_EQ(fpdu.first, fpdu.shown);
  EXPECT_EQ(words(fed.octets(fpdu.shown).subspan(fpdu.at + kUntagged, 13)), "the first one");
  const FrameView view = fed.session.frame(fpdu.shown);
  ASSERT_THAT(view.payload, NotNull());
  EXPECT_EQ(view.payload->at + 2, fpdu.at);  // after ULPDU_Length
  ASSERT_THAT(view.items, SizeIs(1));
  EXPECT_EQ(view.items[0].kind, Item::Kind::fpdu);
}

TEST(Session, FpduAcrossFrames_IsKeptAndShownWhereItEnds) {
  Script c;
  c.packing(Packing::crc_alone);
  c.send(kI, "its CRC comes alone");
  c.close();
  const Fed fed(c.frames());
  const FpduEntry& fpdu = fed.half(Direction::a_to_b).fpdus.at(0);
  EXPECT_EQ(fpdu.at, kNone);
  EXPECT_LT(fpdu.first, fpdu.last);
  EXPECT_EQ(fpdu.shown, fpdu.last);
  EXPECT_EQ(words(fpdu.octets.view().subspan(kUntagged)), "its CRC comes alone");
  EXPECT_THAT(fed.session.frame(fpdu.first).items, IsEmpty());
  EXPECT_EQ(fed.half(Direction::a_to_b).fpdu_at(fpdu.start), &fpdu);
  EXPECT_THAT(fed.half(Direction::a_to_b).fpdu_at(fpdu.end), IsNull());
}

TEST(Session, LengthThatIsWrong_IsKeptAsItWasSent) {
  constexpr std::uint16_t kLength = 4, kTooMuch = kLength + kUntagged + 6;
  for (const Packing packing : {Packing::fpdu_per_tcp_segment, Packing::crc_alone}) {
    Script c;
    c.packing(packing);
    for (int i = 0; i < 3; ++i) {
      c.alter(kI, {.fpdu = {.length = kTooMuch}});
      c.send(kI, "four");
    }
    c.close();
    const Fed fed(c.frames());
    ASSERT_THAT(fed.half(Direction::a_to_b).fpdus, SizeIs(3));
    for (const FpduEntry& fpdu : fed.half(Direction::a_to_b).fpdus) {
      EXPECT_EQ(fpdu.length_field, kTooMuch);
      EXPECT_EQ(fpdu.ulpdu_length, kTooMuch - 6u);
    }
  }
}

TEST(Session, Markers_AreReportedAndNotInTheOctetsKept) {
  const std::string payload(1200, 'm');
  Script c({.markers = true});
  c.send(kI, std::string_view(payload));
  c.close();
  const Fed fed(c.frames());
  const Half& half = fed.half(Direction::a_to_b);
  const FpduEntry& fpdu = half.fpdus.at(0);
  EXPECT_GE(fpdu.markers, 3);  // each 512 octets, and before the FPDU
  EXPECT_EQ(words(fpdu.octets.view().subspan(kUntagged)), payload);
  EXPECT_EQ(half.markers.at(fpdu.first_marker).at, fpdu.start);
  for (std::uint32_t i = fpdu.first_marker; i < fpdu.first_marker + fpdu.markers; ++i) {
    // FPDUPTR counts from ULPDU_Length; the first marker is before it (RFC 5044 §4.2).
    const std::uint64_t from_length = half.markers[i].at.value - (fpdu.start.value + mpa::kMarkerOctets);
    EXPECT_EQ(half.markers[i].value, i == fpdu.first_marker ? 0 : from_length);
  }
}

TEST(Session, DdpSegments_AreOneMessagePutTogether) {
  Script c;
  const std::string payload(4000, 'p');
  c.send(kI, std::string_view(payload));
  c.close();
  const Fed fed(c.frames());
  const Half& half = fed.half(Direction::a_to_b);
  ASSERT_THAT(half.messages, SizeIs(1));
  const MessageEntry& message = half.messages.front();
  EXPECT_TRUE(message.complete);
  EXPECT_EQ(message.ddp_segments, half.fpdus.size());
  EXPECT_GT(message.ddp_segments, 1u);
  EXPECT_EQ(words(message.octets.view()), payload);
  EXPECT_THAT(half.fpdus, Each(Field(&FpduEntry::message, 0u)));
  EXPECT_EQ(half.fpdus[1].position, half.fpdus[0].ulpdu_length - kUntagged);
  EXPECT_TRUE(half.fpdus.back().ends_message);
}

TEST(Session, MessageInOneDdpSegment_IsNotKeptTwice) {
  Script c;
  c.send(kI, 700);
  c.close();
  const Fed fed(c.frames());
  EXPECT_EQ(fed.half(Direction::a_to_b).messages.at(0).octets.size, 0u);
}

TEST(Session, MessageAboveTheLargest_IsNotPutTogether) {
  Script c;
  c.send(kI, 4000);
  c.write(kI, STag{0x10}, TaggedOffset{0x1000}, 4000);
  c.close();
  const Fed fed(c.frames(), {.largest_message = 3999, .largest_untaken = 3999});
  for (const MessageEntry& message : fed.half(Direction::a_to_b).messages) {
    EXPECT_TRUE(message.complete);
    EXPECT_EQ(message.length, 4000u);
    EXPECT_EQ(message.octets.size, 0u);
  }
  EXPECT_EQ(fed.session.octets_refused(), 0u);
}

TEST(Session, MessageThatLacksOctets_IsNotPutTogether) {
  Script c;
  c.channel(kI, synth::Effect::miss, {.skip = 1});
  c.send(kI, 4000);
  c.send(kI, 10);
  c.close();
  const Fed fed(c.frames());
  const MessageEntry& message = fed.half(Direction::a_to_b).messages.at(0);
  EXPECT_FALSE(message.complete);
  EXPECT_EQ(message.octets.size, 0u);
}

TEST(Session, LargeMessageThatWasNotTaken_MakesRoomForOthers) {
  const SessionOptions options{.keep_octets = 30'000, .largest_untaken = 16'000};
  for (const bool taken : {true, false}) {
    Script c;
    c.send(kI, 20'000);
    c.send(kR, 10);
    c.send(kI, 20'000);
    c.close();
    const synth::Frames frames = c.frames();
    Session session(options);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      session.feed(test::frame_of(frames[i], i + 1));
      const Connection* const qp = session.queue_pairs() != 0 ? session.queue_pair(0) : nullptr;
      if (qp == nullptr || qp->half(Direction::a_to_b).messages.size() != 1) continue;
      const MessageEntry& first = qp->half(Direction::a_to_b).messages.front();
      if (!taken && first.octets.size != 0) session.none_took(qp->id, Direction::a_to_b, 0);
    }
    const auto& messages = session.queue_pair(0)->half(Direction::a_to_b).messages;
    ASSERT_THAT(messages, SizeIs(2));
    EXPECT_EQ(messages[0].octets.size, taken ? 20'000u : 0u);
    EXPECT_EQ(messages[1].octets.size, taken ? 0u : 20'000u);
    EXPECT_EQ(session.octets_refused(), taken ? 20'000u : 0u);
  }
}

TEST(Session, LimitOfOctetsReached_ShowsTheRestWithoutOctets) {
  Script c;
  c.packing(Packing::crc_alone);
  for (int i = 0; i < 3; ++i) c.send(kI, 400);
  c.close();
  const Fed fed(c.frames(), {.keep_octets = 500});
  const auto& fpdus = fed.half(Direction::a_to_b).fpdus;
  ASSERT_THAT(fpdus, SizeIs(3));
  EXPECT_EQ(fpdus[0].octets.size, 418u);
  EXPECT_EQ(fpdus[1].octets.size, 0u);
  EXPECT_EQ(fpdus[2].octets.size, 0u);
  EXPECT_EQ(fed.session.octets_refused(), 2u * 418u);
  EXPECT_EQ(fed.shown(Item::Kind::fpdu), 3u);
  EXPECT_THAT(fed.half(Direction::a_to_b).messages, Each(Field(&MessageEntry::complete, true)));
}

TEST(Session, StartupFrames_AreShownInTheirFrames) {
  Script c({.request_enhanced = synth::wire::EnhancedData{.ird = 3, .ord = 4},
            .reply_enhanced = synth::wire::EnhancedData{.ird = 5, .ord = 2}});
  c.send(kI, 10);
  c.close();
  const Fed fed(c.frames());
  const auto& startup = fed.session.queue_pair(0)->startup;
  ASSERT_THAT(startup, SizeIs(2));
  EXPECT_FALSE(startup[0].frame.reply_key);
  EXPECT_TRUE(startup[1].frame.reply_key);
  EXPECT_EQ(fed.shown(Item::Kind::startup), 2u);
  EXPECT_EQ(fed.session.frame(static_cast<Frame>(startup[0].frame.frame.value)).items[0].kind, Item::Kind::startup);
  // The Reply decides: its IRD limits the Initiator, its ORD limits the Responder (RFC 6581 §9.1).
  EXPECT_EQ(fed.session.queue_pair(0)->read_limit(Direction::a_to_b), std::uint16_t{5});
  EXPECT_EQ(fed.session.queue_pair(0)->read_limit(Direction::b_to_a), std::uint16_t{2});
}

TEST(Session, RequestAndResponse_AreLinked) {
  Script c;
  c.send(kI, 10);
  c.read_request(kI, {.size = 100});
  c.read_request(kI, {.size = 3000});
  c.read_response(kR);
  c.read_response(kR);
  c.close();
  const Fed fed(c.frames());
  const auto& asked = fed.half(Direction::a_to_b).messages;
  const auto& answers = fed.half(Direction::b_to_a).messages;
  ASSERT_THAT(asked, SizeIs(3));
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(asked[0].peer, kNone);
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_EQ(asked[i + 1].peer, i);
    EXPECT_EQ(answers[i].peer, i + 1);
    EXPECT_EQ(asked[i + 1].outstanding, i + 1);
    EXPECT_EQ(asked[i + 1].last_octet_ns, elapsed_ns(asked[i + 1].placed_time, answers[i].placed_time));
  }
  EXPECT_EQ(asked[1].first_octet_ns, asked[1].last_octet_ns);
  EXPECT_LT(asked[2].first_octet_ns, asked[2].last_octet_ns);
  EXPECT_EQ(asked[2].stag_first, asked[1].first);
}

TEST(Session, Terminate_SaysWhereItsQuotedHeadersAre) {
  Script c;
  c.send(kI, 10);
  c.read_request(kI, {.size = 100});
  c.terminate_last(kR, 0, 1, 2);
  c.close(kR);
  const Fed fed(c.frames());
  const Half& half = fed.half(Direction::b_to_a);
  ASSERT_THAT(half.terminates, SizeIs(1));
  const TerminateEntry& t = half.terminates.front();
  EXPECT_EQ(half.terminate(t.message), &t);
  EXPECT_THAT(half.terminate(t.message + 1), IsNull());
  EXPECT_EQ(t.ddp_octets, kUntagged);
  EXPECT_EQ(t.rdmap_octets, 28);  // of a Read Request, RFC 5040 §4.4
  EXPECT_EQ(t.rdmap_at, t.ddp_at + t.ddp_octets);
  EXPECT_EQ(half.messages.at(t.message).named, 1u);
}

}  // namespace
}  // namespace iwarpscope::plugin
