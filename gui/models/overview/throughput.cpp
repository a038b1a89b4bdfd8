// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/overview/throughput.h"

#include <algorithm>
#include <limits>

namespace iwarpscope::gui {
namespace {

/// A hostile daemon may send any number.
bool is_sound(const v1::Throughput& sent) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
  const std::int64_t from = sent.first_time_ns();
  return sent.octets_size() > 0 && sent.octets_size() <= Throughput::kMostBuckets && sent.bucket_ns() > 0 &&
         from >= 0 && from < kMost && sent.bucket_ns() < kMost / Throughput::kMostBuckets;
}

}  // namespace

Throughput throughput_of(const v1::Status& status, const std::vector<FailedQp>& failures) {
  const v1::Throughput& sent = status.throughput();
  Throughput all;
  if (!is_sound(sent)) return all;
  const int together = (sent.octets_size() + Throughput::kMostShown - 1) / Throughput::kMostShown;
  all.first = TimePoint{sent.first_time_ns()};
  all.width_ns = together * sent.bucket_ns();
  for (int i = 0; i < sent.octets_size(); ++i) {
    if (i % together == 0) all.rates.push_back(0);
    all.rates.back() += static_cast<double>(sent.octets(i)) * 1e9 / static_cast<double>(all.width_ns);
  }
  const std::int64_t end = all.first.ns + sent.octets_size() * sent.bucket_ns();
  all.last = TimePoint{status.has_capture_time_ns() ? std::clamp(status.capture_time_ns(), all.first.ns, end) : end};
  for (const FailedQp& failure : failures) {
    if (failure.last < all.first) continue;
    const auto bucket = static_cast<std::size_t>((failure.last.ns - all.first.ns) / all.width_ns);
    FailedQps& some = all.failed[std::min(bucket, all.rates.size() - 1)];
    if (some.count++ == 0) some.first_qp = failure.qp;
  }
  return all;
}

}  // namespace iwarpscope::gui
