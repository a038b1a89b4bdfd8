// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/watch_command.h"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/feed.h"
#include "api/records.h"
#include "cli/client_parts.h"
#include "cli/exit_status.h"
#include "cli/watch_model.h"
#include "cli/watch_screen.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::cli {
namespace {

using namespace std::chrono_literals;
using Clock = WatchModel::Clock;

constexpr char kControlL = '\f';
constexpr auto kRefresh = 1s;
constexpr std::size_t kPageRows = 40, kPageColumns = 132;  // of --once without a terminal

/// Reads all queue pairs; `sensor`: only what it saw, if not empty. Returns the failure, if any.
std::optional<api::Failure> list_all(api::Client& client, const std::string& sensor, WatchModel& model) {
  v1::ListQpsRequest request;
  request.set_most(5000);
  if (!sensor.empty()) request.mutable_filter()->set_sensor(sensor);
  std::vector<live::QpView> views;
  for (;;) {
    const auto page = client.qps(request);
    if (!page) return page.error();
    for (const v1::QueuePair& qp : page->qps()) views.push_back(api::from_v1(qp));
    if (!page->has_next() || views.size() >= WatchModel::kMost) break;
    request.set_from(page->next());
  }
  model.replace(std::move(views));
  return std::nullopt;
}

/// Passes data from the feed to the model.
class ModelTaker final : public api::FeedTaker {
 public:
  explicit ModelTaker(WatchModel& model) : model_(model) {}
  void status(std::shared_ptr<const v1::Status> status) override { model_.take_status(*status, Clock::now()); }
  void replace(std::vector<live::QpView> qps) override { model_.replace(std::move(qps)); }
  void apply(live::QpView qp) override { model_.apply(std::move(qp)); }
  void trouble(const api::Failure* failure) override {
    model_.set_trouble(failure == nullptr ? std::string{} : failure->sentence);
  }

 private:
  WatchModel& model_;
};

/// Handles a letter. False: quit.
bool press(char letter, WatchChoice& choice) {
  if (letter == 'q') return false;
  if (letter == 'i') choice.reverse = !choice.reverse;
  if (letter == 'e') choice.with_ended = !choice.with_ended;
  if (const auto column = watch_column(letter)) {
    choice.sort = *column;
    choice.reverse = false;
    choice.first = 0;
  }
  return true;
}

void move(WatchKey key, WatchChoice& choice, std::size_t page) {
  const auto back = [&](std::size_t n) { choice.first -= std::min(choice.first, n); };
  switch (key) {
    case WatchKey::up: return back(1);
    case WatchKey::down: choice.first += 1; return;
    case WatchKey::page_up: return back(page);
    case WatchKey::page_down: choice.first += page; return;
    case WatchKey::home: choice.first = 0; return;
    case WatchKey::end: choice.first = WatchModel::kMost; return;
    case WatchKey::none:
    case WatchKey::other:
    case WatchKey::resized: return;
  }
}

bool want_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

/// Reads the current state. False: the daemon did not answer; an error was printed.
bool fill(api::Client& client, const std::string& sensor, const Console& console, WatchModel& model) {
  const auto status = client.status();
  const auto failure = status ? list_all(client, sensor, model) : std::optional{status.error()};
  if (failure) {
    console.complain("watch: " + failure->sentence);
    return false;
  }
  model.take_status(*status, Clock::now());
  return true;
}

int run_once(api::Client& client, const ClientArguments& arguments, const Console& console) {
  WatchModel model;
  WatchChoice choice;
  choice.sort = watch_column(arguments.sort);
  if (!fill(client, arguments.sensor, console, model)) return kExitTrouble;
  if (is_json(arguments)) {
    console.out.write(model.json(choice));
    return kExitDone;
  }
  choice.whole_head = true;  // long lines are not cut when printed once
  std::vector<WatchLine> lines = model.screen(choice, kPageRows, console.out.columns().value_or(kPageColumns));
  lines.pop_back();  // the line of keys is not needed
  std::string text;
  for (const WatchLine& line : lines) {
    text += line.text;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  text.erase(text.find_last_not_of('\n') + 1);
  console.out.write(text + "\n");
  return kExitDone;
}

void run_screen(WatchScreen& screen, const WatchModel& model, WatchChoice& choice, const std::atomic<bool>& stop) {
  Clock::time_point next{};
  while (!stop) {
    if (Clock::now() >= next) {
      screen.show(model.screen(choice, screen.rows(), screen.columns()));
      next = Clock::now() + kRefresh;
    }
    char letter = '\0';
    const WatchKey key = screen.key(50ms, letter);
    if (key == WatchKey::none) continue;
    if (key == WatchKey::other && !press(letter, choice)) return;
    if (letter == kControlL) screen.redraw();
    move(key, choice, screen.rows() > 10 ? screen.rows() - 8 : 1);
    next = {};
  }
}

/// Prints a record of the current state once a second, until `stop` is set or the reader is gone.
void run_records(const Console& console, const WatchModel& model, const WatchChoice& choice,
                 const std::atomic<bool>& stop) {
  for (Clock::time_point next = Clock::now(); !stop && !console.out.has_failed();) {
    if (Clock::now() < next) {
      std::this_thread::sleep_for(20ms);
      continue;
    }
    console.out.write(model.json(choice));
    next = Clock::now() + kRefresh;
  }
}

api::FeedOptions feed_options(const ClientArguments& arguments) {
  api::FeedOptions options;
  options.most_qps = WatchModel::kMost;
  options.sensor = arguments.sensor;
  options.status_every = kRefresh;
  options.retry_last = kRefresh;  // a user is waiting
  return options;
}

}  // namespace

int run_watch(api::Client& client, const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop) {
  if (arguments.once) return run_once(client, arguments, console);
  WatchModel model;
  WatchChoice choice;
  choice.sort = watch_column(arguments.sort);
  // An error at the start is printed as a line, not on a screen.
  if (!fill(client, arguments.sensor, console, model)) return kExitTrouble;
  ModelTaker taker(model);
  if (is_json(arguments)) {
    const api::Feed feed(client, taker, feed_options(arguments));
    run_records(console, model, choice, stop);
    return kExitDone;
  }
  auto screen = WatchScreen::open(want_color());
  if (!screen) {
    console.complain("watch: " + screen.error());
    return kExitTrouble;
  }
  const api::Feed feed(client, taker, feed_options(arguments));
  run_screen(**screen, model, choice, stop);
  return kExitDone;
}

}  // namespace iwarpscope::cli
