// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <systemd/sd-daemon.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/host_port.h"
#include "centre/alerts.h"
#include "centre/compare.h"
#include "centre/migrate.h"
#include "centre/sensors.h"
#include "centre/serve.h"
#include "centre/upkeep.h"

namespace iwarpscope::centre {
namespace {

constexpr int kExitDone = 0;
constexpr int kExitTrouble = 1;  ///< the database could not be reached, or refused it
constexpr int kExitMistake = 2;  ///< in the arguments
constexpr int kLongest = 36500;  ///< days

struct Arguments {
  std::string database, today;
  std::optional<int> last;
  std::optional<std::int64_t> now;
  Sensor sensor;
  Retention retention;
  ServeOptions serve;
};

/// Lines of a journal have a priority in front.
void log(const std::string& sentence, Weight weight) {
  static const bool is_journal = std::getenv("JOURNAL_STREAM") != nullptr;
  fmt::print(stderr, "{}{}\n",
             is_journal ? (weight == Weight::trouble ? SD_WARNING : SD_INFO) : "iwarpscope-centre: ", sentence);
}

void say(const std::string& sentence) {
  fmt::print("{}\n", sentence);
  std::fflush(stdout);  // a step may take long
}

Asked<int> migrate(Connection& database, const Arguments& arguments) {
  if (auto done = centre::migrate(database, arguments.last, say); !done) return tl::unexpected(done.error());
  const auto version = centre::schema_version(database);
  if (!version) return tl::unexpected(version.error());
  say(fmt::format("The schema has version {}.", *version));
  return kExitDone;
}

Asked<int> schema(Connection& database, const Arguments& /*arguments*/) {
  const auto version = centre::schema_version(database);
  if (!version) return tl::unexpected(version.error());
  const int here = centre::steps().back().number;
  say(fmt::format("database  {}\nprogram   {}", *version == 0 ? "no schema" : std::to_string(*version), here));
  return *version == here ? kExitDone : kExitTrouble;
}

Asked<int> add_sensor(Connection& database, const Arguments& arguments) {
  const auto number = centre::add_sensor(database, arguments.sensor);
  if (!number) return tl::unexpected(number.error());
  say(fmt::format("{} is sensor {}. A client certificate with this name may deliver.", arguments.sensor.name, *number));
  return kExitDone;
}

Asked<int> remove_sensor(Connection& database, const Arguments& arguments) {
  if (auto done = centre::remove_sensor(database, arguments.sensor.name); !done) return tl::unexpected(done.error());
  say(fmt::format("{} can no longer log in. Its records are kept.", arguments.sensor.name));
  return kExitDone;
}

Asked<int> upkeep(Connection& database, const Arguments& arguments) {
  if (auto set = centre::set_retention(database, arguments.retention); !set) return tl::unexpected(set.error());
  if (auto done = centre::keep_up(database, arguments.today, say); !done) return tl::unexpected(done.error());
  return kExitDone;
}

Asked<int> compare(Connection& database, const Arguments& arguments) {
  if (auto done = centre::compare(database, arguments.now, say); !done) return tl::unexpected(done.error());
  return kExitDone;
}

/// It makes its connections itself: the database may be away when it begins.
int serve(const Arguments& arguments) {
  ServeOptions options = arguments.serve;
  options.database = arguments.database;
  options.version = IWARPSCOPE_VERSION;
  const auto served = centre::serve(options, log);
  if (served) return kExitDone;
  fmt::print(stderr, "iwarpscope-centre: {}\n", served.error());
  return kExitTrouble;
}

using Command = std::function<Asked<int>(Connection&, const Arguments&)>;

void declare_serve(CLI::App& serves, ServeOptions& options) {
  api::ServerOptions& api = options.api;
  api.socket = "/run/iwarpscope-centre/centre.sock";
  // The centre asks sensors by its own certificate: these rights are not for everyone who may ask it.
  api.grants.packets.clear();
  api.grants.control.clear();
  const auto file = [&](const char* name, std::string& value, const char* what) {
    return serves.add_option(name, value, what)->type_name("FILE");
  };
  const auto grant = [&](const char* name, std::vector<std::string>& value, const char* what) {
    serves.add_option(name, value, what)->type_name("NAME")->check([](const std::string& text) {
      return api::is_grantee(text) ? std::string{} : "'" + text + "' names no client";
    });
  };
  file("--socket", api.socket, "Unix socket for clients on this machine; empty: none")->capture_default_str();
  serves.add_option("--socket-group", api.socket_group, "Group of the socket file")->type_name("GROUP");
  serves.add_option("--tcp", api.tcp, "Address and port for clients on other machines; they need a certificate")
      ->type_name("ADDRESS:PORT");
  file("--certificate", api.tls.certificate, "With --tcp: certificate of this machine");
  file("--key", api.tls.key, "With --tcp: private key of --certificate");
  file("--client-ca", api.tls.ca, "With --tcp: CA that signs the certificates of clients");
  file("--client-crl", api.tls.crl, "With --tcp: certificates of clients that the CA has revoked");
  grant("--metadata", api.grants.metadata, "Clients that may query everything but packets; default: all");
  grant("--packets", api.grants.packets,
        "Clients that may fetch packets of sensors, '*': all; default: root on this machine");
  grant("--control", api.grants.control, "Clients that may start recordings at sensors; default: root on this machine");
  file("--sensor-certificate", options.sensors.certificate,
       "Certificate with which sensors are asked for what only they have");
  file("--sensor-key", options.sensors.key, "Private key of --sensor-certificate");
  file("--sensor-ca", options.sensors.ca, "CA that signed the certificates of sensors");
  serves.add_option("--metrics", options.metrics, "Loopback address and port for Prometheus; empty: none")
      ->type_name("ADDRESS:PORT")
      ->check([](const std::string& address) {
        return address.empty() || address.starts_with("127.") || address.starts_with("[::1]:")
                   ? std::string{}
                   : "'" + address + "' is no loopback address with a port; metrics are not encrypted";
      });
  serves.add_option("--alertmanager", options.alertmanagers, "Pass incidents to this Alertmanager; may be repeated")
      ->type_name("URL")
      ->check([](const std::string& url) {
        return is_alertmanager(url) ? std::string{} : "'" + url + "' is no http:// or https:// address";
      });
}

/// Adds the subcommands and their options. The one that is given sets `command`.
void declare(CLI::App& app, Arguments& arguments, Command& command) {
  app.require_subcommand(1);
  app.set_config("--config", "/etc/iwarpscope-centre/centre.toml", "Read options from this file, as KEY = VALUE");
  app.add_option("--database", arguments.database,
                 "Connection string or URI of libpq; default: the PG... variables of the environment")
      ->type_name("CONNINFO");
  const auto add = [&](const char* name, const char* what, Command run) {
    CLI::App* const made = app.add_subcommand(name, what);
    made->fallthrough();
    made->callback([&command, run = std::move(run)] { command = run; });
    return made;
  };
  auto* const migrates = add("migrate", "Create the schema, or update an older one", migrate);
  migrates->add_option("--to", arguments.last, "Stop after this step")->type_name("NUMBER")->check(CLI::PositiveNumber);
  add("schema", "Show the version of the schema in the database and in this program", schema);
  auto* const adds = add("add-sensor", "Allow a sensor to deliver", add_sensor);
  adds->add_option("NAME", arguments.sensor.name, "The name in its client certificate")->required();
  adds->add_option("--site", arguments.sensor.site, "Its site")->type_name("TEXT");
  adds->add_option("--position", arguments.sensor.position, "Where its tap is")->type_name("TEXT");
  adds->add_option("--api", arguments.sensor.api, "Where its iwarpscoped answers clients, for what only it has")
      ->type_name("HOST:PORT")
      ->check([](const std::string& text) { return text.empty() ? std::string{} : api::not_host_port(text); });
  auto* const removes = add("remove-sensor", "Refuse a sensor from now on; its records are kept", remove_sensor);
  removes->add_option("NAME", arguments.sensor.name, "The name in its client certificate")->required();
  auto* const keeps =
      add("upkeep", "Make partitions for the next days, and drop those whose retention has passed", upkeep);
  const auto days = [&](const char* name, std::optional<int>& value, const char* what) {
    keeps->add_option(name, value, what)->type_name("DAYS")->check(CLI::Range(1, kLongest));
  };
  days("--keep", arguments.retention.records, "Keep records for so many days from now on; at first 90");
  days("--keep-states", arguments.retention.states,
       "Keep states of open queue pairs for so many days from now on; at first 2");
  days("--keep-summaries", arguments.retention.summaries,
       "Keep numbers by hour for so many days from now on; at first 400");
  days("--ahead", arguments.retention.ahead, "Make partitions so many days before from now on; at first 7, at most 60");
  declare_serve(*app.add_subcommand("serve", "Answer clients, as iwarpscoped does, about all sensors")->fallthrough(),
                arguments.serve);
  keeps->add_option("--today", arguments.today, "Do what is due on this day, as a superuser; default: today, in UTC")
      ->type_name("YYYY-MM-DD");
  auto* const compares = add(
      "compare", "Compare the last hours with the same hours of the weeks before, and report what differs", compare);
  compares->add_option("--now", arguments.now, "Do what is due at this time, in seconds since 1970; default: now")
      ->type_name("SECONDS");
}

int run(const Arguments& arguments, const Command& command) {
  if (!command) return serve(arguments);
  auto database = Connection::open(arguments.database, "iwarpscope-centre");
  if (!database) {
    fmt::print(stderr, "iwarpscope-centre: {}\n", database.error().text);
    return kExitTrouble;
  }
  const auto done = command(*database, arguments);
  if (!done) {
    fmt::print(stderr, "iwarpscope-centre: {}\n", done.error().text);
    return kExitTrouble;
  }
  return *done;
}

int start(int argc, char** argv) {
  CLI::App app("The centre: what many sensors found, in PostgreSQL.", "iwarpscope-centre");
  app.set_version_flag("--version", std::string("iwarpscope-centre ") + IWARPSCOPE_VERSION);
  Arguments arguments;
  Command command;
  declare(app, arguments, command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // The parser reports only that a command is missing.
    if (const auto rest = app.remaining(); app.get_subcommands().empty() && !rest.empty()) {
      fmt::print(stderr, "iwarpscope-centre: unknown command '{}'; see iwarpscope-centre --help\n", rest.front());
      return kExitMistake;
    }
    return app.exit(error) == 0 ? kExitDone : kExitMistake;
  }
  try {
    return run(arguments, command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "iwarpscope-centre: {}\n", error.what());
    return kExitTrouble;
  }
}

}  // namespace
}  // namespace iwarpscope::centre

int main(int argc, char** argv) {
  return iwarpscope::centre::start(argc, argv);
}
