// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the analysis of live traffic or replayed files.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/options.h"
#include "analysis/shard.h"
#include "capture/intake.h"
#include "live/directory.h"
#include "live/frame_tap.h"
#include "live/recent_records.h"
#include "live/summaries.h"
#include "live/threshold.h"

namespace iwarpscope::live {

/// What one run leaves to the next one.
struct HandedOver {
  std::vector<std::byte> state;  ///< of the analysis, as Watch wrote it; empty: it does not fit, or `is_late`
  TimePoint last_frame;          ///< the capture's time
  std::uint64_t qps = 0;         ///< queue pairs in it
  std::uint64_t left_out = 0;    ///< not in it: they did not fit
  bool is_late = false;          ///< the state was not made in time
  std::chrono::steady_clock::time_point until;  ///< when the time is over that a stop may take for it
};

/// A fingerprint of what HandedOver::state is made of. Only a program with an equal one reads it; the version of the
/// program does not matter.
[[nodiscard]] std::uint64_t state_layout();

struct WatchOptions {
  analysis::Options analysis;  ///< the caller sets `messages` to remember or report messages
  analysis::RetireLimits retire;
  Memory memory;
  /// Period of reports about hosts and listeners: refused connections, the port mapper, SMB beside RDMA. 0: only when
  /// the capture ends, as for files.
  std::int64_t round_ns = 0;
  /// For the events of all subscribers that share their memory.
  std::size_t shared_octets = std::size_t{32} << 20;
  bool report_open = false;  ///< queue pairs that are open and well when a live capture ends get a last record, too
  /// When a live capture ends, so many queue pairs that are open and not well get a last record, and so many that ended
  /// shortly before: each takes its time in the outputs, and a stop has little. The others go on without one, and the
  /// next run reports those that ended.
  std::size_t last_records = 20'000;
  unsigned workers = 1;           ///< threads beside the one that calls run()
  std::string version;            ///< for Status
  OriginPtr origin{};             ///< of all records; null: they have no name
  capture::TapGroups tap_groups;  ///< the intake's, for the names of records
  ThresholdGate* gate = nullptr;  ///< which findings are listed and reported; may be null; must outlive the Watch
  FrameTap* tap = nullptr;        ///< sees every frame; may be null; must outlive the Watch
  /// Called on the analysis thread for each finding, before all subscribers. May be empty.
  std::function<void(const FindingView&, const QpView*)> on_finding;
  /// Called on the analysis thread when the capture has ended and everything was reported. May be empty.
  std::function<void()> on_end;
  /// The state that the run before handed over: its queue pairs go on. Null: none. If it is damaged, this run begins as
  /// without it, and Status says so. For a live capture.
  std::shared_ptr<const std::vector<std::byte>> resumed;
  std::uint64_t qps_before = 0;  ///< queue pairs that were open when the run before ended, for Status
  std::string refused{};         ///< why the state of the run before is not used, a word for Status; empty: it is used
  /// Called on the analysis thread after a live capture ended, with what goes on. Empty: nothing is handed over.
  std::function<void(HandedOver)> hand_over;
  std::size_t most_handed_over = std::size_t{256} << 20;  ///< octets
  /// From the end of the capture on. What is not made by then is not handed over: a stop has little time.
  std::chrono::nanoseconds hand_over_time = std::chrono::seconds{6};
  std::int64_t summaries_ns = 0;  ///< length of an interval of summaries; 0: none
  /// Takes them. Null: none are made.
  std::shared_ptr<SummaryBox> summaries{};
  /// What Status says of the outputs. Any thread. May be empty.
  std::function<std::vector<OutputView>()> outputs;
  /// What Status says of the configuration. Any thread. May be empty.
  std::function<ConfigurationView()> configuration{};
};

/// What may change while it runs.
struct WatchChanges {
  analysis::RetireLimits retire;
  Memory memory;
  unsigned workers = 1;
  OriginPtr origin{};  ///< of later records; null: as it is
};

/// Runs the core over frames as they come and answers questions about it. Everything but run() is for any thread.
class Watch final : public Directory {
 public:
  /// Both must outlive it.
  Watch(const WatchOptions& options, capture::Intake& intake);
  ~Watch() override;

  /// Analyses until the intake ends or stop() is called, then ends the capture: the last findings and records are
  /// reported and every subscription is closed. Of a live capture, queue pairs that are open and well go on: they get
  /// no last record, unless WatchOptions::report_open is set, nor do those beyond `last_records`. Questions are
  /// answered until `linger` ends, too, so that what was replayed can still be looked at. The caller's thread.
  void run(bool linger = false);
  /// Any thread, not a signal handler.
  void stop() noexcept;
  /// In force within some milliseconds, between two rounds of frames; nothing that is followed is lost. A replay keeps
  /// its own idle time. Any thread.
  void change(const WatchChanges& changes);

  [[nodiscard]] Status status() override;
  [[nodiscard]] Answer<QpPage> qps(const QpFilter& filter, std::uint64_t from, std::size_t most,
                                   const Caller& caller = {}) override;
  [[nodiscard]] Answer<QpViewPtr> qp(std::uint64_t number, const Caller& caller = {}) override;
  [[nodiscard]] Answer<MessagePage> messages(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                             const Caller& caller = {}) override;
  [[nodiscard]] Answer<TransportPage> transport(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                                const Caller& caller = {}) override;
  [[nodiscard]] Answer<FindingPage> findings(const FindingFilter& filter, std::uint64_t from, std::size_t most,
                                             const Caller& caller = {}) override;
  [[nodiscard]] Answer<HostPage> hosts(bool pairs, const HostKey& from, std::size_t most,
                                       const Caller& caller = {}) override;
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(const Wanted& wanted) override;
  [[nodiscard]] RecordPlace last_record() override;
  [[nodiscard]] Answer<Resumed> resume(const Wanted& wanted, std::uint64_t after, std::size_t most,
                                       const Caller& caller = {}) override;

 private:
  class Analysis;
  std::unique_ptr<Analysis> analysis_;
  const std::string run_uuid_;
};

}  // namespace iwarpscope::live
