// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A sensor without a capture, for tests of the delivery: a real history and a real API, whose records are made up.
//
//   iwarpscope-made-sensor FOLDER NAME UUID FINDINGS RATE [OCTETS [SIZE [TICK]]]
//
// Makes RATE findings a second until there are FINDINGS (0: none), and for every tenth a queue pair that ended; then
// waits; SIGUSR1 makes it wait before. Each has OCTETS of text. SIZE is the limit of the history, in octets. FOLDER
// gets "history.sqlite", "api.sock" and "status.json", which is written again every 100 ms: what was made, lost and
// delivered. "begun" gets the run and sequence of each record before the history takes it, "produced" after that; a
// later run appends. Ends with SIGTERM.
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/server.h"
#include "centre/made_records.h"
#include "daemon/live/fake_directory.h"
#include "live/forwarding.h"
#include "outputs/history.h"
#include "report/json.h"

namespace {

using namespace iwarpscope;
using Clock = std::chrono::steady_clock;

std::atomic<bool> stopping = false, waiting = false;

struct Pace {
  std::uint64_t lost = 0;
  std::int64_t longest_take_us = 0;
};

struct Wanted {
  std::string folder;
  std::uint64_t findings = 0;
  double rate = 0;
  std::size_t octets = 0;
  live::OriginPtr origin{};
  std::chrono::milliseconds tick{5};
};

void write_status(const std::string& folder, const Made& made, const Pace& pace, const live::Forwarding& forwarding) {
  const live::OutputView view = forwarding.view();
  const live::Forwarding::Lost lost = forwarding.lost();
  const std::string file = folder + "/status.json";
  std::ofstream(file + ".new") << fmt::format(
      R"({{"findings":{},"qps":{},"lost":{},"longest_take_us":{},"healthy":{},"trouble":{},"taken":{},"expired":{},)"
      R"("queued":{},"lag":{},"fill":{},"refused":{}}})",
      made.findings, made.qps, pace.lost, pace.longest_take_us, view.healthy, report::json_string(view.trouble),
      view.taken, lost.expired[0] + lost.expired[1], view.queued, view.lag_seconds, view.fill.value_or(0),
      view.refused);
  std::filesystem::rename(file + ".new", file);
}

/// Makes the next findings, as many as are due; on a busy machine not all at once, as the history is tended between.
Pace make(outputs::History& history, const Wanted& wanted, std::uint64_t due, Made& made, Ledger& ledger) {
  constexpr std::uint64_t kBatch = 200;
  Pace pace;
  due = std::min(due, made.findings + kBatch * 10);
  while (made.findings < due && !stopping) {
    std::vector<live::Event> events;
    const std::uint64_t first = made.all() + 1;
    for (std::uint64_t i = 0; i < kBatch && made.findings < due; ++i)
      make_next(made, wanted.origin, 0, wanted.octets, events);
    ledger.begins(first, first + events.size());
    const auto began = Clock::now();
    const std::size_t lost = history.take(events);
    if (lost == 0) ledger.has(first, first + events.size());
    pace.lost += lost;
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began).count();
    pace.longest_take_us = std::max<std::int64_t>(pace.longest_take_us, took);
  }
  return pace;
}

void run(const Wanted& wanted, outputs::History& history, const live::Forwarding& forwarding) {
  Made made;
  Pace pace;
  Ledger ledger(wanted.folder, wanted.origin->run_uuid);
  const auto began = Clock::now();
  auto next_status = began;
  while (!stopping) {
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    const auto due = std::min(wanted.findings, static_cast<std::uint64_t>(seconds * wanted.rate));
    if (!waiting) {
      const Pace now = make(history, wanted, due, made, ledger);
      pace = {pace.lost + now.lost, std::max(pace.longest_take_us, now.longest_take_us)};
    }
    if (Clock::now() >= next_status) {
      history.tend();
      write_status(wanted.folder, made, pace, forwarding);
      next_status = Clock::now() + std::chrono::milliseconds{100};
    }
    std::this_thread::sleep_for(wanted.tick);
  }
  history.finish();
}

}  // namespace

int main(int count, char** words) {
  if (count < 6) return 2;
  const std::vector<std::string> arguments(words + 1, words + count);
  signal(SIGTERM, [](int) { stopping = true; });
  signal(SIGUSR1, [](int) { waiting = true; });
  outputs::Run its = outputs::make_run("0.1.0");
  its.origin.sensor = arguments[1];
  its.origin.sensor_uuid = arguments[2];
  const Wanted wanted{arguments[0],
                      std::stoull(arguments[3]),
                      std::stod(arguments[4]),
                      count > 6 ? std::stoull(arguments[5]) : 100,
                      std::make_shared<const live::Origin>(its.origin),
                      std::chrono::milliseconds{count > 8 ? std::stoi(arguments[7]) : 5}};
  outputs::HistoryOptions options;
  const std::string disk = wanted.folder + "/disk";
  options.path = (std::filesystem::exists(disk) ? disk : wanted.folder) + "/history.sqlite";
  options.forward = true;
  options.states = std::chrono::nanoseconds{0};
  options.heartbeats = std::chrono::seconds{1};
  options.retire_every = std::chrono::seconds{1};
  if (count > 7) options.most_octets = std::stoull(arguments[6]);
  live::FakeDirectory directory;
  directory.now.origin = wanted.origin;
  directory.now.version = its.version;
  const auto forwarding = std::make_shared<live::Forwarding>(std::chrono::seconds{1});
  outputs::History history(options, its, {&directory, forwarding});
  outputs::HistoryArchive archive(options.path);
  api::ServerOptions server_options;
  server_options.socket = wanted.folder + "/api.sock";
  const api::Sources sources{directory, nullptr, &archive, {}, {}, {}, {}, forwarding.get()};
  auto server = api::Server::start(server_options, sources);
  if (!server) {
    fmt::print(stderr, "{}\n", server.error());
    return 1;
  }
  run(wanted, history, *forwarding);
  (*server)->stop();
  return 0;
}
