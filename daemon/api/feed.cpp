// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/feed.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "api/records.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::api {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::uint32_t kQueue = 65536;     // events the daemon may hold for us
constexpr std::uint32_t kQpsOnPage = 5000;  // the most it gives
constexpr std::uint32_t kFindingsOnPage = 2000;

}  // namespace

class Feed::Worker {
 public:
  Worker(Client& client, FeedTaker& taker, FeedOptions options)
      : client_(client),
        taker_(taker),
        options_(std::move(options)),
        status_([this] { ask_status(); }),
        changes_([this] { take_changes(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    changed_.notify_all();
    client_.stop();
    status_.join();
    changes_.join();
  }
  /// Ends all pauses.
  void hurry() {
    const std::lock_guard lock(mutex_);
    ++hurries_;
    retry_at_.reset();
    changed_.notify_all();
  }

 private:
  [[nodiscard]] std::uint64_t hurries() {
    const std::lock_guard lock(mutex_);
    return hurries_;
  }
  /// Ends early when there was a hurry after `seen`. False: it is to end.
  bool pause(milliseconds how_long, std::uint64_t seen) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, how_long, [&] { return end_ || hurries_ != seen; });
    return !end_;
  }
  bool pause(milliseconds how_long) { return pause(how_long, hurries()); }
  [[nodiscard]] bool is_ending() {
    const std::lock_guard lock(mutex_);
    return end_;
  }

  void ask_status() {
    do {
      auto status = client_.status();
      is_answered_ = status.has_value();
      if (status) {
        run_ = status->started_time_ns();
        taker_.status(std::make_shared<const v1::Status>(std::move(*status)));
        if (!is_outdated_) taker_.trouble(nullptr);
      } else {
        taker_.trouble(&status.error());
        if (waits_for_another_run_) hurry();
      }
    } while (pause(until_status()));
  }

  /// Both threads make the next attempt at the same time.
  milliseconds until_status() {
    const std::lock_guard lock(mutex_);
    const auto rest = retry_at_ ? *retry_at_ - Clock::now() : Clock::duration{0};
    return rest > Clock::duration{0} ? std::chrono::ceil<milliseconds>(rest) : options_.status_every;
  }

  void take_changes() {
    milliseconds wait{}, next = options_.retry_first;
    std::uint64_t seen = 0;
    do {
      bool connected = false;
      seen = hurries();
      if (is_outdated_) client_.reconnect();
      const auto failure = follow(connected);
      if (!failure && connected) wait_for_another_run();
      wait = connected ? options_.retry_first : next;
      next = failure ? std::min(2 * wait, options_.retry_last) : options_.retry_first;
      if (failure && !is_ending()) tell_failure(*failure, wait);
    } while (pause(wait, seen));
  }

  void tell_failure(const Failure& failure, milliseconds wait) {
    {
      const std::lock_guard lock(mutex_);
      is_outdated_ = true;
      retry_at_ = Clock::now() + wait;
    }
    taker_.trouble(&failure);
    taker_.retrying(wait);
  }

  /// The passed data equals the state of the daemon.
  void caught_up() {
    {
      const std::lock_guard lock(mutex_);
      retry_at_.reset();
    }
    if (is_outdated_.exchange(false)) taker_.trouble(nullptr);
  }

  /// The replay has finished: nothing changes until another daemon answers.
  void wait_for_another_run() {
    std::int64_t reported = run_;
    waits_for_another_run_ = true;
    while (pause(options_.status_every) && is_answered_ && (run_ == reported || reported == 0)) reported = run_;
    waits_for_another_run_ = false;
  }

  /// Subscribed first, then listed: no change falls between the two.
  std::optional<Failure> follow(bool& connected) {
    v1::SubscribeRequest request;
    request.set_qps(true);
    request.set_findings(options_.findings);
    request.set_queue(kQueue);
    if (!options_.sensor.empty()) request.set_sensor(options_.sensor);
    if (options_.activity) request.set_detail(v1::QP_DETAIL_ROW_ACTIVITY);
    std::optional<Failure> failed;
    std::uint64_t lost = 0;
    Clock::time_point listed{};
    last_finding_ = 0;
    const auto list_again = [&] {
      // Not left to the next reply, which may be long in coming.
      const auto early = options_.list_again - (Clock::now() - listed);
      if (connected && early > milliseconds{0} && !pause(std::chrono::ceil<milliseconds>(early))) return false;
      failed = list();
      if (failed) return false;
      connected = true;
      caught_up();
      listed = Clock::now();
      return true;
    };
    const auto take = [&](const v1::SubscribeReply& reply) {
      if (!connected || reply.lost() != lost) {
        if (!list_again()) return false;
        lost = reply.lost();
      }
      for (const v1::Event& event : reply.events()) apply(event);
      return !is_run_over_ || list_again();
    };
    const auto ended = client_.subscribe(request, take);
    return ended ? failed : std::optional(ended.error());
  }

