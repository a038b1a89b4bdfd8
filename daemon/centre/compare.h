// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Then against now: fills the table of hours from delivered summaries, and judges each hour once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "centre/postgres.h"

namespace iwarpscope::centre {

/// Does what is due in short transactions. May be run at any time, by several programs at once. `say` gets each
/// finding. `now`: seconds since 1970; empty: the server's clock. An hour is due a quarter of an hour after its end.
[[nodiscard]] Asked<void> compare(Connection& database, std::optional<std::int64_t> now,
                                  const std::function<void(const std::string&)>& say);

}  // namespace iwarpscope::centre
