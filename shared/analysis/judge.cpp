// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/judge.h"

#include <algorithm>
#include <vector>

namespace iwarpscope::analysis {

namespace {

constexpr std::int64_t kRetryNs = 60'000'000'000;  // later ones are no retry of the driver

}  // namespace

Attempts::Key Attempts::key_of(const qp::QpRecord& record) {
  return {record.a.address, record.b, record.sctp_stream.has_value()};
}

std::optional<verdict::EarlierAttempt> Attempts::before(const qp::QpRecord& record) const {
  const auto it = attempts_.find(key_of(record));
  if (it == attempts_.end()) return std::nullopt;
  // One that had not ended yet goes on beside this one, and is not tried again by it.
  const std::int64_t since = elapsed_ns(it->second.ended, record.first_time);
  return since >= 0 && since <= kRetryNs ? std::optional(it->second.attempt) : std::nullopt;
}

void Attempts::remember(const qp::QpRecord& record) {
  const bool has_failed =
      record.verdict &&
      (record.verdict->outcome == qp::Outcome::refused || record.verdict->outcome == qp::Outcome::failed) &&
      record.directions[0].messages == decltype(qp::DirectionRecord::messages){};
  const Key key = key_of(record);
  if (!has_failed || !record.startup || !record.startup->request) {
    attempts_.erase(key);
    return;
  }
  if (attempts_.size() >= kMost) {
    // In a capture that goes on, those that are no use any more make room.
    absl::erase_if(attempts_, [&](const auto& a) { return elapsed_ns(a.second.ended, record.last_time) > kRetryNs; });
    if (attempts_.size() >= kMost) return;
  }
  const mpa::StartupFrame& request = *record.startup->request;
  attempts_[key] = {{record.qp, request.revision, request.frame}, record.last_time};
}

namespace {

/// What was found across queue pairs about the messages that Terminates name.
void add_named_breaches(qp::Summary& summary, const qp::RecentBreaches& breaches) {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    auto& terminate = summary.directions[index(d)].terminate;
    if (!terminate || !terminate->named) continue;
    const auto found = breaches.of_message(opposite(d), *terminate->named);
    terminate->named->breaches.insert(terminate->named->breaches.end(), found.begin(), found.end());
  }
}

}  // namespace

qp::QpRecord Judge::look(std::uint64_t number, const verdict::CaptureSpan& span) const {
  const QpPlace place = merger_.place(number);
  qp::QpRecord record = shards_[place.shard]->record(place.index);
  record.qp = number;
  if (const auto* noted = merger_.cross_stage().noted(number)) {
    // What was found across queue pairs, to what was found in this one.
    std::vector<qp::NotedFinding>& all = record.summary.findings;
    for (const qp::NotedFinding& n : *noted) {
      all.insert(std::ranges::find_if(all, [&](const auto& later) { return later.frame > n.frame; }), n);
    }
  }
  if (const auto* breaches = merger_.cross_stage().breaches(number)) add_named_breaches(record.summary, *breaches);
  record.verdict = judge(record, span.on(record.interfaces), attempts_.before(record));
  return record;
}

qp::QpRecord Judge::settle(std::uint64_t number, const verdict::CaptureSpan& span) {
  qp::QpRecord record = look(number, span);
  attempts_.remember(record);
  return record;
}

}  // namespace iwarpscope::analysis
