// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ddp/header.h"

#include <gtest/gtest.h>

#include <variant>

#include "synth/wire/ddp.h"

namespace iwarpscope::ddp {
namespace {

// 81        T=1 L=0 Rsvd=0 DV=1
// 42        RsvdULP: RV 1, Read Response
// 00012340  STag
// 00007f900597c000  TO
const auto kTagged = synth::hex("81 42 00012340 00007f900597c000");

// 7d        T=0 L=1 Rsvd=15 DV=1
// 44        RsvdULP: RV 1, Send with Invalidate
// deadbeef  RsvdULP: Invalidate STag
// 00000003  QN   80000001  MSN   fffffffe  MO
const auto kUntagged = synth::hex("7d 44 deadbeef 00000003 80000001 fffffffe");

TEST(DdpTaggedHeader, AnnotatedOctetsGiveEveryField) {
  const auto parsed = DdpTaggedHeader::parse(kTagged);
  const auto& h = std::get<DdpTaggedHeader>(parsed);
  EXPECT_TRUE(h.control().tagged());
  EXPECT_FALSE(h.control().last());
  EXPECT_EQ(h.control().reserved(), 0);
  EXPECT_EQ(h.control().version(), 1);
  EXPECT_EQ(h.rdmap_control(), 0x42);
  EXPECT_EQ(h.stag(), STag{0x00012340});
  EXPECT_EQ(h.to(), TaggedOffset{0x00007f900597c000});
  EXPECT_EQ(h.octets().data(), kTagged.data());
}

TEST(DdpUntaggedHeader, AnnotatedOctetsGiveEveryField) {
  const auto parsed = DdpUntaggedHeader::parse(kUntagged);
  const auto& h = std::get<DdpUntaggedHeader>(parsed);
  EXPECT_FALSE(h.control().tagged());
  EXPECT_TRUE(h.control().last());
  EXPECT_EQ(h.control().reserved(), 15);
  EXPECT_EQ(h.control().version(), 1);
  EXPECT_EQ(h.rdmap_control(), 0x44);
  EXPECT_EQ(h.reserved_ulp(), 0xdeadbeefu);
  EXPECT_EQ(h.qn(), QueueNumber{3});
  EXPECT_EQ(h.msn(), MessageSequence{0x80000001});
  EXPECT_EQ(h.mo(), MessageOffset{0xfffffffe});
  EXPECT_EQ(h.octets().size(), 18u);
}

TEST(DdpTaggedHeader, EveryCutIsShortByWhatIsMissing) {
  for (std::size_t n = 0; n < kTagged.size(); ++n) {
    const auto parsed = DdpTaggedHeader::parse(Octets{kTagged}.first(n));
    ASSERT_TRUE(std::holds_alternative<Short>(parsed)) << n;
    EXPECT_EQ(std::get<Short>(parsed), (Short{14, n}));
  }
}

TEST(DdpUntaggedHeader, EveryCutIsShortByWhatIsMissing) {
  for (std::size_t n = 0; n < kUntagged.size(); ++n) {
    const auto parsed = DdpUntaggedHeader::parse(Octets{kUntagged}.first(n));
    ASSERT_TRUE(std::holds_alternative<Short>(parsed)) << n;
    EXPECT_EQ(std::get<Short>(parsed), (Short{18, n}));
  }
}

TEST(DdpTaggedHeader, WrittenThenParsedIsTheSame) {
  for (std::uint8_t reserved = 0; reserved < 16; ++reserved) {
    for (std::uint8_t version = 0; version < 4; ++version) {
      const synth::wire::DdpTagged w{.control = synth::wire::ddp_control(true, version == 2, version, reserved),
                                     .rdmap_control = 0xC2,
                                     .stag = STag{0x80000000u + reserved},
                                     .to = TaggedOffset{~std::uint64_t{0} - version}};
      const auto octets = synth::wire::write(w, synth::hex("55"));
      ASSERT_EQ(octets.size(), 15u);
      const auto parsed = DdpTaggedHeader::parse(octets);
      const auto& h = std::get<DdpTaggedHeader>(parsed);
      EXPECT_EQ(h.control().octet, w.control);
      EXPECT_EQ(h.control().reserved(), reserved);
      EXPECT_EQ(h.control().version(), version);
      EXPECT_EQ(h.rdmap_control(), w.rdmap_control);
      EXPECT_EQ(h.stag(), w.stag);
      EXPECT_EQ(h.to(), w.to);
    }
  }
}

TEST(DdpUntaggedHeader, WrittenThenParsedIsTheSame) {
  const synth::wire::DdpUntagged w{.control = synth::wire::ddp_control(false, false, 0, 9),
                                   .rdmap_control = 0x07,
                                   .invalidate_stag = 0x01020304,
                                   .qn = QueueNumber{0xffffffff},
                                   .msn = MessageSequence{0},
                                   .mo = MessageOffset{0x7fffffff}};
  const auto octets = synth::wire::write(w);
  ASSERT_EQ(octets.size(), 18u);
  const auto parsed = DdpUntaggedHeader::parse(octets);
  const auto& h = std::get<DdpUntaggedHeader>(parsed);
  EXPECT_EQ(h.control().octet, w.control);
  EXPECT_EQ(h.rdmap_control(), w.rdmap_control);
  EXPECT_EQ(h.reserved_ulp(), w.invalidate_stag);
  EXPECT_EQ(h.qn(), w.qn);
  EXPECT_EQ(h.msn(), w.msn);
  EXPECT_EQ(h.mo(), w.mo);
}

TEST(DdpControl, TaggedBitDecidesTheHeadersSize) {
  EXPECT_EQ(header_octets(Control{0x81}), 14u);
  EXPECT_EQ(header_octets(Control{0x7f}), 18u);
}

}  // namespace
}  // namespace iwarpscope::ddp
