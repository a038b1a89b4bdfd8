// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings that the centre itself makes, stored beside those of sensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "centre/postgres.h"
#include "findings/catalogue.h"

namespace iwarpscope::centre {

struct OwnFinding {
  struct End {
    std::string address;  ///< empty: it is about no hosts
    std::uint16_t port = 0;
  };
  findings::FindingId rule{};
  std::int64_t seconds = 0;          ///< when it happened, since 1970
  std::optional<std::int64_t> qp{};  ///< its number at the centre (rows.h)
  End a{}, b{};
  std::string community_id{};  ///< empty: it is about no connection
  std::string text{};
};

/// Stores it. The keeper of the database may (migration 0005).
[[nodiscard]] Asked<void> store(Connection& database, const OwnFinding& finding);

}  // namespace iwarpscope::centre
