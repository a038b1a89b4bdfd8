// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SQLite, as far as the history needs it: one connection and its statements. Private to daemon/outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <tl/expected.hpp>

struct sqlite3;
struct sqlite3_stmt;

namespace iwarpscope::outputs {

/// Why SQLite could not do something.
struct DatabaseError {
  int code = 0;  ///< SQLITE_*, primary
  std::string text;

  [[nodiscard]] bool is_busy() const noexcept;         ///< another holds a lock: trying again may help
  [[nodiscard]] bool is_damaged() const noexcept;      ///< the file is no database, or a broken one
  [[nodiscard]] bool is_interrupted() const noexcept;  ///< it took longer than it may, or is not wanted any more
};
template <class T>
using Stored = tl::expected<T, DatabaseError>;

/// A prepared statement. Numbers parameters and columns from 0. Must not outlive its database.
class Statement {
 public:
  Statement(sqlite3* database, sqlite3_stmt* statement) noexcept : database_(database), statement_(statement) {}
  Statement& bind(int at, std::int64_t value);
  Statement& bind(int at, std::string_view value);
  Statement& bind(int at, std::nullptr_t);
  template <class T>
  Statement& bind(int at, const std::optional<T>& value) {
    if (!value) return bind(at, nullptr);
    if constexpr (std::is_integral_v<T>) {
      return bind(at, static_cast<std::int64_t>(*value));
    } else {
      return bind(at, std::string_view{*value});
    }
  }
  /// Reads the next row; false: no more rows.
  [[nodiscard]] Stored<bool> step();
  /// Runs it to its end and makes it ready for other values.
  [[nodiscard]] Stored<void> run();
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::string text(int column) const;  ///< empty also for NULL
  [[nodiscard]] bool is_null(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A connection; closed when it goes. For one thread at a time.
class Database {
 public:
  /// Waits at most `busy_ms` for another's lock, in every call.
  [[nodiscard]] static Stored<Database> open(const std::string& path, bool read_only, int busy_ms);

  [[nodiscard]] Stored<void> run(const std::string& sql);
  [[nodiscard]] Stored<Statement> prepare(std::string_view sql);
  /// The first column of the first row.
  [[nodiscard]] Stored<std::int64_t> number(std::string_view sql);
  /// Every statement fails with SQLITE_INTERRUPT after so many milliseconds from now on (0: never), or when
  /// `is_unwanted`, which may be empty, says so.
  void limit_time(std::int64_t milliseconds, std::function<bool()> is_unwanted = {});

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
  };
  explicit Database(sqlite3* database) noexcept : database_(database) {}
  std::unique_ptr<sqlite3, Close> database_;
  struct Bounds {
    std::int64_t deadline = 0;  ///< of the steady clock, in milliseconds
    std::function<bool()> is_unwanted;
  };
  static int is_over(void* bounds);
  std::unique_ptr<Bounds> bounds_;  ///< the connection's progress handler reads it
};

}  // namespace iwarpscope::outputs
