// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/announcement_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "shared/emulation/events.h"
#include "shared/ulp/payloads.h"

namespace iwarpscope::emulation {
namespace {

using rdmap::Opcode;
using test::kAtoB;
using test::kBtoA;
using ulp::Announcement;
using ulp::test::from_hex;

struct Reported final : AnnouncementSink {
  struct One {
    Direction owner;
    Announcement what;
    FrameNumber frame;
  };
  void announced(Direction owner, const Announcement& what, FrameNumber frame) override {
    all.push_back({owner, what, frame});
  }
  std::vector<One> all;
};

/// Hands on what a reader takes.
struct Adapter final : qp::Observation {
  explicit Adapter(AnnouncementReader& r) : reader(r) {}
  void segment(const qp::MessageFacts& facts, const ddp::Segment& segment) override { reader.segment(facts, segment); }
  void message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) override {
    reader.message_ended(facts, end);
  }
  void requested(Direction /*sender*/, const qp::Request& /*request*/) override {}
  void answered(const qp::Request& /*request*/, const qp::MessageFacts& /*response*/, const ddp::MessageEnd& /*end*/,
                bool /*certain*/, std::optional<std::uint64_t> /*original*/) override {}
  void terminated(const qp::MessageFacts& /*facts*/, const rdmap::Terminate& /*terminate*/,
                  std::optional<std::uint64_t> /*names*/) override {}
  void gap(Direction direction) override { reader.gap(direction); }
  AnnouncementReader& reader;
};

class Reader : public ::testing::Test {
 protected:
  /// A Send of DDP segments of at most `size` octets.
  void send(Direction d, const std::string& payload, std::size_t size = 1460, std::uint32_t msn = 7,
            Opcode opcode = Opcode::send) {
    qp::MessageFacts facts = qp_.begin(d, opcode);
    facts.msn = MessageSequence{msn};
    for (std::size_t at = 0; at == 0 || at < payload.size(); at += size) {
      const std::string piece = payload.substr(at, size);
      ddp::Segment s = qp_.make(facts, piece, at == 0, at + size >= payload.size());
      s.mo = MessageOffset{static_cast<std::uint32_t>(at)};
      facts.last_frame = s.carrier.last_frame;
      qp_.tell(facts, s);
    }
    qp_.end(facts, payload.size());
  }
  void send_hex(Direction d, std::string_view digits, std::uint32_t msn = 7) { send(d, from_hex(digits), 1460, msn); }

