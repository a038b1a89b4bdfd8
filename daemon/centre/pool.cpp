// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace iwarpscope::centre {
namespace {

/// The server ends a statement before the caller gives it up: the connection then stays usable.
constexpr const char* kPoolSettings =
    "SET default_transaction_read_only = on; SET statement_timeout = '5s'; SET jit = off; SET "
    "enable_partitionwise_aggregate = on";
constexpr std::chrono::seconds kAnswerWithin{6};  ///< clients wait ten seconds
constexpr std::chrono::seconds kConnectWithin{3}, kOthersWait{1};
constexpr std::size_t kMostIdle = 16;
constexpr std::string_view kTooLong = "57014";  ///< query_canceled

std::string sentence_of(PostgresError why) {
  if (why.sqlstate == kTooLong)
    return "the question took the database longer than 5 seconds: ask for less, with a filter or a shorter time";
  std::replace_if(
      why.text.begin(), why.text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return fmt::format("the database of the centre does not answer: {}", why.text);
}

}  // namespace

Asked<Connection> Pool::take(bool new_one) {
  std::unique_lock lock(mutex_);
  if (!new_one && !idle_.empty()) {
    Connection taken = std::move(idle_.back());
    idle_.pop_back();
    return taken;
  }
  if (away_ && !tried_.wait_for(lock, kOthersWait, [this] { return !away_ || trying_ == 0; }))
    return tl::unexpected(*away_);
  ++trying_;
  lock.unlock();
  auto made = Connection::open(database_, "iwarpscope-centre", false, kConnectWithin);
  if (made) {
    made->limit(kConnectWithin);
    if (auto set = made->run(kPoolSettings); !set) made = tl::unexpected(set.error());
  }
  lock.lock();
  --trying_;
  away_ = made ? std::nullopt : std::optional(made.error());
  tried_.notify_all();
  return made;
}

void Pool::give_back(Connection connection, bool is_usable) {
  const std::lock_guard lock(mutex_);
  if (!is_usable) idle_.clear();
  if (is_usable && idle_.size() < kMostIdle) idle_.push_back(std::move(connection));
}

tl::expected<Result, std::string> Pool::ask(const std::string& sql, const Parameters& values) {
  const auto until = Clock::now() + kAnswerWithin;
  PostgresError why;
  for (const bool new_one : {false, true}) {
    auto connection = take(new_one);
    if (!connection) return tl::unexpected(sentence_of(connection.error()));
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    auto answer = connection->run_within(left, sql, values);
    const bool is_usable = answer || !answer.error().is_connection_lost();
    give_back(std::move(*connection), is_usable);
    if (answer) return std::move(*answer);
    why = answer.error();
    if (is_usable || Clock::now() >= until) break;
  }
  return tl::unexpected(sentence_of(std::move(why)));
}

}  // namespace iwarpscope::centre
