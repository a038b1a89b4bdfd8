// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "synth/random.h"

namespace iwarpscope::live {
namespace {

using testing::SizeIs;

net::IpAddress host(std::uint32_t n) {
  return net::IpAddress::v4(0x0A000000U + n);
}
HostEnds ends(std::uint32_t a, std::uint32_t b, std::uint32_t tap_group = 0) {
  return {host(a), host(b), tap_group};
}

TEST(HostSums, AQueuePairCountsForBothItsHostsAndForThePair) {
  HostSums sums;
  sums.change(ends(2, 1), {}, {.counted = true, .active = true, .errors = 3, .payload_octets = 100});
  const HostPage hosts = sums.page(false, {}, 10), pairs = sums.page(true, {}, 10);
  ASSERT_THAT(hosts.rows, SizeIs(2));
  EXPECT_EQ(hosts.rows[0].host, host(1));
  EXPECT_FALSE(hosts.rows[0].peer);
  EXPECT_EQ(hosts.rows[1].errors, 3u);
  ASSERT_THAT(pairs.rows, SizeIs(1));
  EXPECT_EQ(pairs.rows[0].host, host(1));
  EXPECT_EQ(pairs.rows[0].peer, host(2));
  EXPECT_EQ(pairs.rows[0].payload_octets, 100u);
}

TEST(HostSums, AHostThatTalksToItselfCountsOnce) {
  HostSums sums;
  sums.change(ends(1, 1), {}, {.counted = true, .active = true});
  EXPECT_EQ(sums.page(false, {}, 10).rows.at(0).qps, 1u);
  EXPECT_THAT(sums.page(true, {}, 10).rows, SizeIs(1));
}

TEST(HostSums, AnAddressHasARowInEachTapGroup) {
  HostSums sums;
  sums.change(ends(1, 2, 1), {}, {.counted = true, .errors = 3});
  sums.change(ends(2, 1, 7), {}, {.counted = true, .failed = true, .payload_octets = 5});
  const std::vector<NumberedInterface> names{{"eth0", "eth0,eth1", 1}, {"eth1", "eth0,eth1", 1}, {"eth2", "eth2", 7}};
  for (const bool pairs : {false, true}) {
    std::vector<HostRow> rows;
    std::optional<HostKey> from = HostKey{};
    while (from) {
      const HostPage page = sums.page(pairs, *from, 1, names);
      rows.insert(rows.end(), page.rows.begin(), page.rows.end());
      from = page.next;
    }
    ASSERT_THAT(rows, SizeIs(pairs ? 2 : 4));
    EXPECT_EQ(rows[0].tap_group, "eth0,eth1");
    EXPECT_EQ(rows[0].errors, 3u);
    EXPECT_EQ(rows[0].failed, 0u);
    EXPECT_EQ(rows[1].host, host(1));
    EXPECT_EQ(rows[1].tap_group, "eth2");
    EXPECT_EQ(rows[1].failed, 1u);
    EXPECT_EQ(rows[1].payload_octets, 5u);
  }
}

TEST(HostSums, ARowGoesWithItsLastQueuePair) {
  HostSums sums;
  const HostShare share{.counted = true, .failed = true, .warnings = 2};
  sums.change(ends(1, 2), {}, share);
  sums.change(ends(1, 3), {}, share);
  sums.change(ends(1, 2), share, {});
  ASSERT_THAT(sums.page(false, {}, 10).rows, SizeIs(2));
  EXPECT_EQ(sums.page(false, {}, 10).rows[0].warnings, 2u);
  sums.change(ends(1, 3), share, {});
  EXPECT_THAT(sums.page(false, {}, 10).rows, SizeIs(0));
  EXPECT_THAT(sums.page(true, {}, 10).rows, SizeIs(0));
}

TEST(HostSums, PagesHaveEachRowOnce) {
  HostSums sums;
  for (std::uint32_t i = 0; i < 50; ++i) sums.change(ends(i, 100 + i % 7), {}, {.counted = true});
  for (const bool pairs : {false, true}) {
    std::size_t rows = 0;
    std::optional<HostKey> from = HostKey{};
    while (from) {
      const HostPage page = sums.page(pairs, *from, 8);
      rows += page.rows.size();
      from = page.next;
    }
    EXPECT_EQ(rows, pairs ? 50u : 57u);
  }
}

TEST(HostSums, AreWhatAWalkOverAllQueuePairsGives) {
  HostSums sums;
  synth::Random random(4);
  struct Qp {
    HostEnds ends;
    HostShare share;
  };
  std::map<unsigned, Qp> qps;
  for (unsigned round = 0; round < 5000; ++round) {
    const auto number = static_cast<unsigned>(random.below(200));
    const auto it = qps.find(number);
    if (it != qps.end() && random.chance(200)) {
      sums.change(it->second.ends, it->second.share, {});
      qps.erase(it);
      continue;
    }
    Qp& qp = qps[number];
    if (it == qps.end()) {
      qp.ends = ends(static_cast<std::uint32_t>(random.below(9)), static_cast<std::uint32_t>(random.below(9)));
    }
    HostShare is = qp.share;
    is.counted = true;
    is.active = random.chance(500);
    is.failed = !is.active && random.chance(500);
    is.notes += static_cast<std::uint32_t>(random.below(3));
    is.payload_octets += random.below(1000);
    sums.change(qp.ends, qp.share, is);
    qp.share = is;
  }
  std::map<HostKey, HostRow> walked;
  for (const auto& [number, qp] : qps) {
    const auto [a, b] = std::minmax(qp.ends.a, qp.ends.b);
    HostRow& row = walked[{a, b}];
    ++row.qps;
    row.active += qp.share.active;
    row.failed += qp.share.failed;
    row.notes += qp.share.notes;
    row.payload_octets += qp.share.payload_octets;
  }
  const HostPage page = sums.page(true, {}, 1000);
  ASSERT_EQ(page.rows.size(), walked.size());
  for (const HostRow& row : page.rows) {
    const HostRow& expected = walked.at({row.host, *row.peer});
    EXPECT_EQ(row.qps, expected.qps);
    EXPECT_EQ(row.active, expected.active);
    EXPECT_EQ(row.failed, expected.failed);
    EXPECT_EQ(row.notes, expected.notes);
    EXPECT_EQ(row.payload_octets, expected.payload_octets);
  }
}

}  // namespace
}  // namespace iwarpscope::live
