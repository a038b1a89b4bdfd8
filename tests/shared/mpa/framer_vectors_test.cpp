// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Published and worked FPDUs, octet for octet.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "mpa/marker.h"
#include "shared/mpa/support.h"

namespace iwarpscope::mpa::test {
namespace {

struct Vector {
  const char* name;
  std::uint64_t position;  ///< from SeqStart
  bool markers;
  bool crc;
  const char* octets;
  std::uint32_t ulpdu_length;
  std::uint16_t marker_count;
};

constexpr Vector kVectors[] = {
    // RFC 5044 Figure 5: the first FPDU of a stream with markers, a Send of 24 zero octets.
    {"figure 5", 0, true, true,
     "00000000 002a4143 00000000 00000000 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
     "52239983",
     42, 1},
    // RFC 5044 Figure 6: the second one, with a marker 0x14 octets after its start.
    {"figure 6", 0x1EC, true, true,
     "002a4143 00000000 00000000 00000002 00000000 00000014 00000000 00000000 00000000 00000000 00000000 00000000"
     "84925898",
     42, 1},
    {"marker between PAD and CRC", 0x1E8, true, true,
     "00154143 00000000 00000000 00000003 00000000 11223300 00000018 7d469706", 21, 1},
    {"marker between FPDUs", 0x400, true, true, "00000000 00124143 00000000 00000000 00000004 00000000 94108224", 18,
     1},
    {"marker four octets inside", 0x5FC, true, true,
     "00134143 00000004 00000000 00000000 00000005 00000000 aa000000 88b5208f", 19, 1},
    {"zero-length RDMA Write", 0, false, true, "000ec140 00000001 00000000 00000000 ebd34c5f", 14, 0},
    {"zero-length RDMA Read Request", 0, false, true,
     "002e4141 00000000 00000001 00000001 00000000 00000000 00000000 00000000 00000000 00000001 00000000 00000000"
     "ba10e3c9",
     46, 0},
    {"CRC off", 0, false, false, "00134143 00000000 00000000 00000001 00000000 5a000000 00000000", 19, 0},
    {"Atomic Request", 0, false, true,
     "0046414a 00000000 00000001 00000002 00000000 00000000 00000007 00001234 00000000 00001000 00000000 00000001"
     "00000000 00000000 00000000 00000000 ffffffff ffffffff 53c2ed45",
     70, 0},
    {"Atomic Response", 0, false, true,
     "001e414b 00000000 00000003 00000001 00000000 00000007 00000000 00000029 b9ebafe8", 30, 0},
    {"Immediate Data with SE", 0, false, true,
     "001a4149 00000000 00000000 00000001 00000000 00010203 04050607 21aab9e7", 26, 0},
    {"Terminate as RFC 5040 lays it out", 0, false, true,
     "002a4147 00000000 00000002 00000001 00000000 1203c000 002a4143 00000000 00000000 00000009 00000000 6ad5d083", 42,
     0},
    {"Terminate as siw lays it out", 0, false, true,
     "002a4147 00000000 00000002 00000001 00000000 21030300 00184143 00000000 00000000 00000009 00000000 1394db44", 42,
     0},
};

std::vector<Vector> vectors_at_start() {
  std::vector<Vector> some;
  std::copy_if(std::begin(kVectors), std::end(kVectors), std::back_inserter(some),
               [](const Vector& v) { return v.position == 0; });
  return some;
}

class FpduVector : public testing::TestWithParam<Vector> {};
class FpduVectorAtStart : public testing::TestWithParam<Vector> {};

TEST_P(FpduVector, FedWholeIsOneFpduWithRightCrc) {
  const Vector& v = GetParam();
  const Buffer octets = synth::hex(v.octets);
  // SeqStart lies `position` octets back; what came before is missing.
  const FramingSettings s = settings(kStreamOrigin, v.markers, v.crc);
  Bench bench(s);
  const StreamOffset at = *s.sequence_start + v.position;
  if (v.position != 0) bench.gap(*s.sequence_start, v.position);
  bench.feed(at, octets);
  bench.finish();
  ASSERT_EQ(bench.sink.all.size(), 1U) << v.name;
  const Kept& k = bench.sink.all[0];
  EXPECT_EQ(k.fpdu.ulpdu_length, v.ulpdu_length);
  EXPECT_EQ(k.ulpdu.size(), v.ulpdu_length);
  EXPECT_EQ(k.fpdu.markers, v.marker_count);
  EXPECT_EQ(k.fpdu.crc, v.crc ? CrcVerdict::good : CrcVerdict::not_in_use);
  EXPECT_EQ(k.fpdu.end, at + octets.size());
  EXPECT_EQ(bench.reporter.serious(), "");
}

TEST_P(FpduVectorAtStart, CutAtEachOctetIsTheSameFpdu) {
  const Vector& v = GetParam();
  const Buffer octets = synth::hex(v.octets);
  for (std::size_t cut = 1; cut < octets.size(); ++cut) {
    Bench bench(settings(kStreamOrigin, v.markers, v.crc));
    bench.feed(kStreamOrigin, Octets{octets}.first(cut));
    EXPECT_TRUE(bench.sink.all.empty()) << cut;
    EXPECT_EQ(bench.framer.pending().octets, cut);
    bench.feed(kStreamOrigin + cut, Octets{octets}.subspan(cut));
    bench.finish();
    ASSERT_EQ(bench.sink.all.size(), 1U) << v.name << " cut at " << cut;
    EXPECT_EQ(bench.sink.all[0].ulpdu.size(), v.ulpdu_length);
    EXPECT_EQ(bench.reporter.serious(), "");
    EXPECT_FALSE(bench.sink.all[0].fpdu.in_one_tcp_segment);
  }
}

std::string test_name(const testing::TestParamInfo<Vector>& info) {
  std::string name(info.param.name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, FpduVector, testing::ValuesIn(kVectors), test_name);

// Those that begin a stream; after missing octets the first ones would be searched for.
INSTANTIATE_TEST_SUITE_P(All, FpduVectorAtStart, testing::ValuesIn(vectors_at_start()), test_name);

TEST(FpduLayout, LargestUlpduFromAMarkerHas65288RawOctets) {
  const FpduLayout layout = marked_layout(kMaxUlpduOctets, 0);
  EXPECT_EQ(layout.raw, kMaxFpduOctets);
  EXPECT_EQ(layout.lead, 4U);
  EXPECT_EQ(layout.lead + layout.first + (layout.interior - 1) * kMarkerPeriod, 65024U);
  std::uint32_t largest = 0;
  for (std::uint32_t residue = 0; residue < 512; residue += 4) {
    largest = std::max(largest, marked_layout(kMaxUlpduOctets, residue).raw);
  }
  EXPECT_EQ(largest, kMaxFpduOctets);
  EXPECT_EQ(marked_layout(kMostUlpduOctets, 0).raw, kMostFpduOctets);
}

TEST(FpduLayout, UlpduOf1418OctetsAtSeqStartHasThreeMarkers) {
  const FpduLayout layout = marked_layout(1418, 0);
  EXPECT_EQ(layout.raw, 1436U);
  EXPECT_EQ(layout.markers(), 3U);
  EXPECT_EQ(layout.first, 0x1FCU);
}

TEST(Mulpdu, PublishedSizesGiveThePublishedNumbers) {
  constexpr std::uint32_t kTable[][3] = {{536, 530, 522},    {1220, 1214, 1202}, {1440, 1434, 1422}, {1448, 1442, 1430},
                                         {1460, 1454, 1442}, {8948, 8942, 8870}, {8960, 8954, 8882}};
  for (const auto& row : kTable) {
    EXPECT_EQ(mulpdu(row[0], false), row[1]);
    EXPECT_EQ(mulpdu(row[0], true), row[2]);
  }
  EXPECT_EQ(mulpdu(64, true), 128U);
  EXPECT_EQ(mulpdu(65535, false), kMaxUlpduOctets);
}

}  // namespace
}  // namespace iwarpscope::mpa::test
