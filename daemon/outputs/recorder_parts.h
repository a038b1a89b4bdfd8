// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a recorder records by, what it is to record, and what it is recording. Private to daemon/outputs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outputs/recorder.h"
#include "outputs/recording_file.h"

namespace iwarpscope::outputs {

inline std::int64_t nanoseconds(std::chrono::seconds seconds) {
  return std::chrono::nanoseconds(seconds).count();
}

/// What it records by. Changed as a whole.
struct Recorder::Settings {
  explicit Settings(RecorderOptions its_options)
      : options(std::move(its_options)),
        folder(options.folder),
        rules(names_of(options.rules)),
        not_rules(names_of(options.not_rules)) {}

  [[nodiscard]] static std::set<std::string_view> names_of(const std::vector<std::string>& rules) {
    std::set<std::string_view> names;
    for (const std::string& one : rules) {
      if (const findings::Rule* rule = findings::find_rule(one)) names.insert(rule->name);
    }
    return names;
  }
  [[nodiscard]] bool is_wanted(const findings::Rule& rule) const {
    if (not_rules.count(rule.name) != 0) return false;
    return rules.count(rule.name) != 0 || (options.at_least && rule.severity >= *options.at_least);
  }

  const RecorderOptions options;
  const RecordingsFolder folder;
  const std::set<std::string_view> rules, not_rules;  ///< names; static storage
};

/// What is to be recorded.
struct Recorder::Request {
  std::uint64_t qp = 0;
  std::uint64_t flow = 0;
  TimePoint at;                       ///< the finding's, or the newest packet's
  std::chrono::seconds after{};       ///< from then on
  FrameNumber frame{};                ///< the finding's; 0: it was asked for
  std::optional<TimePoint> earliest;  ///< of the packets before; empty: as the settings say
  std::string comment, reason;
  std::string hosts;                    ///< as in RecordingCause
  std::string origin;                   ///< the name of the record that it is for, a line
  std::unique_ptr<RecordingFile> file;  ///< of one that was asked for
  std::string name;
};

/// A recording that is being written.
class Recorder::Active {
 public:
  using Clock = std::chrono::steady_clock;

  Active(std::unique_ptr<RecordingFile> its_file, const Request& request)
      : flow(request.flow), from(request.at), until(request.at), file_(std::move(its_file)) {}

  [[nodiscard]] RecordingFile& file() { return *file_; }

  /// More is to be in it.
  void prolong(const Request& request, std::chrono::seconds longest) {
    ++wishes;
    if (request.frame.value != 0) {
      file_->comment(request.frame, request.comment);
      is_for_finding = true;
    }
    const TimePoint wanted{request.at.ns + nanoseconds(request.after)};
    until = std::min(std::max(until, wanted), TimePoint{from.ns + nanoseconds(longest)});
    after = std::max(after, request.after);
  }
  /// Nothing more belongs into it: the capture's clock is past its end, or went back; or nothing comes any more.
  /// `newest` is the time of a packet that was looked at, and nothing came from `last_packet` to `now`.
  [[nodiscard]] bool is_over(TimePoint newest, Clock::time_point last_packet, Clock::time_point now) const {
    if (file_->is_full() || newest >= until) return true;
    if (newest.ns < from.ns - nanoseconds(std::chrono::seconds{1}) && now - begun >= after) return true;
    return now - begun >= after && now - last_packet >= after;
  }

  std::uint64_t flow;
  const TimePoint from;
  TimePoint until;
  std::chrono::seconds after{};
  const Clock::time_point begun = Clock::now();
  std::uint64_t missed = 0;
  std::uint64_t wishes = 0;  ///< findings and requests it is for
  bool is_for_finding = false;
  std::string trouble;  ///< not empty: it cannot be written

 private:
  std::unique_ptr<RecordingFile> file_;
};

}  // namespace iwarpscope::outputs
