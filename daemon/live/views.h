// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Answers about the traffic, as plain values. They borrow nothing.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/records.h"
#include "base/time_point.h"
#include "findings/finding.h"
#include "live/archive.h"
#include "live/record_name.h"
#include "live/throughput.h"
#include "qp/direction_counters.h"
#include "qp/records.h"
#include "qp/transport_event.h"
#include "rdmap/opcode.h"

namespace iwarpscope::live {

/// What was not analysed, by the place where it was lost. Units: frames, but for gaps.
struct Losses {
  std::uint64_t nic = 0;           ///< counted by the interface
  std::uint64_t kernel = 0;        ///< the capture ring was full
  std::uint64_t queue = 0;         ///< between capture and analysis: the analysis was too slow
  std::uint64_t gap_octets = 0;    ///< TCP acknowledged them, and they were never seen: lost before or at the capture
  std::uint64_t gap_messages = 0;  ///< over SCTP: likewise

  [[nodiscard]] std::uint64_t frames() const noexcept { return nic + kernel + queue; }
  [[nodiscard]] bool has_gaps() const noexcept { return gap_octets != 0 || gap_messages != 0; }
  [[nodiscard]] bool any() const noexcept { return frames() != 0 || has_gaps(); }
};

/// Traffic of a queue pair, second by second. Octets are ULP payload.
struct Activity {
  static constexpr std::size_t kSeconds = 60;
  std::int64_t last_second = 0;                             ///< of the newest entry; seconds since 1970-01-01 UTC
  std::array<std::uint32_t, kSeconds> octets{};             ///< oldest first; saturates
  std::array<std::uint32_t, kSeconds> messages{};           ///< oldest first
  [[nodiscard]] double octets_per_second() const noexcept;  ///< of the last whole second that is known
};

/// Findings of one queue pair.
struct FindingCounts {
  std::uint64_t errors = 0, warnings = 0, notes = 0;
  std::optional<findings::FindingId> worst{};  ///< the first of the highest severity
};

/// The current state of one queue pair.
struct QpView {
  qp::QpRecord record;  ///< with its verdict
  RecordName name{};    ///< without its Community ID; a sequence if this is its last record
  FindingCounts findings;
  Activity activity;
  Losses losses;              ///< from the start to the end of its connection, frames of any connection
  std::uint64_t flow = 0;     ///< net::stable_hash() of its connection's net::FlowKey
  bool ended = false;         ///< it is no longer followed
  bool continued = false;     ///< it was open when the run before ended, and this run went on with it
  std::uint64_t version = 0;  ///< grows with each change
};
using QpViewPtr = std::shared_ptr<const QpView>;

/// Which queue pairs. Empty members do not filter.
struct QpFilter {
  std::optional<net::IpAddress> host{};  ///< of either end
  std::optional<std::uint16_t> port{};   ///< of either end
  std::optional<std::string> state{};    ///< as qp::name() has it
  std::optional<std::string> ulp{};
  std::optional<std::string> outcome{};          ///< of the verdict
  std::optional<findings::Severity> at_least{};  ///< has a finding of this severity or a higher one
  bool with_ended = true;
  std::optional<std::string> sensor{};  ///< its name
  [[nodiscard]] bool matches(const QpView& view) const;
  /// Uses only the host and the port, which never change.
  [[nodiscard]] bool matches_ends(const net::Endpoint& a, const net::Endpoint& b) const noexcept;
};

/// One page of queue pairs, by number.
struct QpPage {
  std::vector<QpViewPtr> qps;
  std::optional<std::uint64_t> next{};  ///< `from` of the next page; empty: this was the last
};

/// One RDMA message.
using MessagePtr = std::shared_ptr<const qp::MessageRecord>;
struct MessagePage {
  std::vector<MessagePtr> messages;     ///< in the order in which they were decided
  std::optional<std::uint64_t> next{};  ///< `from` of the next page
  std::uint64_t discarded = 0;          ///< of this queue pair: older ones that were given up to stay within the limit
};

/// Transport events of a queue pair, in the order of the frames.
struct TransportPage {
  std::vector<qp::TransportEvent> events;
  std::optional<std::uint64_t> next{};  ///< `from` of the next page
  std::uint64_t discarded = 0;          ///< of this queue pair: older ones that were given up to stay within the limit
};

/// A finding and its queue pair.
struct FindingView {
  std::uint64_t sequence = 0;  ///< of all findings since the start, from 1
  RecordName name{};           ///< without its Community ID
  findings::Finding finding;
  /// Time of its first frame of evidence (`finding.time` may be the end of the capture). Empty: that frame is too old,
  /// or does not exist.
  std::optional<TimePoint> began{};
  std::optional<std::pair<net::Endpoint, net::Endpoint>> ends{};  ///< A and B of its queue pair
  std::uint64_t flow = 0;                                         ///< as QpView has it; 0: of no queue pair
  bool over_sctp = false;                                         ///< its queue pair, if it has one
};
/// The name of a record, with its Community ID: for one that is written.
[[nodiscard]] RecordName named(const QpView& view);
[[nodiscard]] RecordName named(const FindingView& view);
using FindingPtr = std::shared_ptr<const FindingView>;
struct FindingPage {
  std::vector<FindingPtr> findings;  ///< by sequence
  std::optional<std::uint64_t> next{};
  std::uint64_t discarded = 0;
  std::optional<TimePoint> since{};  ///< those that arrived before are left out; empty: none is
};
struct FindingFilter {
  std::optional<std::uint64_t> qp{};
  std::optional<findings::Severity> at_least{};
  std::optional<std::string> rule{};  ///< id or code
  std::optional<net::IpAddress> host{};
  std::optional<std::string> sensor{};  ///< its name
  [[nodiscard]] bool matches(const FindingView& view) const;
};

/// Names one row of hosts, or of pairs with their addresses in order.
struct HostKey {
  net::IpAddress host;
  net::IpAddress peer{};        ///< of pairs
  std::uint32_t tap_group = 0;  ///< as in net::FlowKey
  friend constexpr auto operator<=>(const HostKey&, const HostKey&) = default;
};

/// All queue pairs of one address, or between two, in one tap group.
struct HostRow {
  net::IpAddress host;
  std::optional<net::IpAddress> peer{};  ///< of pairs
  std::uint64_t qps = 0, active = 0, failed = 0;
  std::uint64_t errors = 0, warnings = 0, notes = 0;
  std::uint64_t payload_octets = 0;
  std::string tap_group{};  ///< empty: none
};

struct HostPage {
  std::vector<HostRow> rows;      ///< by address, then by the number of the tap group
  std::optional<HostKey> next{};  ///< `from` of the next page; empty: this was the last
};

/// One capture interface, or the files that are replayed.
struct InterfaceView {
  std::string name;
  std::string link_type;
  std::string file_format;  ///< of files: "pcap" or "pcapng"
  std::uint64_t frames = 0, octets = 0;
  Losses losses;
  bool up = true;
  std::string time_source;            ///< "file", "host", "host-ns", "adapter"
  std::vector<std::string> offloads;  ///< receive offloads that are on and make frames no wire ever carried
  std::vector<std::string> warnings;  ///< sentences
  std::string tap_group{};            ///< empty: none, or files
  std::string method{};               ///< "ring", "xdp-generic", "xdp-native", "xdp-zero-copy"; of files: empty
};

/// A bounded table or buffer, or something else that is bounded.
struct LimitView {
  std::string table;
  std::uint64_t entries = 0, limit = 0;
  std::uint64_t evicted = 0;  ///< entries, or times that something, was given up or not done to stay within it
  bool each = false;          ///< the limit of each connection, or frame; `entries` is 0
};

/// An output and how it keeps up.
struct OutputView {
  std::string name;
  bool healthy = true;
  std::string trouble;  ///< a sentence; empty: none
  std::uint64_t taken = 0, lost = 0;
  std::uint64_t queued = 0, queue_limit = 0;
  double lag_seconds = 0;        ///< age of the oldest record in the queue
  std::uint64_t not_begun = 0;   ///< of those lost: recordings not begun because as many as allowed were being written
  std::uint64_t withheld = 0;    ///< left out as configured, by a quota or a threshold; not lost
  std::optional<double> fill{};  ///< how much of the room for waiting records is used, 0..1; empty: not known
  bool refused = false;          ///< the other end answers, and takes no record
  /// When nothing was left to do, or when the database answered; only at a centre.
  std::optional<std::chrono::system_clock::time_point> done{};
};

/// Counts since the start. They only grow, except where noted.
struct Totals {
  std::uint64_t frames = 0, octets = 0;
  std::uint64_t cut_frames = 0;        ///< frames of which the capture holds only a part
  std::uint64_t undecoded_frames = 0;  ///< frames of link types that are not decoded
  hosts::FailedOpenings refused;
  hosts::FailedOpenings unanswered;  ///< once the capture has ended
  qp::DirectionTotals traffic;       ///< of all queue pairs, both directions
  Losses losses;
  std::map<std::string_view, std::uint64_t> qps_by_state;    ///< now, of those that are followed
  std::map<std::string_view, std::uint64_t> qps_by_outcome;  ///< likewise, by their current verdict
  std::uint64_t qps_opened = 0;
  std::map<std::string_view, std::uint64_t> qps_closed;     ///< by the verdict's outcome
  std::array<std::uint64_t, rdmap::kOpcodes> operations{};  ///< messages by opcode
  std::array<std::uint64_t, rdmap::kOpcodes> payload_octets{};
  std::map<std::string_view, std::uint64_t> findings;                         ///< by rule id
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::uint64_t> terminates;  ///< by layer, error code
  std::map<std::string_view, std::uint64_t> handshake_failures;               ///< by outcome
  std::uint64_t findings_suppressed = 0;
  std::uint64_t findings_withheld = 0;  ///< by suppressions and thresholds

