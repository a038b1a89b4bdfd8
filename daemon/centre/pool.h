// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections to the centre's database for questions: each thread that asks has its own while it asks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
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
  /// longer than a client waits. Fails with a sentence. While the server is away, one question at a time tries to
  /// reach it; the others wait a second for that, no more: a server that hangs takes few of the threads that answer.
  [[nodiscard]] tl::expected<Result, std::string> ask(const std::string& sql, const Parameters& values = {});

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] Asked<Connection> take(bool new_one);
  /// Puts a connection back, or closes all: the others were to the same server.
  void give_back(Connection connection, bool is_usable);

  const std::string database_;
  std::mutex mutex_;
  std::vector<Connection> idle_;
  std::condition_variable tried_;
  int trying_ = 0;                     ///< threads that are connecting
  std::optional<PostgresError> away_;  ///< why the last attempt to connect failed; nothing: it did not
};

}  // namespace iwarpscope::centre
