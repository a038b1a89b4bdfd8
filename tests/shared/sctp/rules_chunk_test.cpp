// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Rules about DATA chunks, each raised and nearly raised: SC-03, SC-14.
#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

TEST_F(Opened, SC03OrderedChunk) {
  wire::Data chunk;
  chunk.tsn = b.tsn[0]++;
  chunk.ppid = 16;
  chunk.unordered = false;
  chunk.user_data = Ends::user_data(1, 10);
  b.send(kA, {wire::write(chunk)});
  EXPECT_EQ(b.session().lines.back(), "A segment @1");
  EXPECT_EQ(codes(), "SC-03");
  EXPECT_EQ(b.last().direction, kA);
}

/// User data in chunks of so many octets, so many of which share a packet.
void send_parts(Bench& b, std::uint32_t ppid, const Buffer& whole, std::size_t each, std::size_t in_one) {
  std::vector<Buffer> chunks;
  for (std::size_t at = 0; at < whole.size(); at += each) {
    wire::Data chunk;
    chunk.tsn = b.tsn[0]++;
    chunk.ppid = ppid;
    chunk.begin = at == 0;
    chunk.end = at + each >= whole.size();
    chunk.user_data.assign(whole.begin() + static_cast<std::ptrdiff_t>(at),
                           whole.begin() + static_cast<std::ptrdiff_t>(std::min(whole.size(), at + each)));
    chunks.push_back(wire::write(chunk));
  }
  for (std::size_t n = 0; n < chunks.size(); n += in_one) {
    const std::size_t end = std::min(n + in_one, chunks.size());
    b.send(kA, {chunks.begin() + static_cast<std::ptrdiff_t>(n), chunks.begin() + static_cast<std::ptrdiff_t>(end)});
  }
}

void send_split(Bench& b, std::size_t payload, std::size_t each, std::uint16_t ssn = 1, std::size_t in_one = 2) {
  send_parts(b, 16, Ends::user_data(ssn, payload), each, in_one);
}

TEST_F(Opened, SC14FragmentsInOnePacket) {
  send_split(b, 1000, 600);
  EXPECT_EQ(b.session().lines.back(), "A segment @1");
  EXPECT_EQ(codes(), "SC-14");
}

TEST_F(Opened, SC14FragmentsBetweenLargerPackets) {
  b.send(kA, {b.segment(kA, 0, 1, 1200)});
  send_split(b, 1000, 520, 2, 1);
  EXPECT_EQ(b.codes(), "");
  b.send(kA, {b.segment(kA, 0, 3, 1100)});
  EXPECT_EQ(codes(), "SC-14");
}

TEST_F(Opened, SC14NotOnceThePathMtuFell) {
  b.send(kA, {b.segment(kA, 0, 1, 1200)});
  send_split(b, 1000, 520, 2, 1);
  b.send(kA, {b.segment(kA, 0, 3, 500)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC14NotForLargerPacketsOfAnotherTime) {
  b.send(kA, {b.segment(kA, 0, 1, 1400)});
  b.pass(2000);
  send_split(b, 1300, 700, 2, 1);
  b.send(kA, {b.segment(kA, 0, 3, 1400)});
  send_split(b, 1300, 700, 4, 1);
  b.pass(2000);
  b.send(kA, {b.segment(kA, 0, 5, 1400)});
  EXPECT_EQ(codes(), "");
}

// What fits into 1200 octets needs no larger packet before it: no search for the path MTU begins below that.
// Source: RFC 8899 §5.1.2.
TEST_F(Opened, SC14FragmentsBeforeALargerPacket) {
  send_split(b, 1000, 520, 1, 1);
  b.send(kA, {b.segment(kA, 0, 2, 1000)});
  EXPECT_EQ(codes(), "SC-14");
}

TEST_F(Opened, SC14NotBeforeALargerPacketOfAnotherTime) {
  send_split(b, 1000, 520, 1, 1);
  b.pass(2000);
  b.send(kA, {b.segment(kA, 0, 2, 1000)});
  EXPECT_EQ(codes(), "");
}

TEST_F(Opened, SC14OfASecondMessageOnceTheFirstIsLongPast) {
  send_split(b, 1000, 520, 1, 1);
  b.pass(2000);
  send_split(b, 1000, 520, 2, 1);
  b.send(kA, {b.segment(kA, 0, 3, 1000)});
  EXPECT_EQ(codes(), "SC-14");
}

// Every path of IPv6 takes 1280 octets. Source: RFC 8200 §5.
TEST(SC14, FragmentsOverIpv6OfWhatEveryPathTakes) {
  for (const std::size_t size : {1000, 1250}) {
    Bench b;
    for (net::Endpoint& end : b.at) end.address.octets = {0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    b.at[1].address.octets[15] = 2;
    b.open();
    b.establish();
    send_split(b, size, 520, 1, 1);
    b.finish();
    EXPECT_EQ(b.codes(), size == 1000 ? "SC-14" : "") << size;
  }
}

// That it carries DDP only the message itself shows: the capture began after INIT.
TEST(SC14, FragmentsOfTheFirstMessageThatWasSeen) {
  Bench b(false);
  b.send(kB, {b.sack(kB)});
  wire::SessionControl initiate;
  initiate.function = wire::SessionFunction::initiate;
  initiate.private_data = Buffer(400);
  send_parts(b, 17, wire::write(initiate, 0), 210, 2);
  b.finish();
  EXPECT_EQ(b.codes(), "SC-14");
}

// HEARTBEAT and PAD find out what the path takes. Source: RFC 8899 §6.2.
TEST_F(Opened, SC14NotForProbesOfThePathMtu) {
  const Buffer heartbeat = wire::write(wire::Chunk{static_cast<wire::ChunkType>(4), 0, Buffer(8), {}});
  const Buffer pad = wire::write(wire::Chunk{static_cast<wire::ChunkType>(132), 0, Buffer(1400), {}});
  b.send(kA, {heartbeat, pad});
  send_split(b, 1000, 520, 1, 1);
  b.send(kA, {heartbeat, pad});
  b.send(kA, {b.segment(kA, 0, 2, 20), pad});
  EXPECT_EQ(codes(), "");
}

// An AUTH chunk has to be in each packet. Source: RFC 4895 §6.3.
TEST_F(Opened, SC14NotWhereAuthenticationTakesTheRoom) {
  const Buffer auth = wire::write(wire::Chunk{static_cast<wire::ChunkType>(15), 0, Buffer(36), {}});
  b.send(kA, {auth, b.segment(kA, 0, 1, 1200)});
  send_split(b, 1220, 800, 2, 1);
  b.send(kA, {auth, b.segment(kA, 0, 3, 1200)});
  EXPECT_EQ(codes(), "");
}

// It splits for the smallest of its paths, and may bundle for the one it takes. Source: RFC 9260 §7.3.
TEST(SC14, NotOfAnEndWithSeveralAddresses) {
  Bench b;
  b.send(kA, {b.init(kA, 1, 10, 10, {"10.0.0.1", "10.1.0.1"})});
  b.send(kB, {b.init(kB)});
  b.establish();
  send_split(b, 1000, 600);
  b.finish();
  EXPECT_EQ(b.codes(), "");
}

TEST_F(Opened, SC14FragmentsOfWhatFitsIntoNoPacketThatWasSeen) {
  send_split(b, 3000, 700);
  EXPECT_EQ(b.session().lines.back(), "A segment @1");
  EXPECT_EQ(codes(), "");
}

}  // namespace
}  // namespace iwarpscope::sctp::test
