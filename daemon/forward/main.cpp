// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "forward/forwarder.h"

namespace iwarpscope::forward {
namespace {

constexpr int kDone = 0, kWrongUsage = 2;
/// After a signal. Nothing is lost when the process ends at once: the centre stores where it goes on.
constexpr std::chrono::seconds kExitWithin{8};

struct Given {
  Options options;
  int wait_ms = 200, patience_s = 60, pause_s = 60;
};

void declare(CLI::App& app, Given& given) {
  Options& options = given.options;
  constexpr std::size_t kMostInBatch = 1000, kMostInFlight = 64;
  constexpr int kLongestWait = 10'000, kLongestPause = 3600;
  app.set_version_flag("--version", "iwarpscope-forward " IWARPSCOPE_VERSION);
  app.set_config("--config", "/etc/iwarpscope/forward.toml", "Read options from this file, as KEY = VALUE");
  app.add_option("--socket", options.socket, "Unix socket of iwarpscoped")->capture_default_str();
  app.add_option("--database", options.database,
                 "The centre: connection string or URI of libpq; default: the PG... variables of the environment")
      ->type_name("CONNINFO");
  app.add_option("--batch", options.batch, "Records in one transaction at most")
      ->check(CLI::Range(std::size_t{1}, kMostInBatch))
      ->capture_default_str();
  app.add_option("--in-flight", options.in_flight, "Transactions sent before the first of them is answered")
      ->check(CLI::Range(std::size_t{1}, kMostInFlight))
      ->capture_default_str();
  app.add_option("--wait-ms", given.wait_ms, "Wait so long for a transaction to become full")
      ->check(CLI::Range(0, kLongestWait))
      ->capture_default_str();
  app.add_option("--patience", given.patience_s, "Seconds to wait for an answer of the centre")
      ->check(CLI::Range(1, kLongestPause))
      ->capture_default_str();
  app.add_option("--longest-pause", given.pause_s, "Seconds between attempts at most; the first one takes a second")
      ->check(CLI::Range(1, kLongestPause))
      ->capture_default_str();
}

/// Lines of a journal have a priority in front.
void log(const std::string& sentence, bool is_trouble) {
  static const bool is_journal = std::getenv("JOURNAL_STREAM") != nullptr;
  fmt::print(stderr, "{}{}\n", is_journal ? (is_trouble ? SD_WARNING : SD_INFO) : "iwarpscope-forward: ", sentence);
  sd_notifyf(0, "STATUS=%s", sentence.c_str());
}

int run(Given given) {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGTERM, SIGINT}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  signal(SIGPIPE, SIG_IGN);
  given.options.wait = std::chrono::milliseconds{given.wait_ms};
  given.options.patience = std::chrono::seconds{given.patience_s};
  given.options.longest_pause = std::chrono::seconds{given.pause_s};
  static Forwarder forwarder(given.options, log);
  std::thread([ends] {
    int signal = 0;
    sigwait(&ends, &signal);
    forwarder.stop();
    std::this_thread::sleep_for(kExitWithin);
    _exit(kDone);
  }).detach();
  sd_notify(0, "READY=1");
  forwarder.run();
  sd_notify(0, "STOPPING=1");
  std::fflush(nullptr);
  _exit(kDone);
}

int start(int count, char** words) {
  try {
    CLI::App app("Delivers the records of iwarpscoped to the centre", "iwarpscope-forward");
    Given given;
    declare(app, given);
    try {
      app.parse(count, words);
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? kDone : kWrongUsage;
    }
    return run(std::move(given));
  } catch (const std::exception& exception) {
    fmt::print(stderr, "iwarpscope-forward: {}\n", exception.what());
    return EXIT_FAILURE;
  }
}

}  // namespace
}  // namespace iwarpscope::forward

int main(int count, char** words) {
  return iwarpscope::forward::start(count, words);
}
