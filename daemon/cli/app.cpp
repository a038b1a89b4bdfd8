// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/app.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "cli/bundle_command.h"
#include "cli/client_arguments.h"
#include "cli/completion.h"
#include "cli/exit_status.h"
#include "cli/explain.h"
#include "cli/join_command.h"
#include "cli/rules.h"
#include "findings/catalogue.h"
#include "verdict/catalogue.h"

namespace iwarpscope::cli {
namespace {

using Words = std::vector<std::string>;

/// The words that an option accepts, by its long name. Parser, help and completion share them.
const std::map<std::string, Words>& choices() {
  static const std::map<std::string, Words> words = [] {
    std::map<std::string, Words> all = client_choices();
    all.insert({{"analyze --format", {"text", "json", "html"}},
                {"join --format", {"text", "json"}},
                {"fail-on", {"error", "warning"}},
                {"color", {"auto", "always", "never"}}});
    return all;
  }();
  return words;
}
const Words kShells = {"bash", "zsh", "fish"};

/// The arguments as typed.
struct Typed {
  AnalyzeArguments analyze;
  BundleArguments bundle;
  JoinArguments join;
  std::int64_t clock_bound_ns = 0;
  std::string format = "text";
  std::string rules_format = "text";
  std::string fail_on;
  std::string color = "auto";
  std::uint64_t qp = 0;
  std::string rule;
  std::string shell;
  ClientArguments client;
};

/// A command may accept more words than others do.
const Words* words_of(const std::string& command, const std::string& name) {
  for (const std::string& key : {fmt::format("{} --{}", command, name), name}) {
    if (const auto words = choices().find(key); words != choices().end()) return &words->second;
  }
  return nullptr;
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value, const std::string& help) {
  return app.add_option("--" + name, value, help)
      ->check(CLI::IsMember(*words_of(app.get_name(), name)))
      ->type_name("WORD");
}

void declare_taps(CLI::App& app, TapArguments& taps) {
  app.add_option("--tap-group", taps.groups,
                 "Interfaces that see one network, by name or number from 0: eth0,eth1. Packets of different tap "
                 "groups never belong together; interfaces without a group are one. May be given several times")
      ->type_name("LIST")
      ->allow_extra_args(false);
  app.add_flag("--separate-interfaces", taps.separate_interfaces,
               "Each interface without a tap group sees a network of its own");
}

void declare_analyze(CLI::App& app, Typed& typed) {
  AnalyzeArguments& a = typed.analyze;
  CLI::App* analyze = app.add_subcommand("analyze", "Analyse capture files (pcap or pcapng, plain or compressed)");
  add_choice(*analyze, "format", typed.format,
             "Report as text, as JSON Lines for programs (json), or as one HTML file");
  analyze->add_option("-o,--output", a.output, "File to write the report to (default: standard output)")
      ->type_name("FILE");
  CLI::Option* messages = analyze->add_flag("-v,--messages", a.messages, "List every RDMA message");
  analyze->add_flag("--notes", a.notes, "List notes, and findings that only repeat a verdict");
  analyze->add_option("--filter", a.filter, "Analyse only frames that match this pcap-filter(7) expression")
      ->type_name("BPF");
  declare_taps(*analyze, a.taps);
  analyze
      ->add_option("--community-id-seed", a.community_id_seed,
                   "With --format json: seed of the Community IDs, the same as in other monitors (default: 0)")
      ->check(CLI::Range(0u, 65535u))
      ->type_name("N");
  analyze
      ->add_option("--max-findings", a.limits.findings,
                   "With --format json: list at most N findings of each severity; 0 is no limit (default: 50000)")
      ->check(CLI::Validator(not_a_number, ""))
      ->type_name("N");
  analyze
      ->add_option("--max-qps", a.limits.qps,
                   "With --format json: list at most N queue pairs; 0 is no limit (default: 30000)")
      ->check(CLI::Validator(not_a_number, ""))
      ->type_name("N");
  analyze->add_option("--qp", typed.qp, "Report only this queue pair, in detail")
      ->check(CLI::Validator(not_a_number, ""))
      ->type_name("N");
  add_choice(*analyze, "fail-on", typed.fail_on, "Exit with status 1 if there is a finding of this severity or worse");
  a.threads = std::thread::hardware_concurrency() > 1 ? 2 : 1;
  analyze
      ->add_option("--threads", a.threads,
                   "Number of threads; does not change the report (default: 2, or 1 on one processor)")
      ->check(CLI::Range(1u, 256u))
      ->type_name("N");
  analyze->add_flag("--digest", a.digest, "With --messages: print the SHA-256 of each message")->needs(messages);
  analyze->add_flag("--no-emulation", a.no_emulation, "Do not check data placement, STags and atomics");
  analyze->add_flag("--timing", a.timing, "Print the duration of the analysis");
  add_choice(*analyze, "color", typed.color, "Colour in the text report (auto: only on a terminal)");
  analyze->add_option("FILE", a.files, "Capture files; - is standard input")->required()->type_name("");
}

void declare_bundle(CLI::App& app, Typed& typed) {
  BundleArguments& b = typed.bundle;
  CLI::App* bundle =
      app.add_subcommand("bundle", "Write an incident bundle: a zip file with report, packets, JSON and log lines");
  CLI::Option* file =
      bundle->add_option("FILE", b.file, "Capture file; without it: what a running iwarpscoped has")->type_name("");
  bundle->add_option("-o,--output", b.output, "The zip file to write")->required()->type_name("FILE");
  bundle->add_option("--qp", typed.qp, "Only this queue pair (default: all that did not end well)")
      ->check(CLI::Validator(not_a_number, ""))
      ->type_name("N");
  bundle->add_flag("--cut-payload", b.cut_payload,
                   "End each packet before its first octet of ULP payload or private data. The headers before it, from "
                   "Ethernet to RDMAP, are kept. The report still shows private data and values that findings quote");
  declare_taps(*bundle, b.taps);
  for (const char* tap : {"--tap-group", "--separate-interfaces"}) bundle->get_option(tap)->needs(file);
  declare_place(*bundle, typed.client);
  for (const char* place : {"--socket", "--host"}) file->excludes(bundle->get_option(place));
}

void declare_join(CLI::App& app, Typed& typed) {
  JoinArguments& j = typed.join;
  CLI::App* join = app.add_subcommand("join", "Compare captures of the same connections at several taps");
  add_choice(*join, "format", typed.format, "Result as text, or as JSON Lines for programs (json)");
  join->add_option("-o,--output", j.output, "File to write the result to (default: standard output)")
      ->type_name("FILE");
  join->add_flag("--notes", j.notes, "List notes, too");
  join->add_option("--filter", j.filter, "Analyse only frames that match this pcap-filter(7) expression")
      ->type_name("BPF");
  join->add_option(
          "--clock-bound", typed.clock_bound_ns,
          "The clock of each tap differs from the true time by this at most: 100us, 5ms, 2s (default: unknown). "
          "Nothing is concluded from smaller differences. With 5ms or less, the frames of all taps are also "
          "analysed together")
      ->type_name("TIME")
      ->transform(CLI::AsNumberWithUnit(
          std::map<std::string, std::int64_t>{{"ns", 1}, {"us", 1000}, {"ms", 1'000'000}, {"s", 1'000'000'000}},
          CLI::AsNumberWithUnit::UNIT_REQUIRED))
      ->check(CLI::NonNegativeNumber);
  join->add_option("TAP", j.taps, "Capture files, one for each tap: FILE, or NAME=FILE with the position of the tap")
      ->required()
      ->expected(2, 64)
      ->type_name("");
}

void declare(CLI::App& app, Typed& typed) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "iwarpscope " IWARPSCOPE_VERSION, "Print the version");
  app.get_formatter()->column_width(28);
  declare_analyze(app, typed);
  declare_join(app, typed);
  declare_bundle(app, typed);
  app.add_subcommand("explain", "Explain a rule or verdict: meaning, causes, what to check next")
      ->add_option("RULE", typed.rule, "Name (mpa.crc-mismatch) or code (MF-04) of a rule or verdict (V-30)")
      ->required()
      ->type_name("");
  declare_client(app, typed.client);
  CLI::App* rules = app.add_subcommand("rules", "List all rules");
  add_choice(*rules, "format", typed.rules_format, "Print a table (text) or JSON Lines (json)");
  app.add_subcommand("completion", "Print a completion script for a shell")
      ->add_option("SHELL", typed.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(kShells))
      ->type_name("");
}

CompletedOption completed(const std::string& command, const CLI::Option& option) {
  CompletedOption out;
  for (const std::string& name : option.get_lnames()) {
    out.spellings.push_back("--" + name);
    if (const Words* words = words_of(command, name)) out.values = *words;
  }
  for (const std::string& name : option.get_snames()) out.spellings.push_back("-" + name);
  out.help = option.get_description();
  out.takes_value = option.get_items_expected_max() != 0;
  return out;
}

std::vector<CompletedCommand> completed_commands(const CLI::App& app) {
  std::vector<CompletedCommand> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    CompletedCommand command;
    command.name = sub->get_name();
    command.help = sub->get_description();
    command.takes_files = command.name == "analyze" || command.name == "bundle" || command.name == "join";
    for (const CLI::Option* option : sub->get_options()) {
      if (!option->get_positional()) command.options.push_back(completed(command.name, *option));
    }
    if (command.name == "completion") command.arguments = kShells;
    if (command.name == "explain") {
      for (const findings::Rule& rule : findings::rules()) command.arguments.emplace_back(rule.name);
      for (const verdict::VerdictRow& row : verdict::verdicts()) command.arguments.emplace_back(row.code);
      for (const verdict::RemarkRow& row : verdict::remarks()) command.arguments.emplace_back(row.code);
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

int run_analyze_typed(const CLI::App& sub, Typed& typed, const Console& console, const Engine& engine,
                      std::atomic<bool>& stop) {
  AnalyzeArguments& a = typed.analyze;
  a.format = typed.format == "json" ? Format::json : typed.format == "html" ? Format::html : Format::text;
  a.color = typed.color == "always" ? Color::always : typed.color == "never" ? Color::never : Color::automatic;
  if (sub.count("--qp") != 0) a.qp = typed.qp;
  if (typed.fail_on == "error") a.fail_on = findings::Severity::error;
  if (typed.fail_on == "warning") a.fail_on = findings::Severity::warning;
  return run_analyze(a, console, engine, stop);
}

/// Runs the subcommand; the parser ensures that there is exactly one.
int dispatch(const CLI::App& app, Typed& typed, const Console& console, const Engine& engine, std::atomic<bool>& stop) {
  const CLI::App& sub = *app.get_subcommands().front();
  if (sub.get_name() == "analyze") return run_analyze_typed(sub, typed, console, engine, stop);
  if (sub.get_name() == "join") {
    typed.join.json = typed.format == "json";
    if (sub.count("--clock-bound") != 0) typed.join.clock_bound_ns = typed.clock_bound_ns;
    return run_join(typed.join, console, engine, stop);
  }
  if (sub.get_name() == "bundle") {
    if (sub.count("--qp") != 0) typed.bundle.qp = typed.qp;
    typed.bundle.threads = typed.analyze.threads;
    return run_bundle(typed.bundle, typed.client.place, console, engine, stop);
  }
  if (const auto status = run_client(sub.get_name(), typed.client, console, stop)) return *status;
  int status = kExitDone;
  if (sub.get_name() == "explain") {
    status = run_explain(typed.rule, console);
  } else if (sub.get_name() == "rules") {
    status = run_rules(typed.rules_format == "json" ? Format::json : Format::text, console);
  } else {
    console.out.write(completion_script(typed.shell, completed_commands(app)));
  }
  return status;
}

/// Output that could not be written is an error, whatever the command returned.
int checked(int status, const Console& console) {
  if (!console.out.has_failed() || status == kExitTrouble || status == kExitClosed) return status;
  if (console.out.is_closed()) return kExitClosed;
  console.complain("standard output: " + console.out.error_text());
  return kExitTrouble;
}

int complain_usage(const CLI::App& app, const CLI::ParseError& error, const Console& console) {
  const auto subs = app.get_subcommands();
  const std::string where = subs.empty() ? std::string{} : subs.front()->get_name();
  std::string text = error.what();
  if (const std::size_t end = text.find('\n'); end != std::string::npos) text.resize(end);
  // The parser reports only that a command is missing.
  if (const auto rest = app.remaining(); subs.empty() && !rest.empty()) text = "unknown command '" + rest.front() + "'";
  console.complain((where.empty() ? text : where + ": " + text) + "; see iwarpscope " +
                   (where.empty() ? "--help" : where + " --help"));
  return kExitTrouble;
}

}  // namespace

int run(int argc, const char* const* argv, const Console& console, const Engine& engine, std::atomic<bool>& stop) {
  CLI::App app(
      "iwarpscope analyses iWARP traffic (RDMA over TCP and SCTP: MPA, DDP, RDMAP) and reports on each queue pair.",
      "iwarpscope");
  Typed typed;
  declare(app, typed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    console.out.write(app.help());
    return checked(kExitDone, console);
  } catch (const CLI::CallForVersion& version) {
    console.out.write(std::string{version.what()} + "\n");
    return checked(kExitDone, console);
  } catch (const CLI::ParseError& error) {
    return complain_usage(app, error, console);
  }
  return checked(dispatch(app, typed, console, engine, stop), console);
}

}  // namespace iwarpscope::cli
