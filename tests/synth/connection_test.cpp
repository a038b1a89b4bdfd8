// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The scripted connection, read by a slow reader.
#include "synth/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synth/ordinary.h"
#include "synth/reader.h"

namespace iwarpscope::synth {
namespace {

using test::number;
using test::stream;
using test::ulpdus;
using testing::ElementsAre;

std::vector<Buffer> ulpdus_of(Connection& c, Side side, bool markers = false, bool crc = true) {
  const Endpoint& e = side == kI ? c.options().initiator : c.options().responder;
  return ulpdus(stream(c.frames(), side, e.isn), markers, crc);
}

std::vector<int> opcodes(const std::vector<Buffer>& ulpdus) {
  std::vector<int> out;
  for (const Buffer& u : ulpdus) out.push_back(std::to_integer<int>(u[1] & std::byte{0x0F}));
  return out;
}

TEST(Connection, HandshakeOffersMssWindowScaleAndTimestamps) {
  Connection c;
  c.connect();
  const Frames frames = c.frames();
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(test::read(frames[0]).flags, wire::kSyn);
  EXPECT_EQ(test::read(frames[1]).flags, wire::kSyn | wire::kAck);
  EXPECT_EQ(test::read(frames[2]).acknowledgment, 0x80000001U);
  EXPECT_EQ(Buffer(frames[0].octets.begin() + 54, frames[0].octets.begin() + 58), hex("020405b4"));
  EXPECT_LT(frames[0].time_ns, frames[1].time_ns);
}

TEST(Connection, StartupFramesArePutOnTheWireWhole) {
  Connection c;
  c.connect();
  c.startup({.markers = true, .reply_markers = false, .request_private_data = text("hi")});
  EXPECT_EQ(stream(c.frames(), kI, 0x1000), hex("4d504120494420526571204672616d65 c0 01 0002 6869"));
  EXPECT_EQ(stream(c.frames(), kR, 0x80000000), hex("4d504120494420526570204672616d65 40 01 0000"));
}

class AllFramings : public testing::TestWithParam<std::tuple<bool, bool, bool, Packing>> {};

TEST_P(AllFramings, SlowReaderFindsEveryMessage) {
  const auto [request_markers, reply_markers, crc, packing] = GetParam();
  Connection c;
  c.connect();
  c.startup({.crc = crc, .request_markers = request_markers, .reply_markers = reply_markers});
  c.packing(packing, packing == Packing::cut ? std::vector<std::size_t>{1, 7, 300} : std::vector<std::size_t>{});
  c.send(kI, 3000);
  c.write(kI, STag{1}, TaggedOffset{2}, 100);
  c.read(kI, {.size = 4000});
  c.immediate(kR, 5);
  c.atomic(kI, {.data = 1});
  c.send(kI);
  c.close();
  EXPECT_THAT(opcodes(ulpdus_of(c, kI, reply_markers, crc)), ElementsAre(3, 3, 3, 0, 1, 10, 3));
  EXPECT_THAT(opcodes(ulpdus_of(c, kR, request_markers, crc)), ElementsAre(2, 2, 2, 8, 11));
}
INSTANTIATE_TEST_SUITE_P(Connection, AllFramings,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool(),
                                          testing::Values(Packing::fpdu_per_tcp_segment, Packing::packed, Packing::cut,
                                                          Packing::crc_alone, Packing::offload)));

TEST(Connection, UntaggedMessageIsCutAtMulpdu) {
  Connection c;
  c.connect();
  c.startup();
  c.send(kI, 3000);
  const std::vector<Buffer> u = ulpdus_of(c, kI);
  ASSERT_EQ(u.size(), 3U);
  EXPECT_EQ(u[0].size(), 1442U);  // MSS 1460 less 12 octets of time stamps
  EXPECT_EQ(Buffer(u[1].begin(), u[1].begin() + 18), hex("0143 00000000 00000000 00000001 00000590"));
  EXPECT_EQ(Buffer(u[2].begin(), u[2].begin() + 18), hex("4143 00000000 00000000 00000001 00000b20"));
  EXPECT_EQ(u[2].size(), 18U + 3000 - 2 * 1424);
}

TEST(Connection, QueuesCountTheirMessages) {
  Connection c;
  c.connect();
  c.startup();
  c.set_msn(kI, QueueNumber{0}, MessageSequence{0xFFFFFFFF});
  c.send(kI, 1);
  c.immediate(kI, 1);
  c.read_request(kI, {.size = 1});
  c.atomic_request(kI, {});
  std::vector<std::uint64_t> msns;
  for (const Buffer& u : ulpdus_of(c, kI)) msns.push_back(number(u, 10, 4));
  EXPECT_THAT(msns, ElementsAre(0xFFFFFFFFU, 0U, 1U, 2U));
}

TEST(Connection, AtomicMemoryAnswersAndMayBeShared) {
  Connection c;
  c.connect();
  c.startup();
  EXPECT_EQ(c.atomic(kI, {.data = 5}), 0U);
  Connection other({.initiator = {.port = 41000}});
  other.share_memory(c);
  other.connect();
  other.startup();
  EXPECT_EQ(other.atomic(kI, {.data = 5}), 5U);
  EXPECT_EQ(c.atomic(kR, {.data = 5}), 0U) << "the Initiator's memory is another";
  c.atomic_request(kI, {.data = 1});
  EXPECT_EQ(c.atomic_response(kR, 99), 99U);
  EXPECT_EQ(c.atomic(kI, {}), 11U);
}

TEST(Connection, TerminateNamesTheLastDdpSegment) {
  Connection c;
  c.connect();
  c.startup();
  c.read_request(kI, {.size = 1});
  c.terminate_last(kR, 0, 1, 2);
  const std::vector<Buffer> sent = ulpdus_of(c, kI);
  const Buffer terminate = ulpdus_of(c, kR).back();
  EXPECT_EQ(Buffer(terminate.begin() + 18, terminate.begin() + 24), hex("0102 e000 002e"));
  EXPECT_EQ(Buffer(terminate.begin() + 24, terminate.end()), sent.back());
}

TEST(Connection, RdmacModeHasVersionZeroMarkersAndCrc) {
  Connection c;
  c.connect();
  c.startup({.revision = 0, .crc = false});
  c.send(kI, 10);
  EXPECT_EQ(ulpdus_of(c, kI, true, true)[0][0], std::byte{0x40});
  EXPECT_EQ(ulpdus_of(c, kI, true, true)[0][1], std::byte{0x03});
}

TEST(Connection, SequenceNumbersWrap) {
  Connection c({.initiator = {.isn = 0xFFFFFFF0}});
  c.connect();
  c.startup({.markers = true});
  c.send(kI, 5000);
  c.close();
  EXPECT_EQ(ulpdus_of(c, kI, true).size(), 4U);
}

TEST(Connection, RawOctetsMoveThePosition) {
  Connection c;
  c.connect();
  c.startup({.markers = true});
  c.raw_octets(kI, Buffer(512));
  EXPECT_EQ(c.position(kI), 512U);
  c.raw_ulpdu(kI, Buffer(18));
  const Buffer octets = stream(c.frames(), kI, 0x1000);
  EXPECT_EQ(Buffer(octets.begin() + 20 + 512, octets.begin() + 20 + 518), hex("00000000 0012"));
}

TEST(Connection, ResponsesWithoutRequestsThrow) {
  Connection c;
  EXPECT_THROW(c.read_response(kR), std::invalid_argument);
  EXPECT_THROW(c.atomic_response(kR), std::invalid_argument);
  EXPECT_THROW(c.fault("no-such-fault"), std::invalid_argument);
  EXPECT_THROW(c.packing(Packing::cut), std::invalid_argument);
}

TEST(Connection, SameScriptGivesTheSameOctets) {
  const auto script = [] {
    Connection c({.seed = 9});
    c.connect();
    c.startup();
    c.impair({.seed = 2, .lose_after_tap = 200, .hold_back = 200});
    c.send(kI, 50000);
    return write_file(c.frames());
  };
  EXPECT_EQ(script(), script());
}

TEST(Connection, SinkSeesWhatFramesWouldGive) {
  Frames sunk;
  Connection kept;
  Connection given;
  given.sink([&](Frame&& frame) { sunk.push_back(std::move(frame)); });
  for (Connection* c : {&kept, &given}) {
    c->connect();
    c->startup();
    c->send(kI, 5000);
    c->close();
  }
  EXPECT_EQ(write_file(sunk), write_file(kept.frames()));
}

TEST(Connection, PortsReusedBeginAgain) {
  Connection c;
  c.connect();
  c.startup();
  c.close();
  c.reuse_ports(5);
  const std::size_t before = c.frames().size();
  c.connect();
  c.startup({.markers = true});
  const Frames frames = c.frames();
  EXPECT_EQ(test::read(frames[before]).sequence, 5U);
  EXPECT_EQ(test::read(frames[before + 1]).sequence, 0x81000000U);
}

TEST(Alter, TouchesOneDdpSegmentAndCountersGoOn) {
  Connection c;
  c.connect();
  c.startup();
  c.alter(kI, {.opcode = 14, .msn_delta = 5}, 1);
  c.send(kI, 1);
  c.send(kI, 1);
  c.send(kI, 1);
  const std::vector<Buffer> u = ulpdus_of(c, kI);
  EXPECT_THAT(opcodes(u), ElementsAre(3, 14, 3));
  EXPECT_EQ(number(u[1], 10, 4), 7U);
  EXPECT_EQ(number(u[2], 10, 4), 3U);
}

TEST(Alter, OmitsAndRepeats) {
  Connection c;
  c.connect();
  c.startup();
  c.alter(kI, {.omit = true}, 1);
  c.alter(kI, {.repeats = 2}, 2);
  c.send(kI, 4000);
  std::vector<std::uint64_t> offsets;
  for (const Buffer& u : ulpdus_of(c, kI)) offsets.push_back(number(u, 14, 4));
  EXPECT_THAT(offsets, ElementsAre(0, 2848, 2848, 2848));
}

TEST(Faults, EveryNameChangesTheOctetsOfItsCarrier) {
  const auto script = [](const NamedFault& f, bool faulty) {
    Connection c;
    c.connect();
    c.startup({.markers = f.carrier == Carrier::markers});
    const bool later = f.carrier == Carrier::send_parts || f.carrier == Carrier::write_parts;
    if (faulty) c.fault(kI, f.name, later ? 1 : 0);
    switch (f.carrier) {
      case Carrier::send: c.send(kI, 101); break;
      case Carrier::send_parts:
      case Carrier::send_first: c.send(kI, 4000); break;
      case Carrier::write_parts: c.write(kI, STag{1}, TaggedOffset{64}, 4000); break;
      case Carrier::write: c.write(kI, STag{1}, TaggedOffset{64}, 100); break;
      case Carrier::invalidate: c.send_invalidate(kI, STag{1}, 100); break;
      case Carrier::read_request: c.read_request(kI, {.size = 100}); break;
      case Carrier::markers: c.send(kI, 1400); break;
    }
    return stream(c.frames(), kI, 0x1000);
  };
  for (const NamedFault& f : faults()) EXPECT_NE(script(f, true), script(f, false)) << f.name;
}

TEST(Ordinary, StreamsAreReadBack) {
  for (const Ordinary kind :
       {Ordinary::http, Ordinary::tls, Ordinary::nvme_tcp, Ordinary::mpa_quote, Ordinary::random}) {
    Connection c;
    c.connect();
    ordinary(c, kind, 3);
    c.close();
    EXPECT_EQ(stream(c.frames(), kI, 0x1000).size(), c.stream_octets(kI));
    EXPECT_EQ(stream(c.frames(), kR, 0x80000000).size(), c.stream_octets(kR));
  }
}

}  // namespace
}  // namespace iwarpscope::synth
