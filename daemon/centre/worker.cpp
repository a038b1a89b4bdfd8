// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/worker.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "capture/thread_name.h"
#include "centre/joins.h"

namespace iwarpscope::centre {
namespace {

constexpr std::chrono::seconds kWorkEvery{2};
constexpr std::chrono::milliseconds kStopLook{50};  ///< whether it is to stop
constexpr std::chrono::seconds kStepPatience{60};   ///< with one statement
constexpr const char* kWorkerSettings = "SET jit = off; SET statement_timeout = '55s'";
constexpr std::int64_t kSummarisedAtOnce = 20'000;

template <class T>
using Part = Asked<std::optional<T>>;

Part<std::uint64_t> summarise(Connection& database, std::uint64_t through) {
  const auto step = database.run("SELECT iwarpscope.summarise_step($1, $2)",
                                 Parameters().add(static_cast<std::int64_t>(through)).add(kSummarisedAtOnce));
  if (!step) return tl::unexpected(step.error());
  if (step->is_null(0, 0)) return std::optional<std::uint64_t>{};
  return static_cast<std::uint64_t>(step->number(0, 0));
}

/// What a part gave, in other words.
template <class T, class Make>
auto mapped(const Part<T>& part, const Make& make) -> Part<decltype(make(std::declval<const T&>()))> {
  if (!part) return tl::unexpected(part.error());
  if (!*part) return std::optional<decltype(make(**part))>{};
  return make(**part);
}

}  // namespace

Worker::Worker(std::string database, const Arrivals& arrivals, const std::vector<std::string>& alertmanagers,
               std::function<void(const std::string&)> log)
    : database_(std::move(database)), arrivals_(arrivals), log_(std::move(log)) {
  steps_.push_back({"sums", "Sums by hour are not made", [](Connection& there, std::uint64_t through) {
                      return mapped(summarise(there, through), [](std::uint64_t done) { return Done{done, 0}; });
                    }});
  steps_.push_back({"joins", "Connections are not joined", [](Connection& there, std::uint64_t through) {
                      return mapped(join_step(there, through), [](const Joined& joined) {
                        return Done{joined.through, joined.left_out};
                      });
                    }});
  if (!alertmanagers.empty()) {
    alerts_ = std::make_unique<Alerts>(alertmanagers);
    steps_.push_back(
        {"alerts", "Alertmanager does not get incidents", [this](Connection& there, std::uint64_t through) {
           return mapped(alerts_->step(there, through), [this](const Alerts::Passed& passed) {
             return Done{passed.through, refused_ += passed.refused};
           });
         }});
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
  for (const Step& step : steps_) {
    live::OutputView view;
    view.name = step.name;
    view.healthy = step.trouble.empty();
    view.trouble = step.trouble;
    view.taken = step.done.through;
    view.lost = step.done.left_out;
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

Asked<void> Worker::do_all_of(Step& step, Connection& database) {
  const std::uint64_t through = arrivals_.through();
  for (std::uint64_t done = 0; done < through && !stopping_;) {
    const auto part = step.part(database, through);
    if (!part) return tl::unexpected(part.error());
    if (!*part) return {};
    done = (*part)->through;
    const std::lock_guard lock(mutex_);
    step.done = **part;
  }
  return {};
}

void Worker::work(Connection& database) {
  for (Step& step : steps_) {
    const auto done = do_all_of(step, database);
    if (stopping_) return;
    std::string trouble = done ? std::string{} : fmt::format("{}: {}", step.not_done, done.error().text);
    if (!trouble.empty() && trouble != step.trouble) log_(trouble);
    const std::lock_guard lock(mutex_);
    step.trouble = std::move(trouble);
  }
}

void Worker::end_stuck_deliveries(Connection& database) {
  const auto ended = database.run("SELECT iwarpscope.end_stuck_deliveries()", Parameters());
  if (!ended && !ended.error().is_connection_lost())
    log_(fmt::format("Deliveries that are not ended cannot be found: {}", ended.error().text));
  for (int i = 0; ended && i < ended->rows(); ++i) {
    log_(
        fmt::format("Sensor {} began a delivery and did not end it: its connection was closed. Until then nothing "
                    "that arrived after it was shown.",
                    ended->text(i, 0)));
  }
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
      end_stuck_deliveries(*database);
      work(*database);
      is_usable = database->run("SELECT 1").has_value();
      if (is_usable) pause();
    }
    pause();  // arrivals say that the database is away
  }
}

}  // namespace iwarpscope::centre
