// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "rdmap/terminate.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "synth/random.h"
#include "synth/wire/ddp.h"
#include "synth/wire/rdmap.h"

namespace iwarpscope::rdmap {
namespace {

Terminate parse(const synth::Buffer& octets, const TerminateContext& context = {}) {
  return std::get<Terminate>(Terminate::parse(octets, static_cast<std::uint32_t>(octets.size()), context));
}

std::string error(const Terminate& t) {
  return std::to_string(t.layer) + "/" + std::to_string(t.error_type) + "/" + std::to_string(t.error_code) + " " +
         std::string{name(t.dialect)};
}

TEST(Terminate, Rfc5040LayoutWithDdpHeaderGivesEveryField) {
  // 12 03    layer 1, type 2, code 3
  // c0 00    M D
  // 002a     DDP Segment Length 42
  // 0143 ... Terminated DDP header, untagged
  const auto octets = synth::hex("1203c000 002a 4143 00000000 00000000 00000009 00000000");
  const Terminate t = parse(octets);
  EXPECT_EQ(error(t), "1/2/3 rfc5040");
  EXPECT_TRUE(t.m);
  EXPECT_TRUE(t.d);
  EXPECT_FALSE(t.r);
  EXPECT_EQ(t.reserved, 0);
  EXPECT_EQ(t.fit, TerminateFit::exact);
  EXPECT_EQ(t.ddp_segment_length, 42);
  ASSERT_EQ(t.ddp_header.size(), 18u);
  EXPECT_EQ(t.ddp_header.data(), octets.data() + 6);
  EXPECT_TRUE(t.rdmap_header.empty());
}

TEST(Terminate, TaggedHeaderIsCutByItsOwnTFlag) {
  const Terminate t = parse(synth::hex("1101c000 0026 c140 00001234 0000000000001000"));
  EXPECT_EQ(error(t), "1/1/1 rfc5040");
  EXPECT_EQ(t.ddp_header.size(), 14u);
  EXPECT_EQ(t.fit, TerminateFit::exact);
}

// Octets of real Terminates of Linux 6.1 siw, after the DDP header.
TEST(Terminate, RealSiwReadOfAnUnknownStagIsReadInSiwsLayout) {
  const auto octets = synth::hex(
      "10000700 0000 4141 00000000 00000001 00000040 00000000"
      "34b70800 00007f8a5ad34000 00000040 00abcd00 000055987c6a0000");
  const Terminate t = parse(octets);
  EXPECT_EQ(error(t), "0/1/0 siw-le");
  EXPECT_TRUE(t.m && t.d && t.r);
  EXPECT_EQ(t.ddp_segment_length, 0);
  EXPECT_EQ(t.ddp_header.size(), 18u);
  EXPECT_EQ(t.rdmap_header.size(), 28u);
  EXPECT_EQ(t.fit, TerminateFit::exact);
}

struct Real {
  const char* capture;
  const char* octets;
  const char* error;
  bool peer_has_sent;
};

/// Every Terminate of the siw captures: what siw meant.
constexpr Real kReal[] = {
    {"local-bad-lkey", "00ff0000", "0/0/255 rfc5040", false},
    {"read-bad-sink", "11000300 0040 c142 00123400 00007f900597c000", "1/1/0 siw-le", true},
    {"read-oob",
     "10010700 0000 4141 00000000 00000001 00000040 00000000 aad08200 00007f2dd5d52000 00000040 331bbf00"
     "0000556e9af4a000",
     "0/1/1 siw-le", true},
    {"send-no-recv", "21020300 0040 4143 00000000 00000000 00000001 00000000", "1/2/2 siw-le", true},
    {"send-too-long-multisegment", "21020300 0590 0143 00000000 00000000 00000001 00000b20", "1/2/2 siw-le", true},
    {"write-bad-stag", "11000300 0040 c140 00abcd00 0000556221146000", "1/1/0 siw-le", true},
    {"write-oob-tail", "11010300 0040 c140 656d9200 000056193823bfe0", "1/1/1 siw-le", true},
    {"crc-error", "02020000", "2/0/2 siw-le", true},
    {"ddp-version-tagged", "11040000", "1/1/4 rfc5040", true},
    {"length-too-long-nocrc", "21060000", "1/2/6 siw-le", true},
    {"mo-5", "21040300 0040 4143 00000000 00000000 00000001 00000005", "1/2/4 siw-le", true},
    {"mpa-reply-bad-key", "02040000", "2/0/4 siw-le", false},
    {"mpa-reply-ird-insufficient", "02060000", "2/0/6 siw-le", false},
    {"msn-0", "21030300 0040 4143 00000000 00000000 00000000 00000000", "1/2/3 siw-le", true},
    {"opcode-8", "20060000", "0/2/6 siw-le", true},
    {"opcode-write-untagged", "11000300 0044 4140 00000000 00000000 00000001 00000000", "1/1/0 siw-le", true},
    {"qn-1", "21010300 0040 4143 00000000 00000001 00000001 00000000", "1/2/1 siw-le", true},
    {"rdmap-version", "20050000", "0/2/5 siw-le", true},
    {"send-tagged", "21010300 003c c143 b3b28900 00005596dd561000", "1/2/1 siw-le", true},
};

TEST(Terminate, EveryRealSiwTerminateMeansWhatSiwMeant) {
  for (const Real& real : kReal) {
    const auto octets = synth::hex(real.octets);
    const Terminate t = parse(octets, {.peer_has_sent = real.peer_has_sent});
    EXPECT_EQ(error(t), real.error) << real.capture;
    EXPECT_EQ(t.fit, TerminateFit::exact) << real.capture;
    EXPECT_EQ(t.reserved, 0) << real.capture;
    EXPECT_EQ(t.d, octets.size() > 4) << real.capture;
  }
}

TEST(Terminate, AmbiguousBareValuesFollowTheContext) {
  const auto x206 = synth::hex("20060000"), x026 = synth::hex("02060000");
  EXPECT_EQ(error(parse(x206, {.peer_has_sent = true})), "0/2/6 siw-le");
  EXPECT_EQ(error(parse(x206, {.peer_has_sent = false})), "2/0/6 rfc5040");
  EXPECT_EQ(error(parse(x206)), "0/2/6 siw-le");
  EXPECT_EQ(error(parse(x026, {.peer_has_sent = true})), "0/2/6 cxgb4");
  EXPECT_EQ(error(parse(x026, {.peer_has_sent = false})), "2/0/6 siw-le");
  EXPECT_EQ(error(parse(x026)), "0/2/6 cxgb4");
  EXPECT_EQ(error(parse(x206, {.peer_has_sent = false, .siw_le = true})), "0/2/6 siw-le");
  EXPECT_EQ(error(parse(synth::hex("11040000"), {.siw_le = true})), "1/1/4 siw-le");
}

TEST(Terminate, WithoutACommonRtrTypeCodeSevenIsAboutThatEvenAfterAMessage) {
  const auto x207 = synth::hex("20070000"), x027 = synth::hex("02070000"), x206 = synth::hex("20060000");
  EXPECT_EQ(error(parse(x207, {.peer_has_sent = true, .is_rtr_type_missing = true})), "2/0/7 rfc5040");
  EXPECT_EQ(error(parse(x027, {.peer_has_sent = true, .is_rtr_type_missing = true})), "2/0/7 siw-le");
  EXPECT_EQ(error(parse(x207, {.peer_has_sent = true})), "0/2/7 siw-le");
  EXPECT_EQ(error(parse(x206, {.peer_has_sent = true, .is_rtr_type_missing = true})), "0/2/6 siw-le");
}

TEST(Terminate, BareDdpErrorsAreCxgb4s) {
  EXPECT_EQ(error(parse(synth::hex("12030000"))), "1/2/3 cxgb4");
  EXPECT_EQ(error(parse(synth::hex("01000000"))), "0/1/0 cxgb4");
  EXPECT_EQ(error(parse(synth::hex("10000000"))), "1/0/0 cxgb4");
  EXPECT_EQ(error(parse(synth::hex("20020000"))), "2/0/2 rfc5040");
  EXPECT_EQ(error(parse(synth::hex("00000000"))), "0/0/0 rfc5040");
}

TEST(Terminate, IrdmaCrcErrorWithHeadersIsTheRfcsLayout) {
  const Terminate t = parse(synth::hex("2002c000 002a 4143 00000000 00000000 00000001 00000000"));
  EXPECT_EQ(error(t), "2/0/2 rfc5040");
  EXPECT_EQ(t.ddp_header.size(), 18u);
}

TEST(Terminate, ReservedBitsOfTheRfcsLayoutAreNoSiwFlagsWhenNothingFollows) {
  const Terminate t = parse(synth::hex("12030100"));
  EXPECT_EQ(error(t), "1/2/3 cxgb4");
  EXPECT_EQ(t.reserved, 0x0100);
}

TEST(Terminate, FitDistinguishesLengths) {
  const std::string head = "1203c000 002a 4143 00000000 00000000 00000009 00000000";
  EXPECT_EQ(parse(synth::hex(head + "00000000")).fit, TerminateFit::trailing_zeros);
  EXPECT_EQ(parse(synth::hex(head + "00000001")).fit, TerminateFit::too_long);
  EXPECT_EQ(parse(synth::hex("1203c000 002a 4143")).fit, TerminateFit::too_short);
  EXPECT_EQ(parse(synth::hex("1203c000")).fit, TerminateFit::too_short);
  EXPECT_EQ(parse(synth::hex("20020000 000000000000")).fit, TerminateFit::trailing_zeros);
  // siw sets R for every remote protection error, here of a Send with Invalidate
  const Terminate t = parse(synth::hex("10090700 0040 4144 00001234 00000000 00000001 00000000"));
  EXPECT_EQ(error(t), "0/1/9 siw-le");
  EXPECT_EQ(t.fit, TerminateFit::without_rdma_header);
  EXPECT_TRUE(t.rdmap_header.empty());
}

TEST(Terminate, CutCaptureKeepsWhatIsWhole) {
  const auto octets = synth::hex(
      "0101e000 002e 4141 00000000 00000001 00000003 00000000"
      "34b70800 00007f8a5ad34000 00000040 00abcd00 000055987c6a0000");
  ASSERT_EQ(octets.size(), 52u);
  for (std::size_t n = 0; n <= octets.size(); ++n) {
    const auto parsed = Terminate::parse(Octets{octets}.first(n), 52);
    if (n < 4) {
      EXPECT_EQ(std::get<Short>(parsed), (Short{4, n}));
      continue;
    }
    const auto& t = std::get<Terminate>(parsed);
    EXPECT_EQ(error(t), "0/1/1 rfc5040") << n;
    EXPECT_EQ(t.ddp_segment_length.has_value(), n >= 6) << n;
    EXPECT_EQ(t.ddp_header.size(), n >= 24 ? 18u : 0u) << n;
    EXPECT_EQ(t.rdmap_header.size(), n >= 52 ? 28u : 0u) << n;
    if (n > 6) {
      EXPECT_EQ(t.fit, TerminateFit::exact) << n;
    }
  }
}

TEST(Terminate, WrittenThenParsedIsTheSameInBothLayouts) {
  using synth::wire::TerminateDialect;
  for (const auto layout : {TerminateDialect::rfc5040, TerminateDialect::siw_little_endian}) {
    synth::wire::Terminate w{.layer = 1, .error_type = 2, .error_code = 4};
    w.ddp_length = 1000;
    w.ddp_header = synth::wire::write(synth::wire::DdpUntagged{.mo = MessageOffset{77}});
    w.dialect = layout;
    const auto octets = synth::wire::write(w);
    const Terminate t = parse(octets);
    EXPECT_EQ(error(t), layout == TerminateDialect::rfc5040 ? "1/2/4 rfc5040" : "1/2/4 siw-le");
    EXPECT_EQ(t.ddp_segment_length, 1000);
    EXPECT_EQ((synth::Buffer{t.ddp_header.begin(), t.ddp_header.end()}), w.ddp_header);
    EXPECT_EQ(t.fit, TerminateFit::exact);
  }
}

TEST(Terminate, AnyOctetsAreRead) {
  synth::Random r{5040};
  for (int i = 0; i < 200000; ++i) {
    const auto octets = r.octets(r.below(80));
    const auto length = static_cast<std::uint32_t>(octets.size() + (r.chance(300) ? r.below(40) : 0));
    const auto parsed = Terminate::parse(octets, length, {.peer_has_sent = r.chance(500)});
    ASSERT_EQ(std::holds_alternative<Short>(parsed), octets.size() < 4);
    if (octets.size() < 4) continue;
    const auto& t = std::get<Terminate>(parsed);
    ASSERT_LT(t.layer, 16);
    ASSERT_LE(t.reserved, 0x1FFF);
    ASSERT_TRUE(t.ddp_header.empty() || t.ddp_header.size() == 14 || t.ddp_header.size() == 18);
    ASSERT_TRUE(t.rdmap_header.empty() || t.rdmap_header.size() == 28);
    ASSERT_LE(4 + t.ddp_header.size() + t.rdmap_header.size(), octets.size());
    ASSERT_FALSE(error_name(t.layer, t.error_type, t.error_code).empty());
  }
}

TEST(TerminateErrors, RegistryHasWhatTheRfcsRegister) {
  EXPECT_EQ(error_name(0, 1, 0), "Remote Protection Error: Invalid STag");
  EXPECT_EQ(error_name(1, 2, 3), "DDP Untagged Buffer Error: Invalid MSN - MSN range is not valid");
  EXPECT_EQ(error_name(2, 0, 7), "MPA Error: No matching RTR option");
  EXPECT_TRUE(is_registered(0, 0, 0x5a));
  EXPECT_TRUE(is_registered(1, 3, 0x5a));
  EXPECT_TRUE(is_registered(0, 1, 9) && is_registered(0, 2, 9));
  EXPECT_FALSE(is_registered(1, 2, 0));
  EXPECT_FALSE(is_registered(0, 2, 0));
  EXPECT_FALSE(is_registered(1, 0, 1));
  EXPECT_FALSE(is_registered(2, 0, 0));
  EXPECT_FALSE(is_registered(2, 0, 8));
  EXPECT_FALSE(is_registered(3, 0, 0));
  EXPECT_EQ(error_name(0, 2, 0), "unregistered error");
}

/// A DDP segment with its own octets.
struct Owned {
  synth::Buffer ulpdu;
  ddp::Segment segment;
  Owned(const synth::wire::DdpUntagged& h, const synth::Buffer& payload) : ulpdu(synth::wire::write(h, payload)) {
    segment.rdmap_control = h.rdmap_control;
    segment.qn = h.qn;
    segment.msn = h.msn;
    segment.mo = h.mo;
    segment.header = Octets{ulpdu}.first(18);
    segment.payload = Octets{ulpdu}.subspan(18);
    segment.payload_length = static_cast<std::uint32_t>(payload.size());
  }
};

TEST(TerminatedMatch, SameHeaderIsTheSameAndAnotherMsnIsNot) {
  const Owned send{{.msn = MessageSequence{9}}, synth::Buffer(24)};
  const auto octets = synth::hex("1203c000 002a 4143 00000000 00000000 00000009 00000000");
  EXPECT_EQ(match(parse(octets), send.segment), TerminatedMatch::same);
  EXPECT_TRUE(length_matches(parse(octets), send.segment));
  const Owned other{{.msn = MessageSequence{8}}, synth::Buffer(24)};
  EXPECT_EQ(match(parse(octets), other.segment), TerminatedMatch::none);
  const auto bare = synth::hex("12030000");
  EXPECT_EQ(match(parse(bare), send.segment), TerminatedMatch::none);
  EXPECT_TRUE(length_matches(parse(bare), send.segment));
}

TEST(TerminatedMatch, SiwReadRequestHasTheReadSizeInPlaceOfTheMsn) {
  const auto request = synth::hex("34b70800 00007f8a5ad34000 00000040 00abcd00 000055987c6a0000");
  const Owned read{{.rdmap_control = 0x41, .qn = QueueNumber{1}, .msn = MessageSequence{1}}, request};
  const auto real = synth::hex(
      "10000700 0000 4141 00000000 00000001 00000040 00000000"
      "34b70800 00007f8a5ad34000 00000040 00abcd00 000055987c6a0000");
  EXPECT_EQ(match(parse(real), read.segment), TerminatedMatch::siw_read_request);
  EXPECT_TRUE(length_matches(parse(real), read.segment));
  // Another request of the same size: its RDMA header differs.
  auto other_octets = request;
  other_octets[27] = std::byte{8};
  const Owned other{{.rdmap_control = 0x41, .qn = QueueNumber{1}, .msn = MessageSequence{2}}, other_octets};
  EXPECT_EQ(match(parse(real), other.segment), TerminatedMatch::none);
}

TEST(TerminatedMatch, LengthIsTheUlpduItsPayloadOrThatWithoutTheRdmapHeader) {
  const Owned send{{}, synth::Buffer(24)};
  const auto with = [](std::uint16_t n) {
    synth::wire::Terminate w{.layer = 1, .error_type = 2, .error_code = 2};
    w.ddp_length = n;
    w.ddp_header = synth::wire::write(synth::wire::DdpUntagged{});
    return synth::wire::write(w);
  };
  EXPECT_TRUE(length_matches(parse(with(42)), send.segment));
  EXPECT_TRUE(length_matches(parse(with(24)), send.segment));
  EXPECT_FALSE(length_matches(parse(with(23)), send.segment));
}

}  // namespace
}  // namespace iwarpscope::rdmap
