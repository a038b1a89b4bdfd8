// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/analyze.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "cli/clock.h"
#include "cli/exit_status.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/reading_only.h"
#include "cli/tap.h"
#include "report/html.h"
#include "report/human.h"
#include "report/json.h"
#include "report/text.h"

namespace iwarpscope::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// Colour only on terminals that support it, unless the user chooses otherwise. Source: https://no-color.org.
bool use_color(Color color, const Output& out) {
  switch (color) {
    case Color::always: return true;
    case Color::never: return false;
    case Color::automatic: break;
  }
  const char* terminal = std::getenv("TERM");
  return out.is_terminal() && !is_set("NO_COLOR") && (terminal == nullptr || std::string_view{terminal} != "dumb");
}

/// The file name as printed in errors.
std::string shown(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

/// The worse of two exit statuses.
int worse(int l, int r) {
  constexpr std::array kOrder = {kExitDone, kExitFound, kExitTrouble, kExitInterrupted, kExitClosed};
  const auto rank = [&](int status) { return std::find(kOrder.begin(), kOrder.end(), status); };
  return rank(l) < rank(r) ? r : l;
}

/// Analyses and reports one file after another.
class Command {
 public:
  Command(const AnalyzeArguments& arguments, capture::TapGroups groups, const Console& console, const Engine& engine,
          std::atomic<bool>& stop)
      : arguments_(arguments),
        groups_(std::move(groups)),
        console_(console),
        engine_(engine),
        stop_(stop),
        filter_(looked_up(arguments.filter)),
        color_(use_color(arguments.color, console.out)),
        progress_terminal_(console.err.is_terminal()) {}

  int file(const std::string& file, bool first) {
    Progress progress(console_.err, progress_terminal_, now);
    is_first_ = first;
    bool separate = !first && arguments_.format == Format::text;
    const auto sink = [&](std::string_view piece) {
      progress.hide();
      if (separate) console_.out.write("\n");
      separate = false;
      console_.out.write(piece);
      if (console_.out.has_failed()) stop_ = true;
    };
    if (arguments_.format == Format::json) {
      report::JsonObserver observer(sink, {.digest = arguments_.digest,
                                           .community_id_seed = arguments_.community_id_seed,
                                           .limits = arguments_.limits});
      const int status = run(file, observer, progress);
      mention(file, observer.not_listed());
      return status;
    }
    if (arguments_.format == Format::html) {
      report::HtmlObserver observer(sink, {program_text(), now_of_clock(), arguments_.qp});
      return run(file, observer, progress);
    }
    report::TextOptions options;
    options.messages = arguments_.messages;
    options.qp = arguments_.qp;
    options.notes = arguments_.notes;
    options.color = color_;
    options.columns = report_columns(console_.out);
    report::TextObserver observer(sink, options);
    return run(file, observer, progress);
  }

 private:
  static std::chrono::nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

  [[nodiscard]] engine::Request request(const std::string& file, Progress& progress) const {
    engine::Request request;
    request.file = file;
    // The detailed view of one queue pair and a wide table show the latencies of requests. HTML shows all messages.
    const bool has_latencies = arguments_.qp || report_columns(console_.out) >= report::kColumnsForLatency;
    request.options.messages = arguments_.messages || arguments_.format == Format::html;
    request.options.requests = has_latencies && arguments_.format == Format::text;
    request.options.digest = arguments_.digest;
    request.options.emulation = !arguments_.no_emulation;
    request.filter = arguments_.filter;
    request.prepared = filter_;
    if (is_first_) request.before_opening = reading_only(arguments_.files, arguments_.output);
    request.tap_groups = groups_;
    request.threads = arguments_.threads;
    request.stop = &stop_;
    request.progress = [&progress](std::uint64_t consumed, std::optional<std::uint64_t> total) {
      progress.update(consumed, total);
    };
    return request;
  }

  int run(const std::string& file, analysis::Observer& observer, Progress& progress) {
    Tap tap(observer, arguments_.qp, arguments_.timing);
    const auto outcome = engine_(request(file, progress), tap);
    progress.hide();
    if (!outcome) {
      console_.complain(outcome.error());
      return kExitTrouble;
    }
    if (console_.out.has_failed()) return output_status();
    return status(file, *outcome, tap);
  }

  void mention(const std::string& file, const report::NotListed& not_listed) {
    if (not_listed.findings == 0 && not_listed.qps == 0) return;
    console_.complain(
        fmt::format("{}: {} and {} were counted, but not listed; --max-findings 0 and --max-qps 0 list all",
                    shown(file), counted(not_listed.findings, "finding"), counted(not_listed.qps, "QP")));
  }

  int status(const std::string& file, const engine::Outcome& outcome, const Tap& tap) {
    int result = kExitDone;
    if (!outcome.truncated.empty()) console_.complain(outcome.truncated);
    if (!outcome.damaged.empty()) {
      console_.complain(outcome.damaged);
      result = kExitTrouble;
    }
    // A signal during the last read counts, too.
    if (outcome.interrupted || stop_) {
      console_.complain(shown(file) + ": interrupted; the report covers what was read before");
      return kExitInterrupted;
    }
    if (tap.missed_qp()) {
      console_.complain(fmt::format("{}: QP {} does not exist; the capture has {}", shown(file), *arguments_.qp,
                                    counted(tap.qps(), "QP")));
      result = kExitTrouble;
    }
    const bool found = arguments_.fail_on && tap.worst() && *tap.worst() >= *arguments_.fail_on;
    return worse(result, found ? kExitFound : kExitDone);
  }

  int output_status() {
    if (console_.out.is_closed()) return kExitClosed;
    // An output file names itself when it is completed.
    if (arguments_.output.empty()) console_.complain("standard output: " + console_.out.error_text());
    return kExitTrouble;
  }

  const AnalyzeArguments& arguments_;
  const capture::TapGroups groups_;
  const Console& console_;
  const Engine& engine_;
  std::atomic<bool>& stop_;
  const std::optional<capture::Filter> filter_;
  bool is_first_ = true;  ///< the file that is analysed
  bool color_;
  bool progress_terminal_;
};

}  // namespace

namespace {

int analyze_files(const AnalyzeArguments& arguments, const Console& console, const Engine& engine,
                  std::atomic<bool>& stop) {
  auto groups = arguments.taps.parsed();
  if (!groups) {
    console.complain("analyze: " + groups.error());
    return kExitTrouble;
  }
  Command command(arguments, *std::move(groups), console, engine, stop);
  int result = kExitDone;
  bool first = true;
  for (const std::string& file : arguments.files) {
    result = worse(result, command.file(file, first));
    if (console.out.has_failed() || stop) break;
    first = false;
  }
  return result;
}

}  // namespace

int run_analyze(const AnalyzeArguments& arguments, const Console& console, const Engine& engine,
                std::atomic<bool>& stop) {
  if (arguments.format == Format::html && arguments.files.size() > 1) {
    console.complain("analyze: --format html takes one FILE");
    return kExitTrouble;
  }
  if (arguments.output.empty()) return analyze_files(arguments, console, engine, stop);
  auto file = OutputFile::open(arguments.output);
  if (!file) {
    console.complain(file.error());
    return kExitTrouble;
  }
  const int status = analyze_files(arguments, Console{(*file)->output(), console.err}, engine, stop);
  const std::string trouble = (*file)->commit();
  if (trouble.empty()) return status;
  console.complain(trouble);
  return kExitTrouble;
}

}  // namespace iwarpscope::cli
