// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What passed between hosts, by interval: nothing is counted twice or lost.
#include "live/summaries.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "daemon/live/watch_kit.h"

namespace iwarpscope::live {
namespace {

using synth::kSecond;

TEST(SizeClass, GoesByPowersOfFour) {
  EXPECT_EQ(size_class_of(0), 0U);
  EXPECT_EQ(size_class_of(63), 0U);
  for (std::size_t c = 1; c < kSizeClasses; ++c) {
    EXPECT_EQ(size_class_of(size_class_begin(c)), c);
    EXPECT_EQ(size_class_of(size_class_begin(c) - 1), c - 1);
  }
  EXPECT_EQ(size_class_of(~std::uint64_t{0}), kSizeClasses - 1);
}

/// Counts of all summaries by opcode.
struct Counts {
  std::uint64_t messages = 0, octets = 0, failures = 0, latencies = 0;
};
std::map<std::string_view, Counts> by_opcode(const std::vector<Summary>& summaries) {
  std::map<std::string_view, Counts> all;
  for (const Summary& one : summaries) {
    for (const SummaryRow& row : one.rows) {
      Counts& its = all[row.opcode];
      its.messages += row.messages;
      its.octets += row.payload_octets;
      its.failures += row.failures;
      if (row.latency != nullptr) its.latencies += row.latency->total;
    }
  }
  return all;
}

TEST(Summaries, OfAllIntervalsAreWhatTheTotalsSay) {
  WatchOptions options;
  options.summaries = std::make_shared<SummaryBox>();
  options.summaries_ns = 15 * kSecond;
  const synth::Frames frames = traffic(40);
  test::FramesIntake intake(frames);
  Running running(intake, options);
  running.wait_for_end();
  const SummaryBox::Taken taken = options.summaries->take();
  EXPECT_EQ(taken.lost, 0U);
  const Status status = running.watch.status();
  auto counts = by_opcode(taken.summaries);
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    const Counts& its = counts[rdmap::name(static_cast<rdmap::Opcode>(i))];
    EXPECT_EQ(its.messages, status.totals.operations[i]) << i;
    EXPECT_EQ(its.octets, status.totals.payload_octets[i]) << i;
  }
  EXPECT_EQ(counts["rdma_read_request"].latencies, 40U);
  EXPECT_EQ(counts["rdma_read_request"].failures, 0U);
  EXPECT_EQ(counts["terminate"].failures, 8U);
  EXPECT_EQ(counts["connection"].messages, 40U);
  EXPECT_EQ(counts["connection"].latencies, 40U);
  EXPECT_GE(counts["connection"].failures, 8U);
  EXPECT_EQ(counts["fpdu"].messages, status.totals.crc_checked());
  EXPECT_EQ(counts["fpdu"].failures, status.totals.traffic[&qp::DirectionRecord::crc_bad]);

  std::vector<const Summary*> intervals;
  for (const Summary& one : taken.summaries) {
    if (one.ends) {
      EXPECT_LT(one.ends->first, one.ends->second);
    } else {
      intervals.push_back(&one);
      EXPECT_EQ(one.pairs, 1U);
      EXPECT_FALSE(one.losses.any());
    }
  }
  ASSERT_GE(intervals.size(), 3U);
  EXPECT_EQ(intervals.front()->from.ns, frames.front().time_ns);
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    EXPECT_EQ(intervals[i]->from, intervals[i - 1]->to);
    EXPECT_EQ(intervals[i]->from.ns % (15 * kSecond), 0);
  }
  EXPECT_FALSE(intervals.front()->complete);  // it began within the interval
  EXPECT_TRUE(intervals[1]->complete);
  EXPECT_FALSE(intervals.back()->complete);  // and ended within one
}

qp::QpRecord connection(std::uint64_t number, std::string_view ulp) {
  qp::QpRecord record;
  record.qp = number;
  record.a = {*net::IpAddress::parse("10.0.0.2"), 4000};
  record.b = {*net::IpAddress::parse("10.0.0.1"), 20049};
  record.ulp = ulp;
  return record;
}

IntervalEnd end_at(std::int64_t seconds) {
  return {TimePoint{seconds * kSecond}, {}, [](std::uint32_t) { return RecordName{}; }};
}

