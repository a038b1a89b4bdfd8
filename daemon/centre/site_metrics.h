// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The metrics of a centre for Prometheus.
#pragma once

#include <cstdint>
#include <string>

#include "live/views.h"

namespace iwarpscope::centre {

struct SiteNumbers {
  live::Status status;            ///< of Answers: nothing is asked of the database
  std::uint64_t subscribers = 0;  ///< now
  std::uint64_t events_lost = 0;  ///< that subscribers were too slow for
};

/// In Prometheus' text format. Names begin with `iwarp_centre_`. The number of series depends on the sensors that may
/// deliver, not on what they deliver.
[[nodiscard]] std::string site_metrics(const SiteNumbers& now);

/// Why the service is not ready, one sentence on each line; empty: it is ready.
[[nodiscard]] std::string not_ready(const live::Status& status);

}  // namespace iwarpscope::centre
