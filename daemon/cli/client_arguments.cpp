// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/client_arguments.h"

#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "api/host_port.h"
#include "cli/client_commands.h"
#include "cli/event_records.h"
#include "cli/exit_status.h"
#include "cli/watch_command.h"
#include "cli/watch_model.h"

namespace iwarpscope::cli {

std::string not_a_number(std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) return "'" + text + "' is too large";
  return error == std::errc{} && end == text.data() + text.size() ? std::string{} : "'" + text + "' is not a number";
}

namespace {

std::string not_a_place(std::string& text) {
  return record_place(text) ? std::string{} : "'" + text + "' is not RUN:SEQUENCE, as `iwarpscope status` shows it";
}

CLI::Option* choice(CLI::App& app, const std::string& name, std::string& value, const std::string& help) {
  return app.add_option("--" + name, value, help)->check(CLI::IsMember(client_choices().at(name)))->type_name("WORD");
}
CLI::Option* text(CLI::App& app, const std::string& name, std::string& value, const std::string& help,
                  const std::string& kind) {
  return app.add_option("--" + name, value, help)->type_name(kind);
}

}  // namespace

void declare_place(CLI::App& app, ClientArguments& a) {
  text(app, "socket", a.place.socket, "Unix socket of iwarpscoped (or IWARPSCOPE_SOCKET)", "PATH");
  CLI::Option* host = text(app, "host", a.place.host, "iwarpscoped on another machine, over TLS", "HOST:PORT");
  host->check(CLI::Validator([](std::string& text) { return api::not_host_port(text); }, ""));
  for (const auto& [name, value, help] :
       {std::tuple{"ca", &a.place.tls.ca, "With --host: CA certificate that signed the daemon's"},
        std::tuple{"cert", &a.place.tls.certificate, "With --host: certificate of this client"},
        std::tuple{"key", &a.place.tls.key, "With --host: private key of --cert"}}) {
    CLI::Option* option = text(app, name, *value, help, "FILE");
    option->needs(host);
    host->needs(option);
  }
}

namespace {

CLI::App& command(CLI::App& app, ClientArguments& a, const std::string& name, const std::string& help) {
  CLI::App& sub = *app.add_subcommand(name, help);
  declare_place(sub, a);
  return sub;
}
CLI::App& printing(CLI::App& app, ClientArguments& a, const std::string& name, const std::string& help) {
  CLI::App& sub = command(app, a, name, help);
  choice(sub, "format", a.format, "Print text, or JSON Lines for programs (json)");
  return sub;
}
void declare_number(CLI::App& app, ClientArguments& a) {
  app.add_option("N", a.qp, "Number of the queue pair")
      ->required()
      ->check(CLI::Validator(not_a_number, ""))
      ->type_name("");
}
void declare_sensor(CLI::App& app, ClientArguments& a, const std::string& what) {
  text(app, "sensor", a.sensor, "At a centre: only " + what + " of this sensor", "NAME");
}
void declare_limit(CLI::App& app, ClientArguments& a, const std::string& help) {
  app.add_option("--limit", a.limit, help)->check(CLI::Validator(not_a_number, ""))->type_name("N");
}

void declare_lists(CLI::App& app, ClientArguments& a) {
  CLI::App& qps = printing(app, a, "qps", "List the queue pairs of a running iwarpscoped");
  text(qps, "peer", a.host, "Only queue pairs with this address at either end", "ADDRESS");
  choice(qps, "state", a.state, "Only queue pairs in this state");
  text(qps, "ulp", a.ulp, "Only queue pairs of this upper layer protocol", "NAME");
  choice(qps, "outcome", a.outcome, "Only queue pairs with this outcome");
  choice(qps, "at-least", a.at_least, "Only queue pairs with a finding of this severity or worse");
  declare_sensor(qps, a, "queue pairs");
  qps.add_flag("--open", a.open, "Only queue pairs that have not ended");
  declare_limit(qps, a, "Maximum number of rows (default and 0: all)");
  CLI::App& findings = printing(app, a, "findings", "List the findings of a running iwarpscoped");
  findings.add_flag("-f,--follow", a.follow, "Also print new findings, until interrupted");
  text(findings, "peer", a.host, "Only findings of queue pairs with this address at either end", "ADDRESS");
  text(findings, "rule", a.rule, "Only findings of this rule (name or code)", "RULE");
  choice(findings, "at-least", a.at_least, "Only findings of this severity or worse");
  declare_sensor(findings, a, "findings");
  declare_limit(findings, a, "Maximum number of findings (default and 0: all that the daemon remembers)");
  CLI::App& events = printing(app, a, "events", "List findings and ended queue pairs in their order, from a place on");
  text(events, "after", a.after, "Only records after this one (default: all that are remembered)", "RUN:SEQUENCE")
      ->check(CLI::Validator(not_a_place, ""));
  CLI::Option* follow = events.add_flag("-f,--follow", a.follow, "Also print new records, until interrupted");
  choice(events, "at-least", a.at_least, "Only findings of this severity or worse");
  CLI::Option* log = text(events, "log", a.log, "Read this event log and its rotated files, not the daemon", "FILE");
  log->excludes(follow)->excludes(events.get_option("--host"))->excludes(events.get_option("--at-least"));
  declare_sensor(events, a, "records");
  declare_limit(events, a, "Maximum number of records (default and 0: all)");
}

}  // namespace

