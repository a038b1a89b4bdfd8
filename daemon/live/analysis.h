// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The implementation of Watch: the analysis thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/engine.h"
#include "engine/pipeline.h"
#include "live/capture_coverage.h"
#include "live/clock_steps.h"
#include "live/effort.h"
#include "live/frame_times.h"
#include "live/hub.h"
#include "live/intake_account.h"
#include "live/mailbox.h"
#include "live/recent_records.h"
#include "live/rounds.h"
#include "live/summaries.h"
#include "live/tally.h"
#include "live/throughput.h"
#include "live/watch.h"

namespace iwarpscope::live {

/// By queue pair, of those that were handed over.
using ResumedFindings = std::map<std::uint64_t, FindingCounts>;

/// All members belong to the thread in run(), except those marked "any thread". Shards are accessed only while the
/// pipeline is drained.
class Watch::Analysis final : analysis::Observer {
 public:
  Analysis(const WatchOptions& options, capture::Intake& intake);

  void run(bool linger);
  void stop() noexcept;                      ///< any thread
  void change(const WatchChanges& changes);  ///< any thread

  // Any thread.
  [[nodiscard]] Status status() const;
  [[nodiscard]] Hub& hub() noexcept { return hub_; }
  [[nodiscard]] Mailbox& mailbox() noexcept { return mailbox_; }

  // As questions of the mailbox.
  /// Runs a part of an answer.
  template <class Work>
  auto part(Work&& work) {
    return effort_.part(std::forward<Work>(work));
  }
  /// Adds queue pairs from `page.next` on. True: `page` is whole; else `page.next` says where to go on.
  bool add_qps(const QpFilter& filter, std::size_t most, QpPage& page, Slice& slice);
  [[nodiscard]] QpViewPtr view(std::uint64_t number);
  [[nodiscard]] const RecentRecords& records() const noexcept { return records_; }
  [[nodiscard]] const std::vector<NumberedInterface>& numbered_interfaces() const noexcept { return interfaces_; }

 private:
  using Clock = std::chrono::steady_clock;

  // analysis::Observer
  void numbered(analysis::QpPlace place, std::uint64_t qp) override;
  void message(const qp::MessageRecord& record) override;
  void finding(const findings::Finding& finding) override;
  void transport(const qp::TransportEvent& event) override { records_.transport(event); }
  void qp(const qp::QpRecord& record) override;

  void feed(engine::Pipeline& pipeline, const capture::Intake::Given& given);
  /// Something is to be done beside the frames.
  [[nodiscard]] bool has_work() const noexcept;
  [[nodiscard]] bool may_work(Clock::time_point now) const noexcept;
  /// Drains the pipeline, reports findings, answers requests, visits queue pairs. `idle`: no frame waits.
  void settle(engine::Pipeline& pipeline, bool idle);
  /// As much beside the frames as may be done before the next ones.
  void work();
  void tick();
  void read_interfaces();
  void read_intake();
  /// Retires ended queue pairs once per second of capture time, so that the same frames give the same findings.
  void retire_by_capture_time(engine::Pipeline& pipeline, const capture::Intake::Given& given, TimePoint time);
  void let_time_pass(engine::Pipeline& pipeline);
  void retire_at(engine::Pipeline& pipeline, TimePoint time);
  void retire();
  void conclude();
  /// Both ends closed it, or one reset it.
  [[nodiscard]] static bool is_over(const qp::QpRecord& record) noexcept;
  /// Counts what was decided, and ends the interval of summaries if it is over.
  void summarize(TimePoint time, bool is_last = false);
  /// The engine of this run: with the state that is resumed, if there is one and it is sound.
  [[nodiscard]] std::unique_ptr<analysis::Engine> make_core();
  /// Opens the queue pairs of the run before.
  void resume();
  /// Precondition: the capture ended, and these queue pairs, in order, were suspended.
  void hand_over(const std::vector<std::uint64_t>& going);
  /// The state of this run in at most so many octets; empty: it does not fit.
  [[nodiscard]] std::vector<std::byte> state(HandedOver& facts);
  [[nodiscard]] std::optional<std::vector<std::byte>> state_that_fits();
  /// Precondition: the pipeline is drained.
  void take_changes(std::optional<engine::Pipeline>& pipeline);
  void tell_found();
  [[nodiscard]] bool passes(const findings::Finding& finding, const RecentRecords::QpEntry* whose) const;
  void tell_patiently(const Event& event);
  /// False: what is known of it without a view does not match.
  [[nodiscard]] bool may_match(const QpFilter& filter, std::uint64_t number, const RecentRecords::QpEntry& entry) const;
  /// Updates the totals with a followed queue pair, and makes a view of it.
  QpViewPtr visit(std::uint64_t number, RecentRecords::QpEntry& entry);
  [[nodiscard]] bool has_changed_qps() const noexcept { return !changed_.empty() || unread_shards_ != 0; }
  /// Visits some of the queue pairs that have something new to report, as long as the slice lasts.
  bool visit_changed(Slice& slice);
  bool go_round(Slice& slice);
  void look_in_passing(const qp::QpRecord& record);
  /// Failed operations of a queue pair, if a subscriber wants them.
  [[nodiscard]] std::vector<FailedOperation> failed_of(const RecentRecords::QpEntry& entry, bool ended) const;
  /// `sequence`: of its last record; 0: it is followed.
  [[nodiscard]] QpViewPtr make_view(qp::QpRecord record, const RecentRecords::QpEntry& entry,
                                    std::uint64_t sequence = 0) const;
  [[nodiscard]] RecordName name_on(std::optional<std::uint32_t> interface) const;
  [[nodiscard]] verdict::CaptureSpan span() const noexcept;
  [[nodiscard]] std::vector<LimitView> limits(const analysis::ShardStatistics& all) const;
  void publish();

