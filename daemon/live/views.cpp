// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/views.h"

#include <algorithm>
#include <bit>

namespace iwarpscope::live {
namespace {

bool is_end(const net::Endpoint& end, const std::optional<net::IpAddress>& host,
            std::optional<std::uint16_t> port) noexcept {
  return (!host || end.address == *host) && (!port || end.port == *port);
}

}  // namespace

double Activity::octets_per_second() const noexcept {
  return octets[kSeconds - 2];  // the last one is not over yet
}

bool QpFilter::matches_ends(const net::Endpoint& a, const net::Endpoint& b) const noexcept {
  return (!host && !port) || is_end(a, host, port) || is_end(b, host, port);
}

bool QpFilter::matches(const QpView& view) const {
  const qp::QpRecord& r = view.record;
  if (!matches_ends(r.a, r.b)) return false;
  if (state && qp::name(r.state) != *state) return false;
  if (ulp && r.ulp.value_or("") != *ulp) return false;
  if (outcome && (!r.verdict || qp::name(r.verdict->outcome) != *outcome)) return false;
  if (at_least && (!view.findings.worst || findings::rule(*view.findings.worst).severity < *at_least)) return false;
  if (!view.name.is_from(sensor)) return false;
  return with_ended || !view.ended;
}

bool FindingFilter::matches(const FindingView& view) const {
  const findings::Rule& row = findings::rule(view.finding.id);
  if (qp && view.finding.qp != qp) return false;
  if (at_least && row.severity < *at_least) return false;
  if (!view.name.is_from(sensor)) return false;
  if (rule && row.name != *rule && row.code != *rule) return false;
  return !host || (view.ends && (view.ends->first.address == *host || view.ends->second.address == *host));
}

void Latencies::add(std::int64_t ns) noexcept {
  const auto positive = static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 1));
  // The bucket that ends at the first power of two that is not below it.
  const auto power = static_cast<unsigned>(std::bit_width(positive - 1));
  ++counts[std::min<std::size_t>(power > kFirst ? power - kFirst : 0, kBuckets - 1)];
  ++total;
  sum_seconds += static_cast<double>(positive) * 1e-9;
}

}  // namespace iwarpscope::live
