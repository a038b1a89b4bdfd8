// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Counts of what passed between two hosts in an interval of capture time, by upper layer, opcode and size.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time_point.h"
#include "live/recent_records.h"
#include "live/views.h"

namespace iwarpscope::live {

/// Messages of similar sizes are counted together: those below 64 octets, then by powers of four. The last class begins
/// at 4 MiB.
inline constexpr std::size_t kSizeClasses = 10;
[[nodiscard]] std::size_t size_class_of(std::uint64_t octets) noexcept;
/// Its smallest size.
[[nodiscard]] constexpr std::uint64_t size_class_begin(std::size_t size_class) noexcept {
  return size_class == 0 ? 0 : std::uint64_t{16} << (2 * size_class);
}

/// What is counted together. `opcode` is a message's, "connection" for queue pairs that ended, or "fpdu" for FPDUs with
/// a CRC that was checked.
struct SummaryRow {
  std::string_view ulp{};  ///< empty: unknown
  std::string_view opcode{};
  std::uint8_t size_class = 0;  ///< of messages; of RDMA Read Requests: of what they read
  bool asked_by_b = false;      ///< the request came from the end with the higher address; of what is no request: sent
  std::uint64_t messages = 0, payload_octets = 0;
  std::uint64_t failures = 0;            ///< Terminates, requests without a response, connections and CRCs that failed
  std::unique_ptr<Latencies> latency{};  ///< null: it has none
};

/// An interval of one pair of hosts in one tap group; without `ends`, of all.
struct Summary {
  TimePoint from, to;
  bool complete = false;  ///< everything from the begin of the interval to its end was watched
  std::optional<std::pair<net::IpAddress, net::IpAddress>> ends{};  ///< in order
  RecordName name{};
  std::vector<SummaryRow> rows{};  ///< of all: what found no room, without upper layer and opcode; else none
  std::uint64_t pairs = 0;         ///< of all: summaries of pairs for this interval
  Losses losses{};                 ///< of all: of the capture in this interval
};

/// Summaries on their way to the history. Any thread.
class SummaryBox {
 public:
  /// Those of one interval. If they are not taken, the oldest interval is lost.
  void add(std::vector<Summary> interval);
  struct Taken {
    std::vector<Summary> summaries{};
    std::uint64_t lost = 0;
  };
  [[nodiscard]] Taken take();

 private:
  static constexpr std::size_t kMostIntervals = 4;
  std::mutex mutex_;
  std::deque<std::vector<Summary>> intervals_;
  std::uint64_t lost_ = 0;
};

/// What the analysis knows when an interval ends.
struct IntervalEnd {
  TimePoint time;
  Losses losses{};                                          ///< since the start
  std::function<RecordName(std::uint32_t tap_group)> name;  ///< of records of a tap group
};

/// A bounded table of rows. Not thread-safe.
class Summaries {
 public:
  static constexpr std::size_t kMostRows = 32'768;
  /// Intervals begin at multiples of `interval_ns` since 1970. 0: nothing is counted.
  explicit Summaries(std::int64_t interval_ns, std::size_t most_rows = kMostRows)
      : interval_ns_(interval_ns), most_rows_(most_rows) {}

  [[nodiscard]] bool is_on() const noexcept { return interval_ns_ != 0; }
  /// Counted once its queue pair was visited: by settle().
  void message(const qp::MessageRecord& record);
  /// Before Tally has the visit of a queue pair: the entry has what was counted before.
  void visited(RecentRecords::QpEntry& entry, const qp::QpRecord& record);
  /// The same for its last record, after Tally has it.
  void ended(const RecentRecords::QpEntry& entry);
  /// Counts the messages that wait. What is of no known queue pair is counted as other.
  void settle(RecentRecords& records);
  /// The interval is over, or the clock was set.
  [[nodiscard]] bool is_due(TimePoint time);
  /// Ends the interval, and begins the next one.
  [[nodiscard]] std::vector<Summary> finish(const IntervalEnd& end);
  [[nodiscard]] LimitView limit() const;

 private:
  struct Key {
    net::IpAddress a, b;
    std::uint32_t tap_group = 0;
    std::string_view ulp, opcode;
    std::uint8_t size_class = 0;
    bool asked_by_b = false;
    friend auto operator<=>(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.a, k.b, k.tap_group, k.ulp, k.opcode, k.size_class, k.asked_by_b);
    }
  };
  /// A message whose queue pair may not be known yet.
  struct Waiting {
    std::uint64_t qp = 0;
    rdmap::Opcode opcode{};
    Direction direction{};  ///< of the request
    bool failed = false;
    std::uint64_t octets = 0, size = 0;
    std::optional<std::int64_t> latency_ns{};
  };

  /// The row to count in. `key.asked_by_b`: it came from B of the queue pair.
  [[nodiscard]] SummaryRow& row(const RecentRecords::QpEntry* entry, Key key);
  void begin(TimePoint time);

  const std::int64_t interval_ns_;
  const std::size_t most_rows_;
  absl::flat_hash_map<Key, SummaryRow> rows_;
  SummaryRow other_;
  std::vector<Waiting> waiting_;
  std::optional<TimePoint> from_;
  TimePoint to_;
  bool from_begin_ = false;  ///< the interval was watched from its begin
  Losses losses_before_;
  std::uint64_t found_no_room_ = 0;
};

}  // namespace iwarpscope::live
