// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/worker.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "capture/thread_name.h"
#include "centre/joins.h"
#include "centre/rows.h"

namespace iwarpscope::centre {
namespace {

constexpr std::chrono::seconds kWorkEvery{2};
constexpr std::chrono::milliseconds kStopLook{50};  ///< whether it is to stop
constexpr std::chrono::seconds kStepPatience{60};   ///< with one statement
constexpr const char* kWorkerSettings = "SET jit = off; SET statement_timeout = '55s'";
constexpr std::int64_t kSummarisedAtOnce = 20'000;

Advance summarise(Connection& database, std::uint64_t through) {
  const auto step = database.run("SELECT iwarpscope.summarise_step($1, $2)",
                                 Parameters().add(static_cast<std::int64_t>(through)).add(kSummarisedAtOnce));
  if (!step) return tl::unexpected(step.error());
  if (step->is_null(0, 0)) return std::optional<Progress>{};
  return Progress{count_of(*step, 0, 0), 0};
}

}  // namespace

Worker::Worker(std::string database, const Arrivals& arrivals, const std::vector<std::string>& alertmanagers,
               std::function<void(const std::string&)> log)
    : database_(std::move(database)), arrivals_(arrivals), log_(std::move(log)) {
  tasks_.push_back({"sums", "Sums by hour are not made", summarise});
  tasks_.push_back({"joins", "Connections are not joined", join_step});
  if (!alertmanagers.empty()) {
    alerts_ = std::make_unique<Alerts>(alertmanagers);
    tasks_.push_back({"alerts", "Alertmanager does not get incidents",
                      [this](Connection& there, std::uint64_t through) { return alerts_->step(there, through); }});
  }
  thread_ = std::thread([this] { run(); });
}

Worker::~Worker() {
  stopping_ = true;
  thread_.join();
}

std::vector<live::OutputView> Worker::outputs() const {
  const std::uint64_t through = arrivals_.through();
  const std::lock_guard lock(mutex_);
  std::vector<live::OutputView> all;
  for (const Task& task : tasks_) {
    live::OutputView view;
    view.name = task.name;
    view.healthy = task.trouble.empty();
    view.trouble = task.trouble;
    view.taken = task.done.through;
    view.lost = task.done.left_out;
    view.done = task.last;
    view.queued = through > view.taken ? through - view.taken : 0;
    all.push_back(std::move(view));
  }
  return all;
}

void Worker::pause() {
  for (const auto until = std::chrono::steady_clock::now() + kWorkEvery;
       !stopping_ && std::chrono::steady_clock::now() < until;)
    std::this_thread::sleep_for(kStopLook);
}

Asked<void> Worker::do_all_of(Task& task, Connection& database) {
  const std::uint64_t through = arrivals_.through();
  for (std::uint64_t done = 0; done < through && !stopping_;) {
    const Advance step = task.step(database, through);
    if (!step) return tl::unexpected(step.error());
    if (!*step) return {};
    done = (*step)->through;
    const std::lock_guard lock(mutex_);
    task.done = **step;
  }
  return {};
}

bool Worker::work(Connection& database) {
  bool is_usable = true;
  for (Task& task : tasks_) {
    const auto done = do_all_of(task, database);
    if (stopping_) return false;
    std::string trouble;
    if (!done) {
      is_usable = is_usable && !done.error().is_connection_lost();
      trouble = fmt::format("{}: {}", task.not_done, done.error().text);
      if (trouble != task.trouble) log_(trouble);
    }
    const std::lock_guard lock(mutex_);
    if (done) task.last = std::chrono::system_clock::now();
    task.trouble = std::move(trouble);
  }
  return is_usable;
}

bool Worker::end_stuck_deliveries(Connection& database) {
  const auto ended = database.run("SELECT iwarpscope.end_stuck_deliveries()");
  const bool is_usable = ended || !ended.error().is_connection_lost();
  if (!ended && is_usable) log_(fmt::format("Deliveries that are not ended cannot be found: {}", ended.error().text));
  for (int i = 0; ended && i < ended->rows(); ++i) {
    log_(
        fmt::format("Sensor {} began a delivery and did not end it: its connection was closed. Until then nothing "
                    "that arrived after it was shown.",
                    ended->text(i, 0)));
  }
  return is_usable;
}

void Worker::run() {
  capture::name_thread("centre-work");
  while (!stopping_) {
    auto database = Connection::open(database_, "iwarpscope-centre");
    if (database) {
      database->limit(kStepPatience, &stopping_);
      static_cast<void>(database->run(kWorkerSettings));
      if (alerts_) static_cast<void>(Alerts::begin(*database));  // that it failed is seen by the step
    }
    for (bool is_usable = database.has_value(); is_usable && !stopping_;) {
      is_usable = end_stuck_deliveries(*database);
      is_usable = work(*database) && is_usable;
      if (is_usable) pause();
    }
    pause();  // arrivals say that the database is away
  }
}

}  // namespace iwarpscope::centre
