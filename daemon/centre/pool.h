// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections to the centre's database for questions: each thread that asks has its own while it asks.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "centre/postgres.h"

namespace iwarpscope::centre {

/// Reads only. Any thread.
class Pool {
 public:
  /// `database`: as Connection::open() takes it.
  explicit Pool(std::string database) : database_(std::move(database)) {}

  /// One statement with values. A connection that was lost is made again once, if there is time: all together takes no
  /// longer than a client waits. Fails with a sentence; at once, for a moment, after the server was away.
  [[nodiscard]] tl::expected<Result, std::string> ask(const std::string& sql, const Parameters& values = {});

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] Asked<Connection> take(bool new_one);
  /// Puts a connection back, or closes all: the others were to the same server.
  void give_back(Connection connection, bool is_usable);

  const std::string database_;
  std::mutex mutex_;
  std::vector<Connection> idle_;
  Clock::time_point away_until_{};  ///< no attempt before
  PostgresError away_;
};

}  // namespace iwarpscope::centre
