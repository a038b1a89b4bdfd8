// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "statistics/text_table.h"

#include <algorithm>

namespace iwarpscope::plugin {
namespace {

void append_cell(std::string& line, std::string_view cell, std::size_t width, bool right) {
  const std::size_t fill = width - cell.size();
  if (right) line.append(fill, ' ');
  line += cell;
  if (!right) line.append(fill, ' ');
  line += "  ";
}

void end_line(std::string& out, std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line;
  out += '\n';
  line.clear();
}

}  // namespace

std::string text_table(std::span<const Column> columns, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::size_t width = std::string_view(columns[i].title).size();
    for (const auto& row : rows) width = std::max(width, row[i].size());
    widths.push_back(width);
  }
  std::string out, line;
  for (std::size_t i = 0; i < columns.size(); ++i) append_cell(line, columns[i].title, widths[i], columns[i].right);
  end_line(out, line);
  for (const std::size_t width : widths) append_cell(line, std::string(width, '-'), width, false);
  end_line(out, line);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) append_cell(line, row[i], widths[i], columns[i].right);
    end_line(out, line);
  }
  return out;
}

}  // namespace iwarpscope::plugin
