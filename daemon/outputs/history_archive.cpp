// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "outputs/database.h"
#include "outputs/history.h"
#include "outputs/history_file.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::string_literals;

constexpr std::size_t kMostRows = 10'000;
constexpr std::int64_t kFirstWithNames = 3, kFirstWithStates = 4, kFirstWithSummaries = 5;  // user_version

/// A condition and what binds its values, from the parameter on that it is given; returns the next one.
struct Condition {
  std::string sql;
  std::function<int(Statement&, int)> bind;
};

Condition number_condition(std::string sql, std::int64_t value) {
  return {std::move(sql), [value](Statement& statement, int at) {
            statement.bind(at, value);
            return at + 1;
          }};
}
Condition text_condition(std::string sql, std::string value, int times = 1) {
  return {std::move(sql), [value = std::move(value), times](Statement& statement, int at) {
            for (int i = 0; i < times; ++i) statement.bind(at++, std::string_view{value});
            return at;
          }};
}

const char* time_of(live::RecordKind kind) {
  return kind == live::RecordKind::heartbeats ? "t.stored" : "t.time";
}

/// Precondition: there is no mistake in the query.
std::vector<Condition> conditions_of(const live::ArchiveQuery& query) {
  using Kind = live::ArchiveQuery::Kind;
  std::vector<Condition> all;
  const bool lasts = query.kind == Kind::qps;  // a queue pair has a first and a last time, the others one
  if (query.from) all.push_back(number_condition(time_of(query.kind) + " >= ?"s, query.from->ns));
  if (query.to)
    all.push_back(number_condition(lasts ? "t.first_time <= ?" : time_of(query.kind) + " <= ?"s, query.to->ns));
  if (query.host) all.push_back(text_condition("(t.a = ? OR t.b = ?)", *query.host, 2));
  if (query.before != 0) all.push_back(number_condition("t.id < ?", static_cast<std::int64_t>(query.before)));
  if (query.rule) all.push_back(text_condition("t.rule = ?", std::string{findings::find_rule(*query.rule)->name}));
  if (query.at_least) all.push_back(number_condition("t.severity >= ?", static_cast<std::int64_t>(*query.at_least)));
  if (query.outcome) all.push_back(text_condition("t.outcome = ?", *query.outcome));
  if (query.community_id) all.push_back(text_condition("t.community_id = ?", *query.community_id));
  return all;
}

Stored<std::vector<live::ArchivedRow>> read(Database& database, const live::ArchiveQuery& query,
                                            const std::vector<Condition>& conditions) {
  const auto version = database.number("PRAGMA user_version");
  if (!version) return tl::unexpected(version.error());
  const bool has_names = *version >= kFirstWithNames;
  const bool is_summary = query.kind == live::RecordKind::summaries;
  const bool is_state =
      is_summary || query.kind == live::RecordKind::states || query.kind == live::RecordKind::heartbeats;
  if (query.community_id && !has_names) return std::vector<live::ArchivedRow>{};
  if (is_state && *version < (is_summary ? kFirstWithSummaries : kFirstWithStates))
    return std::vector<live::ArchivedRow>{};
  const char* const names = !has_names ? "NULL, NULL" : is_state ? "r.uuid, NULL" : "r.uuid, t.sequence";
  std::string sql = fmt::format("SELECT t.id, {}, r.name, t.json, {} FROM {} t LEFT JOIN runs r ON r.run = t.run",
                                time_of(query.kind), names, table_of(query.kind));
  const char* joint = " WHERE ";
  for (const Condition& condition : conditions) sql += std::exchange(joint, " AND ") + condition.sql;
  if (query.kind == live::RecordKind::operations) {  // one that was reported again has a newer row
    sql += std::string{joint} +
           "NOT EXISTS (SELECT 1 FROM operations n WHERE n.run = t.run AND n.qp = t.qp AND n.direction = t.direction "
           "AND n.message = t.message AND n.id > t.id)";
  }
  sql += fmt::format(" ORDER BY t.id DESC LIMIT {}", std::min(query.most, kMostRows));
  auto statement = database.prepare(sql);
  if (!statement) return tl::unexpected(statement.error());
  int at = 0;
  for (const Condition& condition : conditions) at = condition.bind(*statement, at);
  std::vector<live::ArchivedRow> rows;
  auto more = statement->step();
  for (; more && *more; more = statement->step()) {
    rows.push_back({static_cast<std::uint64_t>(statement->number(0)), TimePoint{statement->number(1)},
                    statement->text(2), statement->text(3), statement->text(4),
                    static_cast<std::uint64_t>(statement->number(5))});
  }
  if (!more) return tl::unexpected(more.error());
  return rows;
}

}  // namespace

tl::expected<std::vector<live::ArchivedRow>, std::string> HistoryArchive::query(const live::ArchiveQuery& query,
                                                                                const live::Caller& caller) {
  if (std::string mistake = live::mistake_in(query); !mistake.empty()) return tl::unexpected(std::move(mistake));
  const std::vector<Condition> conditions = conditions_of(query);
  const auto failed = [&](const DatabaseError& error) {
    if (!error.is_interrupted())
      return tl::unexpected(fmt::format("The history {} cannot be read: {}.", path_, error.text));
    const bool gone = caller.is_gone && caller.is_gone();
    return tl::unexpected(std::string{
        gone ? "The client is gone." : "The search took too long; choose a shorter time range, one host or one rule."});
  };
  if (access(path_.c_str(), F_OK) != 0) return tl::unexpected(fmt::format("The history {} does not exist.", path_));
  auto database = Database::open(path_, true, kReaderWaitsMs);
  if (!database) return failed(database.error());
  database->limit_time(kLongestMs, caller.is_gone);
  const auto tables = database->number("SELECT count(*) FROM sqlite_schema");
  if (tables && *tables == 0) return std::vector<live::ArchivedRow>{};  // it is being made
  auto rows = read(*database, query, conditions);
  if (!rows) return failed(rows.error());
  return std::move(*rows);
}

}  // namespace iwarpscope::outputs
