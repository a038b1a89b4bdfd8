// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a running daemon knows, as the records of an analysis.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/records.h"
#include "api/client.h"
#include "live/views.h"
#include "report/html.h"

namespace iwarpscope::bundle {

struct Wanted {
  std::optional<std::uint64_t> qp = std::nullopt;  ///< this queue pair alone; empty: all
  std::string title;                               ///< the name of the capture
  const std::atomic<bool>* stop = nullptr;
  /// Called with each finding and queue pair as the daemon names it, before the record of it. May be empty.
  std::function<void(const live::FindingView&)> finding = {};
  std::function<void(const live::QpView&)> queue_pair = {};
  /// Called with a sentence about what a centre could not get from a sensor, and which one that is. May be empty.
  std::function<void(const std::string&)> missing = {};
};

/// Asks the daemon for everything it remembers, and gives it to `records` in the order of reports. Messages are asked
/// for only of the queue pairs that the HTML report describes; `html` takes the traffic besides, and what is missing.
/// Returns the failure, if any.
[[nodiscard]] std::optional<api::Failure> observe(api::Client& client, const v1::Status& status, const Wanted& wanted,
                                                  analysis::Observer& records, report::HtmlObserver& html);

/// Sentences about the capture that belong on top of a report.
[[nodiscard]] std::vector<std::string> capture_remarks(const v1::Status& status);

}  // namespace iwarpscope::bundle