  std::optional<Failure> list() {
    v1::ListQpsRequest request;
    request.set_most(kQpsOnPage);
    if (!options_.sensor.empty()) request.mutable_filter()->set_sensor(options_.sensor);
    if (options_.activity) request.set_detail(v1::QP_DETAIL_ROW_ACTIVITY);
    std::vector<live::QpView> qps;
    while (qps.size() < options_.most_qps && !is_ending()) {
      const auto page = client_.qps(request);
      if (!page) return page.error();
      for (const v1::QueuePair& qp : page->qps()) {
        qps.push_back(from_v1(qp));
        note_run(qps.back());
      }
      if (!page->has_next()) break;
      request.set_from(page->next());
    }
    is_run_over_ = false;
    taker_.replace(std::move(qps));
    return options_.findings ? list_findings() : std::nullopt;
  }

  std::optional<Failure> list_findings() {
    taker_.forget_findings();
    last_finding_ = 0;
    v1::ListFindingsRequest request;
    request.set_most(kFindingsOnPage);
    if (!options_.sensor.empty()) request.mutable_filter()->set_sensor(options_.sensor);
    while (!is_ending()) {
      const auto page = client_.findings(request);
      if (!page) return page.error();
      for (const v1::Finding& finding : page->findings()) apply(finding);
      if (!page->has_next()) break;
      request.set_from(page->next());
    }
    return std::nullopt;
  }

  void apply(const v1::Event& event) {
    if (event.has_qp_opened()) apply(from_v1(event.qp_opened()));
    if (event.has_qp_changed()) apply(from_v1(event.qp_changed()));
    if (event.has_qp_ended()) apply(from_v1(event.qp_ended()));
    if (event.has_finding()) apply(event.finding());
  }
  void apply(live::QpView view) {
    note_run(view);
    taker_.apply(std::move(view));
  }
  /// When a sensor of a centre begins another run, queue pairs that were open in the one before are no longer listed,
  /// and no event says so.
  void note_run(const live::QpView& view) {
    if (!view.name.origin || view.name.origin->sensor.empty()) return;
    const std::uint64_t run = view.record.qp / live::kQpNumbersOfRun;
    const auto [known, is_new] = runs_.emplace(view.name.origin->sensor, run);
    if (run <= known->second) return;
    known->second = run;
    is_run_over_ = true;
  }
  /// Findings in between are in the list and in the subscription.
  void apply(const v1::Finding& finding) {
    if (finding.sequence() <= last_finding_) return;
    last_finding_ = finding.sequence();
    if (auto view = from_v1(finding)) taker_.finding(std::move(*view));
  }

  Client& client_;
  FeedTaker& taker_;
  const FeedOptions options_;
  // Used by the thread that takes changes.
  std::uint64_t last_finding_ = 0;
  std::map<std::string, std::uint64_t> runs_;  ///< the last one of each sensor of a centre
  bool is_run_over_ = false;                   ///< what it had open is in the list before
  std::mutex mutex_;
  std::condition_variable changed_;
  bool end_ = false;
  std::uint64_t hurries_ = 0;                  ///< how often pauses were ended
  std::optional<Clock::time_point> retry_at_;  ///< of the next attempt, while the daemon does not answer
  std::atomic<bool> is_answered_{true};        ///< the last question for the status
  std::atomic<bool> is_outdated_{false};       ///< changes were missed and nothing was listed since
  std::atomic<bool> waits_for_another_run_{false};
  std::atomic<std::int64_t> run_{0};  ///< when the daemon that answers was started; 0: none did yet
  std::thread status_, changes_;
};

Feed::Feed(Client& client, FeedTaker& taker, FeedOptions options)
    : worker_(std::make_unique<Worker>(client, taker, std::move(options))) {}
Feed::~Feed() = default;

void Feed::try_now() {
  worker_->hurry();
}

}  // namespace iwarpscope::api
