// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Tables of Wireshark's Statistics menu: text rows that are filled while packets pass.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "epan/wireshark.h"
#include "statistics/text_table.h"

// After Wireshark's own types.
#include <epan/stat_tap_ui.h>

namespace iwarpscope::plugin {

/// The registration of a table. `name`: as in tshark's -z. The fields are created from `columns`, each text.
struct WindowTable {
  const char* title;
  const char* name;
  std::span<const Column> columns;
  const char* filter;  ///< field with the row's number; null: rows do not make filters
  tap_packet_cb packet;
};
/// All of it must live as long as the program.
void register_window_table(const WindowTable& table);

/// The table that a packet callback fills; `data` is its tap data.
[[nodiscard]] stat_tap_table* table_of(void* data) noexcept;
[[nodiscard]] bool has_row(const stat_tap_table* table, unsigned row) noexcept;
/// Creates or replaces the row; rows before it may be empty. Precondition: as many cells as the table has columns.
void set_row(stat_tap_table* table, unsigned row, const std::vector<std::string>& cells);

}  // namespace iwarpscope::plugin
