// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The recent records: messages, transport events, findings, and queue pairs that ended.
#pragma once

#include <absl/container/btree_map.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "live/effort.h"
#include "live/event.h"
#include "live/hosts.h"
#include "live/views.h"

namespace iwarpscope::live {

/// How many records are kept, for all queue pairs together.
struct Memory {
  std::size_t messages = 200'000;
  std::size_t transport_events = 100'000;
  std::size_t findings = 100'000;
  std::size_t ended_qps = 10'000;
};

/// What the capture knows of a finding.
struct FindingSource {
  std::optional<TimePoint> began;  ///< as FindingView
  RecordName name;                 ///< without its sequence
};

/// What one queue pair adds to the totals and to its hosts.
struct Traffic {
  qp::DirectionTotals counters;
  std::uint64_t payload_octets = 0;
};

/// The records kept of one queue pair, oldest first.
template <class T>
struct Kept {
  std::unique_ptr<std::deque<T>> items;  ///< null: none
  std::uint64_t discarded = 0;           ///< number of earlier ones
};

/// Keeps recent records of the analysis and counts them; the oldest are discarded first. Not thread-safe.
class RecentRecords {
 public:
  explicit RecentRecords(const Memory& memory) : memory_(memory) {}
  /// Discards at once what is then too much.
  void change(const Memory& memory);

  static constexpr TimePoint kNotReported{std::numeric_limits<std::int64_t>::min()};  ///< no TCP segment has this time

  /// Recent records of one queue pair, and its part of the totals.
  struct QpEntry {
    FindingCounts findings;
    std::unique_ptr<Activity> activity;  ///< null: no messages yet
    Kept<MessagePtr> messages;
    Kept<qp::TransportEvent> transport;
    QpViewPtr ended;                        ///< its last view; null: it is followed
    TimePoint reported = kNotReported;      ///< its latest TCP segment at the last report
    Losses losses;                          ///< losses of the whole capture when it began
    std::unique_ptr<Losses> losses_at_end;  ///< the same when its connection ended; null: it is open
    std::optional<std::pair<net::Endpoint, net::Endpoint>> ends;  ///< A and B; empty before the first visit
    std::uint32_t tap_group = 0;                                  ///< as in net::FlowKey; valid with them
    std::string_view ulp{};                                       ///< at the last visit; static storage; empty: unknown
    std::optional<std::string_view> state;                        ///< at the last visit
    std::optional<std::string_view> outcome;                      ///< of its verdict, likewise
    Traffic traffic;                                              ///< likewise
    HostShare share;                                              ///< what hosts() has of it
    std::uint64_t flow = 0;                                       ///< as QpView
    std::optional<std::uint32_t> interface;                       ///< of its last frame, at the last visit
    bool over_sctp = false;
    bool handshake_counted = false;
    bool continued = false;  ///< as QpView
    bool failed = false;     ///< it ended refused, failed or stalled
    std::uint64_t version = 0;
  };

  QpEntry& open(std::uint64_t qp, const Losses& losses);
  /// Null: it is unknown or was discarded.
  [[nodiscard]] QpEntry* find(std::uint64_t qp);
  [[nodiscard]] const absl::btree_map<std::uint64_t, QpEntry>& qps() const noexcept { return qps_; }
  [[nodiscard]] absl::btree_map<std::uint64_t, QpEntry>& qps() noexcept { return qps_; }
  void ended(QpViewPtr view);
  /// Something changed that hosts() counts.
  void changed(QpEntry& entry);
  [[nodiscard]] const HostSums& hosts() const noexcept { return hosts_; }
  MessagePtr message(const qp::MessageRecord& record);
  void transport(const qp::TransportEvent& event);
  /// A finding that is counted for its queue pair, if it has one, and not listed.
  void count(findings::FindingId id, QpEntry* whose);
  /// `whose`: the entry of its queue pair; null: none, or it was discarded.
  FindingPtr finding(const findings::Finding& finding, QpEntry* whose, FindingSource source);
  /// The sequence of the next record, which finding() or ended() gets at once.
  [[nodiscard]] std::uint64_t next_record() noexcept { return ++record_count_; }
  /// The sequence of the last one. Any thread.
  [[nodiscard]] std::uint64_t records() const noexcept { return record_count_; }

  [[nodiscard]] MessagePage messages(std::uint64_t qp, std::uint64_t from, std::size_t most) const;
  [[nodiscard]] TransportPage transport(std::uint64_t qp, std::uint64_t from, std::size_t most) const;
  /// Looks at findings from `from` on, until the slice is used up, and adds those that match. True: `page` is whole;
  /// else `next` says where to go on.
  bool add_findings(const FindingFilter& filter, std::uint64_t from, std::size_t most, FindingPage& page,
                    Slice& slice) const;
  /// Adds findings and ended queue pairs after `page.through` that are wanted, until there are `most` or the slice is
  /// used up. True: nothing else is remembered.
  bool add_records(const Wanted& wanted, std::size_t most, RecordPage& page, Slice& slice) const;
  [[nodiscard]] std::vector<LimitView> limits() const;

 private:
  /// The queue pairs of all records of one kind, oldest record first: the bound applies to all queue pairs together.
  struct Order {
    std::size_t most;
    std::deque<std::uint64_t> qps{};  ///< also of queue pairs that were discarded with their records
    std::uint64_t discarded = 0;
    std::size_t records = 0;  ///< that are there
  };
  template <class T>
  void keep(std::uint64_t qp, QpEntry& entry, Kept<T> QpEntry::*where, Order& order, T item);
  template <class T>
  void shorten(Kept<T> QpEntry::*where, Order& order);
  void shorten_ended();
  void shorten_findings();
  void change_hosts(const QpEntry& entry, const HostShare& was, const HostShare& is);

  Memory memory_;
  absl::btree_map<std::uint64_t, QpEntry> qps_;  ///< by number
  Order messages_{memory_.messages};
  Order transport_{memory_.transport_events};
  HostSums hosts_;
  std::deque<std::uint64_t> ended_order_;
  std::deque<FindingPtr> findings_;
  std::uint64_t finding_count_ = 0;
  std::atomic<std::uint64_t> record_count_{0};  ///< findings and ended queue pairs
  std::uint64_t findings_discarded_ = 0, ended_discarded_ = 0;
};

}  // namespace iwarpscope::live
