// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "metrics/builder.h"

#include <prometheus/text_serializer.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace iwarpscope::metrics {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

void Builder::begin(MetricType type, std::string_view name, std::string_view help) {
  MetricFamily& family = all_.emplace_back();
  family.name = prefix_ + std::string(name);
  family.help = help;
  family.type = type;
}

ClientMetric& Builder::series(Labels labels) {
  ClientMetric& metric = all_.back().metric.emplace_back();
  if (!sensor_.empty()) metric.label.push_back({"sensor", sensor_});
  for (const auto& [name, value] : labels) metric.label.push_back({std::string(name), std::string(value)});
  return metric;
}

void Builder::histogram(std::string_view name, std::string_view help, const live::Latencies& latencies) {
  begin(MetricType::Histogram, name, help);
  ClientMetric::Histogram& histogram = series({}).histogram;
  histogram.sample_count = latencies.total;
  histogram.sample_sum = latencies.sum_seconds;
  std::uint64_t cumulative = 0;
  for (std::size_t i = 0; i + 1 < latencies.counts.size(); ++i) {
    cumulative += latencies.counts[i];
    const double bound = std::ldexp(1e-9, static_cast<int>(live::Latencies::kFirst + i));
    histogram.bucket.push_back({cumulative, bound});
  }
  histogram.bucket.push_back({latencies.total, std::numeric_limits<double>::infinity()});
}

std::vector<MetricFamily> Builder::take() {
  std::erase_if(all_, [](const MetricFamily& family) { return family.metric.empty(); });
  return std::move(all_);
}

std::string text_of(const std::vector<MetricFamily>& families) {
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return std::move(out).str();
}

}  // namespace iwarpscope::metrics
