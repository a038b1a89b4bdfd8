// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Sums over time, compared with slow and simple sums.
#include "models/plots/timeline_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "gui/models/timeline_made.h"

namespace iwarpscope::gui::timeline_data_test {
namespace {

using made::message;
using made::read_request;

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

TEST(LatencyCounts, EachDurationLiesInItsCell) {
  std::mt19937_64 random{1};
  for (int i = 0; i < 20'000; ++i) {
    const auto ns = static_cast<std::int64_t>(random() >> (16 + random() % 47));
    const std::size_t cell = LatencyCounts::cell_of(ns);
    ASSERT_LT(cell, LatencyCounts::kCells) << ns;
    ASSERT_LE(LatencyCounts::begin_of(cell), ns);
    ASSERT_GT(LatencyCounts::begin_of(cell + 1), ns);
  }
  EXPECT_EQ(LatencyCounts::cell_of(-5), 0u);
  EXPECT_EQ(LatencyCounts::cell_of(std::numeric_limits<std::int64_t>::max()), LatencyCounts::kCells - 1);
}

TEST(LatencyCounts, PercentilesAreRightToAnEighth) {
  std::mt19937_64 random{2};
  for (int round = 0; round < 50; ++round) {
    LatencyCounts counts, rest;
    std::vector<std::int64_t> all;
    const std::size_t count = 1 + random() % 300;
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(static_cast<std::int64_t>(random() >> (20 + random() % 40)));
      (i % 2 == 0 ? counts : rest).add(all.back());
    }
    counts.add(rest);
    std::sort(all.begin(), all.end());
    ASSERT_EQ(counts.total(), count);
    for (const double percent : {1.0, 50.0, 99.0, 100.0}) {
      const auto rank = static_cast<std::size_t>(std::ceil(percent / 100 * static_cast<double>(count)));
      const std::int64_t exact = all[rank - 1];
      ASSERT_GE(counts.percentile_ns(percent), exact);
      ASSERT_LE(counts.percentile_ns(percent), exact + exact / 8 + 1);
    }
    ASSERT_EQ(counts.percentile_ns(100), all.back());
  }
}

/// Random traffic of one connection: requests in the order of their time.
std::vector<qp::MessageRecord> traffic(std::mt19937_64& random, std::int64_t span) {
  std::vector<qp::MessageRecord> all;
  std::array<std::int64_t, 2> now{kStart, kStart};
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto direction = static_cast<Direction>(random() % 2);
    std::int64_t& at = now[index(direction)];
    at += static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span));
    if (random() % 2 == 0) {
      const bool is_answered = random() % 8 != 0;
      const auto took = static_cast<std::int64_t>(1 + random() % (10 * static_cast<std::uint64_t>(span)));
      all.push_back(read_request(direction, i, at, is_answered ? took : -1));
    } else {
      const auto last = at + static_cast<std::int64_t>(random() % (3 * static_cast<std::uint64_t>(span)));
      all.push_back(message(direction, i, rdmap::Opcode::rdma_write, at, last, random() % 100'000));
    }
  }
  return all;
}

/// Maximum of outstanding requests in [from, to), computed from each request at each start of a request.
std::uint64_t most_outstanding(const std::vector<qp::MessageRecord>& all, Direction direction, std::int64_t from,
                               std::int64_t to) {
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  for (const qp::MessageRecord& m : all) {
    const auto* read = std::get_if<qp::ReadRequestDetail>(&m.detail);
    if (read == nullptr || m.direction != direction) continue;
    const std::int64_t end =
        read->response ? m.placed_time.ns + read->response->last_octet_ns : std::numeric_limits<std::int64_t>::max();
    spans.emplace_back(m.placed_time.ns, end);
  }
  const auto level = [&](std::int64_t t) {
    return static_cast<std::uint64_t>(
        std::count_if(spans.begin(), spans.end(), [&](const auto& s) { return s.first <= t && s.second > t; }));
  };
  std::uint64_t most = level(from);
  for (const auto& span : spans) {
    if (span.first >= from && span.first < to) most = std::max(most, level(span.first));
  }
  return most;
}

class TimelineOf : public testing::TestWithParam<std::int64_t> {};

TEST_P(TimelineOf, RandomTrafficAgreesWithSlowSums) {
  std::mt19937_64 random{static_cast<std::uint64_t>(GetParam())};
  const std::vector<qp::MessageRecord> all = traffic(random, GetParam());
  TimelineData data;
  for (std::size_t i = 0; i < all.size(); i += 70) {
    data.add(std::span(all).subspan(i, std::min<std::size_t>(70, all.size() - i)));
  }
  ASSERT_LE(data.buckets().size(), TimelineData::kMostBuckets);
  for (const Direction direction : {Direction::a_to_b, Direction::b_to_a}) {
    const std::vector<std::uint64_t> outstanding = data.outstanding(direction);
    for (std::size_t i = 0; i < data.buckets().size(); ++i) {
      const std::int64_t from = data.begin_of(i).ns;
      ASSERT_EQ(outstanding[i], most_outstanding(all, direction, from, from + data.width_ns())) << i;
    }
  }
  const std::size_t count = data.buckets().size();
  const std::vector<TimelineBucket> grouped = data.grouped(0, count, 7);
  ASSERT_EQ(grouped.size(), (count + 6) / 7);
  for (std::size_t i = 0; i < grouped.size(); ++i) {
    const std::int64_t from = data.begin_of(7 * i).ns, to = data.begin_of(std::min(count, 7 * (i + 1))).ns;
    ASSERT_EQ(grouped[i].outstanding[0], most_outstanding(all, Direction::a_to_b, from, to)) << i;
  }
  const TimelineBucket sum = data.sum({});
  std::uint64_t octets = 0, latencies = 0, unanswered = 0;
  for (const qp::MessageRecord& m : all) {
    const auto* read = std::get_if<qp::ReadRequestDetail>(&m.detail);
    if (read == nullptr) octets += m.length;
    if (read != nullptr) ++(read->response ? latencies : unanswered);
  }
  constexpr auto kWrite = static_cast<std::size_t>(rdmap::Opcode::rdma_write);
  EXPECT_EQ(sum.octets[0][kWrite] + sum.octets[1][kWrite], octets);
  EXPECT_EQ(sum.latency[0].total(), latencies);
  EXPECT_EQ(sum.unanswered[0] + sum.unanswered[1], unanswered);
}

