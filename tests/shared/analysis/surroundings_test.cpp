// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/surroundings.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "analysis/first_trouble.h"
#include "support/analysis.h"
#include "synth/association.h"
#include "synth/options.h"

namespace iwarpscope::analysis {
namespace {

using findings::FindingId;
using synth::kSecond;

const net::IpAddress kAsker = net::IpAddress::v4(0x0A000001), kAsked = net::IpAddress::v4(0x0A000002);

/// What is reported at the end of a capture that lasts so long.
struct Reported {
  test::Report report;
  Options options;
  Merger merger{options, report};
  CaptureFindings to;
  explicit Reported(std::int64_t end_ns = 10 * kSecond) : to(merger, {FrameNumber{1000}, TimePoint{end_ns}}) {}
};

/// A port mapper message, and the datagram around it.
class Message {
 public:
  Message(unsigned type, std::uint64_t association, std::uint16_t port = 5000, unsigned magic = 4) {
    octets_[0] = static_cast<std::byte>(type << 4 | magic);
    octets_[4] = static_cast<std::byte>(port >> 8);
    octets_[5] = static_cast<std::byte>(port);
    for (std::size_t i = 0; i < 8; ++i) octets_[8 + i] = static_cast<std::byte>(association >> (56 - 8 * i));
    octets_[32] = std::byte{10};
    octets_[35] = std::byte{2};
    const bool asks = type == 0 || type == 2;
    datagram.frame = FrameNumber{1};
    datagram.source = asks ? net::Endpoint{kAsker, 50000} : net::Endpoint{kAsked, 3935};
    datagram.destination = asks ? net::Endpoint{kAsked, 3935} : net::Endpoint{kAsker, 50000};
  }
  [[nodiscard]] const net::UdpDatagram& get(std::size_t octets = 48) {
    datagram.payload = Octets(octets_).first(octets);
    return datagram;
  }
  net::UdpDatagram datagram;

