// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Views of chunks: annotated vectors, every truncation, lengths that lie.
#include "sctp/chunk.h"

#include <gtest/gtest.h>

#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

Buffer octets_of(std::initializer_list<int> values) {
  Buffer out;
  for (const int v : values) out.push_back(static_cast<std::byte>(v));
  return out;
}

template <class View>
void expect_short_when_cut(Octets whole) {
  for (std::size_t cut = 0; cut < View::kOctets; ++cut) {
    const Buffer prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    const auto parsed = View::parse(prefix);
    ASSERT_TRUE(std::holds_alternative<Short>(parsed)) << cut;
    EXPECT_EQ(std::get<Short>(parsed), (Short{View::kOctets, cut}));
  }
}

TEST(DataHeader, FieldsOfAnAnnotatedVector) {
  // type 0, flags U and E; length 18; TSN 0x01020304; stream 5; SSN 6; PPID 16; user data.
  const Buffer chunk = octets_of({0, 5, 0, 18, 1, 2, 3, 4, 0, 5, 0, 6, 0, 0, 0, 16, 0xAB, 0xCD});
  const auto parsed = DataHeader::parse(chunk);
  const auto& data = std::get<DataHeader>(parsed);
  EXPECT_TRUE(data.unordered());
  EXPECT_FALSE(data.begins());
  EXPECT_TRUE(data.ends());
  EXPECT_EQ(data.tsn(), 0x01020304u);
  EXPECT_EQ(data.stream(), 5);
  EXPECT_EQ(data.ppid(), kSegmentPpid);
  expect_short_when_cut<DataHeader>(chunk);
}

TEST(SackHeader, WhatTheSynthesiserWritesIsRead) {
  wire::Sack sack;
  sack.cumulative_tsn = 77;
  sack.gaps = {{2, 3}, {5, 9}};
  sack.duplicates = {70};
  const Buffer chunk = wire::write(sack);
  const auto parsed = SackHeader::parse(chunk);
  EXPECT_EQ(std::get<SackHeader>(parsed).cumulative_tsn(), 77u);
  EXPECT_EQ(std::get<SackHeader>(parsed).blocks(), 2u);
  expect_short_when_cut<SackHeader>(chunk);
}

TEST(InitHeader, WhatTheSynthesiserWritesIsRead) {
  wire::Init init;
  init.initiate_tag = 0x11223344;
  init.outbound_streams = 7;
  init.inbound_streams = 8;
  init.initial_tsn = 0x55667788;
  init.addresses = {"10.0.0.9", "fd00::9"};
  init.adaptation = 1;
  const Buffer chunk = wire::write(init);
  const auto parsed = InitHeader::parse(chunk);
  const auto& header = std::get<InitHeader>(parsed);
  EXPECT_EQ(header.initiate_tag(), 0x11223344u);
  EXPECT_EQ(header.outbound_streams(), 7);
  EXPECT_EQ(header.inbound_streams(), 8);
  EXPECT_EQ(header.initial_tsn(), 0x55667788u);
  expect_short_when_cut<InitHeader>(chunk);
  const Adaptation adaptation = read_adaptation(chunk, chunk.size());
  EXPECT_TRUE(adaptation.complete);
  EXPECT_TRUE(adaptation.is_ddp());
}

TEST(Adaptation, IsNotCompleteWhereTheCaptureCutIt) {
  wire::Init init;
  init.addresses = {"10.0.0.9"};
  init.adaptation = 1;
  const Buffer chunk = wire::write(init);
  for (std::size_t cut = 0; cut < chunk.size(); ++cut) {
    const Buffer prefix(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(cut));
    const Adaptation adaptation = read_adaptation(prefix, chunk.size());
    EXPECT_FALSE(adaptation.complete) << cut;
    EXPECT_FALSE(adaptation.is_ddp()) << cut;
  }
}

TEST(Adaptation, OtherAndNoIndication) {
  wire::Init init;
  const Buffer none = wire::write(init);
  EXPECT_TRUE(read_adaptation(none, none.size()).complete);
  EXPECT_FALSE(read_adaptation(none, none.size()).indication);
  init.adaptation = 2;
  const Buffer other = wire::write(init);
  EXPECT_EQ(read_adaptation(other, other.size()).indication, 2u);
  EXPECT_FALSE(read_adaptation(other, other.size()).is_ddp());
}

