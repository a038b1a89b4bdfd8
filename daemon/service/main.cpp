// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "service/checks.h"
#include "service/daemon.h"

/// For jemalloc. Memory that was freed, as when many clients have gone, goes back to the system within seconds, on a
/// thread that works for all arenas. glibc keeps what lies between memory in use, and in caches of threads: these are
/// for up to a kibioctet here.
extern "C" const char* malloc_conf;
const char* malloc_conf =
    "background_thread:true,max_background_threads:1,dirty_decay_ms:5000,muzzy_decay_ms:0,lg_tcache_max:10";

namespace {

using namespace iwarpscope;

constexpr int kExitDone = 0;
constexpr int kExitTrouble = 1;  ///< something failed or could not be opened: a restart may help
constexpr int kExitMistake = 2;  ///< in the arguments or the configuration: a restart cannot help
constexpr const char* kDefaultFile = "/etc/iwarpscope/iwarpscoped.toml";

struct Arguments {
  std::string config, check;
  std::vector<std::string> interfaces, replay;
  std::string socket, sandbox;
  bool print_config = false, exit_at_end = false;
};

void print(const service::Mistakes& mistakes) {
  for (const service::Mistake& mistake : mistakes) fmt::print(stderr, "{}\n", mistake.text());
}

int check(const std::string& file) {
  const service::Examined read = service::examine_file(file, service::Depth::machine);
  print(read.mistakes);
  for (const service::Mistake& doubt : read.doubts) fmt::print(stderr, "{} (warning)\n", doubt.text());
  if (!read.mistakes.empty()) return kExitMistake;
  fmt::print("{}: OK\n", file);
  return kExitDone;
}

/// Applies the command line, which overrides the file.
void override_with(const Arguments& arguments, service::Configuration& c) {
  if (!arguments.interfaces.empty()) {
    c.capture.interfaces = arguments.interfaces;
    c.capture.replay.clear();
  }
  if (!arguments.replay.empty()) {
    c.capture.replay = arguments.replay;
    c.capture.interfaces.clear();
  }
  if (!arguments.socket.empty()) c.api.socket = arguments.socket;
  if (arguments.sandbox == "on") c.process.sandbox = service::SandboxMode::on;
  if (arguments.sandbox == "log") c.process.sandbox = service::SandboxMode::log;
  if (arguments.sandbox == "off") c.process.sandbox = service::SandboxMode::off;
}

/// Mistakes in the combination of file and command line.
std::vector<std::string> wrong_with(const service::Configuration& c) {
  std::vector<std::string> wrong;
  for (const service::Contradiction& one : service::contradictions(c)) {
    wrong.push_back(fmt::format("{}: {}.", one.key, one.sentence));
  }
  if (c.capture.interfaces.empty() && c.capture.replay.empty()) {
    wrong.emplace_back(
        "No capture source: name interfaces in [capture] of the configuration or with -i, or capture files with -r.");
  }
  return wrong;
}

int run(const Arguments& arguments) {
  service::DaemonOptions options;
  options.version = IWARPSCOPE_VERSION;
  options.exit_at_end = arguments.exit_at_end;
  options.file = arguments.config;
  if (options.file.empty() && access(kDefaultFile, F_OK) == 0) options.file = kDefaultFile;
  service::Mistakes doubts;
  if (options.file.empty()) {
    options.configuration = service::without_files(service::Configuration{});
  } else {
    service::Examined read = service::examine_file(options.file, service::Depth::filters);
    if (!read.mistakes.empty()) {
      print(read.mistakes);
      return kExitMistake;
    }
    options.configuration = std::move(read.configuration);
    doubts = std::move(read.doubts);
  }
  options.overrides = [arguments](service::Configuration& c) { override_with(arguments, c); };
  options.overrides(options.configuration);
  service::block_signals();
  service::Log log(STDERR_FILENO, options.configuration.process.log_level);
  if (options.file.empty()) {
    log.info(fmt::format("{} does not exist: the daemon writes no files. --print-config prints a configuration.",
                         kDefaultFile));
  }
  for (const service::Mistake& doubt : doubts) log.warning(doubt.text());
  const std::vector<std::string> wrong = wrong_with(options.configuration);
  for (const std::string& sentence : wrong) log.error(sentence);
  if (!wrong.empty()) return kExitMistake;
  if (const auto ran = service::run_daemon(std::move(options), log); !ran) {
    log.error(ran.error());
    return kExitTrouble;
  }
  return kExitDone;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Captures and analyses iWARP traffic continuously, and serves the results to clients.", "iwarpscoped");
  Arguments arguments;
  app.add_option("--config", arguments.config,
                 fmt::format("Configuration file; default: {}, if it exists", kDefaultFile))
      ->type_name("FILE");
  auto* const check_only = app.add_option("--check-config", arguments.check, "Check a configuration and exit");
  check_only->type_name("FILE");
  app.add_flag("--print-config", arguments.print_config,
               "Print the default configuration with all keys and their meaning, and exit");
  auto* const interfaces =
      app.add_option("-i,--interface", arguments.interfaces, "Capture on this interface; overrides the configuration");
  interfaces->type_name("INTERFACE")->allow_extra_args(false);
  app.add_option("-r,--replay", arguments.replay, "Replay a capture file; - is standard input")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->excludes(interfaces);
  app.add_option("--socket", arguments.socket, "Unix socket of the API")->type_name("PATH");
  app.add_option("--sandbox", arguments.sandbox, "Sandbox mode: on, log or off; overrides the configuration")
      ->check(CLI::IsMember({"on", "log", "off"}));
  app.add_flag("--exit-at-end", arguments.exit_at_end, "Exit when the replay has finished");
  app.add_flag_callback(
      "--foreground", [] {}, "No effect: the daemon always stays in the foreground");
  app.set_version_flag("--version", std::string("iwarpscoped ") + IWARPSCOPE_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitMistake;
  }
  try {
    if (arguments.print_config) {
      fmt::print("{}", service::default_file());
      return kExitDone;
    }
    return check_only->count() != 0 ? check(arguments.check) : run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "iwarpscoped: error: {}\n", error.what());
    return kExitTrouble;
  }
}
