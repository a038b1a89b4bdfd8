// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <random>
#include <string>

#include "shared/fields/frame_text.h"
#include "synth/association.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using fields::FrameFields;
using synth::Connection;
using synth::kI;
using synth::kR;
using synth::Packing;

// SYN, SYN-ACK and ACK come first.
constexpr std::uint64_t kRequest = 4;

/// The number of the last frame with TCP payload.
std::uint64_t last_with_payload(const synth::Frames& frames) {
  std::uint64_t found = 0;
  net::Decoder decoder;
  for (std::uint64_t i = 1; i <= frames.size(); ++i) {
    const auto decoded = decoder.decode(frame_of(frames[i - 1], i));
    const auto* tcp = std::get_if<net::TcpPacket>(&decoded);
    if (tcp != nullptr && !tcp->payload.empty()) found = i;
  }
  return found;
}

TEST(FrameReader, SynHasTheFieldsOfItsHeaders) {
  Connection c;
  c.connect();
  c.startup();
  const auto frame = read_frame(c.frames(), 1);
  ASSERT_TRUE(frame);
  expect_sound(*frame);
  EXPECT_EQ(text_of(*frame, "Ethernet", "Type"), "0x0800 @12+2");
  EXPECT_EQ(text_of(*frame, "IPv4", "Protocol"), "6 @23+1");
  EXPECT_EQ(text_of(*frame, "TCP", "Flags"), "0x02: SYN @47+1");
  EXPECT_EQ(frame->note, "");
  EXPECT_FALSE(frame->offset);
}

TEST(FrameReader, RequestIsReadFlagByFlag) {
  Connection c;
  c.connect();
  c.startup({.crc = true, .markers = true});
  const auto frame = read_frame(c.frames(), kRequest);
  ASSERT_TRUE(frame);
  expect_sound(*frame);
  const fields::Field* const key = find(*frame, "MPA", "Key");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->value, "MPA ID Req Frame");
  const std::uint32_t at = key->offset;
  EXPECT_EQ(key->length, 16u);
  EXPECT_EQ(text_of(*frame, "MPA", "M (markers)"), fmt::format("1 @{}+1", at + 16));
  EXPECT_EQ(text_of(*frame, "MPA", "C (CRC)"), fmt::format("1 @{}+1", at + 16));
  EXPECT_EQ(text_of(*frame, "MPA", "Rev"), fmt::format("1 @{}+1", at + 17));
  EXPECT_EQ(frame->offset, kStreamOrigin);
}

TEST(FrameReader, FpduHasItsHeadersAtTheirOctets) {
  Connection c;
  c.connect();
  c.startup();
  c.write(kI, STag{0x1234}, TaggedOffset{0x5000}, 32);
  const synth::Frames frames = c.frames();
  const auto frame = read_frame(frames, last_with_payload(frames));
  ASSERT_TRUE(frame);
  expect_sound(*frame);
  const fields::Field* const fpdu = find(*frame, "MPA", "FPDU");
  ASSERT_NE(fpdu, nullptr);
  const std::uint32_t at = fpdu->offset;
  EXPECT_EQ(text_of(*frame, "MPA", "ULPDU_Length"), fmt::format("46 @{}+2", at));
  EXPECT_EQ(text_of(*frame, "DDP", "T"), fmt::format("1 (Tagged) @{}+1", at + 2));
  EXPECT_EQ(text_of(*frame, "RDMAP", "Opcode"), fmt::format("0 (RDMA Write) @{}+1", at + 3));
  EXPECT_EQ(text_of(*frame, "DDP", "STag"), fmt::format("0x00001234 @{}+4", at + 4));
  EXPECT_EQ(text_of(*frame, "DDP", "TO"), fmt::format("0x0000000000005000 @{}+8", at + 8));
  EXPECT_EQ(text_of(*frame, "RDMAP", "Payload"), fmt::format("32 octets @{}+32", at + 16));
  const fields::Field* const crc = find(*frame, "MPA", "CRC");
  ASSERT_NE(crc, nullptr);
  EXPECT_EQ(crc->offset, at + 48);
  EXPECT_TRUE(crc->value.ends_with("(right)")) << crc->value;
  EXPECT_EQ(frame->note, "");
}