TEST(Summaries, WhatFindsNoRoomIsCountedAsOther) {
  RecentRecords records({});
  Summaries summaries(60 * kSecond, 1);
  EXPECT_FALSE(summaries.is_due(TimePoint{30 * kSecond}));
  summaries.visited(records.open(1, {}), connection(1, "nvme"));
  qp::MessageRecord message;
  message.qp = 1;
  message.opcode = rdmap::Opcode::send;
  message.direction = Direction::a_to_b;
  message.length = 100;
  summaries.message(message);
  message.opcode = rdmap::Opcode::rdma_write;
  summaries.message(message);
  message.qp = 2;  // of no known queue pair
  summaries.message(message);
  summaries.settle(records);
  EXPECT_EQ(summaries.limit().evicted, 2U);
  EXPECT_TRUE(summaries.is_due(TimePoint{60 * kSecond}));
  const std::vector<Summary> all = summaries.finish(end_at(60));
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].rows.size(), 1U);
  EXPECT_EQ(all[0].rows[0].opcode, "send");
  EXPECT_EQ(all[0].rows[0].ulp, "nvme");
  EXPECT_EQ(all[0].rows[0].size_class, 1);
  EXPECT_TRUE(all[0].rows[0].asked_by_b);  // A of the queue pair has the higher address
  ASSERT_EQ(all[1].rows.size(), 1U);
  EXPECT_EQ(all[1].rows[0].messages, 2U);
  EXPECT_EQ(all[1].rows[0].payload_octets, 200U);
  EXPECT_TRUE(summaries.finish(end_at(120)).back().rows.empty());
}

TEST(Summaries, AReadWithoutAResponseFails) {
  RecentRecords records({});
  Summaries summaries(60 * kSecond);
  summaries.visited(records.open(1, {}), connection(1, "nfs"));
  qp::MessageRecord message;
  message.qp = 1;
  message.opcode = rdmap::Opcode::rdma_read_request;
  message.detail = qp::ReadRequestDetail{.size = 5000};
  summaries.message(message);
  message.detail = qp::ReadRequestDetail{.size = 5000, .response = qp::ResponseLink{0, 10, 2'000'000}};
  summaries.message(message);
  summaries.settle(records);
  const std::vector<Summary> all = summaries.finish(end_at(5));
  const SummaryRow& row = all.at(0).rows.at(0);
  EXPECT_EQ(row.size_class, 4);
  EXPECT_EQ(row.messages, 2U);
  EXPECT_EQ(row.failures, 1U);
  ASSERT_NE(row.latency, nullptr);
  EXPECT_EQ(row.latency->total, 1U);
}

TEST(Summaries, AClockThatIsSetMakesAnIntervalIncomplete) {
  Summaries summaries(60 * kSecond);
  EXPECT_FALSE(summaries.is_due(TimePoint{60 * kSecond}));
  EXPECT_FALSE(summaries.finish(end_at(120)).back().complete);  // it is not known what was before the first frame
  EXPECT_TRUE(summaries.finish(end_at(181)).back().complete);
  EXPECT_FALSE(summaries.finish(end_at(4000)).back().complete);
  EXPECT_FALSE(summaries.is_due(TimePoint{3990 * kSecond}));
  EXPECT_TRUE(summaries.is_due(TimePoint{1000 * kSecond}));
  const Summary back = std::move(summaries.finish(end_at(1000)).back());
  EXPECT_EQ(back.from.ns, 4000 * kSecond);
  EXPECT_FALSE(back.complete);
}

TEST(SummaryBox, LosesTheOldestIntervalIfTheyAreNotTaken) {
  SummaryBox box;
  for (std::int64_t i = 0; i < 6; ++i) {
    std::vector<Summary> interval(2);
    interval[0].from = TimePoint{i};
    box.add(std::move(interval));
  }
  const SummaryBox::Taken taken = box.take();
  EXPECT_EQ(taken.lost, 4U);
  ASSERT_EQ(taken.summaries.size(), 8U);
  EXPECT_EQ(taken.summaries.front().from.ns, 2);
}

}  // namespace
}  // namespace iwarpscope::live