TEST(Adaptation, AParameterThatLiesEndsTheReading) {
  wire::Init init;
  init.parameters = octets_of({0xC0, 0x06, 0, 3});
  const Buffer chunk = wire::write(init);
  EXPECT_FALSE(read_adaptation(chunk, chunk.size()).complete);
}

TEST(ChunkWalk, UnknownChunksArePassedOverByTheirLength) {
  Buffer all;
  for (const Buffer& one : {wire::write(wire::Chunk{static_cast<wire::ChunkType>(200), 3, Buffer(5), {}}),
                            wire::write(wire::Heartbeat{false, Buffer(7)}), wire::write(wire::Shutdown{9})}) {
    all.insert(all.end(), one.begin(), one.end());
  }
  ChunkWalk walk(all, all.size());
  auto chunk = walk.next();
  ASSERT_TRUE(chunk);
  EXPECT_EQ(chunk->type, 200);
  EXPECT_EQ(chunk->flags, 3);
  EXPECT_EQ(chunk->length, 9u);
  EXPECT_EQ(walk.next()->type, 4);
  EXPECT_EQ(walk.next()->type, chunk_type::shutdown);
  EXPECT_FALSE(walk.next());
  EXPECT_FALSE(walk.is_malformed());
}

TEST(ChunkWalk, ALengthBelowTheHeaderOrBeyondThePacketEndsIt) {
  for (const int length : {0, 3, 13}) {
    const Buffer chunk = octets_of({0, 3, 0, length, 0, 0, 0, 0, 0, 0, 0, 0});
    ChunkWalk walk(chunk, chunk.size());
    EXPECT_FALSE(walk.next()) << length;
    EXPECT_TRUE(walk.is_malformed()) << length;
  }
}

TEST(ChunkWalk, CutAnywhereGivesWhatWasCaptured) {
  Buffer all = wire::write(wire::Shutdown{9});
  const std::size_t second = all.size();
  const Buffer data = Ends().segment(kA, 1, 0, 30);
  all.insert(all.end(), data.begin(), data.end());
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    const Buffer prefix(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(cut));
    ChunkWalk walk(prefix, all.size());
    std::size_t chunks = 0;
    while (const auto chunk = walk.next()) {
      ++chunks;
      EXPECT_LE(chunk->octets.size(), chunk->length);
    }
    EXPECT_EQ(chunks, (cut >= 4 ? 1u : 0u) + (cut >= second + 4 ? 1u : 0u)) << cut;
    EXPECT_FALSE(walk.is_malformed()) << cut;
  }
}

TEST(UserMessage, CutAnywhereIsShort) {
  const Buffer user_data = octets_of({0x12, 0x34, 0, 4});
  EXPECT_EQ(std::get<UserMessage>(UserMessage::parse(user_data)).ssn(), 0x1234);
  EXPECT_EQ(std::get<ControlHeader>(ControlHeader::parse(Octets(user_data).subspan(2))).function_code(), 4);
  expect_short_when_cut<UserMessage>(user_data);
  expect_short_when_cut<ControlHeader>(user_data);
}

// Source: RFC 9260 §3.3.10.12.
TEST(ErrorCause, CodeOfAnAnnotatedVector) {
  const Buffer cause = octets_of({0, 12, 0, 8, 'b', 'y', 'e', '!'});
  EXPECT_EQ(std::get<ErrorCause>(ErrorCause::parse(cause)).code(), 12);
  expect_short_when_cut<ErrorCause>(Octets(cause).first(4));
}

// I-DATA. Source: RFC 8260 §2.1.
TEST(InterleavedHeader, FieldsOfAnAnnotatedVector) {
  // type 64, flags B and E; length 24; TSN 0x01020304; stream 5; reserved; MID 7; PPID 16; user data.
  const Buffer chunk = octets_of({64, 3, 0, 24, 1, 2, 3, 4, 0, 5, 0, 0, 0, 0, 0, 7, 0, 0, 0, 16, 0xAB, 0xCD, 0, 0});
  const auto parsed = InterleavedHeader::parse(chunk);
  const auto& data = std::get<InterleavedHeader>(parsed);
  EXPECT_EQ(data.tsn(), 0x01020304u);
  expect_short_when_cut<InterleavedHeader>(chunk);
}

}  // namespace
}  // namespace iwarpscope::sctp::test
