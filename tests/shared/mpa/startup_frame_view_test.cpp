// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/startup_frame_view.h"

#include <gtest/gtest.h>

#include "mpa/startup_rules.h"
#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {
namespace {

// A Request of Linux siw: key, flags C and S, revision 2, PD_Length 21, IRD 4 with A, ORD 4 with C, then text.
constexpr const char* kRequest =
    "4d 50 41 20 49 44 20 52 65 71 20 46 72 61 6d 65"  // "MPA ID Req Frame"
    "50 02 00 15"                                      // M=0 C=1 R=0 S=1, revision 2, PD_Length 21
    "80 04 80 04"                                      // A=1 B=0 IRD 4; C=1 D=0 ORD 4
    "68 65 6c 6c 6f 20 66 72 6f 6d 20 63 6c 69 65 6e 74";

TEST(StartupFrameView, RequestOfSiwReadsFieldByField) {
  const Buffer octets = synth::hex(kRequest);
  const auto decoded = StartupFrameView::parse(octets);
  ASSERT_TRUE(std::holds_alternative<StartupFrameView>(decoded));
  const auto& view = std::get<StartupFrameView>(decoded);
  EXPECT_TRUE(std::equal(view.key().begin(), view.key().end(), kRequestKey.begin()));
  EXPECT_FALSE(view.markers());
  EXPECT_TRUE(view.crc());
  EXPECT_FALSE(view.rejected());
  EXPECT_TRUE(view.enhanced_flag());
  EXPECT_EQ(view.reserved(), 0);
  EXPECT_EQ(view.revision(), 2);
  EXPECT_EQ(view.private_data_length(), 21);
  const auto enhanced = EnhancedDataView::parse(Octets{octets}.subspan(20));
  ASSERT_TRUE(std::holds_alternative<EnhancedDataView>(enhanced));
  const auto& e = std::get<EnhancedDataView>(enhanced);
  EXPECT_TRUE(e.peer_to_peer());
  EXPECT_FALSE(e.rtr_send());
  EXPECT_TRUE(e.rtr_write());
  EXPECT_FALSE(e.rtr_read());
  EXPECT_EQ(e.ird(), 4);
  EXPECT_EQ(e.ord(), 4);
}

TEST(StartupFrameView, EachCutIsShortByWhatLacks) {
  const Buffer octets = synth::hex(kRequest);
  for (std::size_t n = 0; n < 20; ++n) {
    const auto decoded = StartupFrameView::parse(Octets{octets}.first(n));
    ASSERT_TRUE(std::holds_alternative<Short>(decoded));
    EXPECT_EQ(std::get<Short>(decoded), (Short{20, n}));
  }
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(std::get<Short>(EnhancedDataView::parse(Octets{octets}.first(n))), (Short{4, n}));
  }
}

TEST(StartupFrameView, EachWrittenFrameIsReadBack) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    synth::wire::StartupFrame w;
    w.kind = random.chance(500) ? synth::wire::StartupFrame::Kind::reply : synth::wire::StartupFrame::Kind::request;
    w.markers = random.chance(500);
    w.crc = random.chance(500);
    w.reject = random.chance(500);
    w.reserved = static_cast<std::uint8_t>(random.below(16));
    w.revision = static_cast<std::uint8_t>(random.below(256));
    if (random.chance(500)) {
      w.enhanced = synth::wire::EnhancedData{.peer_to_peer = random.chance(500),
                                             .rtr_send = random.chance(500),
                                             .rtr_write = random.chance(500),
                                             .rtr_read = random.chance(500),
                                             .ird = static_cast<std::uint16_t>(random.below(0x4000)),
                                             .ord = static_cast<std::uint16_t>(random.below(0x4000))};
    }
    w.private_data = random.octets(random.below(509));
    const bool is_reply = w.kind == synth::wire::StartupFrame::Kind::reply;
    const StartupFrame f = read_startup_frame(synth::wire::write(w), is_reply);
    EXPECT_TRUE(f.key_exact);
    EXPECT_EQ(f.markers, w.markers);
    EXPECT_EQ(f.crc, w.crc);
    EXPECT_EQ(f.rejected, w.reject);
    EXPECT_EQ(f.reserved, w.reserved);
    EXPECT_EQ(f.revision, w.revision);
    EXPECT_EQ(f.private_data, w.private_data);
    ASSERT_EQ(f.enhanced.has_value(), w.enhanced.has_value());
    if (!f.enhanced) continue;
    EXPECT_EQ(f.enhanced->ird, w.enhanced->ird);
    EXPECT_EQ(f.enhanced->ord, w.enhanced->ord);
    EXPECT_EQ(f.enhanced->peer_to_peer, w.enhanced->peer_to_peer);
    EXPECT_EQ(f.enhanced->rtr_send, w.enhanced->rtr_send);
    EXPECT_EQ(f.enhanced->rtr_write, w.enhanced->rtr_write);
    EXPECT_EQ(f.enhanced->rtr_read, w.enhanced->rtr_read);
  }
}

TEST(MayBeStartupFrame, KeyItsBeginningAndADamagedOneMayBe) {
  for (const char* key : {"MPA ID Req Frame", "MPA ID Rep Frame"}) {
    Buffer octets = synth::text(key);
    for (std::size_t n = 1; n <= 16; ++n) EXPECT_TRUE(may_be_startup_frame(Octets{octets}.first(n))) << n;
    for (const std::size_t i : {0U, 3U, 10U, 15U}) octets[i] ^= std::byte{0x20};
    EXPECT_TRUE(may_be_startup_frame(octets));
    octets[5] ^= std::byte{0x20};
    octets[6] ^= std::byte{0x20};
    EXPECT_FALSE(may_be_startup_frame(octets));
  }
  EXPECT_FALSE(may_be_startup_frame({}));
  EXPECT_FALSE(may_be_startup_frame(synth::text("MPA ID is a name")));
  EXPECT_FALSE(may_be_startup_frame(synth::text("GET / HTTP/1.1\r\n")));
  EXPECT_FALSE(may_be_startup_frame(Buffer(40)));
}

}  // namespace
}  // namespace iwarpscope::mpa::test
