// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/database.h"

#include <sqlite3.h>

#include <chrono>
#include <system_error>
#include <utility>

namespace iwarpscope::outputs {
namespace {

DatabaseError error_of(sqlite3* database, int code) {
  const int primary = code & 0xFF;
  std::string text = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  // SQLite's own words do not say why: "disk I/O error" may be a full disk.
  const int cause = database != nullptr ? sqlite3_system_errno(database) : 0;
  const bool is_of_system = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL;
  if (is_of_system && cause != 0) text += " (" + std::error_code(cause, std::generic_category()).message() + ")";
  return {primary, std::move(text)};
}

std::int64_t milliseconds_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

bool DatabaseError::is_busy() const noexcept {
  return code == SQLITE_BUSY || code == SQLITE_LOCKED;
}

bool DatabaseError::is_damaged() const noexcept {
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool DatabaseError::is_interrupted() const noexcept {
  return code == SQLITE_INTERRUPT;
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

void Database::Close::operator()(sqlite3* database) const noexcept {
  sqlite3_close_v2(database);
}

// Binding fails only for a parameter that is not there, or without memory; the row then lacks a value, no more.
Statement& Statement::bind(int at, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), at + 1, value);
  return *this;
}

Statement& Statement::bind(int at, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), at + 1, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(int at, std::nullptr_t) {
  sqlite3_bind_null(statement_.get(), at + 1);
  return *this;
}

Stored<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return tl::unexpected(error_of(database_, code));
}

Stored<void> Statement::run() {
  Stored<bool> more = true;
  while (more && *more) more = step();
  sqlite3_reset(statement_.get());
  if (!more) return tl::unexpected(more.error());
  return {};
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const int octets = sqlite3_column_bytes(statement_.get(), column);
  return text == nullptr ? std::string{} : std::string(text, static_cast<std::size_t>(octets));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Stored<Database> Database::open(const std::string& path, bool read_only, int busy_ms) {
  sqlite3* opened = nullptr;
  const int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(opened);
  if (code != SQLITE_OK) return tl::unexpected(error_of(opened, code));
  sqlite3_busy_timeout(opened, busy_ms);
  // The file may have been given to us: what it says is data, never code.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

Stored<void> Database::run(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(error_of(database_.get(), code));
  return {};
}

Stored<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return tl::unexpected(error_of(database_.get(), code));
  return Statement(database_.get(), statement);
}

Stored<std::int64_t> Database::number(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return tl::unexpected(statement.error());
  const auto row = statement->step();
  if (!row) return tl::unexpected(row.error());
  return *row ? statement->number(0) : 0;
}

int Database::is_over(void* bounds) {
  const auto& its = *static_cast<const Bounds*>(bounds);
  return milliseconds_now() >= its.deadline || (its.is_unwanted && its.is_unwanted()) ? 1 : 0;
}

void Database::limit_time(std::int64_t milliseconds, std::function<bool()> is_unwanted) {
  if (!bounds_) bounds_ = std::make_unique<Bounds>();
  *bounds_ = {milliseconds_now() + milliseconds, std::move(is_unwanted)};
  sqlite3_progress_handler(database_.get(), milliseconds == 0 ? 0 : 1000, milliseconds == 0 ? nullptr : is_over,
                           bounds_.get());
}

}  // namespace iwarpscope::outputs
