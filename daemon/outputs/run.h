// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The run of the daemon that a record belongs to: queue pair numbers start again with each run.
#pragma once

#include <string>
#include <string_view>

#include "base/time_point.h"
#include "live/record_name.h"

namespace iwarpscope::outputs {

struct Run {
  std::string id;         ///< differs from that of every other run on this machine: "20261121T221631Z-4711"
  std::string version;    ///< of the program
  TimePoint started;      ///< by the clock of this machine
  live::Origin origin{};  ///< of its records
};

/// A run that starts now in this process, with a UUID of its own; the rest of its origin is empty.
[[nodiscard]] Run make_run(std::string_view version);

/// A new random UUID. Source: RFC 9562 §5.4.
[[nodiscard]] std::string make_uuid();

/// The clock of this machine.
[[nodiscard]] TimePoint now();

/// "20261121T221631Z": a time for names of files, UTC.
[[nodiscard]] std::string compact_time(TimePoint time);

}  // namespace iwarpscope::outputs
