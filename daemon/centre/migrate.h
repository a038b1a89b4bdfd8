// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The schema of the centre, and how older ones become that of today.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "centre/postgres.h"

namespace iwarpscope::centre {

/// One file of migrations/. It never changes after a release: databases have it.
struct Step {
  int number = 0;
  const char* name = "";
  const char* sql = "";
};
/// All steps, in order; the number of the last is the version of the schema.
[[nodiscard]] const std::vector<Step>& steps();

/// The version of the schema that a database has; 0: it has no schema.
[[nodiscard]] Asked<int> schema_version(Connection& database);

/// Why this program and a schema of this version do not fit: a sentence; empty: they fit.
[[nodiscard]] std::string schema_trouble(int version);

/// Does the steps that are missing, up to `last` or the last one, each in a transaction of its own that holds a lock.
/// `say` gets a sentence for each. Fails if the schema is newer than this program, or has steps that differ from its
/// own.
[[nodiscard]] Asked<void> migrate(Connection& database, std::optional<int> last,
                                  const std::function<void(const std::string&)>& say);

}  // namespace iwarpscope::centre