const std::map<std::string, std::vector<std::string>>& client_choices() {
  static const std::map<std::string, std::vector<std::string>> words = {
      {"format", {"text", "json"}},
      {"at-least", {"error", "warning", "note"}},
      {"state",
       {"mpa_requested", "mpa_rejected", "awaiting_first_fpdu", "rts", "terminate", "closing", "closed", "error",
        "unconfirmed"}},
      {"outcome", {"completed", "refused", "failed", "stalled", "running", "unknown"}},
      {"kind", {"findings", "qps", "operations", "states", "heartbeats", "summaries"}},
      {"sort", watch_words()}};
  return words;
}

void declare_client(CLI::App& app, ClientArguments& a) {
  // Not through the parser: it would set the option for each command, but all commands share one value.
  if (const char* socket = std::getenv("IWARPSCOPE_SOCKET"); socket != nullptr && *socket != '\0') {
    a.place.socket = socket;
  }
  printing(app, a, "status", "Show the daemon's health and losses");
  declare_lists(app, a);
  CLI::App& qp = printing(app, a, "qp", "Show one queue pair of a running iwarpscoped in detail");
  declare_number(qp, a);
  qp.add_flag("-v,--messages", a.messages, "List the RDMA messages that the daemon remembers");
  qp.add_flag("--timeline", a.timeline, "List its events by time: startup, TCP, findings, Terminate, end");
  CLI::App& watch = printing(app, a, "watch", "Show the queue pairs of a running iwarpscoped, updated like top");
  choice(watch, "sort", a.sort, "Column to sort by (default: rate)");
  declare_sensor(watch, a, "queue pairs");
  watch.add_flag("--once", a.once, "Print one screen, and exit");
  CLI::App& record = printing(app, a, "record", "Record a queue pair's packets in a file of a running iwarpscoped");
  declare_number(record, a);
  record.add_option("--seconds", a.seconds, "Duration of the recording (default: 10)")
      ->check(CLI::Range(1u, 3600u))
      ->type_name("N");
  text(record, "reason", a.reason, "Comment to store in the recording", "TEXT");
  CLI::App& site =
      printing(app, a, "site", "Show the state of a site: its sensors, what is new, and hosts that fail again");
  site.add_option("--days", a.days, "Days to look at, with today (default: 7)")
      ->check(CLI::Range(1u, 366u))
      ->type_name("N");
  declare_sensor(site, a, "what was seen");
  declare_limit(site, a, "Maximum number of pairs of hosts, and of rules (default and 0: 50)");
  CLI::App& history = printing(app, a, "history", "List the stored history of iwarpscoped, newest first");
  choice(history, "kind", a.kind, "What to list (default: findings)");
  text(history, "peer", a.host, "Only records with this address at either end", "ADDRESS");
  text(history, "rule", a.rule, "Findings: only of this rule (name or code)", "RULE");
  choice(history, "at-least", a.at_least, "Findings: only of this severity or worse");
  choice(history, "outcome", a.outcome, "Queue pairs: only with this outcome");
  text(history, "since", a.since, "Not before this time, UTC", "YYYY-MM-DD[THH:MM[:SS]]");
  text(history, "until", a.until, "Not after this time, UTC", "YYYY-MM-DD[THH:MM[:SS]]");
  text(history, "community-id", a.community_id, "Only records of the connection with this Community ID", "ID");
  declare_sensor(history, a, "records");
  declare_limit(history, a, "Maximum number of records (default and 0: 100)");
}

std::optional<int> run_client(const std::string& command, const ClientArguments& arguments, const Console& console,
                              std::atomic<bool>& stop) {
  using Run = int (*)(api::Client&, const ClientArguments&, const Console&, std::atomic<bool>&);
  constexpr std::array<std::pair<std::string_view, Run>, 9> kCommands = {{{"status", run_status},
                                                                          {"qps", run_qps},
                                                                          {"qp", run_qp},
                                                                          {"findings", run_findings},
                                                                          {"events", run_events},
                                                                          {"watch", run_watch},
                                                                          {"record", run_record},
                                                                          {"site", run_site},
                                                                          {"history", run_history}}};
  if (command == "events" && !arguments.log.empty()) return print_event_log(arguments, console, stop);
  for (const auto& [name, run] : kCommands) {
    if (name != command) continue;
    auto client = api::Client::open(arguments.place);
    if (client) return run(**client, arguments, console, stop);
    console.complain(command + ": " + client.error());
    return kExitTrouble;
  }
  return std::nullopt;
}

}  // namespace iwarpscope::cli