TEST(FrameReader, WrongLengthIsShownAsItIsOnTheWire) {
  Connection c;
  c.connect();
  c.startup();
  const std::uint64_t before = c.frames().size();
  for (int i = 0; i < 3; ++i) {
    c.alter(kI, {.fpdu = {.length = 124}});
    c.send(kI, 100);
  }
  const auto frame = read_frame(c.frames(), before + 1);
  ASSERT_TRUE(frame);
  const fields::Field* const length = find(*frame, "MPA", "ULPDU_Length");
  ASSERT_NE(length, nullptr);
  EXPECT_EQ(length->value, "124 (read as 118)");
  EXPECT_EQ(load_be<std::uint16_t>(Octets{frame->octets}.subspan(length->offset)), 124);
}

TEST(FrameReader, MarkersAreFieldsAndAreNotCountedAsOthers) {
  Connection c;
  c.connect();
  c.startup({.markers = true});
  c.write(kI, STag{1}, TaggedOffset{0}, 1000);
  const synth::Frames frames = c.frames();
  const auto frame = read_frame(frames, last_with_payload(frames));
  ASSERT_TRUE(frame);
  expect_sound(*frame);
  const auto& all = frame->fields.fields;
  EXPECT_EQ(std::ranges::count(all, "Marker FPDUPTR", &fields::Field::name), 3);  // the third is before the CRC
  const fields::Field* const fpdu = find(*frame, "MPA", "FPDU");
  ASSERT_NE(fpdu, nullptr);
  // The first marker is at the start of the stream.
  EXPECT_EQ(text_of(*frame, "MPA", "ULPDU_Length"), fmt::format("1014 @{}+2", fpdu->offset + 4));
  const fields::Field* const payload = find(*frame, "RDMAP", "Payload");
  ASSERT_NE(payload, nullptr);
  EXPECT_EQ(payload->length, 1004u);  // one marker is inside
}

TEST(FrameReader, FpduOverSeveralTcpSegmentsSaysWhereItBegins) {
  Connection c;
  c.packing(Packing::packed, {100});
  c.connect();
  c.startup();
  c.send(kI, 500);
  c.flush();
  const synth::Frames frames = c.frames();
  const std::uint64_t last = last_with_payload(frames);
  const auto frame = read_frame(frames, last);
  ASSERT_TRUE(frame);
  expect_sound(*frame);
  const fields::Field* const fpdu = find(*frame, "MPA", "FPDU");
  ASSERT_NE(fpdu, nullptr);
  EXPECT_NE(fpdu->value.find("begins in frame "), std::string::npos) << fpdu->value;
  EXPECT_EQ(find(*frame, "DDP", "QN"), nullptr);
  EXPECT_NE(find(*frame, "MPA", "CRC"), nullptr);
  // In the frame with its header it ends later.
  for (std::uint64_t number = kRequest + 2; number < last; ++number) {
    const auto other = read_frame(frames, number);
    ASSERT_TRUE(other);
    expect_sound(*other);
    if (find(*other, "DDP", "QN") == nullptr) continue;
    EXPECT_NE(find(*other, "MPA", "FPDU")->value.find("ends in frame "), std::string::npos);
    return;
  }
  FAIL() << "no frame shows the header";
}

TEST(FrameReader, StreamJoinedInItsMiddleIsFramedAsTheAnalysisDoes) {
  Connection c;
  c.connect();
  c.startup({.crc = true});
  for (int i = 0; i < 40; ++i) c.send(kI, 200);
  const synth::Frames frames = c.frames();
  const std::uint64_t last = last_with_payload(frames);
  const auto frame = read_frame(frames, last, 12);
  ASSERT_TRUE(frame);
  expect_sound(*frame);
  EXPECT_EQ(frame->first_analysed, FrameNumber{12});
  EXPECT_NE(find(*frame, "DDP", "MSN"), nullptr) << frame->note;
}

