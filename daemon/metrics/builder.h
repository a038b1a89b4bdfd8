// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Collects metric families for Prometheus.
#pragma once

#include <prometheus/metric_family.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time_point.h"
#include "live/views.h"

namespace iwarpscope::metrics {

/// Families without a series are left out.
class Builder {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// All names begin with `prefix`. `sensor` is the label of all series; empty: they have none.
  explicit Builder(std::string prefix, std::string sensor = {})
      : prefix_(std::move(prefix)), sensor_(std::move(sensor)) {}

  // Each begins a family.
  void counter(std::string_view name, std::string_view help) { begin(prometheus::MetricType::Counter, name, help); }
  void gauge(std::string_view name, std::string_view help) { begin(prometheus::MetricType::Gauge, name, help); }
  /// A series of the family that was begun last.
  template <class T>
  void add(T value, Labels labels = {}) {
    prometheus::ClientMetric& metric = series(labels);
    if (all_.back().type == prometheus::MetricType::Counter) {
      metric.counter.value = static_cast<double>(value);
    } else {
      metric.gauge.value = static_cast<double>(value);
    }
  }
  /// One counter without further labels.
  void one_counter(std::string_view name, std::string_view help, std::uint64_t value) {
    counter(name, help);
    add(value);
  }
  void one_gauge(std::string_view name, std::string_view help, double value) {
    gauge(name, help);
    add(value);
  }
  void histogram(std::string_view name, std::string_view help, const live::Latencies& latencies);
  [[nodiscard]] std::vector<prometheus::MetricFamily> take();

 private:
  void begin(prometheus::MetricType type, std::string_view name, std::string_view help);
  prometheus::ClientMetric& series(Labels labels);

  const std::string prefix_, sensor_;
  std::vector<prometheus::MetricFamily> all_;
};

/// Since 1970.
[[nodiscard]] inline double seconds(const TimePoint& time) {
  return static_cast<double>(time.ns) * 1e-9;
}

/// In Prometheus' text format.
[[nodiscard]] std::string text_of(const std::vector<prometheus::MetricFamily>& families);

}  // namespace iwarpscope::metrics
