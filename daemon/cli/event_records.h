// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records of a daemon in their order, from a place on: iwarpscope events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time_point.h"
#include "cli/client_arguments.h"
#include "cli/output.h"
#include "live/record_name.h"

namespace iwarpscope::cli {

/// "RUN_UUID:SEQUENCE". Nothing: the text is no place.
[[nodiscard]] std::optional<live::RecordPlace> record_place(const std::string& text);

/// Prints records as they come from the daemon or an event log, and what is missing among them.
class EventPrinter {
 public:
  /// `with_sensor`: the records are from several sensors.
  EventPrinter(const ClientArguments& arguments, const Console& console, bool with_sensor)
      : arguments_(arguments), console_(console), with_sensor_(with_sensor) {}

  /// `json`: a record of the event log, without a line feed. `time`: shown if the record has none, as a finding without
  /// a frame; 0: unknown. False: no more is wanted.
  bool record(const std::string& json, TimePoint time = {});
  /// So many records are missing here.
  void missing(const live::RecordPlace& after, std::uint64_t count);
  /// The records that follow are from another run.
  void other_run(const std::string& ended, const std::string& now);
  void complain(const std::string& sentence) const { console_.complain("events: " + sentence); }

 private:
  const ClientArguments& arguments_;
  const Console& console_;
  const bool with_sensor_;
  std::uint64_t printed_ = 0;
};

/// Prints the records of an event log and of the files that its rotation set aside, after a place. Returns the exit
/// status.
[[nodiscard]] int print_event_log(const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop);

}  // namespace iwarpscope::cli