INSTANTIATE_TEST_SUITE_P(Spans, TimelineOf, testing::Values(50, 3'000, 1'000'000, 7'000'000'000));

TEST(TimelineData, ALongMessageIsSpreadOverItsTime) {
  TimelineData data;
  const auto to = kStart + 100 * (std::int64_t{1} << TimelineData::kFirstShift);
  data.add(std::vector{message(Direction::a_to_b, 0, rdmap::Opcode::send, kStart, to, 10'100)});
  ASSERT_EQ(data.buckets().size(), 101u);
  for (const TimelineBucket& bucket : data.buckets()) {
    EXPECT_NEAR(static_cast<double>(bucket.octets[0][static_cast<std::size_t>(rdmap::Opcode::send)]), 100, 1);
  }
}

TEST(TimelineData, OctetsAreThoseOfTheUpperLayer) {
  TimelineData data;
  data.add(std::vector{message(Direction::a_to_b, 0, rdmap::Opcode::rdma_write, kStart, kStart, 64),
                       message(Direction::b_to_a, 0, rdmap::Opcode::terminate, kStart, kStart, 20)});
  EXPECT_EQ(data.sum({}).octets[0][static_cast<std::size_t>(rdmap::Opcode::rdma_write)], 64u);
  EXPECT_EQ(data.sum({}).octets[1][static_cast<std::size_t>(rdmap::Opcode::terminate)], 0u)
      << "the analysis counts none, either";
}

TEST(TimelineData, TimesFarApartStayInBoundedMemory) {
  TimelineData data;
  data.add(std::vector{message(Direction::a_to_b, 0, rdmap::Opcode::send, kStart, kStart, 5),
                       message(Direction::a_to_b, 1, rdmap::Opcode::send, -kStart, -kStart, 7),
                       message(Direction::a_to_b, 2, rdmap::Opcode::send, 9 * (kStart / 2), 9 * (kStart / 2), 9)});
  EXPECT_LE(data.buckets().size(), TimelineData::kMostBuckets);
  EXPECT_EQ(data.sum({}).octets[0][static_cast<std::size_t>(rdmap::Opcode::send)], 21u);
  EXPECT_EQ(data.bucket_at({kStart}), data.bucket_at({kStart + 1}));
}

TEST(TimelineData, EventsAndSpansOfTimeAreKeptApart) {
  TimelineData data;
  data.add(std::vector{message(Direction::a_to_b, 0, rdmap::Opcode::send, kStart, kStart, 5)});
  qp::TransportEvent event;
  event.kind = qp::TransportEventKind::capture_gap;
  event.direction = Direction::b_to_a;
  event.octets = 1460;
  event.time = {kStart - 5'000'000};
  data.add(event);
  const TimelineBucket early = data.sum(TimeRange{{kStart - 6'000'000}, {kStart - 1'000'000}});
  EXPECT_EQ(early.event_octets[1][static_cast<std::size_t>(event.kind)], 1460u);
  EXPECT_EQ(early.octets[0][static_cast<std::size_t>(rdmap::Opcode::send)], 0u);
}

/// Also after the last request, and for more requests than the number of stored answers.
TEST(TimelineData, UnansweredRequestsAreOutstandingToTheEnd) {
  constexpr std::uint64_t kRequests = TimelineData::kMostOpen + 5;
  std::vector<qp::MessageRecord> all;
  for (std::uint64_t i = 0; i < kRequests; ++i) {
    all.push_back(read_request(Direction::a_to_b, i, kStart + static_cast<std::int64_t>(i), -1));
  }
  all.push_back(read_request(Direction::a_to_b, kRequests, kStart + 1'000'000, 1000));
  all.push_back(message(Direction::b_to_a, 0, rdmap::Opcode::send, kStart + 9'000'000, kStart + 9'000'000, 5));
  TimelineData data;
  data.add(all);
  const std::vector<std::uint64_t> outstanding = data.outstanding(Direction::a_to_b);
  EXPECT_EQ(outstanding.back(), kRequests);
  EXPECT_EQ(outstanding[data.bucket_at({kStart + 1'000'000})], kRequests + 1);
  EXPECT_EQ(outstanding[data.bucket_at({kStart + 500'000})], kRequests);
  EXPECT_EQ(data.left_out(), 0u);
  EXPECT_EQ(data.outstanding(Direction::b_to_a).back(), 0u);
}

TEST(TimelineData, TooManyOutstandingRequestsAreCounted) {
  std::vector<qp::MessageRecord> all;
  for (std::uint64_t i = 0; i < TimelineData::kMostOpen + 3; ++i) {
    all.push_back(read_request(Direction::a_to_b, i, kStart + static_cast<std::int64_t>(i), 1'000'000'000));
  }
  TimelineData data;
  data.add(all);
  EXPECT_EQ(data.left_out(), 3u);
  const std::vector<std::uint64_t> outstanding = data.outstanding(Direction::a_to_b);
  EXPECT_EQ(*std::max_element(outstanding.begin(), outstanding.end()), TimelineData::kMostOpen);
}

}  // namespace
}  // namespace iwarpscope::gui::timeline_data_test
