// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/migrate.h"

#include <fmt/format.h>

#include <algorithm>

namespace iwarpscope::centre {
namespace {

constexpr std::string_view kProgram = "iwarpscope " IWARPSCOPE_VERSION;
/// For pg_advisory_xact_lock(): "iWSc".
constexpr std::int64_t kLock = 0x69575363;
constexpr int kOldestServer = 150000;

PostgresError refusal(std::string sentence) {
  return {"IWS05", std::move(sentence)};
}

/// What the schema needs of the database, before its first step.
Asked<void> check_server(Connection& database) {
  if (database.server_version() < kOldestServer) {
    return tl::unexpected(
        refusal(fmt::format("The server is PostgreSQL {}; 15 or later is needed.", database.server_version() / 10000)));
  }
  const auto encoding = database.run("SHOW server_encoding");
  if (!encoding) return tl::unexpected(encoding.error());
  if (encoding->text(0, 0) != "UTF8") {
    return tl::unexpected(
        refusal(fmt::format("The database has the encoding {}; UTF8 is needed.", encoding->text(0, 0))));
  }
  const auto rights = database.run("SELECT rolsuper FROM pg_roles WHERE rolname = current_user");
  if (!rights) return tl::unexpected(rights.error());
  if (rights->text(0, 0) != "t") {
    return tl::unexpected(refusal("A migration needs a superuser: it makes roles and revokes rights of PUBLIC."));
  }
  return {};
}

/// Checks that the steps in the database are those of this program.
Asked<void> check_steps(Connection& database, int version) {
  for (const Step& step : steps()) {
    if (step.number > version) break;
    const auto same = database.run("SELECT name FROM iwarpscope.migration WHERE number = $1 AND md5 = md5($2)",
                                   Parameters().add(std::int64_t{step.number}).add(std::string_view{step.sql}));
    if (!same) return tl::unexpected(same.error());
    if (same->rows() == 0) {
      return tl::unexpected(refusal(
          fmt::format("Step {} ({}) in the database differs from that of this program.", step.number, step.name)));
    }
  }
  return {};
}

/// In a transaction: the next step up to `last`. Gives a sentence, or nothing if no step is left.
Asked<std::optional<std::string>> next_step(Connection& database, int last) {
  if (auto locked = database.run("SELECT pg_advisory_xact_lock($1)", Parameters().add(kLock)); !locked) {
    return tl::unexpected(locked.error());
  }
  const auto version = schema_version(database);
  if (!version) return tl::unexpected(version.error());
  const int newest = steps().back().number;
  if (*version > newest) return tl::unexpected(refusal(schema_trouble(*version)));
  if (auto same = check_steps(database, *version); !same) return tl::unexpected(same.error());
  if (*version >= last) return std::optional<std::string>{};
  const Step& step = steps().at(static_cast<std::size_t>(*version));
  if (auto done = database.run(step.sql); !done) {
    PostgresError why = done.error();
    why.text =
        fmt::format("Step {} ({}) failed, and nothing of it is in the database: {}", step.number, step.name, why.text);
    return tl::unexpected(std::move(why));
  }
  const auto noted =
      database.run("INSERT INTO iwarpscope.migration (number, name, md5, program) VALUES ($1, $2, md5($3), $4)",
                   Parameters()
                       .add(std::int64_t{step.number})
                       .add(std::string_view{step.name})
                       .add(std::string_view{step.sql})
                       .add(kProgram));
  if (!noted) return tl::unexpected(noted.error());
  return std::optional<std::string>{fmt::format("Step {} ({}) is done.", step.number, step.name)};
}

}  // namespace

Asked<int> schema_version(Connection& database) {
  const auto there =
      database.run("SELECT to_regclass('iwarpscope.migration') IS NOT NULL, to_regnamespace('iwarpscope') IS NOT NULL");
  if (!there) return tl::unexpected(there.error());
  if (there->text(0, 0) != "t") {
    if (there->text(0, 1) == "t")
      return tl::unexpected(refusal("The database has a schema iwarpscope that is not of this program."));
    return 0;
  }
  const auto version = database.run("SELECT coalesce(max(number), 0) FROM iwarpscope.migration");
  if (!version) return tl::unexpected(version.error());
  return static_cast<int>(version->number(0, 0));
}

std::string schema_trouble(int version) {
  const int newest = steps().back().number;
  if (version == 0) return "The database has no schema: run `iwarpscope-centre migrate`.";
  if (version < newest) {
    return fmt::format(
        "The schema has version {}, which is older than this program (version {}): run "
        "`iwarpscope-centre migrate`.",
        version, newest);
  }
  if (version == newest) return {};
  return fmt::format("The schema has version {}, which is newer than this program (version {}): use a newer program.",
                     version, newest);
}

Asked<void> migrate(Connection& database, std::optional<int> last, const std::function<void(const std::string&)>& say) {
  if (auto fits = check_server(database); !fits) return fits;
  const int end = std::min(last.value_or(steps().back().number), steps().back().number);
  // Another migration, or a delivery that holds a table, ends within this time, or this one fails and changes nothing.
  if (auto set = database.run("SET lock_timeout = '60s'"); !set) return tl::unexpected(set.error());
  while (true) {
    const auto done = in_transaction(database, [&] { return next_step(database, end); });
    if (!done) return tl::unexpected(done.error());
    if (!*done) return {};
    say(**done);
  }
}

}  // namespace iwarpscope::centre
