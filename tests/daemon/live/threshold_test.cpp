// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/threshold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iwarpscope::live {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// Findings of one rule, from one host to another, at a second.
struct Gate : ::testing::Test {
  ThresholdGate gate;

  bool passes(std::int64_t second, std::uint32_t source = 0x0A000001, std::uint32_t destination = 0x0A000002,
              findings::FindingId id = findings::FindingId::mpa_crc_mismatch) {
    findings::Finding finding;
    finding.id = id;
    finding.time = TimePoint{second * kSecondNs};
    // Sent by B in every other second, so that the source is not always A.
    const bool of_b = second % 2 == 1;
    finding.direction = of_b ? Direction::b_to_a : Direction::a_to_b;
    std::pair<net::Endpoint, net::Endpoint> ends{{net::IpAddress::v4(source), 40000},
                                                 {net::IpAddress::v4(destination), 7000}};
    if (of_b) std::swap(ends.first, ends.second);
    return gate.passes(finding, &ends);
  }
  std::vector<bool> pass(std::initializer_list<std::int64_t> seconds) {
    std::vector<bool> all;
    for (const std::int64_t second : seconds) all.push_back(passes(second));
    return all;
  }
};

TEST_F(Gate, WithoutLines_EverythingPasses) {
  EXPECT_TRUE(passes(0));
  EXPECT_EQ(gate.withheld(), 0u);
}

TEST_F(Gate, Limit_PassesTheFirstOfEachWindowAndSource) {
  gate.change({"threshold MF-04, type limit, track by_src, count 2, seconds 10"});
  EXPECT_THAT(pass({0, 1, 2, 9, 10, 11, 12}), ElementsAre(true, true, false, false, true, true, false));
  EXPECT_TRUE(passes(3, 0x0A000007)) << "another source";
  EXPECT_FALSE(passes(13, 0x0A000001, 0x0A000009)) << "the same source";
  EXPECT_TRUE(passes(4, 0x0A000001, 0x0A000002, findings::FindingId::rdmap_terminate_sent)) << "another rule";
  EXPECT_EQ(gate.withheld(), 4u);
}

TEST_F(Gate, Threshold_PassesEveryNth) {
  gate.change({"threshold mpa.crc-mismatch, type threshold, track by_rule, count 3, seconds 10"});
  EXPECT_THAT(pass({0, 1, 2, 3, 4, 5, 6, 17}), ElementsAre(false, false, true, false, false, true, false, false));
}

TEST_F(Gate, Both_PassesOnceAWindow) {
  gate.change({"threshold any, type both, track by_both, count 2, seconds 10"});
  EXPECT_THAT(pass({0, 1, 2, 3, 10, 11, 12}), ElementsAre(false, true, false, false, false, true, false));
}

TEST_F(Gate, ClockSetBack_BeginsAnotherWindow) {
  gate.change({"threshold any, type limit, track by_dst, count 1, seconds 1000"});
  EXPECT_THAT(pass({5000, 5001, 100, 101}), ElementsAre(true, false, true, false));
}

TEST_F(Gate, Suppress_IsByHostNetworkAndException) {
  gate.change({"suppress MF-04, track by_src, ip [10.0.0.0/24, !10.0.0.9]",
               "suppress MF-04, track by_either, ip fd00::/8", "suppress any, track by_dst, ip 192.0.2.7"});
  EXPECT_FALSE(passes(0, 0x0A000001, 0x0B000001));
  EXPECT_TRUE(passes(0, 0x0B000001, 0x0A000001)) << "the network is that of the destination";
  EXPECT_TRUE(passes(1, 0x0A000009, 0x0B000001)) << "excepted";
  EXPECT_FALSE(passes(1, 0x0B000001, 0xC0000207));
  EXPECT_TRUE(passes(1, 0xC0000207, 0x0B000001));
  EXPECT_TRUE(passes(1, 0x0A000001, 0x0B000001, findings::FindingId::rdmap_terminate_sent));
}

TEST_F(Gate, SuppressUntil_EndsThen) {
  gate.change({"suppress any, until 1970-01-02T00:01Z"});
  EXPECT_THAT(pass({0, 86'459, 86'460}), ElementsAre(false, false, true));
}

TEST_F(Gate, OfNoQueuePair_HasNoHost) {
  gate.change({"suppress MF-04, track by_either, ip 0.0.0.0/0",
               "threshold MF-04, type limit, track by_src, count 1, seconds 9"});
  findings::Finding finding;
  finding.id = findings::FindingId::mpa_crc_mismatch;
  EXPECT_TRUE(gate.passes(finding, nullptr));
  EXPECT_FALSE(gate.passes(finding, nullptr));
}

TEST_F(Gate, FullTable_HoldsNothingBack) {
  gate.change({"threshold any, type limit, track by_src, count 1, seconds 60"});
  for (std::uint32_t host = 0; host < 70'000; ++host) {
    ASSERT_TRUE(passes(0, 0x0B000000 + host)) << host;
  }
  EXPECT_TRUE(passes(0, 0x0B000000 + 69'999)) << "no room to remember it";
  EXPECT_FALSE(passes(0, 0x0B000000));
  EXPECT_TRUE(passes(60, 0x0B000000 + 69'999)) << "the others are over";
  EXPECT_FALSE(passes(60, 0x0B000000 + 69'999));
}

TEST(Threshold, MistakesAreNamed) {
  const auto mistake = [](std::string_view line) {
    const auto read = Threshold::parse(line);
    return read ? std::string("none") : read.error();
  };
  EXPECT_EQ(mistake("suppress MF-04"), "none");
  EXPECT_EQ(mistake(" threshold any ,type both,track by_rule,count 1,seconds 1 "), "none");
  EXPECT_THAT(mistake("drop MF-04"), HasSubstr("begins with suppress or threshold"));
  EXPECT_THAT(mistake("suppress MF-99"), HasSubstr("\"MF-99\" is not a rule"));
  EXPECT_THAT(mistake("suppress any, track by_src"), HasSubstr("track and ip belong together"));
  EXPECT_THAT(mistake("suppress any, ip 10.0.0.1"), HasSubstr("track and ip belong together"));
  EXPECT_THAT(mistake("suppress any, track by_rule, ip 10.0.0.1"), HasSubstr("suppress tracks"));
  for (const char* wrong : {"10.0.0.0/33", "fd00::/129", "host", "", "[]", "10.0.0.1/x"}) {
    EXPECT_NE(mistake(std::string("suppress any, track by_src, ip ") + wrong), "none") << wrong;
  }
  EXPECT_THAT(mistake("suppress any, until tomorrow"), HasSubstr("not a time"));
  EXPECT_THAT(mistake("suppress any, until 2026-13-01T00:00Z"), HasSubstr("not a time"));
  EXPECT_THAT(mistake("suppress any, count 3"), HasSubstr("suppress has no \"count\""));
  EXPECT_THAT(mistake("threshold any, type limit, track by_src, count 1"), HasSubstr("needs type, track"));
  EXPECT_THAT(mistake("threshold any, type limit, track by_src, count 0, seconds 1"), HasSubstr("count must be"));
  EXPECT_THAT(mistake("threshold any, type most, track by_src, count 1, seconds 1"), HasSubstr("is not limit"));
  EXPECT_THAT(mistake("threshold any, type limit, track by_either, count 1, seconds 1"), HasSubstr("threshold tracks"));
  EXPECT_THAT(mistake("threshold any, ip 10.0.0.1"), HasSubstr("threshold has no \"ip\""));
}

}  // namespace
}  // namespace iwarpscope::live
