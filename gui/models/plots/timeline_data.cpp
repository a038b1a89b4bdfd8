// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/plots/timeline_data.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace iwarpscope::gui {
namespace {

template <class Array>
void add_each(Array& to, const Array& from) {
  for (std::size_t d = 0; d < to.size(); ++d) {
    for (std::size_t i = 0; i < to[d].size(); ++i) to[d][i] += from[d][i];
  }
}

struct Answered {
  RequestKind kind{};
  const std::optional<qp::ResponseLink>* response = nullptr;  ///< null: not a request
};

Answered answered(const qp::MessageRecord& message) {
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&message.detail)) {
    return {RequestKind::read, &read->response};
  }
  if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&message.detail)) {
    return {RequestKind::atomic, &atomic->response};
  }
  return {};
}

}  // namespace

std::uint64_t payload_of(const qp::MessageRecord& message) {
  return rdmap::traits(message.opcode).has_payload ? message.length : 0;
}

std::int64_t end_of(const qp::MessageRecord& message) noexcept {
  const std::int64_t from = message.first_time.ns;
  return message.complete ? std::max(from, message.placed_time.ns) : from;
}

void TimelineBucket::add(const TimelineBucket& other) {
  add_each(octets, other.octets);
  add_each(messages, other.messages);
  add_each(events, other.events);
  add_each(event_octets, other.event_octets);
  for (std::size_t d = 0; d < 2; ++d) {
    outstanding[d] = std::max(outstanding[d], other.outstanding[d]);
    unanswered[d] += other.unanswered[d];
  }
  for (std::size_t kind = 0; kind < kRequestKinds; ++kind) latency[kind].add(other.latency[kind]);
}

void TimelineData::add(std::span<const qp::MessageRecord> messages) {
  std::array<std::vector<Request>, 2> requests;
  for (const qp::MessageRecord& message : messages) add(message, requests);
  for (const Direction direction : {Direction::a_to_b, Direction::b_to_a}) {
    std::vector<Request>& sorted = requests[index(direction)];
    std::stable_sort(sorted.begin(), sorted.end());
    for (const Request& request : sorted) begin(direction, request);
  }
}

void TimelineData::add(const qp::MessageRecord& message, std::array<std::vector<Request>, 2>& requests) {
  spread(message.first_time.ns, end_of(message), payload_of(message), [&](TimelineBucket& bucket, std::uint64_t part) {
    bucket.octets[index(message.direction)][static_cast<std::size_t>(message.opcode)] += part;
  });
  if (!message.complete) return;
  const std::int64_t placed = message.placed_time.ns;
  ++at(placed).messages[index(message.direction)][static_cast<std::size_t>(message.opcode)];
  const Answered request = answered(message);
  if (request.response == nullptr) return;
  if (!*request.response) {
    ++at(placed).unanswered[index(message.direction)];
    requests[index(message.direction)].push_back({placed, {}});
    return;
  }
  const std::int64_t took = std::max<std::int64_t>(0, (*request.response)->last_octet_ns);
  const std::int64_t end = placed > std::numeric_limits<std::int64_t>::max() - took
                               ? std::numeric_limits<std::int64_t>::max()
                               : placed + took;
  // If the response was captured before its request, its latency is not known.
  if ((*request.response)->last_octet_ns >= 0) at(end).latency[static_cast<std::size_t>(request.kind)].add(took);
  requests[index(message.direction)].push_back({placed, end});
}

void TimelineData::add(const qp::TransportEvent& event) {
  TimelineBucket& bucket = at(event.time.ns);
  ++bucket.events[index(event.direction)][static_cast<std::size_t>(event.kind)];
  bucket.event_octets[index(event.direction)][static_cast<std::size_t>(event.kind)] += event.octets;
}

/// Continues to `to`. raise(from, until, level): `level` requests were outstanding in [from, until).
template <class Raise>
void TimelineData::advance(Sweep& sweep, std::int64_t to, Raise raise) {
  for (;;) {
    const std::int64_t until = sweep.ends.empty() ? to : std::min(sweep.ends.top(), to);
    if (sweep.level() != 0 && until > sweep.now) raise(sweep.now, until, sweep.level());
    sweep.now = std::max(sweep.now, until);
    if (sweep.ends.empty() || sweep.ends.top() > to) return;
    sweep.ends.pop();
  }
}

void TimelineData::begin(Direction direction, const Request& request) {
  Sweep& sweep = sweeps_[index(direction)];
  const auto raise = [&](std::int64_t from, std::int64_t until, std::uint64_t level) {
    for (std::int64_t i = number(from); i <= number(until - 1); ++i) {
      std::uint64_t& most = buckets_[static_cast<std::size_t>(i - first_)].outstanding[index(direction)];
      most = std::max<std::uint64_t>(most, level);
    }
  };
  // Late requests count from the current position of the sweep.
  const std::int64_t from = sweep.level() == 0 ? request.begin : std::max(request.begin, sweep.now);
  if (sweep.level() == 0) sweep.now = from;
  advance(sweep, from, raise);
  if (!request.end) {
    ++sweep.unanswered;
  } else if (sweep.ends.size() >= kMostOpen) {
    ++left_out_;
    return;
  } else {
    sweep.ends.push(std::max(*request.end, from));
  }
  std::uint64_t& most = at(from).outstanding[index(direction)];
  most = std::max(most, sweep.level());
}

std::vector<std::uint64_t> TimelineData::outstanding(Direction direction) const {
  std::vector<std::uint64_t> most(buckets_.size());
  std::transform(buckets_.begin(), buckets_.end(), most.begin(),
                 [&](const TimelineBucket& bucket) { return bucket.outstanding[index(direction)]; });
  Sweep rest = sweeps_[index(direction)];
  advance(rest, std::numeric_limits<std::int64_t>::max(),
          [&](std::int64_t from, std::int64_t until, std::uint64_t level) {
            // Requests without a response stay outstanding to the end of the known time.
            const std::int64_t last = std::min(number(until - 1), first_ + static_cast<std::int64_t>(most.size()) - 1);
            for (std::int64_t i = number(from); i <= last; ++i) {
              std::uint64_t& value = most[static_cast<std::size_t>(i - first_)];
              value = std::max(value, level);
            }
          });
  return most;
}

std::vector<TimelineBucket> TimelineData::grouped(std::size_t first, std::size_t last, std::size_t group) const {
  const std::array<std::vector<std::uint64_t>, 2> most{outstanding(Direction::a_to_b), outstanding(Direction::b_to_a)};
  std::vector<TimelineBucket> out((last - first + group - 1) / group);
  for (std::size_t i = first; i < last; ++i) {
    TimelineBucket& to = out[(i - first) / group];
    to.add(buckets_[i]);
    for (std::size_t d = 0; d < 2; ++d) to.outstanding[d] = std::max(to.outstanding[d], most[d][i]);
  }
  return out;
}

TimelineBucket TimelineData::sum(const std::optional<TimeRange>& range) const {
  TimelineBucket all;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    if (!range || range->contains(begin_of(i))) all.add(buckets_[i]);
  }
  return all;
}

}  // namespace iwarpscope::gui
