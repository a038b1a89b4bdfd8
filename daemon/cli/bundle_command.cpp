// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/bundle_command.h"

#include <fmt/format.h>

#include <chrono>

#include "base/wording.h"
#include "bundle/bundle.h"
#include "bundle/from_file.h"
#include "cli/clock.h"
#include "cli/exit_status.h"
#include "cli/progress.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

using Made = tl::expected<bundle::Result, std::string>;

Made bundle_of_file(const BundleArguments& arguments, const bundle::Request& request, const Console& console,
                    const Engine& engine) {
  if (arguments.file == "-") {
    return tl::unexpected(std::string{"standard input cannot be read twice: save the capture to a file first"});
  }
  auto groups = arguments.taps.parsed();
  if (!groups) return tl::unexpected(groups.error());
  Progress progress(console.err, console.err.is_terminal(),
                    [] { return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}; });
  engine::Request how;
  how.file = arguments.file;
  how.threads = arguments.threads;
  how.tap_groups = *std::move(groups);
  how.progress = [&progress](std::uint64_t consumed, std::optional<std::uint64_t> total) {
    progress.update(consumed, total);
  };
  Made made = bundle::from_file(request, how, engine);
  progress.hide();
  return made;
}

Made bundle_of_daemon(const api::Place& place, const bundle::Request& request) {
  const auto client = api::Client::open(place);
  if (!client) return tl::unexpected(client.error());
  const auto made = bundle::bundle_of_daemon(**client, request, "iwarpscoped at " + place.text());
  if (!made) return tl::unexpected(made.error().sentence);
  return *made;
}

}  // namespace

int run_bundle(const BundleArguments& arguments, const api::Place& place, const Console& console, const Engine& engine,
               std::atomic<bool>& stop) {
  bundle::Request request;
  request.qp = arguments.qp;
  request.cut_payload = arguments.cut_payload;
  request.output = arguments.output;
  request.program = program_text();
  request.made = now_of_clock();
  request.stop = &stop;
  const Made made =
      arguments.file.empty() ? bundle_of_daemon(place, request) : bundle_of_file(arguments, request, console, engine);
  if (!made) {
    console.complain("bundle: " + made.error());
    return stop ? kExitInterrupted : kExitTrouble;
  }
  for (const std::string& remark : made->remarks) console.complain("bundle: " + remark);
  console.out.write(fmt::format("{}: {} of {}\n", report::to_printable(arguments.output),
                                counted(made->packets, "packet"), counted(made->qps, "queue pair")));
  return kExitDone;
}

}  // namespace iwarpscope::cli
