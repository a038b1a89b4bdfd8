// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Makes partitions before their day, and drops those whose retention has passed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "centre/postgres.h"

namespace iwarpscope::centre {

/// In days. What is not given stays as the database has it.
struct Retention {
  std::optional<int> records, states, ahead, summaries;
};
[[nodiscard]] Asked<void> set_retention(Connection& database, const Retention& retention);

/// Does all that is due on a day (YYYY-MM-DD; empty: today in UTC), in short transactions. `say` gets a sentence for
/// each. May be run at any time, by several programs at once.
[[nodiscard]] Asked<void> keep_up(Connection& database, const std::string& today,
                                  const std::function<void(const std::string&)>& say);

}  // namespace iwarpscope::centre
