// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The metrics for Prometheus.
#pragma once

#include <prometheus/metric_family.h>

#include <string>
#include <vector>

#include "live/views.h"

namespace iwarpscope::metrics {

/// All metrics, each with the label `sensor`. Counters grow from 0 at the daemon's start. Units are octets ("bytes")
/// and seconds. The number of series depends on interfaces, rules and outputs, not on traffic.
[[nodiscard]] std::vector<prometheus::MetricFamily> families(const live::Status& status, const std::string& sensor);

/// The same in Prometheus' text format.
[[nodiscard]] std::string text(const live::Status& status, const std::string& sensor);

}  // namespace iwarpscope::metrics
