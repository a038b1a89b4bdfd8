// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/message_assembler.h"

#include <gtest/gtest.h>

#include "qp/queue_pair.h"
#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using rdmap::Opcode;

/// Notes the messages, and what was asked of the assembler while they were open.
struct Noted : MessageSink {
  void message_begins(OpenMessage& open, const ddp::Segment&) override { begun.push_back(open.opcode); }
  void segment_taken(const OpenMessage& open, const ddp::Segment&) override { lowest.push_back(open.to.value); }
  void message_ends(OpenMessage& open, const ddp::MessageEnd& end) override {
    ended.push_back(end);
    headers.push_back(open.header.size());
    records.push_back(make_record(open, kRequests, end, true));
  }
  void undecodable() override { ++unreadable; }

  std::vector<Opcode> begun;
  std::vector<std::uint64_t> lowest;
  std::vector<ddp::MessageEnd> ended;
  std::vector<std::size_t> headers;
  std::vector<std::unique_ptr<MessageRecord>> records;
  int unreadable = 0;
};

struct MessageAssemblerTest : testing::Test {
  MessageAssemblerTest() { assembler.begin(std::uint8_t{1}, wire); }

  void take(const Bytes& ulpdu) {
    ddp::Carrier carrier;
    carrier.first_frame = carrier.last_frame = FrameNumber{++frame};
    assembler.ulpdu(carrier, ulpdu.octets(), static_cast<std::uint32_t>(ulpdu.octets().size()));
  }

  Wire wire;
  Noted noted;
  MessageAssembler assembler{kRequests, wire.environment, noted};
  std::uint64_t frame = 0;
};

TEST_F(MessageAssemblerTest, CountsMessagesByOpcodeAndOctetsWithoutHeaders) {
  take(untagged_octets(Opcode::send, 0, 1).zeros(5));
  take(tagged_octets(Opcode::rdma_write, 7, 0x100, false).zeros(16));
  take(tagged_octets(Opcode::rdma_write, 7, 0x110).zeros(4));
  take(untagged_octets(Opcode::rdma_read_request, 1, 1).add(read_header({})));
  EXPECT_EQ(noted.begun, (std::vector{Opcode::send, Opcode::rdma_write, Opcode::rdma_read_request}));
  EXPECT_EQ(assembler.messages(), 3u);
  EXPECT_EQ(assembler.ddp_segments(), 4u);
  ASSERT_EQ(assembler.counts().size(), 3u);
  EXPECT_EQ(assembler.counts()[1].opcode, Opcode::rdma_write);
  EXPECT_EQ(assembler.counts()[1].messages, 1u);
  EXPECT_EQ(assembler.counts()[1].payload_octets, 20u);
  EXPECT_EQ(assembler.counts()[2].payload_octets, 0u);
  EXPECT_EQ(assembler.last_opcode(), Opcode::rdma_read_request);
  EXPECT_EQ(assembler.last_message().frame.value, 4u);
  EXPECT_EQ(wire.take(), Rules{});
}

TEST_F(MessageAssemblerTest, OnlyMessagesWithAHeaderOfTheirOwnKeepOctets) {
  take(untagged_octets(Opcode::send, 0, 1).zeros(40));
  take(untagged_octets(Opcode::rdma_read_request, 1, 1).add(read_header({})));
  EXPECT_EQ(noted.headers, (std::vector<std::size_t>{0, 28}));
}

TEST_F(MessageAssemblerTest, AMessageIsOpenUntilItsLastDdpSegment) {
  take(tagged_octets(Opcode::rdma_write, 7, 0x100, false).zeros(16));
  ASSERT_NE(assembler.oldest_open(), nullptr);
  EXPECT_TRUE(assembler.is_open(0));
  EXPECT_FALSE(assembler.is_open(1));
  take(untagged_octets(Opcode::send, 0, 1));
  EXPECT_EQ(assembler.oldest_open()->opcode, Opcode::rdma_write);
  take(tagged_octets(Opcode::rdma_write, 7, 0x110));
  EXPECT_EQ(assembler.oldest_open(), nullptr);
  ASSERT_EQ(noted.ended.size(), 2u);
  EXPECT_EQ(noted.ended[1].length, 16u);
  EXPECT_TRUE(noted.ended[1].complete);
}

TEST_F(MessageAssemblerTest, FinishEndsWhatIsOpenIncomplete) {
  take(tagged_octets(Opcode::rdma_write, 7, 0x100, false).zeros(16));
  assembler.finish(false, FrameNumber{9}, {});
  ASSERT_EQ(noted.ended.size(), 1u);
  EXPECT_FALSE(noted.ended[0].complete);
  EXPECT_EQ(assembler.oldest_open(), nullptr);
}

TEST_F(MessageAssemblerTest, TheLowestOffsetOfATaggedMessageIsKnown) {
  take(tagged_octets(Opcode::rdma_write, 7, 0x110, false).zeros(16));
  take(tagged_octets(Opcode::rdma_write, 7, 0x100).zeros(16));
  EXPECT_EQ(noted.lowest, (std::vector<std::uint64_t>{0x110, 0x100}));
}

TEST_F(MessageAssemblerTest, OctetsTooFewForAHeaderAreUndecodable) {
  take(Bytes().u8(0x41).u8(0x43));
  EXPECT_EQ(noted.unreadable, 1);
  EXPECT_TRUE(noted.begun.empty());
}

TEST_F(MessageAssemblerTest, APooledMessageKeepsNothingOfTheOneBefore) {
  take(untagged_octets(Opcode::rdma_read_request, 1, 1).add(read_header({})));
  ASSERT_EQ(wire.environment.spare_messages.size(), 1u);
  OpenMessage& spare = *wire.environment.spare_messages[0];
  spare.answers = 3;
  spare.answer_certain = spare.answer_doubted = spare.begins_inside = true;
  spare.expected_size = 8;
  take(tagged_octets(Opcode::rdma_write, 7, 0x100, false).zeros(16));
  const OpenMessage* const open = assembler.oldest_open();
  ASSERT_EQ(open, &spare);
  EXPECT_FALSE(open->answers || open->answer_certain || open->answer_doubted || open->begins_inside);
  EXPECT_EQ(open->expected_size, 0u);
  EXPECT_TRUE(open->header.empty());
}

TEST_F(MessageAssemblerTest, ADigestIsMadeOfCompleteMessagesInTheOrderOfTheirOctets) {
  wire.environment.digest = true;
  take(tagged_octets(Opcode::rdma_write, 7, 0x100, false).u8('a'));
  take(tagged_octets(Opcode::rdma_write, 7, 0x101).u8('b').u8('c'));
  take(tagged_octets(Opcode::rdma_write, 7, 0x110, false).u8('a'));
  take(tagged_octets(Opcode::rdma_write, 7, 0x100).u8('b'));
  ASSERT_EQ(noted.records.size(), 2u);
  ASSERT_TRUE(noted.records[0]->sha256);
  EXPECT_EQ((*noted.records[0]->sha256)[0], std::byte{0xba});  // FIPS 180-4 example: SHA-256 of "abc"
  EXPECT_EQ((*noted.records[0]->sha256)[1], std::byte{0x78});
  EXPECT_FALSE(noted.records[1]->sha256);
}

}  // namespace
}  // namespace iwarpscope::qp
