// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Associations, read by a slow reader.
#include "synth/association.h"

#include <gtest/gtest.h>

#include <set>

#include "synth/connection.h"
#include "synth/sctp_reader.h"

namespace iwarpscope::synth {
namespace {

using test::kPortI;
using test::kPortR;
using test::messages;
using test::number;
using test::read_sctp;
using test::ReadMessage;
using test::ReadPacket;
using test::types;

void one_of_each(DdpStream& s) {
  s.send(kI, 3000);
  s.send_se(kR, 20);
  s.send_invalidate(kR, STag{7}, 0);
  s.write(kI, STag{1}, TaggedOffset{2}, 5000);
  s.read(kI, {.size = 4000});
  s.immediate(kR, 5);
  s.atomic(kI, {.data = 5});
  s.fault(kI, "ddp-reserved");
  s.send(kI, 10);
  s.terminate_last(kR, 1, 1, 0);
}

TEST(Association, BeginsWithFourPacketsAndTheTagsTheyAgreeOn) {
  Association a({.initiator = {.isn = 0x10}},
                {.initiator = {.tag = 0x11, .outbound_streams = 3, .inbound_streams = 4}});
  a.connect();
  const std::vector<ReadPacket> p = read_sctp(a.frames());
  ASSERT_EQ(types(p), "1 | 2 | 10 | 11");
  EXPECT_EQ(p[0].chunks[0].value, hex("00000011 00100000 0003 0004 00000010 c006 0008 00000001"));
  EXPECT_EQ(number(p[1].chunks[0].value, 0, 4), 0xB2B2B2B2U);
  EXPECT_EQ(p[1].chunks[0].value.size(), 16U + 68 + 8);
  EXPECT_EQ((std::vector{p[0].tag, p[1].tag, p[2].tag, p[3].tag}),
            (std::vector<std::uint32_t>{0, 0x11, 0xB2B2B2B2, 0x11}));
  const Buffer& cookie = p[2].chunks[0].value;
  EXPECT_EQ(cookie, Buffer(p[1].chunks[0].value.begin() + 20, p[1].chunks[0].value.begin() + 84));
  for (const ReadPacket& packet : p) EXPECT_TRUE(packet.crc_right);
}

TEST(Association, CarriesTheDdpSegmentsThatTcpCarries) {
  Connection c({.seed = 5});
  c.connect();
  c.startup();
  Association a({.seed = 5});
  a.connect();
  SctpStream& s = a.stream(0);
  s.startup();
  for (const Side side : {kI, kR}) {
    c.limit_mulpdu(side, 600);
    s.limit_mulpdu(side, 600);
  }
  one_of_each(c);
  one_of_each(s);
  const Frames tcp = c.frames();
  const std::vector<ReadPacket> sctp = read_sctp(a.frames());
  for (const auto& [side, isn, port] : {std::tuple{kI, 0x1000U, kPortI}, std::tuple{kR, 0x80000000U, kPortR}}) {
    const std::vector<Buffer> ulpdus = test::ulpdus(test::stream(tcp, side, isn), false, true);
    const std::vector<ReadMessage> chunks = messages(sctp, port);
    ASSERT_EQ(chunks.size(), ulpdus.size() + 1);
    EXPECT_EQ(chunks[0].ppid, 17U);
    for (std::size_t i = 0; i < ulpdus.size(); ++i) {
      EXPECT_EQ(chunks[i + 1].ppid, 16U);
      EXPECT_EQ(chunks[i + 1].ddp_ssn, i + 1);
      EXPECT_EQ(chunks[i + 1].octets, ulpdus[i]);
    }
  }
}

TEST(Association, StreamsCountForThemselvesAndShareMemory) {
  Association a;
  for (const std::uint16_t id : {std::uint16_t{0}, std::uint16_t{9}}) a.stream(id).startup();
  EXPECT_EQ(a.stream(0).atomic(kI, {.data = 4}), 0U);
  EXPECT_EQ(a.stream(9).atomic(kI, {.data = 4}), 4U);
  a.stream(9).send(kI, 1);
  std::map<unsigned, std::vector<std::uint64_t>> ssns;
  for (const ReadMessage& m : messages(read_sctp(a.frames()), kPortI)) ssns[m.stream].push_back(m.ddp_ssn);
  EXPECT_EQ(ssns, (std::map<unsigned, std::vector<std::uint64_t>>{{0, {0, 1}}, {9, {0, 1, 2}}}));
}

TEST(Association, DataChunksAreUnorderedAndFitTheMtuBesideASack) {
  Association a({}, {.mtu = 9000});
  a.stream(0).startup();
  a.stream(0).write(kI, STag{1}, TaggedOffset{0}, 40'000);
  bool full = false;
  for (const Frame& f : a.frames()) {
    EXPECT_LE(f.octets.size(), 14U + 9000);
    full = full || f.octets.size() > 14U + 9000 - 40;
    for (const auto& c : read_sctp(f).chunks) EXPECT_TRUE(c.type != 0 || c.flags == 7);
  }
  EXPECT_TRUE(full);
}

TEST(SctpStream, SessionControlMessagesSayWhatTheStartupSays) {
  Association a;
  a.stream(0).startup({.request_private_data = text("hi"), .reply_private_data = text("yo")});
  a.stream(1).startup({.request_enhanced = wire::EnhancedData{.ird = 8, .ord = 4},
                       .reply_enhanced = wire::EnhancedData{.ird = 4, .ord = 8},
                       .rtr = Rtr::write});
  a.stream(2).startup({.reject = true, .reply_private_data = text("no")});
  a.stream(1).close(kR);
  const std::vector<ReadPacket> p = read_sctp(a.frames());
  std::vector<Buffer> i, r;
  for (const ReadMessage& m : messages(p, kPortI)) i.push_back(m.octets);
  for (const ReadMessage& m : messages(p, kPortR)) r.push_back(m.octets);
  ASSERT_EQ(i.size(), 5U);
  EXPECT_EQ(i[0], hex("0001 6869"));
  EXPECT_EQ(i[1], hex("0005 0008 0004"));
  EXPECT_EQ(i[2], hex("c140 00000000 0000000000000000"));
  EXPECT_EQ(i[3], hex("0001"));
  EXPECT_EQ(i[4], hex("0004"));
  EXPECT_EQ(r, (std::vector{hex("0002 796f"), hex("0006 0004 0008"), hex("0003 6e6f"), hex("0004")}));
}

TEST(SctpStream, NextSessionBeginsAgainWhenAllIsAcknowledged) {
  Association a;
  SctpStream& s = a.stream(0);
  for (int i = 0; i < 2; ++i) {
    s.startup();
    s.send(kI, 1);
    s.close();
  }
  const std::vector<ReadPacket> p = read_sctp(a.frames());
  std::vector<std::uint64_t> ssns;
  std::uint32_t before_second = 0;
  for (const ReadMessage& m : messages(p, kPortI)) {
    if (m.ddp_ssn == 0) before_second = m.tsn - 1;
    ssns.push_back(m.ddp_ssn);
  }
  EXPECT_EQ(ssns, (std::vector<std::uint64_t>{0, 1, 2, 0, 1, 2}));
  bool acknowledged = false, begun = false;
  for (const ReadPacket& packet : p) {
    for (const auto& c : packet.chunks) {
      const bool initiator = packet.source_port == kPortI;
      if (c.type == 3 && !initiator && !begun) acknowledged = number(c.value, 0, 4) == before_second;
      if (c.type == 0 && initiator && number(c.value, 0, 4) == before_second + 1) begun = true;
    }
  }
  EXPECT_TRUE(begun);
  EXPECT_TRUE(acknowledged);
  // MSNs also begin again, as in a new stream
  EXPECT_EQ(number(messages(p, kPortI)[4].octets, 10, 4), 1U);
}

TEST(SctpStream, ChunkFaultsTouchOneChunkAndDdpSsnsGoOn) {
  Association a;
  SctpStream& s = a.stream(0);
  s.startup();
  s.alter(kI, {.chunk = {.unordered = false, .ppid = 46U, .ddp_ssn_delta = 5}}, 1);
  for (int i = 0; i < 3; ++i) s.send(kI, 4);
  const std::vector<ReadPacket> p = read_sctp(a.frames());
  const std::vector<ReadMessage> m = messages(p, kPortI);
  ASSERT_EQ(m.size(), 4U);
  EXPECT_EQ((std::vector{m[1].ddp_ssn, m[2].ddp_ssn, m[3].ddp_ssn}), (std::vector<std::uint64_t>{1, 7, 3}));
  EXPECT_EQ((std::vector{m[1].ppid, m[2].ppid, m[3].ppid}), (std::vector<std::uint32_t>{16, 46, 16}));
  std::string flags;
  for (const ReadPacket& packet : p) {
    for (const auto& c : packet.chunks) {
      if (c.type == 0 && packet.source_port == kPortI) flags += std::to_string(c.flags);
    }
  }
  EXPECT_EQ(flags, "7737");
}

TEST(Association, BundlesChunksOfSeveralStreamsInAPacket) {
  Association a;
  a.stream(0).startup();
  a.stream(1).startup();
  const std::size_t before = a.packets().size();
  a.bundle(kI, true);
  for (int i = 0; i < 40; ++i) a.stream(static_cast<std::uint16_t>(i % 2)).send(kI, 30);
  const Frames frames = a.frames();
  std::vector<ReadPacket> p = read_sctp(frames);
  p.erase(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(before));
  ASSERT_FALSE(p.empty());
  std::set<std::uint64_t> streams;
  for (const auto& c : p[0].chunks) {
    if (c.type == 0) streams.insert(number(c.value, 4, 2));
  }
  EXPECT_EQ(streams, (std::set<std::uint64_t>{0, 1}));
  EXPECT_GT(p[0].chunks.size(), 15U);
  EXPECT_EQ(messages(read_sctp(frames), kPortI).size(), 42U);
  for (const Frame& f : frames) EXPECT_LE(f.octets.size(), 1514U);
}

TEST(Association, FragmentsWhatIsAskedForAndWhatHasNoRoom) {
  Association a;
  SctpStream& s = a.stream(0);
  s.startup();
  s.limit_mulpdu(kI, 4000);
  s.send(kI, 3900);
  a.fragment(kI, 100);
  s.send(kI, 220);
  const std::vector<ReadMessage> m = messages(read_sctp(a.frames()), kPortI);
  ASSERT_EQ(m.size(), 3U);
  EXPECT_EQ(m[1].octets.size(), 3918U);
  EXPECT_EQ(m[2].octets.size(), 238U);
  EXPECT_EQ(m[2].tsn - m[1].tsn, 3U);
  EXPECT_EQ(m[1].tsn - m[0].tsn, 1U);
}

TEST(Association, LostPacketIsReportedInGapBlocksAndComesAgain) {
  Association a({.initiator = {.isn = 0xFFFFFFFE}});  // TSN 0xFFFFFFFE is the Initiate; the lost one is 0
  SctpStream& s = a.stream(0);
  s.startup();
  a.channel(kI, Effect::lose_before_tap, {.skip = 1, .delay = 2});
  for (int i = 0; i < 5; ++i) s.send(kI, 4);
  std::vector<Buffer> sacks;
  std::vector<std::uint64_t> tsns;
  for (const ReadPacket& p : read_sctp(a.frames())) {
    for (const auto& c : p.chunks) {
      if (c.type == 3 && p.source_port == kPortR) sacks.push_back(c.value);
      if (c.type == 0 && p.source_port == kPortI) tsns.push_back(number(c.value, 0, 4));
    }
  }
  EXPECT_EQ(tsns, (std::vector<std::uint64_t>{0xFFFFFFFE, 0xFFFFFFFF, 1, 2, 0, 3}));
  ASSERT_GE(sacks.size(), 3U);
  EXPECT_EQ(sacks[1], hex("ffffffff 00100000 0001 0000 0002 0002"));
  EXPECT_EQ(sacks[2], hex("ffffffff 00100000 0001 0000 0002 0003"));
  EXPECT_EQ(number(sacks.back(), 0, 4), 2U);
}

TEST(Association, DuplicateTsnsAreReported) {
  Association a;
  SctpStream& s = a.stream(0);
  s.startup();
  a.channel(kI, Effect::retransmit, {.delay = 0});
  s.send(kI, 4);
  Buffer last;
  for (const ReadPacket& p : read_sctp(a.frames())) {
    for (const auto& c : p.chunks) last = c.type == 3 ? c.value : last;
  }
  EXPECT_EQ(last, hex("00001001 00100000 0000 0001 00001001"));
}

TEST(Association, ImpairedTrafficIsWholeInTheEnd) {
  Association a;
  a.connect();
  for (std::uint16_t id = 0; id < 4; ++id) a.stream(id).startup();
  a.impair({.seed = 3,
            .lose_before_tap = 40,
            .lose_after_tap = 40,
            .hold_back = 60,
            .mirror_duplicate = 30,
            .retransmit = 30,
            .corrupt = 40});
  a.bundle(kR, true);
  for (std::uint16_t i = 0; i < 40; ++i) {
    SctpStream& s = a.stream(i % 4);
    s.send(kI, 5000);
    s.read(kI, {.size = 7000});
  }
  const Frames frames = a.frames();
  const std::vector<ReadPacket> p = read_sctp(frames);
  std::size_t wrong = 0, gaps = 0;
  for (const ReadPacket& packet : p) {
    wrong += packet.crc_right ? 0 : 1;
    for (const auto& c : packet.chunks) gaps += c.type == 3 && number(c.value, 8, 2) > 0 ? 1 : 0;
  }
  EXPECT_GT(wrong, 3U);
  EXPECT_GT(gaps, 20U);
  for (const std::uint16_t port : {kPortI, kPortR}) {
    std::map<unsigned, std::uint64_t> next;
    for (const ReadMessage& m : messages(p, port)) EXPECT_EQ(m.ddp_ssn, next[m.stream]++);
    EXPECT_EQ(next.size(), 4U);
  }
  for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_LE(frames[i - 1].time_ns, frames[i].time_ns);
}

TEST(Association, MissedPacketIsAcknowledgedAllTheSame) {
  Association a;
  a.stream(0).startup();
  a.channel(kI, Effect::miss);
  for (int i = 0; i < 2; ++i) a.stream(0).send(kI, 4);
  a.acknowledge_all();
  const std::vector<ReadPacket> p = read_sctp(a.frames());
  EXPECT_THROW((void)messages(p, kPortI), std::runtime_error);
  EXPECT_EQ(p.back().chunks.back().type, 3U);
  EXPECT_EQ(number(p.back().chunks.back().value, 0, 4), 0x1002U);
}

TEST(Association, ShowsItsAddressesAndSendsAgainOnAnotherPath) {
  Association a({}, {.initiator = {.more_addresses = {"10.1.0.1"}},
                     .responder = {.tag = 2, .more_addresses = {"fd00::2", "10.1.0.2"}}});
  a.connect();
  a.heartbeat(kI);
  SctpStream& s = a.stream(0);
  s.startup();
  a.channel(kI, Effect::lose_after_tap, {.delay = 0});
  s.send(kI, 4);
  a.use_path(kI, 1, 2);
  s.send(kI, 4);
  EXPECT_THROW(a.use_path(kI, 2, 0), std::invalid_argument);
  EXPECT_THROW(a.use_path(kI, 0, 1), std::invalid_argument);
  const std::vector<ReadPacket> p = read_sctp(a.frames());
  EXPECT_EQ(Buffer(p[0].chunks[0].value.begin() + 16, p[0].chunks[0].value.begin() + 32),
            hex("0005 0008 0a000001 0005 0008 0a010001"));
  EXPECT_EQ(Buffer(p[1].chunks[0].value.begin() + 16, p[1].chunks[0].value.begin() + 36),
            hex("0005 0008 0a000002 0006 0014 fd00000000000000"));
  EXPECT_EQ(p[4].chunks[0].value, p[5].chunks[0].value);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> paths;
  for (const ReadPacket& packet : p) {
    if (packet.source_port == kPortI && packet.chunks.back().type == 0) {
      paths.emplace_back(packet.source, packet.destination);
    }
  }
  const std::pair first{0x0A000001U, 0x0A000002U}, again{0x0A000001U, 0x0A010002U}, second{0x0A010001U, 0x0A010002U};
  EXPECT_EQ(paths, (std::vector{first, first, again, second}));
}

TEST(Association, EndsByShutdownOrAbort) {
  Association a;
  a.connect();
  a.stream(0).startup();
  a.shutdown(kR);
  const std::vector<ReadPacket> p = read_sctp(a.frames());
  EXPECT_EQ(types({p.end() - 3, p.end()}), "7 | 8 | 14");
  EXPECT_EQ((p.end() - 3)->chunks[0].value, hex("00001000"));
  EXPECT_EQ((p.end() - 3)->source_port, kPortR);
  Association b;
  b.stream(0).startup();
  b.abort(kI);
  const std::vector<ReadPacket> q = read_sctp(b.frames());
  EXPECT_EQ(q.back().chunks[0].type, 6U);
  EXPECT_EQ(q.back().chunks[0].value, hex("000c 0004"));
  EXPECT_EQ(q.back().tag, 0xB2B2B2B2U);
}

TEST(Association, TravelsInUdpAndOverIpv6) {
  for (const bool udp : {false, true}) {
    Association a({.initiator = {.address = "fd00::1"}, .responder = {.address = "fd00::2", .port = 5000}},
                  {.udp = udp});
    a.connect();
    a.stream(0).startup();
    a.stream(0).send(kI, 5000);
    const Frames frames = a.frames();
    EXPECT_EQ(messages(read_sctp(frames), kPortI).size(), 5U);
    EXPECT_EQ(number(frames[0].octets, 14 + 6, 1), udp ? 17U : 132U);
    for (const Frame& f : frames) EXPECT_LE(f.octets.size(), 1514U);
  }
}

TEST(Association, SinkSeesWhatFramesWouldGive) {
  const auto play = [](Association& a) {
    a.connect();
    a.stream(0).startup();
    a.channel(kI, Effect::hold_back, {.delay = 1});
    one_of_each(a.stream(0));
    a.shutdown();
  };
  Association kept, sunk;
  Frames frames;
  sunk.sink([&frames](Frame&& f) { frames.push_back(std::move(f)); });
  play(kept);
  play(sunk);
  EXPECT_EQ(write_file(frames), write_file(kept.frames()));
}

}  // namespace
}  // namespace iwarpscope::synth
