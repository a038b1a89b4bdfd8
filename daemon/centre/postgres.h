// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// PostgreSQL by libpq: a connection, results, and statements in a pipeline. What fails is a value with its SQLSTATE.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "centre/parameters.h"

struct pg_conn;
struct pg_result;

namespace iwarpscope::centre {

/// Why the server did not do something.
struct PostgresError {
  std::string sqlstate;  ///< five characters, or empty if the server did not answer
  std::string text;      ///< one sentence, or more with lines between them

  [[nodiscard]] bool is_connection_lost() const noexcept;    ///< or it could not be made
  [[nodiscard]] bool is_worth_another_try() const noexcept;  ///< locks, deadlocks, a server that starts or stops
};
template <class T>
using Asked = tl::expected<T, PostgresError>;

/// Rows of an answer, numbered from 0, as are their columns. Values are in text form.
class Result {
 public:
  explicit Result(pg_result* result) noexcept : result_(result) {}
  [[nodiscard]] int rows() const;
  [[nodiscard]] bool is_null(int row, int column) const;
  [[nodiscard]] std::string_view text(int row, int column) const;  ///< lives as long as the result
  [[nodiscard]] std::int64_t number(int row, int column) const;    ///< 0 if it is none

 private:
  struct Clear {
    void operator()(pg_result* result) const noexcept;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

/// A connection; closed when it goes. For one thread at a time.
class Connection {
 public:
  /// `where`: a conninfo string or URI of libpq, or empty: the PG... variables of the environment. Of several hosts
  /// the first that takes writes is used, unless `where` or the environment says otherwise. `verified`: the certificate
  /// of a server on another machine must be right, unless they say otherwise. `within`: for each host, unless they say
  /// otherwise.
  [[nodiscard]] static Asked<Connection> open(const std::string& where, const std::string& program,
                                              bool verified = false,
                                              std::chrono::seconds within = std::chrono::seconds{10});
  /// From here on run() fails if an answer takes longer than `patience`, and soon after `*stopping` became true, which
  /// must outlive the connection. The connection can no longer be used then.
  void limit(std::chrono::milliseconds patience, const std::atomic<bool>* stopping = nullptr);

  /// One statement or several, separated by semicolons; the answer is that of the last.
  Asked<Result> run(const std::string& sql);
  /// One statement with values.
  Asked<Result> run(const std::string& sql, const Parameters& values);
  /// The same with a patience of its own.
  Asked<Result> run_within(std::chrono::milliseconds patience, const std::string& sql, const Parameters& values);
  /// The host that was chosen of several, as it was named.
  [[nodiscard]] std::string host() const;
  [[nodiscard]] int server_version() const;  ///< 150004 is 15.4
  [[nodiscard]] int socket() const;          ///< readable when an answer or a notification is there

  /// From here on statements are sent without waiting for answers, until end_pipeline(). Each is a transaction of its
  /// own.
  Asked<void> begin_pipeline();
  Asked<void> send(const std::string& sql, const Parameters& values);
  /// The answer to the oldest statement that has none yet. If it failed, those sent after it are carried out
  /// nevertheless.
  Asked<Result> receive(std::chrono::milliseconds patience);
  Asked<void> end_pipeline();
  /// receive() returns at once. Precondition: a statement was sent that has no answer yet.
  [[nodiscard]] bool has_answer();

  /// Reads what has arrived. False: the connection is lost.
  [[nodiscard]] bool reads();
  /// The payload of a notification that arrived, without waiting.
  std::optional<std::string> notification();

 private:
  struct Finish {
    void operator()(pg_conn* connection) const noexcept;
  };
  explicit Connection(pg_conn* connection) noexcept : connection_(connection) {}
  [[nodiscard]] PostgresError error() const;
  [[nodiscard]] bool send_query(const std::string& sql, const Parameters& values);
  Asked<pg_result*> next_result(std::chrono::steady_clock::time_point until);
  Asked<Result> answer(std::chrono::steady_clock::time_point until);
  Asked<Result> checked(pg_result* result);
  std::unique_ptr<pg_conn, Finish> connection_;
  std::chrono::milliseconds patience_ = std::chrono::hours{24 * 365};
  const std::atomic<bool>* stopping_ = nullptr;
};

/// What `work` gives, in a transaction, which is kept if that is no error.
template <class Work>
auto in_transaction(Connection& database, const Work& work) -> decltype(work()) {
  if (auto begun = database.run("BEGIN"); !begun) return tl::unexpected(begun.error());
  auto result = work();
  const auto ended = database.run(result ? "COMMIT" : "ROLLBACK");
  if (result && !ended) return tl::unexpected(ended.error());
  return result;
}

}  // namespace iwarpscope::centre
