// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/postgres.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

namespace iwarpscope::centre {
namespace {

constexpr int kBinary = 1;
constexpr std::chrono::milliseconds kStopPoll{100};  ///< whether the program is being stopped

/// In one line. Of several hosts each has one of libpq's; its question whether the server runs is left out.
std::string one_line(const char* text) {
  std::string all;
  std::istringstream lines(text == nullptr ? "" : text);
  for (std::string line; std::getline(lines, line);) {
    if (all.empty()) {
      all = line;
    } else if (line.starts_with("connection to server")) {
      all += "; " + line;
    }
  }
  all.erase(all.find_last_not_of(' ') + 1);
  return all;
}

std::string field(const PGresult* result, int which) {
  return one_line(PQresultErrorField(result, which));
}

/// Values as libpq takes them: views of what Parameters has.
struct Views {
  std::vector<Oid> types;
  std::vector<const char*> values;
  std::vector<int> lengths, formats;

  void add(std::uint32_t type, const std::optional<std::string>& octets) {
    types.push_back(type);
    values.push_back(octets ? octets->data() : nullptr);
    lengths.push_back(octets ? static_cast<int>(octets->size()) : 0);
    formats.push_back(kBinary);
  }
  [[nodiscard]] int size() const { return static_cast<int>(types.size()); }
};

}  // namespace

bool PostgresError::is_connection_lost() const noexcept {
  return sqlstate.empty() || sqlstate.starts_with("08") || sqlstate.starts_with("57P0");
}

bool PostgresError::is_worth_another_try() const noexcept {
  return is_connection_lost() || sqlstate.starts_with("40") || sqlstate == "55P03" || sqlstate == "53300";
}

void Result::Clear::operator()(pg_result* result) const noexcept {
  PQclear(result);
}

int Result::rows() const {
  return PQntuples(result_.get());
}

bool Result::is_null(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) != 0;
}

std::string_view Result::text(int row, int column) const {
  const char* value = PQgetvalue(result_.get(), row, column);
  return value == nullptr ? std::string_view{}
                          : std::string_view(value, static_cast<std::size_t>(PQgetlength(result_.get(), row, column)));
}

std::int64_t Result::number(int row, int column) const {
  const std::string_view digits = text(row, column);
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

void Connection::Finish::operator()(pg_conn* connection) const noexcept {
  PQfinish(connection);
}

PostgresError Connection::error() const {
  return {"", one_line(PQerrorMessage(connection_.get()))};
}

Asked<Connection> Connection::open(const std::string& where, const std::string& program, bool verified,
                                   std::chrono::seconds within) {
  // What is before dbname is a default that `where` overrides; the environment counts only where nothing is said
  // here.
  std::vector<std::pair<const char*, const char*>> words{{"application_name", program.c_str()}};
  if (std::getenv("PGTARGETSESSIONATTRS") == nullptr) words.emplace_back("target_session_attrs", "read-write");
  const std::string seconds = std::to_string(within.count());
  if (std::getenv("PGCONNECT_TIMEOUT") == nullptr) words.emplace_back("connect_timeout", seconds.c_str());
  if (verified && std::getenv("PGSSLMODE") == nullptr) words.emplace_back("sslmode", "verify-full");
  // A server that is gone without a word is noticed within half a minute.
  for (const auto& [key, value] : {std::pair{"keepalives_idle", "10"},
                                   {"keepalives_interval", "5"},
                                   {"keepalives_count", "3"},
                                   {"tcp_user_timeout", "25000"}})
    words.emplace_back(key, value);
  words.emplace_back("dbname", where.c_str());
  words.emplace_back("client_encoding", "UTF8");
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : words) {
    keys.push_back(key);
    values.push_back(value);
  }
  keys.push_back(nullptr);
  values.push_back(nullptr);
  Connection made(PQconnectdbParams(keys.data(), values.data(), /*expand_dbname=*/1));
  if (PQstatus(made.connection_.get()) != CONNECTION_OK) return tl::unexpected(made.error());
  PQsetNoticeProcessor(
      made.connection_.get(), [](void*, const char*) {}, nullptr);
  return made;
}

Asked<Result> Connection::checked(pg_result* raw) {
  Result result(raw);
  const ExecStatusType status = PQresultStatus(raw);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY) return result;
  if (raw == nullptr) return tl::unexpected(error());
  PostgresError why{field(raw, PG_DIAG_SQLSTATE), field(raw, PG_DIAG_MESSAGE_PRIMARY)};
  if (const std::string detail = field(raw, PG_DIAG_MESSAGE_DETAIL); !detail.empty()) why.text += ": " + detail;
  if (why.text.empty()) why.text = one_line(PQresultErrorMessage(raw));
  return tl::unexpected(std::move(why));
}

