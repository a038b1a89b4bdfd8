// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Columns of text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace iwarpscope::plugin {

struct Column {
  const char* title;
  bool right = false;  ///< numbers are right-aligned
};

/// A title line, a rule, and one line per row; each column is as wide as its widest cell. Precondition: every row has a
/// cell for each column, and cells contain no control characters.
[[nodiscard]] std::string text_table(std::span<const Column> columns,
                                     const std::vector<std::vector<std::string>>& rows);

}  // namespace iwarpscope::plugin
