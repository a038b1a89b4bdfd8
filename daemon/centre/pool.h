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

  /// One statement with values. A connection that was lost is made again once. Fails with a sentence.
  [[nodiscard]] tl::expected<Result, std::string> ask(const std::string& sql, const Parameters& values = {});

 private:
  [[nodiscard]] Asked<Connection> take(bool new_one);

  const std::string database_;
  std::mutex mutex_;
  std::vector<Connection> idle_;
};

}  // namespace iwarpscope::centre