TEST(FrameReader, OtherTrafficIsNotTakenForFpdus) {
  Connection c;
  c.connect();
  c.stream(kI, synth::Payload{300});
  const synth::Frames frames = c.frames();
  const auto frame = read_frame(frames, last_with_payload(frames));
  ASSERT_TRUE(frame);
  expect_sound(*frame);
  EXPECT_EQ(find(*frame, "MPA", "FPDU"), nullptr);
  EXPECT_EQ(frame->note, "The TCP payload is not decoded: the FPDU boundaries in it are not known.");
}

TEST(FrameReader, SctpChunksHoldDdp) {
  synth::Association a;
  a.connect();
  synth::SctpStream& s = a.stream(0);
  s.startup();
  s.write(kI, STag{0x77}, TaggedOffset{0x10}, 64);
  const synth::Frames frames = a.frames();
  bool found = false, control = false, init = false;
  for (std::uint64_t i = 1; i <= frames.size(); ++i) {
    const auto frame = read_frame(frames, i);
    ASSERT_TRUE(frame);
    expect_sound(*frame);
    const fields::Field* const stag = find(*frame, "DDP", "STag");
    found = found || (stag != nullptr && stag->value == "0x00000077");
    control = control || find(*frame, "MPA", "Function Code") != nullptr;
    init = init || find(*frame, "SCTP", "Initiate tag") != nullptr;
  }
  EXPECT_TRUE(found && control && init);
}

TEST(FrameReader, UnknownFrameGivesNothing) {
  Connection c;
  c.connect();
  EXPECT_FALSE(read_frame(c.frames(), 99));
  EXPECT_FALSE(read_frame({}, 1));
}

TEST(FrameReader, FrameCutAnywhereIsReadAsFarAsItGoes) {
  Connection c;
  c.connect();
  c.startup();
  c.read(kI, {.size = 64});
  synth::Frames frames = c.frames();
  for (const std::uint64_t number : {std::uint64_t{kRequest}, last_with_payload(frames)}) {
    const synth::Buffer whole = frames[number - 1].octets;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      frames[number - 1].octets.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      const auto frame = read_frame(frames, number);
      ASSERT_TRUE(frame);
      expect_sound(*frame);
      EXPECT_NE(frame->note.find("The capture cut this frame"), std::string::npos) << size;
    }
    frames[number - 1].octets = whole;
  }
}

TEST(FrameReader, HostileOctetsAreBounded) {
  Connection c;
  c.connect();
  c.startup({.markers = true});
  for (int i = 0; i < 6; ++i) c.write(kI, STag{1}, TaggedOffset{0}, 900);
  const synth::Frames good = c.frames();
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    synth::Frames frames = good;
    for (int i = 0; i < 8; ++i) {
      synth::Buffer& octets = frames[random() % frames.size()].octets;
      octets[random() % octets.size()] = std::byte(random() & 0xFF);
    }
    const auto frame = read_frame(frames, 1 + random() % frames.size());
    ASSERT_TRUE(frame);
    expect_sound(*frame);
  }
}

TEST(FrameReader, FrameOfManyFpdusHasABoundedNumberOfFields) {
  Connection c;
  c.packing(Packing::packed, {60'000});
  c.connect();
  c.startup();
  for (int i = 0; i < 1000; ++i) c.write(kI, STag{1}, TaggedOffset{0}, 1);
  c.flush();
  const synth::Frames frames = c.frames();
  bool many = false;
  for (std::uint64_t i = kRequest; i <= frames.size(); ++i) {
    const auto frame = read_frame(frames, i);
    ASSERT_TRUE(frame);
    expect_sound(*frame);
    many = many || frame->fields.left_out > 0;
  }
  EXPECT_TRUE(many);
}

}  // namespace
}  // namespace iwarpscope::test
