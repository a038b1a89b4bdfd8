// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/hosts/host_matrix.h"

#include <algorithm>
#include <tuple>

namespace iwarpscope::gui {
namespace {

int severity_rank(const std::optional<findings::FindingId>& finding) {
  return finding ? 1 + static_cast<int>(findings::rule(*finding).severity) : 0;
}

/// The values by which a ranking is sorted; all zero: nothing to report.
std::tuple<double, double, double> weight(const RankedQp& qp, Ranking ranking) {
  switch (ranking) {
    case Ranking::errors:
      return {static_cast<double>(qp.errors), static_cast<double>(qp.warnings),
              qp.outcome && qp::ended_badly(*qp.outcome) ? severity_order(qp.outcome) : 0.0};
    case Ranking::waits: return {static_cast<double>(qp.wait.ns), 0.0, 0.0};
    case Ranking::traffic: return {qp.rate, static_cast<double>(qp.octets), 0.0};
  }
  return {};
}

}  // namespace

LongestWait longest_wait(const qp::QpRecord& record) noexcept {
  LongestWait longest;
  const auto take = [&longest](std::int64_t ns, LongestWait::For what) {
    if (ns > longest.ns) longest = {ns, what};
  };
  for (std::size_t d = 0; d < 2; ++d) {
    take(record.directions[d].head_of_line.largest_ns, LongestWait::For::hole);
    const auto& waiting = record.summary.directions[d].waiting;
    if (waiting && waiting->oldest.happened()) {
      take(elapsed_ns(waiting->oldest.time, record.last_time), LongestWait::For::response);
    }
  }
  return longest;
}

void HostMatrix::replace(const QpRows& qps) {
  qps_.clear();
  left_out_ = 0;
  change(qps);
}

void HostMatrix::change(const QpRows& qps) {
  for (const live::QpView& view : qps) put(view);
}

void HostMatrix::put(const live::QpView& view) {
  auto known = qps_.find(view.record.qp);
  if (known == qps_.end()) {
    if (qps_.size() >= most_) {
      ++left_out_;
      return;
    }
    known = qps_.emplace(view.record.qp, Known{}).first;
  }
  const QpRow row = row_of(view);
  known->second = {.qp = {.number = row.number,
                          .a = row.a,
                          .b = row.b,
                          .outcome = row.outcome,
                          .errors = row.errors,
                          .warnings = row.warnings,
                          .notes = row.notes,
                          .finding = row.worst,
                          .wait = longest_wait(view.record),
                          .octets = row.octets[0] + row.octets[1]},
                   .ended = row.ended,
                   .rate_then = row.rate_then,
                   .last_second = row.last_second,
                   .began = row.began,
                   .last = row.last};
}

double HostMatrix::rate(const Known& known) const noexcept {
  QpRow row;
  row.ended = known.ended;
  row.rate_then = known.rate_then;
  row.last_second = known.last_second;
  return rate_at(row, capture_time_ns_);
}

std::size_t HostMatrix::outside(const std::optional<TimeRange>& range) const {
  return static_cast<std::size_t>(
      std::count_if(qps_.begin(), qps_.end(), [&](const auto& known) { return !known.second.is_in(range); }));
}

std::map<HostsKey, HostsSum> HostMatrix::sums(const std::optional<TimeRange>& range) const {
  std::map<HostsKey, HostsSum> sums;
  for (const auto& [number, known] : qps_) {
    if (!known.is_in(range)) continue;
    const RankedQp& qp = known.qp;
    HostsSum& sum = sums[{qp.a.address, qp.b.address}];
    // Among equal ones the oldest.
    const auto badness = [](const RankedQp& one) {
      return std::tuple(severity_order(one.outcome), severity_rank(one.finding), ~one.number);
    };
    if (sum.qps++ == 0 || badness(qp) > badness(qps_.at(sum.worst_qp).qp)) sum.worst_qp = number;
    sum.followed += known.ended ? 0 : 1;
    if (qp.outcome) ++sum.outcomes[static_cast<std::size_t>(*qp.outcome)];
    if (severity_order(qp.outcome) > severity_order(sum.worst)) sum.worst = qp.outcome;
    sum.errors += qp.errors;
    sum.warnings += qp.warnings;
    sum.notes += qp.notes;
    // Among equally severe findings, the first one in the catalogue: the result does not depend on the order of
    // arrival.
    const auto key = [](const auto& id) { return std::pair(severity_rank(id), id ? -static_cast<int>(*id) : 0); };
    if (key(qp.finding) > key(sum.finding)) sum.finding = qp.finding;
    sum.rate += rate(known);
    sum.octets += qp.octets;
  }
  return sums;
}

std::vector<RankedQp> HostMatrix::worst(Ranking ranking, std::size_t most,
                                        const std::optional<TimeRange>& range) const {
  std::vector<RankedQp> ranked;
  for (const auto& [number, known] : qps_) {
    if (!known.is_in(range)) continue;
    RankedQp qp = known.qp;
    qp.rate = rate(known);
    if (weight(qp, ranking) != weight(RankedQp{}, ranking)) ranked.push_back(qp);
  }
  const auto comes_before = [ranking](const RankedQp& one, const RankedQp& other) {
    const auto left = weight(one, ranking), right = weight(other, ranking);
    return left != right ? left > right : one.number < other.number;
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, ranked.size()));
  std::partial_sort(ranked.begin(), ranked.begin() + kept, ranked.end(), comes_before);
  ranked.resize(static_cast<std::size_t>(kept));
  return ranked;
}

}  // namespace iwarpscope::gui