  [[nodiscard]] std::uint64_t crc_checked() const noexcept {
    return traffic[&qp::DirectionRecord::crc_ok] + traffic[&qp::DirectionRecord::crc_bad];
  }
};

/// A histogram whose buckets end at powers of two nanoseconds from 2^10 (about a microsecond) on.
struct Latencies {
  static constexpr std::size_t kBuckets = 26;
  static constexpr unsigned kFirst = 10;
  std::array<std::uint64_t, kBuckets> counts{};  ///< the last one also counts all longer ones
  std::uint64_t total = 0;
  double sum_seconds = 0;
  void add(std::int64_t ns) noexcept;
};

/// What the analysis did beside the frames, between rounds of them: it answered questions and visited queue pairs.
/// Counts since the start. A unit is what it takes to look at an entry of a table.
struct EffortCounts {
  // A part or a round is used up by so many units, and then ends after the entry or view that it is at.
  static constexpr std::uint64_t kPart = 2048, kRound = 10'240;
  std::uint64_t rounds = 0, parts = 0, units = 0;
  std::uint64_t longest_part = 0, longest_round = 0;  ///< units
};

/// A capture interface as net::Frame::interface numbers it: one of a replayed file, too.
struct NumberedInterface {
  std::string name;        ///< empty: the file does not name it
  std::string tap_group;   ///< empty: none
  std::uint32_t number{};  ///< of that, as in net::FlowKey
};

/// The configuration in force.
struct ConfigurationView {
  std::uint64_t hash = 0;     ///< of the values in force, below 2^48
  bool reloaded = true;       ///< the last reload found no mistake; true before the first one
  std::int64_t time = 0;      ///< of the last reload without one, or of the start, in seconds since 1970
  std::uint64_t waiting = 0;  ///< keys of the file that wait for a restart
  std::string mistakes{};     ///< of the last reload, sentences; empty: none
};

/// How well the clock of this machine is kept.
struct ClockView {
  bool is_known = false;  ///< the kernel says
  bool is_synchronized =
      false;  ///< a program sets it (chrony, ntpd, systemd-timesyncd, phc2sys and timemaster), and has lately
  std::int64_t error_ns = 0;   ///< it is off by no more than this; only if synchronized
  std::int64_t offset_ns = 0;  ///< that is being corrected
};

/// What a centre knows of a sensor.
struct SensorView {
  std::string name;                      ///< in its client certificate
  std::string site, position;            ///< as the centre has them
  std::string uuid, version;             ///< empty: not known yet
  std::optional<TimePoint> delivered{};  ///< by the centre's clock
  std::optional<TimePoint> heartbeat{};  ///< when it wrote its last one, by its own clock
  std::string trouble{};                 ///< sentences; empty: none
  bool is_silent = false;                ///< nothing came for longer than its heartbeats allow
  std::optional<ConfigurationView> configuration{};
  ClockView clock{};
  Losses losses;                 ///< since the start of its daemon
  std::uint64_t qps = 0;         ///< that it follows
  std::uint64_t findings = 0;    ///< since the start of its daemon
  std::uint64_t waiting = 0;     ///< records that it had not delivered at its last heartbeat
  double lag_seconds = 0;        ///< how long the oldest of them had waited
  std::optional<double> fill{};  ///< OutputView::fill of them
  CountByKind expired{};         ///< records that it discarded before they were delivered
};

struct Status {
  std::string version;
  OriginPtr origin{};               ///< null: unknown
  std::uint64_t records = 0;        ///< sequence of the last record; 0: there was none
  std::uint64_t shared_octets = 0;  ///< of events that subscribers of the API have not taken
  std::vector<NumberedInterface> numbered_interfaces;
  TimePoint started;                        ///< by the clock of this machine
  std::optional<TimePoint> capture_time{};  ///< of the last frame; live: plus the time since
  bool capturing = false;                   ///< false: what was replayed has ended, or no interface is up
  bool ended = false;                       ///< the capture has ended: nothing more comes
  bool replay = false;
  double replay_progress = 0;       ///< 0..1, as far as known
  bool replay_cut = false;          ///< what was replayed has ended before the end of its files
  std::uint64_t continued = 0;      ///< queue pairs of the run before that this run went on with
  std::uint64_t not_continued = 0;  ///< queue pairs of that run that were open, and are met in mid-stream
  bool resume_failed = false;       ///< there was a state to go on with, and it is damaged
  std::string resume_refused{};     ///< why the state of the run before is not used, a word; empty: it is, or none was
  std::uint64_t going_on = 0;    ///< queue pairs that were open and well when a live capture ended: they have not ended
  std::uint64_t unreported = 0;  ///< others that were open then, were not well, and got no last record
  std::uint64_t ended_unreported = 0;  ///< others that had ended, and got no last record from this run
  std::vector<InterfaceView> interfaces;
  std::vector<LimitView> limits;
  std::vector<OutputView> outputs;
  Totals totals;
  Latencies read_latency, atomic_latency, handshake;
  ThroughputView throughput;        ///< of a replay over its whole time, else of the last ten minutes
  double analysis_lag_seconds = 0;  ///< age of the last frame when it was analysed; 0 for files, and while none waits
  EffortCounts effort;
  std::optional<ConfigurationView> configuration{};
  ClockView clock{};
  bool is_centre = false;             ///< it answers for many sensors and captures nothing
  std::vector<SensorView> sensors{};  ///< of a centre, by name
};

}  // namespace iwarpscope::live