 private:
  std::array<std::byte, 48> octets_{};
};

TEST(PortMapper, ForgetsTheOldestExchangeAndCountsIt) {
  PortMapper mapper;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    Message request(0, i);
    request.datagram.time = TimePoint{static_cast<std::int64_t>(i) * kSecond / 1000};
    mapper.see(request.get());
  }
  EXPECT_EQ(mapper.forgotten(), 5000u - 4096u);
  Reported reported;
  mapper.tell(reported.to, false, {});
  ASSERT_EQ(reported.report.findings.size(), 1u);
  EXPECT_EQ(reported.report.findings.front().id, FindingId::port_mapper_unanswered);
  EXPECT_EQ(reported.report.findings.front().seen, "4096");
}

/// Requests about one listener, with other handles and a second apart; of the others one is answered.
std::size_t unanswered(bool one_is_answered) {
  PortMapper mapper;
  for (std::uint64_t i = 0; i < 4; ++i) {
    Message request(0, i);
    request.datagram.time = TimePoint{static_cast<std::int64_t>(i) * kSecond};
    mapper.see(request.get());
    if (i == 1 && one_is_answered) mapper.see(Message(3, i).get());
  }
  Reported reported;
  mapper.tell(reported.to, false, {});
  return reported.report.count(FindingId::port_mapper_unanswered);
}

TEST(PortMapper, ThatAnswersOnceIsNotSilentWhereTheCaptureLacksAnswers) {
  EXPECT_EQ(unanswered(false), 1u);
  EXPECT_EQ(unanswered(true), 0u);
}

TEST(PortMapper, OfAListenerOnAllAddressesIsTheHostThatSpeaks) {
  PortMapper mapper;
  Message request(0, 1), accept(1, 1, 45000);
  mapper.see(request.get());
  std::array<std::byte, 48> any{};
  std::copy(accept.get().payload.begin(), accept.get().payload.end(), any.begin());
  any[32] = any[35] = std::byte{0};
  net::UdpDatagram datagram = accept.datagram;
  datagram.payload = any;
  mapper.see(datagram);
  Reported unused;
  mapper.tell(unused.to, false, {});
  EXPECT_EQ(unused.report.count(FindingId::port_mapper_unused), 1u);
  mapper.see_connection({kAsked, 45000});
  Reported used;
  mapper.tell(used.to, false, {});
  EXPECT_EQ(used.report.count(FindingId::port_mapper_unused), 0u);
}

TEST(PortMapper, WhatIsNoMessageOfItIsPassedOver) {
  PortMapper mapper;
  for (std::size_t octets = 0; octets < 48; ++octets) mapper.see(Message(0, 1).get(octets));
  mapper.see(Message(0, 1, 5000, 5).get());  // neither IPv4 nor IPv6
  mapper.see(Message(4, 1).get());           // version 1
  Message stray(0, 1);                       // a Request that goes from the port
  std::swap(stray.datagram.source, stray.datagram.destination);
  mapper.see(stray.get());
  Reported reported;
  mapper.tell(reported.to, false, {});
  EXPECT_TRUE(reported.report.findings.empty()) << reported.report.codes();
}

TEST(PortMapper, ARefusalIsReportedWhereSilenceIsNot) {
  PortMapper mapper;
  mapper.see(Message(0, 1).get());
  mapper.see(Message(0, 2, 5001).get());
  mapper.see(Message(3, 2, 5001).get());
  Reported reported;
  mapper.tell(reported.to, true, {});
  ASSERT_EQ(reported.report.findings.size(), 1u);
  EXPECT_EQ(reported.report.findings.front().id, FindingId::port_mapper_rejected);
}

net::TcpPacket segment(std::uint16_t port, std::uint8_t flags, bool from_opener = true, std::uint32_t sequence = 1,
                       std::int64_t time_ns = 0) {
  net::TcpPacket packet;
  packet.frame = FrameNumber{port};
  packet.time = TimePoint{time_ns};
  packet.acknowledgment = 2;
  packet.source = {kAsker, port};
  packet.destination = {kAsked, 5000};
  if (!from_opener) std::swap(packet.source, packet.destination);
  packet.flags = flags;
  packet.sequence = sequence;
  return packet;
}

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
  EXPECT_EQ(openings.failures(kAsker, {kAsked, 5000}), 1u);
}

/// What the tap saw of an association that its passive side would not have.
test::Report opening(std::optional<std::uint32_t> adaptation, std::initializer_list<synth::Side> aborts,
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
  return test::analyze(seen);
}

TEST(Openings, OfAssociationsThatAnnounceDdpAreReportedTheSame) {
  const auto ddp = std::optional{synth::wire::kDdpAdaptation};
  const test::Report refused = opening(ddp, {synth::Side::responder}, 1);
  EXPECT_EQ(refused.capture_record.refused.count, 1u);
  EXPECT_EQ(refused.capture_record.refused.frame, FrameNumber{1});
  EXPECT_EQ(refused.capture_record.refused.listener->port, 5000);
  EXPECT_EQ(refused.capture_record.unanswered.count, 0u);
  EXPECT_EQ(opening(ddp, {}, 3).capture_record.unanswered.count, 1u);
  EXPECT_EQ(opening(ddp, {}, 1).capture_record.unanswered.count, 0u);
  const test::Report given_up = opening(ddp, {synth::Side::initiator}, 3);
  EXPECT_EQ(given_up.capture_record.refused.count + given_up.capture_record.unanswered.count, 0u);
  const test::Report ordinary = opening(std::nullopt, {synth::Side::responder}, 3);
  EXPECT_EQ(ordinary.capture_record.refused.count + ordinary.capture_record.unanswered.count, 0u);
}

TEST(Openings, HoldASynFloodWithinTheirBoundAndCountTheRest) {
  Openings openings;
  net::TcpPacket packet = segment(1, net::tcp_flag::syn);
  for (std::uint32_t i = 0; i < 70'000; ++i) {
    packet.source = {net::IpAddress::v4(i), 1};
    openings.see(packet);
  }
  EXPECT_EQ(openings.forgotten(), 70'000u - 16'384u);
}

