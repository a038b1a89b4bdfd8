// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Finding FPDUs where nothing is known, and nothing where no FPDUs are.
#include "mpa/resync.h"

#include <gtest/gtest.h>

#include <chrono>

#include "shared/mpa/support.h"
#include "support/rounds.h"

namespace iwarpscope::mpa::test {
namespace {

SearchResult search(Octets octets, const FramingSettings& s = {}, std::span<const std::uint32_t> starts = {},
                    bool at_end = true) {
  SearchWindow window;
  window.octets = octets;
  window.offset = kStreamOrigin;
  window.tcp_segment_starts = starts;
  window.at_end = at_end;
  return find_fpdu(window, s);
}

std::vector<std::uint32_t> every(std::size_t step, std::size_t size) {
  std::vector<std::uint32_t> starts;
  for (std::size_t i = 0; i < size; i += step) starts.push_back(static_cast<std::uint32_t>(i));
  return starts;
}

void expect_nothing(Octets octets, const char* what) {
  const auto starts = every(1448, octets.size());
  for (const std::optional<bool> crc : {std::optional<bool>{}, std::optional<bool>{false}}) {
    FramingSettings s;
    s.crc = crc;
    EXPECT_EQ(search(octets, s, starts).outcome, SearchOutcome::none) << what;
  }
  for (std::size_t i = 0; i < octets.size(); i += 97) {
    EXPECT_NE(plausible_fpdu(octets.subspan(i)).kind, Plausible::Kind::confirmed) << what;
  }
}

TEST(FindFpdu, RandomOctetsHoldNone) {
  Random random(99);
  for (int i = 0; i < 60; ++i) expect_nothing(random.octets(1U << 19), "random");
}

TEST(FindFpdu, ConstantOctetsHoldNone) {
  for (const int value : {0x00, 0xFF, 0x41, 0x40, 0xC1, 0x01}) {
    expect_nothing(Buffer(1U << 20, static_cast<std::byte>(value)), "constant");
  }
}

TEST(FindFpdu, TextHoldsNone) {
  std::string text;
  while (text.size() < (1U << 20)) {
    text += "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(text.size()) +
            "\r\n\r\n<p>MPA ID Req Frame AC AB AA A@ \xC1\x40 0x4143</p>\n";
  }
  expect_nothing(synth::text(text), "text");
}

TEST(FindFpdu, RecordsOfOtherProtocolsHoldNone) {
  Random random(7);
  synth::wire::Writer tls, nvme, zeros;
  for (std::uint32_t i = 0; i < 800; ++i) {
    const std::size_t n = random.between(20, 1400);
    tls.u8(0x17).u16(0x0303).u16(n).octets(random.octets(n));
    nvme.u8(i % 2 != 0 ? 0x04 : 0x07).u8(0x04).u8(72).u8(0).le(72 + n, 4);  // NVMe/TCP command and data PDUs
    nvme.octets(Buffer(64)).octets(random.octets(n));
    zeros.u32(0xC140).fill(random.below(60)).u16(0x4143).fill(random.below(60));
  }
  expect_nothing(tls.view(), "TLS");
  expect_nothing(nvme.view(), "NVMe/TCP");
  expect_nothing(zeros.view(), "sparse");
}

TEST(FindFpdu, OneFpduWithARightCrcIsEnoughWhereverItLies) {
  Random random(4);
  for (std::size_t shift = 0; shift < 700; ++shift) {
    Buffer octets = random.octets(shift);
    append(octets, synth::wire::write(synth::wire::FpduForm{}, send_ulpdu(9, random.octets(40))));
    append(octets, random.octets(30));
    const SearchResult r = search(octets);
    ASSERT_EQ(r.outcome, SearchOutcome::found) << shift;
    EXPECT_EQ(r.at, shift);
    EXPECT_EQ(r.crc, true);
  }
}

TEST(FindFpdu, CutFpduNeedsMoreAndNothingBeforeItIsKept) {
  Random random(4);
  const Buffer fpdu = synth::wire::write(synth::wire::FpduForm{}, send_ulpdu(9, random.octets(400)));
  FramingSettings s;
  s.markers = false;
  for (std::size_t cut = 1; cut < fpdu.size(); ++cut) {
    Buffer octets(300, std::byte{0xFF});
    octets.insert(octets.end(), fpdu.begin(), fpdu.begin() + static_cast<std::ptrdiff_t>(cut));
    const SearchResult r = search(octets, s, {}, false);
    ASSERT_EQ(r.outcome, SearchOutcome::need_more) << cut;
    // A header of 0xff octets cannot be; the last octets before the FPDU may still be a length.
    EXPECT_LE(r.at, 300U);
    EXPECT_GE(r.at, 298U) << cut;
    EXPECT_EQ(search(octets, s, {}, true).outcome, SearchOutcome::none);
  }
}

TEST(FindFpdu, WithoutCrcTwoHeadersAreTooFewAndThreeThatHangTogetherAreEnough) {
  for (const std::size_t count : {1U, 2U, 3U, 4U}) {
    StreamWriter w(false, false);
    for (std::uint32_t i = 1; i <= count; ++i) w.add(send_ulpdu(i, Buffer(50, std::byte{0x55})));
    const SearchResult r = search(w.octets);
    EXPECT_EQ(r.outcome, count < 3 ? SearchOutcome::none : SearchOutcome::found) << count;
    if (count >= 3) {
      EXPECT_EQ(r.crc, false);
    }
  }
}

TEST(FindFpdu, WithoutCrcTaggedHeadersThatDoNotContinueAreTooWeak) {
  synth::wire::FpduForm form;
  form.crc_value = 0x11223344;  // not zero
  StreamWriter loose(false), contiguous(false);
  for (std::uint32_t i = 0; i < 7; ++i) {
    loose.add(write_ulpdu(i, std::uint64_t{i} << 40, Buffer(50, std::byte{0x55}), false), form);
    contiguous.add(write_ulpdu(3, 50ULL * i, Buffer(50, std::byte{0x55}), false), form);
  }
  loose.octets.resize(loose.starts[5]);
  EXPECT_EQ(search(loose.octets).outcome, SearchOutcome::none);
  const SearchResult r = search(contiguous.octets);
  EXPECT_EQ(r.outcome, SearchOutcome::found);
  EXPECT_FALSE(r.crc.has_value());
}

TEST(FindFpdu, MarkersGiveTheirPhase) {
  for (std::size_t from = 3; from < 1500; from += 37) {
    StreamWriter w(true);
    for (std::uint32_t i = 1; i <= 12; ++i) w.add(send_ulpdu(i, Buffer(600, std::byte{0x55})));
    const SearchResult r = search(Octets{w.octets}.subspan(from));
    ASSERT_EQ(r.outcome, SearchOutcome::found) << from;
    EXPECT_EQ(r.markers, true);
    ASSERT_TRUE(r.marker_phase);
    EXPECT_EQ((r.marker_phase->value + from - kStreamOrigin.value) % 512, 0U);
    EXPECT_TRUE(std::find(w.starts.begin(), w.starts.end(), from + r.at) != w.starts.end()) << from;
  }
}

/// A payload that quotes FPDUs holds the markers of the FPDU around it, which point to that one.
TEST(FindFpdu, WhereMarkersAreKnownFpdusThatAPayloadQuotesAreNone) {
  FramingSettings s;
  s.markers = true;
  s.crc = false;
  s.sequence_start = kStreamOrigin;
  for (const std::size_t from : {64U, 100U, 600U, 1000U}) {
    StreamWriter quoted(false, false), around(true, false), plain(true, false);
    for (std::uint32_t i = 1; i <= 100; ++i) {
      quoted.add(send_ulpdu(i, Buffer(8, std::byte{0x55})));
      plain.add(send_ulpdu(i, Buffer(8, std::byte{0x55})));
    }
    around.add(send_ulpdu(1, quoted.octets));
    SearchWindow window;
    window.offset = kStreamOrigin + from;
    window.at_end = true;
    window.octets = Octets{around.octets}.subspan(from);
    EXPECT_EQ(find_fpdu(window, s).outcome, SearchOutcome::none) << from;
    window.octets = Octets{plain.octets}.subspan(from);
    const SearchResult found = find_fpdu(window, s);
    ASSERT_EQ(found.outcome, SearchOutcome::found) << from;
    EXPECT_TRUE(std::find(plain.starts.begin(), plain.starts.end(), from + found.at) != plain.starts.end()) << from;
  }
}

TEST(FindFpdu, CrcFieldOfZeroIsNoMarker) {
  Buffer octets(14);  // the end of an FPDU, whose CRC field is zero
  std::fill_n(octets.begin(), 10, std::byte{0x5A});
  synth::wire::FpduForm form;
  form.crc = false;
  for (std::uint32_t msn = 7; msn < 17; ++msn) {
    append(octets, synth::wire::write(form, send_ulpdu(msn, Buffer(16, std::byte{0x33}))));
  }
  const SearchResult result = search(octets);
  ASSERT_EQ(result.outcome, SearchOutcome::found);
  EXPECT_EQ(result.at, 14U);
  EXPECT_NE(result.markers, true);
  EXPECT_EQ(result.crc, false);
}

TEST(FindFpdu, VersionZeroIsFoundOnlyWithMarkersOrWhenExpected) {
  Buffer ulpdu = send_ulpdu(1, Buffer(700, std::byte{0x55}));
  ulpdu[0] = std::byte{0x40};
  ulpdu[1] = std::byte{0x03};
  StreamWriter marked(true), plain(false);
  marked.add(ulpdu);
  plain.add(ulpdu);
  EXPECT_EQ(search(marked.octets).ddp_version, 0);
  EXPECT_EQ(search(marked.octets).outcome, SearchOutcome::found);
  EXPECT_EQ(search(plain.octets).outcome, SearchOutcome::none);
  FramingSettings s;
  s.ddp_version = 0;
  EXPECT_EQ(search(plain.octets, s).outcome, SearchOutcome::found);
}

TEST(FindFpdu, AllowanceBoundsTheCrcWorkOnHostileOctets) {
  Buffer octets;
  for (std::size_t i = 0; i < (200U << 10); i += 2) {  // a plausible tagged header at every second octet
    octets.push_back(std::byte{0xC1});
    octets.push_back(std::byte{0x40});
  }
  SearchWindow window;
  window.octets = octets;
  window.at_end = true;
  window.crc_allowance = 1U << 20;
  FramingSettings s;
  s.crc = true;
  const SearchResult r = find_fpdu(window, s);
  EXPECT_EQ(r.outcome, SearchOutcome::none);
  EXPECT_LE(r.crc_spent, window.crc_allowance);
}

TEST(Framer, HostileOctetsCostBoundedTime) {
  // Marker-like garbage, headers at each second octet, and right FPDUs each followed by a wrong one.
  constexpr std::size_t kOctets = iwarpscope::test::rounds(4U << 20);
  std::vector<Buffer> inputs(3);
  for (std::size_t i = 0; i < kOctets; i += 4)
    append(inputs[0], {std::byte{0}, std::byte{0}, std::byte{0}, std::byte{4}});
  for (std::size_t i = 0; i < kOctets; i += 2) append(inputs[1], {std::byte{0xC1}, std::byte{0x40}});
  const Buffer good = synth::wire::write(synth::wire::FpduForm{}, send_ulpdu(1, {}));
  while (inputs[2].size() < kOctets) {
    append(inputs[2], good);
    append(inputs[2], {std::byte{0}, std::byte{0}, std::byte{0xC1}, std::byte{0x40}});
  }
  for (const Buffer& input : inputs) {
    const auto begin = std::chrono::steady_clock::now();
    Bench bench;
    bench.feed_all(kStreamOrigin, input, 1448);
    bench.finish();
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took, std::chrono::seconds(60));  // a hang, not a benchmark: about a second is usual
  }
}

TEST(PlausibleFpdu, SaysNoneHeaderOrConfirmed) {
  Buffer fpdu = synth::wire::write(synth::wire::FpduForm{}, send_ulpdu(1, Buffer(60, std::byte{1})));
  EXPECT_EQ(plausible_fpdu(fpdu).kind, Plausible::Kind::confirmed);
  EXPECT_EQ(plausible_fpdu(fpdu).raw_octets, fpdu.size());
  EXPECT_EQ(plausible_fpdu(Octets{fpdu}.first(40)).kind, Plausible::Kind::header);
  EXPECT_EQ(plausible_fpdu(Octets{fpdu}.first(19)).kind, Plausible::Kind::none);
  fpdu[50] ^= std::byte{1};
  EXPECT_EQ(plausible_fpdu(fpdu).kind, Plausible::Kind::header);
  EXPECT_EQ(plausible_fpdu(synth::text("GET / HTTP/1.1\r\nHost: a\r\n\r\n")).kind, Plausible::Kind::none);
  EXPECT_EQ(plausible_fpdu({}).kind, Plausible::Kind::none);
  synth::wire::FpduForm marked;
  marked.markers = true;
  EXPECT_EQ(plausible_fpdu(synth::wire::write(marked, send_ulpdu(1, Buffer(60)))).kind, Plausible::Kind::confirmed);
}

}  // namespace
}  // namespace iwarpscope::mpa::test
