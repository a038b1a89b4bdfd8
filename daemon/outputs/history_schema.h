// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of the history, and how those of older versions become those of today. Private to daemon/outputs.
#pragma once

#include "outputs/database.h"

namespace iwarpscope::outputs {

/// In the header of the file: that it is ours ("iWSc").
inline constexpr std::int64_t kApplicationId = 0x69575363;
/// "user_version" of a file that this program writes.
inline constexpr std::int64_t kSchemaVersion = 5;

/// Makes the tables, or updates those of an older version, in one transaction. Fails, and changes nothing,
/// when the file is of a newer version or of another program.
[[nodiscard]] Stored<void> prepare_schema(Database& database);

}  // namespace iwarpscope::outputs
