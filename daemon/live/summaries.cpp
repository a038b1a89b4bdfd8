// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/summaries.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

namespace iwarpscope::live {
namespace {

constexpr std::string_view kConnection = "connection", kFpdu = "fpdu";
/// Messages that wait for settle() at most.
constexpr std::size_t kMostWaiting = 65'536;
/// Time may go on for so long beyond an interval before it is seen that it is over.
constexpr std::int64_t kNoticedNs = 60'000'000'000;

void add_latency(SummaryRow& row, std::int64_t ns) {
  if (row.latency == nullptr) row.latency = std::make_unique<Latencies>();
  row.latency->add(ns);
}

/// The last multiple of `interval` that is not after it.
std::int64_t aligned(std::int64_t ns, std::int64_t interval) {
  return ns - ((ns % interval) + interval) % interval;
}

Losses since(const Losses& before, const Losses& now) noexcept {
  return {now.nic - before.nic, now.kernel - before.kernel, now.queue - before.queue,
          now.gap_octets - before.gap_octets, now.gap_messages - before.gap_messages};
}

}  // namespace

std::size_t size_class_of(std::uint64_t octets) noexcept {
  const auto width = static_cast<std::size_t>(std::bit_width(octets));
  return width <= 6 ? 0 : std::min((width - 5) / 2, kSizeClasses - 1);
}

void SummaryBox::add(std::vector<Summary> interval) {
  const std::lock_guard lock(mutex_);
  intervals_.push_back(std::move(interval));
  if (intervals_.size() <= kMostIntervals) return;
  lost_ += intervals_.front().size();
  intervals_.pop_front();
}

SummaryBox::Taken SummaryBox::take() {
  Taken taken;
  const std::lock_guard lock(mutex_);
  for (std::vector<Summary>& interval : intervals_)
    std::move(interval.begin(), interval.end(), std::back_inserter(taken.summaries));
  intervals_.clear();
  taken.lost = std::exchange(lost_, 0);
  return taken;
}

void Summaries::message(const qp::MessageRecord& record) {
  if (!is_on()) return;
  Waiting one{record.qp, record.opcode, record.direction};
  if (rdmap::traits(record.opcode).has_payload) one.octets = record.length;
  one.size = one.octets;
  if (rdmap::is_response(record.opcode)) one.direction = opposite(record.direction);
  one.failed = record.opcode == rdmap::Opcode::terminate;
  const auto answered = [&](const std::optional<qp::ResponseLink>& response) {
    one.failed = !response;
    if (response) one.latency_ns = response->last_octet_ns;
  };
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&record.detail)) {
    one.size = read->size;
    answered(read->response);
  } else if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&record.detail)) {
    answered(atomic->response);
  }
  // A frame has only so many messages, and every few milliseconds they are settled.
  if (waiting_.size() < kMostWaiting) {
    waiting_.push_back(one);
  } else {
    ++found_no_room_;
    ++other_.messages;
    other_.payload_octets += one.octets;
    other_.failures += one.failed ? 1 : 0;
  }
}

SummaryRow& Summaries::row(const RecentRecords::QpEntry* entry, Key key) {
  if (entry != nullptr && entry->ends) {
    key.a = entry->ends->first.address;
    key.b = entry->ends->second.address;
    key.tap_group = entry->tap_group;
    key.ulp = entry->ulp;
    if (key.b < key.a) {
      std::swap(key.a, key.b);
      key.asked_by_b = !key.asked_by_b;
    }
    const auto there = rows_.find(key);
    if (there != rows_.end()) return there->second;
    if (rows_.size() < most_rows_) {
      SummaryRow& made = rows_[key];
      std::tie(made.ulp, made.opcode, made.size_class, made.asked_by_b) =
          std::tie(key.ulp, key.opcode, key.size_class, key.asked_by_b);
      return made;
    }
  }
  ++found_no_room_;
  return other_;
}