void Connection::limit(std::chrono::milliseconds patience, const std::atomic<bool>* stopping) {
  patience_ = patience;
  stopping_ = stopping;
}

Asked<Result> Connection::run(const std::string& sql) {
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0) return tl::unexpected(error());
  return answer(std::chrono::steady_clock::now() + patience_);
}

Asked<Result> Connection::run(const std::string& sql, const Parameters& values) {
  return run_within(patience_, sql, values);
}

bool Connection::send_query(const std::string& sql, const Parameters& values) {
  Views views;
  for (const auto& value : values.values_) views.add(value.type, value.octets);
  return PQsendQueryParams(connection_.get(), sql.c_str(), views.size(), views.types.data(), views.values.data(),
                           views.lengths.data(), views.formats.data(), /*resultFormat=*/0) != 0;
}

Asked<Result> Connection::run_within(std::chrono::milliseconds patience, const std::string& sql,
                                     const Parameters& values) {
  if (!send_query(sql, values)) return tl::unexpected(error());
  return answer(std::chrono::steady_clock::now() + patience);
}

Asked<Result> Connection::answer(std::chrono::steady_clock::time_point until) {
  std::optional<Asked<Result>> last;
  for (;;) {
    const auto next = next_result(until);
    if (!next) return tl::unexpected(next.error());
    if (*next == nullptr) break;
    last = checked(*next);
  }
  return last ? std::move(*last) : tl::unexpected(error());
}

std::string Connection::host() const {
  const char* const name = PQhost(connection_.get());
  return name == nullptr ? "" : name;
}

int Connection::server_version() const {
  return PQserverVersion(connection_.get());
}

int Connection::socket() const {
  return PQsocket(connection_.get());
}

Asked<void> Connection::begin_pipeline() {
  if (PQenterPipelineMode(connection_.get()) == 0) return tl::unexpected(error());
  return {};
}

Asked<void> Connection::end_pipeline() {
  if (PQexitPipelineMode(connection_.get()) == 0) return tl::unexpected(error());
  return {};
}

bool Connection::has_answer() {
  return PQconsumeInput(connection_.get()) == 0 || PQisBusy(connection_.get()) == 0;
}

Asked<void> Connection::send(const std::string& sql, const Parameters& values) {
  if (!send_query(sql, values) || PQpipelineSync(connection_.get()) == 0) {
    return tl::unexpected(error());
  }
  return {};
}

Asked<pg_result*> Connection::next_result(std::chrono::steady_clock::time_point until) {
  while (PQisBusy(connection_.get()) != 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return tl::unexpected(PostgresError{"", "The server did not answer in time."});
    if (stopping_ != nullptr && *stopping_) return tl::unexpected(PostgresError{"", "The program is being stopped."});
    pollfd waiting{PQsocket(connection_.get()), POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::min(left, kStopPoll).count()) + 1) < 0 && errno != EINTR) {
      return tl::unexpected(PostgresError{"", "The connection cannot be waited for."});
    }
    if (waiting.revents != 0 && PQconsumeInput(connection_.get()) == 0) return tl::unexpected(error());
  }
  return PQgetResult(connection_.get());
}

Asked<Result> Connection::receive(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  std::optional<Asked<Result>> answer;
  // The answer, a null result after it, and the result of the sync.
  for (int nulls = 0; nulls < 2;) {
    const auto next = next_result(until);
    if (!next) return tl::unexpected(next.error());
    if (*next == nullptr) {
      ++nulls;
      continue;
    }
    if (PQresultStatus(*next) == PGRES_PIPELINE_SYNC) {
      PQclear(*next);
      if (answer) return std::move(*answer);
      break;
    }
    nulls = 0;
    answer = checked(*next);
    if (PQstatus(connection_.get()) == CONNECTION_BAD) return std::move(*answer);
  }
  return tl::unexpected(PostgresError{"", "There was no statement to answer."});
}

bool Connection::reads() {
  return PQconsumeInput(connection_.get()) != 0;
}

std::optional<std::string> Connection::notification() {
  if (!reads()) return std::nullopt;
  PGnotify* arrived = PQnotifies(connection_.get());
  if (arrived == nullptr) return std::nullopt;
  std::string payload = arrived->extra;
  PQfreemem(arrived);
  return payload;
}

}  // namespace iwarpscope::centre
