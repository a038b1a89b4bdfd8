// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/openings.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>

#include "shared/hosts/kit.h"
#include "support/analysis.h"
#include "synth/association.h"
#include "synth/options.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;
using test::kAsked;
using test::kAsker;
using test::kSecond;
using test::segment;

TEST(Openings, RefusedUnansweredAndGivenUpAreDistinguished) {
  using namespace net::tcp_flag;
  Openings openings;
  openings.see(segment(1, syn));
  openings.see(segment(1, rst | ack, false));  // refused
  openings.see(segment(2, syn));
  openings.see(segment(2, syn, true, 1, 1'000'000'000));  // repeated, never answered
  openings.see(segment(3, syn));
  openings.see(segment(3, syn, true, 1, 1'000'000'000));
  openings.see(segment(3, rst));  // given up
  openings.see(segment(4, syn));
  openings.see(segment(4, syn | ack, false));  // answered
  openings.see(segment(4, rst, false));        // later
  openings.see(segment(5, syn));               // once, and perhaps its answer was not captured
  openings.see(segment(6, syn));
  openings.see(segment(6, syn, true, 1, 1000));  // a mirror's second copy is no repetition
  openings.see(segment(7, syn));
  openings.see(segment(7, rst, false));  // acknowledges nothing: it ends something else
  EXPECT_EQ(openings.refused().count, 1u);
  EXPECT_EQ(openings.refused().frame, FrameNumber{1});
  EXPECT_EQ(openings.unanswered().count, 1u);
  EXPECT_EQ(openings.unanswered().frame, FrameNumber{2});
  EXPECT_EQ(openings.failures(kAsker, {{kAsked, 5000}}), 1u);
}

/// What the tap saw of an association that its passive side would not have.
iwarpscope::test::Report opening(std::optional<std::uint32_t> adaptation, std::initializer_list<synth::Side> aborts,
                                 std::size_t inits) {
  synth::Association a({}, {.initiator = {.adaptation = adaptation}});
  a.connect();
  const synth::Frame init = a.frames().front();
  synth::Frames seen(inits, init);
  for (std::size_t n = 0; n < inits; ++n) seen[n].time_ns += static_cast<std::int64_t>(n) * 3 * kSecond;
  for (const synth::Side side : aborts) {
    a.abort(side);
    seen.push_back(a.frames().back());
    seen.back().time_ns = seen[inits - 1].time_ns + kSecond;
  }
  return iwarpscope::test::analyze(seen);
}

TEST(Openings, OfAssociationsThatAnnounceDdpAreReportedTheSame) {
  const auto ddp = std::optional{synth::wire::kDdpAdaptation};
  const iwarpscope::test::Report refused = opening(ddp, {synth::Side::responder}, 1);
  EXPECT_EQ(refused.capture_record.refused.count, 1u);
  EXPECT_EQ(refused.capture_record.refused.frame, FrameNumber{1});
  EXPECT_EQ(refused.capture_record.refused.listener->port, 5000);
  EXPECT_EQ(refused.capture_record.unanswered.count, 0u);
  EXPECT_EQ(opening(ddp, {}, 3).capture_record.unanswered.count, 1u);
  EXPECT_EQ(opening(ddp, {}, 1).capture_record.unanswered.count, 0u);
  const iwarpscope::test::Report given_up = opening(ddp, {synth::Side::initiator}, 3);
  EXPECT_EQ(given_up.capture_record.refused.count + given_up.capture_record.unanswered.count, 0u);
  const iwarpscope::test::Report ordinary = opening(std::nullopt, {synth::Side::responder}, 3);
  EXPECT_EQ(ordinary.capture_record.refused.count + ordinary.capture_record.unanswered.count, 0u);
}

TEST(Openings, HoldASynFloodWithinTheirBoundAndCountTheRest) {
  Openings openings;
  net::TcpPacket packet = segment(1, net::tcp_flag::syn);
  for (std::uint32_t i = 0; i < 70'000; ++i) {
    packet.source = {net::IpAddress::v4(i), 1};
    openings.see(packet);
  }
  EXPECT_EQ(openings.discarded(), 70'000u - 16'384u);
}

}  // namespace
}  // namespace iwarpscope::hosts
