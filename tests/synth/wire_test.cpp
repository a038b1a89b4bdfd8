// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Compares the writers with published and hand-annotated octets.
#include <gtest/gtest.h>

#include <stdexcept>

#include "synth/wire/checksum.h"
#include "synth/wire/ddp.h"
#include "synth/wire/ip.h"
#include "synth/wire/link.h"
#include "synth/wire/mpa.h"
#include "synth/wire/rdmap.h"
#include "synth/wire/tcp.h"
#include "synth/wire/tunnel.h"

namespace iwarpscope::synth::wire {
namespace {

Buffer zeros(std::size_t count) {
  return Buffer(count);
}

TEST(Hex, OddDigitsOrOtherLettersThrow) {
  EXPECT_EQ(hex("0a F0\n"), (Buffer{std::byte{0x0A}, std::byte{0xF0}}));
  EXPECT_THROW((void)hex("0"), std::invalid_argument);
  EXPECT_THROW((void)hex("0g"), std::invalid_argument);
}

TEST(Address, TextOfEitherVersionBecomesOctets) {
  const Address v4 = "10.1.2.3";
  EXPECT_EQ(Buffer(v4.octets().begin(), v4.octets().end()), hex("0a010203"));
  EXPECT_EQ(v4, Address::v4(0x0A010203));
  EXPECT_EQ(Address("fd00::1").octets().size(), 16U);
  EXPECT_THROW(Address("300.1.1.1"), std::invalid_argument);
}

TEST(Crc32c, Rfc3720VectorsMatch) {  // RFC 3720 §B.4
  Buffer up;
  for (unsigned i = 0; i < 32; ++i) up.push_back(static_cast<std::byte>(i));
  EXPECT_EQ(crc32c(zeros(32)), 0x8A9136AAU);
  EXPECT_EQ(crc32c(Buffer(32, std::byte{0xFF})), 0x62A8AB43U);
  EXPECT_EQ(crc32c(up), 0x46DD794EU);
  EXPECT_EQ(crc32c(Buffer(up.rbegin(), up.rend())), 0x113FDB5CU);
  EXPECT_EQ(crc32c(text("123456789")), 0xE3069283U);
}

TEST(Crc32c, PiecesContinueEachOther) {
  const Buffer all = text("123456789");
  EXPECT_EQ(crc32c(Octets(all).subspan(3), crc32c(Octets(all).first(3))), 0xE3069283U);
}

TEST(InternetSum, Rfc1071ExampleMatches) {  // RFC 1071 §3
  EXPECT_EQ(InternetSum().add(hex("0001 f203 f4f5 f6f7")).checksum(), 0x220D);
  EXPECT_EQ(InternetSum().add(hex("0001 f2")).add16(0).checksum(), static_cast<std::uint16_t>(~0xF201));
}

TEST(Ethernet, TagsAndLabelsStackOutermostFirst) {
  EXPECT_EQ(write(Ethernet{Mac{0x020304050607}, Mac{0x0A0B0C0D0E0F}, 0x0800, false}, hex("45")),
            hex("020304050607 0a0b0c0d0e0f 0800 45"));
  EXPECT_EQ(write(Ethernet{.pad = true}, hex("45")).size(), 60U);
  EXPECT_EQ(write(std::vector<VlanTag>{{200, 0x88A8, 1}, {100, 0x8100, 0}}, 0x0800, hex("45")),
            hex("20c8 8100 0064 0800 45"));
  EXPECT_EQ(write(std::vector<MplsLabel>{{16, 0, 64}, {17, 5, 63}}, hex("45")), hex("00010040 00011b3f 45"));
}

TEST(LinkHeaders, CookedAndLoopbackMatchTheirShapes) {
  EXPECT_EQ(write(LinuxSll{4, Mac{0x020000000001}, 0x0800}, hex("45")),
            hex("0004 0001 0006 020000000001 0000 0800 45"));
  EXPECT_EQ(write(LinuxSll2{0x86DD, 3, 4, Mac{0x020000000001}}, hex("60")),
            hex("86dd 0000 00000003 0001 04 06 020000000001 0000 60"));
  EXPECT_EQ(write(Loopback{2, false}, {}), hex("02000000"));
  EXPECT_EQ(write(Loopback{24, true}, {}), hex("00000018"));
}

TEST(Ipv4, ChecksumAndLengthAreRight) {
  const Ipv4 header{.source = "192.168.0.1", .destination = "192.168.0.199", .protocol = kProtocolUdp};
  const Buffer packet = write(header, zeros(0x73 - 20));
  EXPECT_EQ(Buffer(packet.begin(), packet.begin() + 20), hex("4500 0073 0000 4000 4011 b861 c0a80001 c0a800c7"));
}

TEST(Ipv4, OptionsGrowTheHeaderAndHugePacketsHaveLengthZero) {
  Ipv4 header;
  header.options = hex("94 04 00 00 01");
  EXPECT_EQ(write(header, {}).size(), 28U);
  EXPECT_EQ(write(header, {})[0], std::byte{0x47});
  const Buffer huge = write(Ipv4{}, zeros(70000));
  EXPECT_EQ(Buffer(huge.begin() + 2, huge.begin() + 4), hex("0000"));
}

TEST(Ipv4, FragmentsCoverThePayloadOnce) {
  const std::vector<Buffer> parts = fragments(Ipv4{.identification = 7}, zeros(100), 47);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(Buffer(parts[0].begin() + 2, parts[0].begin() + 8), hex("003c 0007 2000"));
  EXPECT_EQ(Buffer(parts[1].begin() + 2, parts[1].begin() + 8), hex("003c 0007 2005"));
  EXPECT_EQ(Buffer(parts[2].begin() + 2, parts[2].begin() + 8), hex("0028 0007 000a"));
}

TEST(Ipv6, ExtensionsAndFragmentHeaderChain) {
  Ipv6 header;
  header.extensions = {{0, hex("0104 00000000")}};
  const Buffer packet = write(header, hex("aabb"));
  EXPECT_EQ(Buffer(packet.begin(), packet.begin() + 8), hex("60000000 000a 00 40"));
  EXPECT_EQ(Buffer(packet.begin() + 40, packet.end()), hex("06 00 0104 00000000 aabb"));
  const std::vector<Buffer> parts = fragments(Ipv6{}, zeros(20), 16, 0x01020304);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(Buffer(parts[0].begin() + 6, parts[0].begin() + 7), hex("2c"));
  EXPECT_EQ(Buffer(parts[0].begin() + 40, parts[0].begin() + 48), hex("06 00 0001 01020304"));
  EXPECT_EQ(Buffer(parts[1].begin() + 40, parts[1].begin() + 48), hex("06 00 0010 01020304"));
}

TEST(Tcp, ChecksumCoversPseudoHeaderOptionsAndOddPayload) {
  const Address a = "10.0.0.1";
  const Address b = "10.0.0.2";
  const Tcp header{.options = {.mss = 1460, .timestamps = {{1, 2}}}};
  const Buffer tcp = write(header, hex("010203"), a, b);
  ASSERT_EQ(tcp.size(), 20U + 16 + 3);
  EXPECT_EQ(Buffer(tcp.begin() + 20, tcp.begin() + 36), hex("0204 05b4 080a 00000001 00000002 0101"));
  InternetSum sum;
  sum.add(a.octets()).add(b.octets()).add16(kProtocolTcp).add16(static_cast<std::uint16_t>(tcp.size())).add(tcp);
  EXPECT_EQ(sum.checksum(), 0);
}

TEST(Tcp, ChecksumModesDiffer) {
  const Address a = "10.0.0.1";
  const Address b = "10.0.0.2";
  const auto field = [&](Checksum mode) {
    const Buffer tcp = write(Tcp{.checksum = mode}, {}, a, b);
    return std::to_integer<int>(tcp[16]) << 8 | std::to_integer<int>(tcp[17]);
  };
  EXPECT_EQ(field(Checksum::zero), 0);
  EXPECT_EQ(field(Checksum::pseudo_header_only), 0x0A00 + 1 + 0x0A00 + 2 + 6 + 20);
  EXPECT_NE(field(Checksum::wrong), field(Checksum::right));
}

TEST(Tunnels, HeadersMatchTheirShapes) {
  EXPECT_EQ(write(Udp{1, 4789}, hex("aa")), hex("0001 12b5 0009 0000 aa"));
  EXPECT_EQ(write(Gre{.key = 5, .sequence = 6}, hex("45")), hex("3000 0800 00000005 00000006 45"));
  EXPECT_EQ(write(Gre{.checksum = true}, hex("4500")), hex("8000 0800 32ff 0000 4500"));
  EXPECT_EQ(write(Erspan{.type = 1}, hex("02")), hex("0000 88be 02"));
  EXPECT_EQ(write(Erspan{.type = 2, .session = 3, .vlan = 7, .sequence = 9, .index = 1}, hex("02")),
            hex("1000 88be 00000009 1007 0003 00000001 02"));
  EXPECT_EQ(write(Erspan{.type = 3, .session = 3, .sequence = 9, .platform = true}, hex("02")),
            hex("1000 22eb 00000009 2000 0003 00000000 0000 0001 0000000000000000 02"));
  EXPECT_EQ(write(Vxlan{0x123456}, hex("02")), hex("08000000 12345600 02"));
  EXPECT_EQ(write(Geneve{.vni = 1, .options = hex("01028001 00000000")}, hex("02")),
            hex("02 00 6558 00000100 01028001 00000000 02"));
}

TEST(Tunnels, UdpChecksumIsNeverZero) {
  const Address a = "10.0.0.1";
  const Address b = "10.0.0.2";
  const Buffer datagram = write(Udp{}, hex("0102 03"), a, b);
  InternetSum sum;
  sum.add(a.octets()).add(b.octets()).add16(kProtocolUdp).add16(11).add(datagram);
  EXPECT_EQ(sum.checksum(), 0);
}

TEST(StartupFrame, FlagsAndEnhancedDataLieWhereRfc6581PutsThem) {
  const StartupFrame request{.markers = true,
                             .crc = true,
                             .revision = 2,
                             .enhanced = EnhancedData{true, false, true, true, 0x3FFF, 5},
                             .private_data = text("ab")};
  EXPECT_EQ(write(request), hex("4d504120494420526571204672616d65 d0 02 0006 bfff c005 6162"));
  const StartupFrame reply{
      .kind = StartupFrame::Kind::reply, .crc = false, .reject = true, .reserved = 8, .private_data_length = 600};
  EXPECT_EQ(write(reply), hex("4d504120494420526570204672616d65 28 01 0258"));
}

// The printed FPDUs of RFC 5044 and others that were computed in addition.
struct FpduVector {
  const char* name;
  bool markers;
  bool crc;
  std::uint64_t position;
  const char* ulpdu;
  const char* raw;
};

class FpduVectors : public testing::TestWithParam<FpduVector> {};

TEST_P(FpduVectors, OctetsMatch) {
  const FpduVector& v = GetParam();
  EXPECT_EQ(write(FpduForm{.markers = v.markers, .crc = v.crc}, hex(v.ulpdu), v.position), hex(v.raw));
}

constexpr FpduVector kFpduVectors[] = {
    {"Rfc5044Figure5", true, true, 0,
     "4143 00000000 00000000 00000001 00000000 000000000000000000000000000000000000000000000000",
     "00000000 002a 4143 00000000 00000000 00000001 00000000 000000000000000000000000000000000000000000000000 "
     "52239983"},
    {"Rfc5044Figure6", true, true, 0x1EC,
     "4143 00000000 00000000 00000002 00000000 000000000000000000000000000000000000000000000000",
     "002a 4143 00000000 00000000 00000002 00000000 00000014 000000000000000000000000000000000000000000000000 "
     "84925898"},
    {"MarkerBetweenPadAndCrc", true, true, 0x1E8, "4143 00000000 00000000 00000003 00000000 112233",
     "0015 4143 00000000 00000000 00000003 00000000 112233 00 00000018 7d469706"},
    {"MarkerBetweenFpdus", true, true, 0x400, "4143 00000000 00000000 00000004 00000000",
     "00000000 0012 4143 00000000 00000000 00000004 00000000 94108224"},
    {"MarkerFourOctetsIn", true, true, 0x5FC, "4143 00000000 00000000 00000005 00000000 aa",
     "0013 4143 00000004 00000000 00000000 00000005 00000000 aa000000 88b5208f"},
    {"CrcOff", false, false, 0, "4143 00000000 00000000 00000001 00000000 5a",
     "0013 4143 00000000 00000000 00000001 00000000 5a000000 00000000"},
};
INSTANTIATE_TEST_SUITE_P(Fpdu, FpduVectors, testing::ValuesIn(kFpduVectors),
                         [](const auto& vector) { return std::string(vector.param.name); });

TEST(Fpdu, LargestUlpduHasItsLastMarkerAt65020) {
  const Buffer raw = write(FpduForm{.markers = true}, zeros(64768), 0);
  ASSERT_EQ(raw.size(), 65288U);
  EXPECT_EQ(Buffer(raw.begin() + 65024, raw.begin() + 65028), hex("0000 fdfc"));
}

TEST(Fpdu, FaultsTouchTheirFieldAndTheCrcCoversThem) {
  const Buffer ulpdu = zeros(21);
  const auto crc_is_right = [](const Buffer& raw) {
    const std::uint32_t crc = crc32c(Octets(raw).first(raw.size() - 4));
    return Writer().le(crc, 4).take() == Buffer(raw.end() - 4, raw.end());
  };
  const Buffer right = write(FpduForm{}, ulpdu);
  EXPECT_TRUE(crc_is_right(right));
  EXPECT_FALSE(crc_is_right(write(FpduForm{.crc_xor = 1}, ulpdu)));
  EXPECT_FALSE(crc_is_right(write(FpduForm{.crc_big_endian = true}, ulpdu)));
  EXPECT_FALSE(crc_is_right(write(FpduForm{.flip_after_crc = 5}, ulpdu)));
  const Buffer pad = write(FpduForm{.pad = 0xEE}, ulpdu);
  EXPECT_EQ(pad[23], std::byte{0xEE});
  EXPECT_TRUE(crc_is_right(pad));
  const Buffer length = write(FpduForm{.length = 9}, ulpdu);
  EXPECT_EQ(length[1], std::byte{9});
  EXPECT_TRUE(crc_is_right(length));
}

TEST(Fpdu, MarkerFaultsChooseOneMarkerOrAll) {
  const auto marker = [](const Buffer& raw, std::size_t at) {
    return Buffer(raw.begin() + static_cast<long>(at), raw.begin() + static_cast<long>(at) + 4);
  };
  const Buffer all = write(FpduForm{.markers = true, .marker_reserved = 1}, zeros(1000));
  EXPECT_EQ(marker(all, 0), hex("0001 0000"));
  EXPECT_EQ(marker(all, 512), hex("0001 01fc"));
  const Buffer one = write(FpduForm{.markers = true, .marker_index = 1, .marker_pointer_xor = 8}, zeros(1000));
  EXPECT_EQ(marker(one, 0), hex("0000 0000"));
  EXPECT_EQ(marker(one, 512), hex("0000 01f4"));
  const Buffer omitted = write(FpduForm{.markers = true, .marker_index = 0, .omit_markers = true}, zeros(1000));
  EXPECT_EQ(marker(omitted, 0), hex("03e8 0000"));
  EXPECT_EQ(marker(omitted, 512), hex("0000 0200"));
}

TEST(Mulpdu, TableOfCommonSegmentSizes) {  // RFC 5044 §4.5
  EXPECT_EQ(mulpdu(1460, false), 1454U);
  EXPECT_EQ(mulpdu(1460, true), 1442U);
  EXPECT_EQ(mulpdu(1448, true), 1430U);
  EXPECT_EQ(mulpdu(8948, true), 8870U);
  EXPECT_EQ(mulpdu(536, false), 530U);
  EXPECT_EQ(mulpdu(100, true), 128U);
  EXPECT_EQ(mulpdu(70000, false), 64768U);
}

TEST(Ddp, HeadersMatchTheirShapes) {
  EXPECT_EQ(write(DdpTagged{ddp_control(true, true), rdmap_control(Opcode::rdma_write), STag{1}, TaggedOffset{2}}),
            hex("c140 00000001 0000000000000002"));
  EXPECT_EQ(write(DdpUntagged{ddp_control(false, false, 2, 5), rdmap_control(Opcode::send_invalidate, 1, 3), 0xA,
                              QueueNumber{3}, MessageSequence{4}, MessageOffset{5}},
                  hex("ff")),
            hex("1674 0000000a 00000003 00000004 00000005 ff"));
}

TEST(Rdmap, ReadRequestMatchesItsShape) {
  EXPECT_EQ(write(ReadRequest{STag{1}, TaggedOffset{2}, 3, STag{4}, TaggedOffset{5}}),
            hex("00000001 0000000000000002 00000003 00000004 0000000000000005"));
}

TEST(Rdmap, AtomicsAndImmediateMatchTheirVectors) {
  const AtomicRequest request{
      .request_id = 7, .remote_stag = STag{0x1234}, .remote_to = TaggedOffset{0x1000}, .data = 1};
  Writer ulpdu(write(DdpUntagged{0x41, 0x4A, 0, QueueNumber{1}, MessageSequence{2}, {}}, write(request)));
  EXPECT_EQ(write(FpduForm{}, ulpdu.view()),
            hex("0046414a00000000000000010000000200000000000000000000000700001234000000000000100000000000000000010000"
                "0000000000000000000000000000ffffffffffffffff53c2ed45"));
  const Buffer response =
      write(DdpUntagged{0x41, 0x4B, 0, QueueNumber{3}, MessageSequence{1}, {}}, write(AtomicResponse{7, 41}));
  EXPECT_EQ(write(FpduForm{}, response),
            hex("001e414b00000000000000030000000100000000000000070000000000000029b9ebafe8"));
  const Buffer immediate =
      write(DdpUntagged{0x41, 0x49, 0, QueueNumber{0}, MessageSequence{1}, {}}, write_immediate(0x0001020304050607));
  EXPECT_EQ(write(FpduForm{}, immediate), hex("001a41490000000000000000000000010000000000010203040506 0721aab9e7"));
}

TEST(Rdmap, TerminateDialectsMatchTheirVectors) {
  const Buffer named = write(DdpUntagged{.msn = MessageSequence{9}});
  Terminate t{.layer = 1, .error_type = 2, .error_code = 3, .ddp_length = 42, .ddp_header = named};
  EXPECT_EQ(write(t), hex("1203c000 002a 4143 00000000 00000000 00000009 00000000"));
  t.dialect = TerminateDialect::siw_little_endian;
  t.ddp_length = 24;
  EXPECT_EQ(write(t), hex("21030300 0018 4143 00000000 00000000 00000009 00000000"));
  t.dialect = TerminateDialect::bare;
  EXPECT_EQ(write(t), hex("12030000"));
  EXPECT_EQ(write(Terminate{.layer = 2, .error_code = 2, .m = true, .reserved = 0x1FFF}), hex("20029fff"));
}

TEST(AtomicApply, FetchAddDropsCarriesAtFieldEnds) {  // RFC 7306 §5.2.1
  const auto add = [](std::uint64_t original, std::uint64_t data, std::uint64_t mask) {
    return apply(AtomicRequest{.data = data, .mask = mask}, original);
  };
  EXPECT_EQ(add(0xFFFFFFFF, 1, 0), 0x100000000U);
  EXPECT_EQ(add(0xFFFFFFFF, 1, 0x80000000), 0U);
  EXPECT_EQ(add(0x1FFFFFFFF, 0x100000001, 0x8000000080000000), 0x200000000U);
  EXPECT_EQ(add(0x7F7F7F7F7F7F7F7F, 0x0101010101010101, 0x8080808080808080), 0x8080808080808080U);
}

TEST(AtomicApply, CmpSwapAndSwapHonourTheirMasks) {
  AtomicRequest swap{.operation = AtomicOperation::cmp_swap,
                     .data = 0xDEAD0000,
                     .mask = 0xFFFF0000,
                     .compare = 0x9,
                     .compare_mask = 0xF};
  EXPECT_EQ(apply(swap, 0x1122334455667789), 0x11223344DEAD7789U);
  EXPECT_EQ(apply(swap, 0x1122334455667788), 0x1122334455667788U);
  swap.operation = AtomicOperation::swap;
  EXPECT_EQ(apply(swap, 1), 0xDEAD0000U);
}

}  // namespace
}  // namespace iwarpscope::synth::wire
