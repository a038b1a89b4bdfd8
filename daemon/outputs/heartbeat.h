// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The daemon's own state as a record of docs/json-report.md.
#pragma once

#include <cstdint>
#include <string>

#include "live/forwarding.h"
#include "live/views.h"

namespace iwarpscope::outputs {

/// What only the history knows.
struct HeartbeatFacts {
  live::Forwarding::Lost lost{};
  std::int64_t states_ns = 0, heartbeats_ns = 0;  ///< how often they are stored; 0: never
};

/// An object without a line feed.
[[nodiscard]] std::string heartbeat_json(const live::Status& status, const HeartbeatFacts& facts);

}  // namespace iwarpscope::outputs
