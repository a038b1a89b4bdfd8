// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The metrics for Prometheus.
#pragma once

#include <prometheus/metric_family.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/views.h"

namespace iwarpscope::metrics {

/// How clients use the API, since the daemon's start but for what is marked "now", and `ends`.
struct ApiView {
  /// The calls of one method.
  struct Method {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::uint64_t>> ended;  ///< by status code: "OK"
    double seconds = 0;                                             ///< sum of their durations
  };
  std::vector<Method> methods;
  std::uint64_t subscribers = 0, subscriber_octets = 0, unread_octets = 0;  ///< now
  std::uint64_t reported = 0, lost = 0, refused = 0, handshakes_failed = 0;
  std::vector<std::pair<std::string_view, std::int64_t>> ends;  ///< of files, in seconds since 1970: "certificate"
};

/// The state of the daemon.
struct Snapshot {
  live::Status status;
  std::string sensor;  ///< label of all metrics
  std::optional<ApiView> api{};
};

/// All metrics, each with the label `sensor`. Counters grow from 0 at the daemon's start. Units are octets ("bytes")
/// and seconds. The number of series depends on interfaces, rules and outputs, not on traffic.
[[nodiscard]] std::vector<prometheus::MetricFamily> families(const Snapshot& now);

/// The same in Prometheus' text format.
[[nodiscard]] std::string text(const Snapshot& now);

}  // namespace iwarpscope::metrics
