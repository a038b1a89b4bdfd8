// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/throughput.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace iwarpscope::live {
namespace {

constexpr std::int64_t kNs = 1'000'000'000;

std::uint64_t octets_of(const ThroughputView& view) {
  return std::accumulate(view.octets.begin(), view.octets.end(), std::uint64_t{0});
}

TEST(Throughput, OfNothing_HasNoBuckets) {
  const ThroughputView view = Throughput().view();
  EXPECT_EQ(view.width_ns, 0);
  EXPECT_TRUE(view.octets.empty());
}

TEST(Throughput, OfAWholeCapture_KeepsAllOctets_InAFixedNumberOfBuckets) {
  Throughput throughput;
  for (std::int64_t second = 1000; second < 1000 + 3600; ++second) throughput.add({second * kNs}, 7);
  const ThroughputView view = throughput.view();
  EXPECT_LE(view.octets.size(), Throughput::kBuckets);
  EXPECT_GT(view.octets.size(), Throughput::kBuckets / 2) << "no wider than they must be";
  EXPECT_EQ(octets_of(view), 7u * 3600);
  EXPECT_EQ(view.first.ns, 1000 * kNs) << "it begins where the capture begins";
}

TEST(Throughput, OfAWholeCapture_TakesTimesInAnyOrder) {
  Throughput throughput;
  throughput.add({50 * kNs}, 1);
  throughput.add({10 * kNs}, 2);
  throughput.add({90 * kNs}, 4);
  throughput.add({50 * kNs}, 8);
  const ThroughputView view = throughput.view();
  const auto at = [&](std::int64_t second) {
    return view.octets.at(static_cast<std::size_t>((second * kNs - view.first.ns) / view.width_ns));
  };
  EXPECT_EQ(at(10), 2u);
  EXPECT_EQ(at(50), 9u);
  EXPECT_EQ(at(90), 4u);
  EXPECT_EQ(octets_of(view), 15u);
}

TEST(Throughput, OfTimesThatCannotBe_StaysBounded) {
  Throughput throughput;
  throughput.add({std::numeric_limits<std::int64_t>::max()}, 1);
  throughput.add({std::numeric_limits<std::int64_t>::min()}, 2);
  throughput.add({0}, 4);
  EXPECT_LE(throughput.view().octets.size(), Throughput::kBuckets);
  EXPECT_EQ(octets_of(throughput.view()), 7u);
}

TEST(Throughput, OfADaemon_HasTheLastTenMinutes) {
  Throughput throughput;
  throughput.set_span(Throughput::Span::recent);
  for (std::int64_t second = 0; second < 3600; ++second) throughput.add({second * kNs}, 1);
  throughput.add({0}, 100);
  const ThroughputView view = throughput.view();
  EXPECT_EQ(view.octets.size(), Throughput::kBuckets);
  EXPECT_NEAR(static_cast<double>(octets_of(view)), 600 * 1.07, 5) << "the oldest are gone";
  throughput.add({3700 * kNs}, 0);
  EXPECT_EQ(throughput.view().octets.back(), 0u) << "silence is shown, too";
  throughput.add({10'000 * kNs}, 5);
  EXPECT_THAT(throughput.view().octets, testing::ElementsAre(5));
}

}  // namespace
}  // namespace iwarpscope::live