void Summaries::settle(RecentRecords& records) {
  const RecentRecords::QpEntry* entry = nullptr;
  std::uint64_t last = 0;
  bool is_first = true;
  for (const Waiting& one : waiting_) {
    if (std::exchange(is_first, false) || one.qp != last) entry = records.find(one.qp);
    last = one.qp;
    Key key;
    key.opcode = rdmap::name(one.opcode);
    key.size_class = static_cast<std::uint8_t>(size_class_of(one.size));
    key.asked_by_b = one.direction == Direction::b_to_a;
    SummaryRow& its = row(entry, key);
    ++its.messages;
    its.payload_octets += one.octets;
    its.failures += one.failed ? 1 : 0;
    if (one.latency_ns && &its != &other_) add_latency(its, *one.latency_ns);
  }
  waiting_.clear();
}

void Summaries::visited(RecentRecords::QpEntry& entry, const qp::QpRecord& record) {
  if (record.ulp) entry.ulp = *record.ulp;
  if (!is_on()) return;
  entry.ends = {record.a, record.b};
  entry.tap_group = record.tap_group;
  const auto& startup = record.startup;
  if (!entry.handshake_counted && startup && startup->request && startup->reply) {
    Key key;
    key.opcode = kConnection;
    SummaryRow& its = row(&entry, key);
    if (&its != &other_) add_latency(its, elapsed_ns(startup->request->time, startup->reply->time));
  }
  std::uint64_t good = 0, bad = 0;
  for (const qp::DirectionRecord& d : record.directions) {
    good += d.crc_ok;
    bad += d.crc_bad;
  }
  const qp::DirectionTotals& before = entry.traffic.counters;
  const std::uint64_t was_good = before[&qp::DirectionRecord::crc_ok], was_bad = before[&qp::DirectionRecord::crc_bad];
  // Judgements that were taken back make a count smaller.
  if (good <= was_good && bad <= was_bad) return;
  Key key;
  key.opcode = kFpdu;
  SummaryRow& its = row(&entry, key);
  its.failures += bad - std::min(bad, was_bad);
  its.messages += good - std::min(good, was_good) + bad - std::min(bad, was_bad);
}

void Summaries::ended(const RecentRecords::QpEntry& entry) {
  if (!is_on()) return;
  Key key;
  key.opcode = kConnection;
  SummaryRow& its = row(&entry, key);
  ++its.messages;
  its.failures += entry.failed ? 1 : 0;
}

void Summaries::begin(TimePoint time) {
  from_ = time;
  to_ = TimePoint{aligned(time.ns, interval_ns_) + interval_ns_};
}

bool Summaries::is_due(TimePoint time) {
  if (!from_) begin(time);
  return time >= to_ || time.ns < from_->ns - interval_ns_;
}

std::vector<Summary> Summaries::finish(const IntervalEnd& end) {
  std::vector<Summary> all;
  if (!from_) begin(end.time);
  const bool in_order = end.time >= to_ && end.time.ns < to_.ns + kNoticedNs;
  Summary whole;
  whole.from = *from_;
  whole.to = end.time >= *from_ && end.time < to_ ? end.time : to_;
  whole.complete = from_begin_ && in_order;
  std::map<std::tuple<net::IpAddress, net::IpAddress, std::uint32_t>, Summary> pairs;
  for (auto& [key, its] : rows_) {
    Summary& pair = pairs[{key.a, key.b, key.tap_group}];
    pair.ends = {key.a, key.b};
    pair.rows.push_back(std::move(its));
  }
  whole.pairs = pairs.size();
  whole.losses = since(losses_before_, end.losses);
  whole.name = end.name(0);
  whole.name.tap_group.clear();
  if (other_.messages != 0) whole.rows.push_back(std::exchange(other_, {}));
  all.reserve(pairs.size() + 1);
  for (auto& [key, pair] : pairs) {
    pair.from = whole.from;
    pair.to = whole.to;
    pair.complete = whole.complete;
    pair.name = end.name(std::get<2>(key));
    std::ranges::sort(pair.rows, {}, [](const SummaryRow& r) {
      return std::tuple{r.ulp, r.opcode, r.size_class, r.asked_by_b};
    });
    all.push_back(std::move(pair));
  }
  all.push_back(std::move(whole));  // last: with it the interval is stored
  rows_.clear();
  other_ = {};
  losses_before_ = end.losses;
  from_begin_ = in_order;
  if (in_order) {
    from_ = to_;
    to_.ns += interval_ns_;
  } else {
    begin(end.time);
  }
  return all;
}

LimitView Summaries::limit() const {
  return {"summaries", rows_.size(), most_rows_, found_no_room_};
}

}  // namespace iwarpscope::live