  WatchOptions options_;
  capture::Intake& intake_;
  Hub hub_;          ///< any thread
  Mailbox mailbox_;  ///< any thread
  RecentRecords records_;
  CaptureCoverage coverage_;
  ResumedFindings resumed_findings_;
  bool resume_failed_ = false;
  const std::unique_ptr<analysis::Engine> engine_;
  analysis::Engine& core_;
  IntakeAccount account_;
  Tally tally_;
  Summaries summaries_;
  Throughput throughput_;
  Rounds rounds_;
  Effort effort_;
  ClockSteps clock_steps_;
  FrameTimes frame_times_;
  std::vector<NumberedInterface> interfaces_;

  std::vector<std::uint64_t> opened_;     ///< since the last settle()
  std::vector<findings::Finding> found_;  ///< likewise
  std::vector<std::uint64_t> over_;       ///< queue pairs whose connections ended since the last tick
  std::deque<std::uint64_t> changed_;     ///< queue pairs that may have something new to report
  std::vector<std::uint64_t> raised_;     ///< likewise, because of a finding since the last tick
  std::uint32_t unread_shards_ = 0;       ///< the last so many were not asked yet what has changed
  std::size_t visits_ = 0;                ///< views that may be made until the next tick
  double lag_seconds_ = 0;
  bool concluding_ = false;  ///< no frame will come
  bool ended_ = false;
  Clock::time_point wait_until_;  ///< for outputs, at the end of a live capture
  Clock::time_point hand_over_until_;
  std::uint64_t going_on_ = 0;          ///< as Status
  std::uint64_t unreported_ = 0;        ///< likewise
  std::uint64_t ended_unreported_ = 0;  ///< likewise
  std::uint64_t continued_ = 0;         ///< likewise
  std::uint64_t frames_before_ = 0;     ///< frames of the run before: the number of the first frame comes after them
  net::Statistics decoded_before_;      ///< what the run before counted
  Clock::time_point settled_, ticked_, fed_, worked_, counted_;
  analysis::ShardStatistics statistics_;  ///< as they were at counted_
  std::optional<TimePoint> retired_;      ///< capture time of the last retire()

  std::atomic<bool> stop_{false};  ///< any thread
  std::atomic<bool> has_changes_{false};
  std::optional<WatchChanges> changes_;  ///< under mutex_
  mutable std::mutex mutex_;             ///< of status_ and changes_
  Status status_;
};

}  // namespace iwarpscope::live
