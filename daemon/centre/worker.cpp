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

/// What a part of a step gives. Nothing: another service is at it.
using Done = Asked<std::optional<Joined>>;

Done summarise(Connection& database, std::uint64_t through) {
  const auto step = database.run("SELECT iwarpscope.summarise_step($1, $2)",
                                 Parameters().add(static_cast<std::int64_t>(through)).add(kSummarisedAtOnce));
  if (!step) return tl::unexpected(step.error());
  if (step->is_null(0, 0)) return std::optional<Joined>{};
  return Joined{static_cast<std::uint64_t>(step->number(0, 0)), 0};
}

}  // namespace

struct Worker::Step {
  const char* name;  ///< of the output
  const char* not_done;
  Done (*part)(Connection& database, std::uint64_t through);
};
const std::array<Worker::Step, 2> Worker::kSteps{
    {{"sums", "Sums by hour are not made", summarise}, {"joins", "Connections are not joined", join_step}}};

Worker::Worker(std::string database, const Arrivals& arrivals, std::function<void(const std::string&)> log)
    : database_(std::move(database)), arrivals_(arrivals), log_(std::move(log)), thread_([this] { run(); }) {}

Worker::~Worker() {
  stopping_ = true;
  thread_.join();
}

std::vector<live::OutputView> Worker::outputs() const {
  const std::uint64_t through = arrivals_.through();
  const std::lock_guard lock(mutex_);
  std::vector<live::OutputView> all;
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    live::OutputView view;
    view.name = kSteps[i].name;
    view.healthy = states_[i].trouble.empty();
    view.trouble = states_[i].trouble;
    view.taken = states_[i].through;
    view.lost = states_[i].left_out;
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

Asked<void> Worker::do_all_of(const Step& step, State& state, Connection& database) {
  const std::uint64_t through = arrivals_.through();
  while (!stopping_) {
    const auto done = step.part(database, through);
    if (!done) return tl::unexpected(done.error());
    const Joined far = done->value_or(Joined{through, state.left_out});
    state.through = far.through;
    state.left_out = far.left_out;
    if (state.through >= through) break;
  }
  return {};
}

void Worker::work(Connection& database) {
  for (std::size_t i = 0; i < kSteps.size() && !stopping_; ++i) {
    State state;
    {
      const std::lock_guard lock(mutex_);
      state = states_[i];
    }
    const auto done = do_all_of(kSteps[i], state, database);
    std::string trouble = done ? std::string{} : fmt::format("{}: {}", kSteps[i].not_done, done.error().text);
    if (!trouble.empty() && trouble != state.trouble && !stopping_) log_(trouble);
    state.trouble = std::move(trouble);
    const std::lock_guard lock(mutex_);
    states_[i] = std::move(state);
  }
}

void Worker::end_stuck_deliveries(Connection& database) {
  const auto ended = database.run("SELECT iwarpscope.end_stuck_deliveries()", Parameters());
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
