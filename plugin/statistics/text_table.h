// Columns of text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace iwarpscope::plugin {

struct Column {
  const char* title;
  bool right = false;  ///< numbers stand at the right edge
};

/// A line of titles, a rule, and a line for each row; each column as wide as its widest cell. Precondition: every row
/// has a cell for each column. Control characters are no part of a cell.
[[nodiscard]] std::string text_table(std::span<const Column> columns,
                                     const std::vector<std::vector<std::string>>& rows);

}  // namespace iwarpscope::plugin
