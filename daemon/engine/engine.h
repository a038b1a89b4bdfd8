// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One capture file through the core.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "analysis/analyzer.h"
#include "capture/filter.h"
#include "capture/tap_groups.h"

namespace iwarpscope::engine {

struct Request {
  std::string file;  ///< "-" is standard input
  /// Files whose frames are merged into those of `file` by their times, as if each were an interface of one capture.
  /// Frames are numbered in that order.
  std::vector<std::string> merged{};
  analysis::Options options;
  std::string filter;  ///< pcap-filter(7); empty: everything
  capture::TapGroups tap_groups{};
  unsigned threads = 1;  ///< 1: everything on the caller's; more: the caller reads and merges, the others analyse
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: stop reading, report the results
  /// Octets of the file read so far and its size when known; called from the caller's thread about once a mebioctet.
  std::function<void(std::uint64_t consumed, std::optional<std::uint64_t> total)> progress;
  /// The filter, compiled before: for a program that cannot look up names when it reads.
  std::optional<capture::Filter> prepared{};
  /// Called before a file is opened: no octet of it was read, and no thread started.
  std::function<void()> before_opening{};
};

struct Outcome {
  bool interrupted = false;
  std::string truncated;  ///< not empty: one line saying where the file ends in the middle of a record
  std::string damaged;    ///< not empty: one line saying where the file could not be read further, and why
};

/// Analyses the file and hands the observer all records, the summary last, also when reading stops early. Fails with
/// one line, and without any record, when the file cannot be opened or is no capture, or the filter does not compile.
[[nodiscard]] tl::expected<Outcome, std::string> analyze(const Request& request, analysis::Observer& observer);

}  // namespace iwarpscope::engine
