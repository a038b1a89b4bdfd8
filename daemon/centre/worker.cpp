// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/worker.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "capture/thread_name.h"
#include "centre/joins.h"

namespace iwarpscope::centre {
namespace {

constexpr std::chrono::seconds kWorkEvery{2};
constexpr std::chrono::milliseconds kLook{50};  ///< whether it is to stop
constexpr std::int64_t kSummarisedAtOnce = 20'000;

}  // namespace

Worker::Worker(std::string database, const Arrivals& arrivals, std::function<void(const std::string&)> log)
    : database_(std::move(database)), arrivals_(arrivals), log_(std::move(log)), thread_([this] { run(); }) {}

Worker::~Worker() {
  stopping_ = true;
  thread_.join();
}

void Worker::say(const std::string& sentence) {
  if (std::exchange(said_, sentence) != sentence && !sentence.empty()) log_(sentence);
}

void Worker::pause() {
  for (const auto until = std::chrono::steady_clock::now() + kWorkEvery;
       !stopping_ && std::chrono::steady_clock::now() < until;)
    std::this_thread::sleep_for(kLook);
}

Asked<bool> Worker::summarise(Connection& database) {
  const auto through = static_cast<std::int64_t>(arrivals_.through());
  const auto step =
      database.run("SELECT iwarpscope.summarise_step($1, $2)", Parameters().add(through).add(kSummarisedAtOnce));
  if (!step) return tl::unexpected(step.error());
  return step->is_null(0, 0) || step->number(0, 0) >= through;
}

Asked<bool> Worker::join(Connection& database) {
  const auto through = static_cast<std::int64_t>(arrivals_.through());
  const auto joined = join_step(database, through);
  if (!joined) return tl::unexpected(joined.error());
  return joined->through >= through;
}

Asked<void> Worker::work(Connection& database) {
  for (auto step : {&Worker::summarise, &Worker::join}) {
    for (bool is_done = false; !is_done && !stopping_;) {
      const auto done = (this->*step)(database);
      if (!done) return tl::unexpected(done.error());
      is_done = *done;
    }
  }
  return {};
}

void Worker::run() {
  capture::name_thread("centre-work");
  while (!stopping_) {
    auto database = Connection::open(database_, "iwarpscope-centre");
    if (database) static_cast<void>(database->run("SET jit = off"));
    while (database && !stopping_) {
      const auto done = work(*database);
      say(done ? std::string{} : fmt::format("Connections are not joined and summed: {}", done.error().text));
      if (!done && done.error().is_connection_lost()) break;
      pause();
    }
    if (!database) pause();  // arrivals say that it is away
  }
}

}  // namespace iwarpscope::centre