  Reported reported_;
  AnnouncementReader reader_{reported_};
  Adapter adapter_{reader_};
  test::QpEvents qp_{&adapter_};
};

TEST_F(Reader, ShowsOwnerRangeAccessAndFrame) {
  reader_.set_ulp(Ulp::nvme);
  send_hex(kBtoA, ulp::test::kNvmeCompletion);
  send_hex(kAtoB, ulp::test::kNvmeRead);
  ASSERT_EQ(reported_.all.size(), 1U);
  EXPECT_EQ(reported_.all[0].owner, kBtoA);
  EXPECT_EQ(reported_.all[0].what,
            (Announcement{STag{0x70116201}, TaggedOffset{0xff1ec15903696000}, 4096, Access::write}));
  EXPECT_EQ(reported_.all[0].frame.value, 2U);
}

TEST_F(Reader, EveryKindOfSendIsRead) {
  reader_.set_ulp(Ulp::rping);
  for (const Opcode o : {Opcode::send, Opcode::send_se, Opcode::send_invalidate, Opcode::send_se_invalidate}) {
    send(kAtoB, from_hex(ulp::test::kRpingFirst), 1460, 1, o);
  }
  EXPECT_EQ(reported_.all.size(), 4U);
}

TEST_F(Reader, OtherMessagesAreNot) {
  reader_.set_ulp(Ulp::rping);
  qp_.write(kAtoB, STag{1}, 0, from_hex(ulp::test::kRpingFirst));
  qp_.untagged(kAtoB, Opcode::terminate, from_hex(ulp::test::kRpingFirst));
  qp_.untagged(kAtoB, Opcode::immediate, from_hex(ulp::test::kRpingFirst));
  EXPECT_TRUE(reported_.all.empty());
}

TEST_F(Reader, AnUnknownUpperLayerCostsNothing) {
  send(kAtoB, from_hex(ulp::test::kNvmeRead), 10);
  send_hex(kAtoB, ulp::test::kRpingFirst);
  EXPECT_TRUE(reported_.all.empty());
  EXPECT_EQ(reader_.held(), 0U);
  EXPECT_LE(sizeof(AnnouncementReader), 64U);
}

TEST_F(Reader, SendsOfOneDdpSegmentCostNothing) {
  reader_.set_ulp(Ulp::nfs);
  send_hex(kAtoB, ulp::test::kRpcCall);
  EXPECT_EQ(reported_.all.size(), 5U);
  EXPECT_EQ(reader_.held(), 0U);
}

TEST_F(Reader, ASendInAnyNumberOfDdpSegmentsShowsTheSame) {
  reader_.set_ulp(Ulp::nfs);
  for (std::size_t size = 1; size <= 200; ++size) {
    reported_.all.clear();
    send(kAtoB, from_hex(ulp::test::kRpcCall), size);
    ASSERT_EQ(reported_.all.size(), 5U) << size;
    EXPECT_EQ(reported_.all[4].what.stag, STag{0x31223344});
    EXPECT_EQ(reported_.all[4].frame, qp_.frame());
  }
}

TEST_F(Reader, OfALongSendTheFirstOctetsAreEnough) {
  reader_.set_ulp(Ulp::nfs);
  send(kAtoB, from_hex(ulp::test::kRpcCall) + std::string(100'000, 'x'));
  EXPECT_EQ(reported_.all.size(), 5U);
  EXPECT_GE(reader_.held(), 4096U);
  EXPECT_LE(reader_.held(), 4096U + 256);
  send(kBtoA, from_hex(ulp::test::kRpcReply) + std::string(100'000, 'x'));
  EXPECT_LE(reader_.held(), 2 * 4096U + 256);
  reader_.trim();
  EXPECT_EQ(reader_.held(), 0U);
  send_hex(kAtoB, ulp::test::kRpcCall);
  EXPECT_EQ(reported_.all.size(), 10U);
}

TEST_F(Reader, ListsThatReachBeyondWhatIsKeptTellNothing) {
  reader_.set_ulp(Ulp::nfs);
  std::string octets = from_hex("12345678 00000001 00000020 00000000");
  for (int k = 0; k < 200; ++k) octets += from_hex("00000001 00000094 11223344 00001000 00007f0012345000");
  octets += from_hex("00000000 00000000 00000000 12345678 00000000 00000002");
  send(kAtoB, octets);
  EXPECT_TRUE(reported_.all.empty());
}

TEST_F(Reader, DamagedOrIncompleteSendsTellNothing) {
  reader_.set_ulp(Ulp::nfs);
  qp_.intact = false;
  send_hex(kAtoB, ulp::test::kRpcCall);
  send(kAtoB, from_hex(ulp::test::kRpcCall), 50);
  qp_.intact = true;
  qp_.complete = false;
  send(kAtoB, from_hex(ulp::test::kRpcCall), 50);
  EXPECT_TRUE(reported_.all.empty());
}

TEST_F(Reader, AGapInsideASendShowsNothing) {
  reader_.set_ulp(Ulp::nfs);
  const std::string octets = from_hex(ulp::test::kRpcCall);
  qp::MessageFacts facts = qp_.begin(kAtoB, Opcode::send);
  const std::string front = octets.substr(0, 100), back = octets.substr(100);
  qp_.tell(facts, qp_.make(facts, front, true, false));
  qp_.gap(kAtoB);
  ddp::Segment s = qp_.make(facts, back, false, true);
  s.mo = MessageOffset{100};
  qp_.tell(facts, s);
  qp_.end(facts, octets.size());
  EXPECT_TRUE(reported_.all.empty());
  qp_.gap(kBtoA);
  send(kAtoB, octets, 50);
  EXPECT_EQ(reported_.all.size(), 5U);
}

TEST_F(Reader, ASendInProgressWhenTheUpperLayerBecomesKnownShowsNothing) {
  const std::string octets = from_hex(ulp::test::kRpcCall);
  qp::MessageFacts facts = qp_.begin(kAtoB, Opcode::send);
  const std::string front = octets.substr(0, 100), back = octets.substr(100);
  qp_.tell(facts, qp_.make(facts, front, true, false));
  reader_.set_ulp(Ulp::nfs);
  ddp::Segment s = qp_.make(facts, back, false, true);
  s.mo = MessageOffset{100};
  qp_.tell(facts, s);
  qp_.end(facts, octets.size());
  EXPECT_TRUE(reported_.all.empty());
}

TEST_F(Reader, WhatTheCaptureCutOffIsNotGuessed) {
  reader_.set_ulp(Ulp::nvme);
  const std::string octets = from_hex(ulp::test::kNvmeRead);
  const std::string cut = octets.substr(0, 40);
  qp::MessageFacts facts = qp_.begin(kAtoB, Opcode::send);
  ddp::Segment s = qp_.make(facts, cut, true, true);
  s.payload_length = 64;
  qp_.tell(facts, s);
  qp_.end(facts, 64);
  EXPECT_TRUE(reported_.all.empty());
}

class SmbDirectReader : public Reader {
 protected:
  SmbDirectReader() { reader_.set_ulp(Ulp::smb_direct); }
  void negotiate() {
    send_hex(kAtoB, ulp::test::kSmbRequest, 1);
    send_hex(kBtoA, ulp::test::kSmbResponse, 1);
  }
};

TEST_F(SmbDirectReader, ShowsTheBuffersOfASession) {
  negotiate();
  send_hex(kAtoB, ulp::test::kSmbCredits);
  send_hex(kAtoB, ulp::test::kSmbRead);
  send_hex(kAtoB, ulp::test::kSmbWrite);
  ASSERT_EQ(reported_.all.size(), 2U);
  EXPECT_EQ(reported_.all[0].owner, kBtoA);
  EXPECT_EQ(reported_.all[0].what.granted, Access::write);
  EXPECT_EQ(reported_.all[1].what.stag, STag{0x0c68c103});
}

TEST_F(SmbDirectReader, KeepsWhatWasNegotiated) {
  send_hex(kAtoB, ulp::test::kSmbRequest, 1);
  EXPECT_FALSE(reader_.negotiated());
  send_hex(kBtoA, ulp::test::kSmbResponse, 1);
  reader_.trim();
  ASSERT_TRUE(reader_.negotiated());
  EXPECT_TRUE(reader_.negotiated()->compatible);
  EXPECT_GT(reader_.held(), 0U);
  EXPECT_LT(reader_.held(), 128U);
}

TEST_F(SmbDirectReader, OnlyTheFirstSendNegotiates) {
  send_hex(kAtoB, ulp::test::kSmbRequest, 2);
  send_hex(kBtoA, ulp::test::kSmbResponse, 2);
  EXPECT_FALSE(reader_.negotiated());
}

/// File data that looks like a READ request, after a WRITE that carries it.
TEST_F(SmbDirectReader, FileDataThatLooksLikeARequestShowsNothing) {
  negotiate();
  std::string write = from_hex(ulp::test::kSmbWriteInline);
  write[8] = static_cast<char>(0x80);  // as many octets follow as that has
  send(kAtoB, write);
  send_hex(kAtoB, ulp::test::kSmbCredits);
  send_hex(kAtoB, ulp::test::kSmbRead);
  EXPECT_TRUE(reported_.all.empty());
  send_hex(kAtoB, ulp::test::kSmbRead);
  EXPECT_EQ(reported_.all.size(), 1U);
}

TEST_F(SmbDirectReader, AfterAGapTheEndOfAnSmb2MessageIsAwaited) {
  negotiate();
  qp_.gap(kAtoB);
  send_hex(kAtoB, ulp::test::kSmbRead);
  EXPECT_TRUE(reported_.all.empty());
  send_hex(kAtoB, ulp::test::kSmbRead);
  EXPECT_EQ(reported_.all.size(), 1U);
  qp_.gap(kBtoA);
  send_hex(kAtoB, ulp::test::kSmbRead);
  EXPECT_EQ(reported_.all.size(), 2U);
}

TEST_F(SmbDirectReader, AfterADamagedSendTheEndOfAnSmb2MessageIsAwaited) {
  negotiate();
  for (const std::size_t size : {1460U, 50U}) {
    reported_.all.clear();
    qp_.intact = false;
    send(kAtoB, from_hex(ulp::test::kSmbWriteInlineRest), size);
    qp_.intact = true;
    send_hex(kAtoB, ulp::test::kSmbRead);
    EXPECT_TRUE(reported_.all.empty());
    send_hex(kAtoB, ulp::test::kSmbRead);
    EXPECT_EQ(reported_.all.size(), 1U);
  }
}

TEST_F(SmbDirectReader, AfterASendThatIsNoTransferTheEndOfAnSmb2MessageIsAwaited) {
  negotiate();
  send(kAtoB, "something else");
  send_hex(kAtoB, ulp::test::kSmbRead);
  EXPECT_TRUE(reported_.all.empty());
}

TEST_F(SmbDirectReader, LongFirstSendOfAWriteShowsWhatItsHeaderSays) {
  negotiate();
  std::string write = from_hex(ulp::test::kSmbWrite) + std::string(5000, 'x');
  write[16] = static_cast<char>(0x08);  // 128 + 5000 = 0x1408
  write[17] = 0x14;
  send(kAtoB, write);
  ASSERT_EQ(reported_.all.size(), 1U);
  EXPECT_EQ(reported_.all[0].what.octets, 98304U);
}

}  // namespace
}  // namespace iwarpscope::emulation
