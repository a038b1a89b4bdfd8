// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The events of one queue pair, in the order of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"

namespace iwarpscope::v1 {
class Finding;
class Message;
class QueuePair;
class TransportEvent;
}  // namespace iwarpscope::v1

namespace iwarpscope::cli {

/// Collects lines, and returns them sorted by time, then by frame, then by the order of the calls.
class Timeline {
 public:
  explicit Timeline(bool json) : json_(json) {}

  /// Its first and last frame, MPA startup, FIN and RST, as far as they are known.
  void add(const v1::QueuePair& qp);
  /// Every RDMA message if `all`, otherwise only Terminates.
  void add(const v1::Message& message, bool all);
  void add(const v1::TransportEvent& event);
  void add(const v1::Finding& finding);
  /// The number of transport events that the daemon has discarded.
  void discarded(std::uint64_t events);

  /// Whole lines: text, or records as docs/json-report.md describes them. Returns each line once.
  [[nodiscard]] std::string take();

 private:
  struct Entry {
    TimePoint time;
    std::uint64_t frame = 0;
    std::string line;
  };
  /// An event without a record in the report: a line of text, or an `event` record.
  struct Event {
    std::uint64_t qp = 0;
    std::string kind;  ///< "mpa_request"
    std::optional<Direction> direction;
    std::uint64_t frame = 0;
    std::int64_t time_ns = 0;
    std::optional<std::uint64_t> octets;
    std::optional<std::int64_t> offset;
    std::string text;
  };
  void add(const Event& event);

  bool json_;
  std::vector<Entry> entries_;
  std::string end_;
};

}  // namespace iwarpscope::cli