qp::QpRecord terminated(std::uint32_t source, std::uint8_t code) {
  qp::QpRecord record;
  record.a = {net::IpAddress::v4(source), 1};
  record.b = {kAsked, 5000};
  qp::TerminateStory terminate;
  terminate.at.frame = FrameNumber{7};
  terminate.layer = 1;
  terminate.error_type = 1;
  terminate.error_code = code;
  record.story.directions[index(Direction::b_to_a)].terminate = terminate;
  return record;
}

TEST(RefusedAccess, CountsHostsThatFindNoRoom) {
  RefusedAccess accesses;
  for (std::uint32_t i = 0; i < 5000; ++i) accesses.see(terminated(i, 0));
  EXPECT_EQ(accesses.forgotten(), 5000u - 4096u);
  Reported reported;
  accesses.tell(reported.to);
  EXPECT_TRUE(reported.report.findings.empty());
}

TEST(RefusedAccess, DistinguishesGuessingAndProbingOfOneHost) {
  RefusedAccess accesses;
  for (int i = 0; i < 8; ++i) accesses.see(terminated(1, 0));
  for (int i = 0; i < 9; ++i) accesses.see(terminated(1, 1));
  for (int i = 0; i < 9; ++i) accesses.see(terminated(1, 4));  // a DDP version: neither
  Reported reported;
  accesses.tell(reported.to);
  ASSERT_EQ(reported.report.findings.size(), 2u);
  EXPECT_EQ(reported.report.find(FindingId::stag_guessing)->seen, "8");
  EXPECT_EQ(reported.report.find(FindingId::stag_bounds_probing)->seen, "9");
}

TEST(PlainSmb, CountsPairsThatFindNoRoom) {
  PlainSmb smb;
  const std::array<std::byte, 8> message{std::byte{0},    std::byte{0},   std::byte{0},   std::byte{4},
                                         std::byte{0xFE}, std::byte{'S'}, std::byte{'M'}, std::byte{'B'}};
  net::TcpPacket packet = segment(1, net::tcp_flag::ack);
  packet.destination.port = kSmbPort;
  packet.payload = message;
  packet.payload_length = 8;
  for (std::uint32_t i = 0; i < 4100; ++i) {
    packet.source.address = net::IpAddress::v4(i);
    smb.see(packet);
  }
  EXPECT_EQ(smb.forgotten(), 4u);
  Reported reported;
  smb.tell(reported.to, Openings{});
  EXPECT_EQ(reported.report.count(FindingId::tcp_smb_without_rdma), 20u);  // of the others nothing new is to be said
}

TEST(FirstTrouble, IsTheEarliestOfWhatEndedBadly) {
  qp::QpRecord record = terminated(1, 0);
  EXPECT_FALSE(first_trouble(record)) << "without a verdict";
  record.verdict = qp::VerdictRecord{};
  record.verdict->outcome = qp::Outcome::completed;
  EXPECT_FALSE(first_trouble(record));
  record.verdict->outcome = qp::Outcome::failed;
  EXPECT_EQ(first_trouble(record), FrameNumber{7});
  record.story.findings.push_back({FindingId::capture_gap, Direction::a_to_b, FrameNumber{2}});
  EXPECT_EQ(first_trouble(record), FrameNumber{7}) << "neither end lost what the capture lost";
  record.story.findings.push_back({FindingId::mpa_crc_mismatch, Direction::a_to_b, FrameNumber{5}});
  EXPECT_EQ(first_trouble(record), FrameNumber{5});
  qp::QpRecord bare;
  bare.verdict = qp::VerdictRecord{};
  bare.verdict->outcome = qp::Outcome::stalled;
  EXPECT_FALSE(first_trouble(bare));
  bare.verdict->evidence = {FrameNumber{9}, FrameNumber{4}};
  EXPECT_EQ(first_trouble(bare), FrameNumber{4});
}

}  // namespace
}  // namespace iwarpscope::analysis
