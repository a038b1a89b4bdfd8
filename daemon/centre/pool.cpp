// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace iwarpscope::centre {
namespace {

/// The server ends a statement before the caller gives it up: the connection then stays usable.
constexpr const char* kSettings =
    "SET default_transaction_read_only = on; SET statement_timeout = '8s'; SET jit = off; SET "
    "enable_partitionwise_aggregate = on";
constexpr std::chrono::seconds kAnswerWithin{10};
constexpr std::size_t kMostIdle = 8;

}  // namespace

Asked<Connection> Pool::take(bool new_one) {
  if (!new_one) {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Connection taken = std::move(idle_.back());
      idle_.pop_back();
      return taken;
    }
  }
  auto made = Connection::open(database_, "iwarpscope-centre");
  if (!made) return tl::unexpected(made.error());
  if (auto set = made->run(kSettings); !set) return tl::unexpected(set.error());
  return made;
}

tl::expected<Result, std::string> Pool::ask(const std::string& sql, const Parameters& values) {
  PostgresError why;
  for (const bool new_one : {false, true}) {
    auto connection = take(new_one);
    if (!connection) {
      why = connection.error();
      continue;
    }
    auto answer = connection->run_within(kAnswerWithin, sql, values);
    const bool is_usable = answer || !answer.error().is_connection_lost();
    {
      const std::lock_guard lock(mutex_);
      if (!is_usable) idle_.clear();  // the others were to the same server
      if (is_usable && idle_.size() < kMostIdle) idle_.push_back(std::move(*connection));
    }
    if (answer) return std::move(*answer);
    why = answer.error();
    if (is_usable) break;
  }
  std::replace_if(
      why.text.begin(), why.text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return tl::unexpected(fmt::format("the database of the centre does not answer: {}", why.text));
}

}  // namespace iwarpscope::centre
