// The inside of a Watch: the thread that analyses.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/capture_findings.h"
#include "analysis/conclusion.h"
#include "analysis/judge.h"
#include "analysis/merger.h"
#include "analysis/shard.h"
#include "analysis/surroundings.h"
#include "engine/pipeline.h"
#include "live/book.h"
#include "live/hub.h"
#include "live/mailbox.h"
#include "live/watch.h"
#include "net/decoder.h"

namespace iwarpscope::live {

/// Everything but what is marked belongs to the thread that runs it. What touches shards does so only while the
/// pipeline is drained.
class Watch::Analysis final : analysis::Observer {
 public:
  Analysis(const WatchOptions& options, capture::Intake& intake);

  void run(bool linger);
  void stop() noexcept;  ///< any thread

  // Any thread.
  [[nodiscard]] Status status() const;
  [[nodiscard]] Hub& hub() noexcept { return hub_; }
  [[nodiscard]] Mailbox& mailbox() noexcept { return mailbox_; }

  // As questions of the mailbox.
  [[nodiscard]] QpPage qps(const QpFilter& filter, std::uint64_t from, std::size_t most);
  [[nodiscard]] QpViewPtr view(std::uint64_t number);
  [[nodiscard]] std::vector<HostRow> hosts(bool pairs) const;
  [[nodiscard]] const Book& book() const noexcept { return book_; }

 private:
  using Clock = std::chrono::steady_clock;

  // analysis::Observer
  void numbered(analysis::QpPlace place, std::uint64_t qp) override;
  void message(const qp::MessageRecord& record) override;
  void finding(const findings::Finding& finding) override;
  void qp(const qp::QpRecord& record) override;

  void feed(engine::Pipeline& pipeline, const capture::Intake::Given& given);
  /// Drains, tells what was found, answers questions.
  void settle(engine::Pipeline& pipeline);
  void tick();
  /// Retires what is over once a second of the capture's time, so that the same frames give the same findings.
  void retire_by_capture_time(engine::Pipeline& pipeline, const capture::Intake::Given& given, TimePoint time);
  void retire();
  /// The capture's clock was set, on an interface: for a while nobody is idle by it.
  void watch_clock();
  /// What concerns hosts is told in rounds, a part in each tick.
  void go_round();
  void conclude();
  void tell_found();
  /// Looks at a queue pair that is followed: what it adds to the whole, and a view of it.
  QpViewPtr visit(std::uint64_t number, Book::Page& page);
  void visit_changed();
  void count(Book::Page& page, const qp::QpRecord& record);
  [[nodiscard]] QpViewPtr make_view(qp::QpRecord record, const Book::Page& page, bool ended) const;
  [[nodiscard]] analysis::CaptureSpan span_of(const Book::Page& page) const noexcept;
  [[nodiscard]] analysis::CaptureInfo describe() const;
  void note_latency(const qp::MessageRecord& record);
  void read_counters();
  void publish();

  const WatchOptions options_;
  capture::Intake& intake_;
  net::Decoder decoder_;
  Hub hub_;          ///< any thread
  Mailbox mailbox_;  ///< any thread
  Book book_;
  analysis::Merger merger_;
  analysis::CaptureClock clock_;
  analysis::Shards shards_;
  analysis::Judge judge_;
  analysis::Surroundings surroundings_;

  std::vector<std::uint64_t> opened_;          ///< since the last settle()
  std::vector<findings::Finding> found_;       ///< likewise
  std::vector<std::string_view> states_seen_;  ///< names, so that those no queue pair is in count zero
  std::uint64_t visit_hand_ = 0;               ///< number of the queue pair where visiting went on
  Totals totals_;
  Latencies read_latency_, atomic_latency_, handshake_;
  std::vector<capture::IntakeCounters> counters_;
  Losses losses_;  ///< frames; gaps are counted in totals_ as queue pairs are visited
  double lag_seconds_ = 0;
  bool ended_ = false;
  bool is_replay_ = false;
  Clock::time_point settled_, ticked_;
  std::optional<TimePoint> retired_;   ///< the capture's time when retire() was called last
  Clock::time_point looked_at_clock_;  ///< and what the capture's clock said then
  TimePoint clock_then_;
  Clock::time_point idle_from_;  ///< nobody is idle before
  TimePoint round_began_;
  std::optional<std::uint64_t> round_hand_;  ///< the queue pair where the round goes on

  std::atomic<bool> stop_{false};  ///< any thread
  mutable std::mutex mutex_;       ///< of status_
  Status status_;
};

}  // namespace iwarpscope::live
