// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "statistics/window_table.h"

#include <deque>

namespace iwarpscope::plugin {
namespace {

/// Data to which Wireshark keeps pointers.
struct RegisteredTable {
  WindowTable table;
  std::vector<stat_tap_table_item> fields;
  stat_tap_table_ui ui{};
};
std::deque<RegisteredTable>& registered_tables() {
  static std::deque<RegisteredTable> tables;
  return tables;
}

void free_item(stat_tap_table*, unsigned, unsigned, stat_tap_table_item_type* item) {
  if (item->type == TABLE_ITEM_STRING) g_free(const_cast<char*>(item->value.string_value));
  *item = {};
}

void clear_window_table(stat_tap_table* table) {
  for (unsigned row = 0; row < table->num_elements; ++row) {
    for (unsigned column = 0; column < table->num_fields; ++column) {
      free_item(table, row, column, stat_tap_get_field_data(table, row, column));
    }
    g_free(table->elements[row]);
  }
  table->num_elements = 0;
}

void init_window_table(stat_tap_table_ui* ui) {
  for (const RegisteredTable& r : registered_tables()) {
    if (&r.ui != ui) continue;
    if (stat_tap_table* const kept = stat_tap_find_table(ui, r.table.title)) {  // from when the table was shown before
      clear_window_table(kept);
      return;
    }
    stat_tap_add_table(ui, stat_tap_init_table(r.table.title, static_cast<int>(r.fields.size()), 0, r.table.filter));
  }
}

}  // namespace

void register_window_table(const WindowTable& table) {
  RegisteredTable& r = registered_tables().emplace_back();
  r.table = table;
  for (const Column& column : table.columns) {
    r.fields.push_back({TABLE_ITEM_STRING, column.right ? TAP_ALIGN_RIGHT : TAP_ALIGN_LEFT, column.title, "%s"});
  }
  r.ui.group = REGISTER_PACKET_STAT_GROUP_UNSORTED;
  r.ui.title = table.title;
  r.ui.tap_name = "iwarp";
  r.ui.cli_string = table.name;
  r.ui.stat_tap_init_cb = &init_window_table;
  r.ui.packet_func = table.packet;
  r.ui.stat_tap_reset_table_cb = &clear_window_table;
  r.ui.stat_tap_free_table_item_cb = &free_item;
  r.ui.nfields = r.fields.size();
  r.ui.fields = r.fields.data();
  register_stat_tap_table_ui(&r.ui);
}

stat_tap_table* table_of(void* data) noexcept {
  return g_array_index(static_cast<stat_data_t*>(data)->stat_tap_data->tables, stat_tap_table*, 0);
}

bool has_row(const stat_tap_table* table, unsigned row) noexcept {
  return row < table->num_elements && table->elements[row][0].type != TABLE_ITEM_NONE;
}

void set_row(stat_tap_table* table, unsigned row, const std::vector<std::string>& cells) {
  std::vector<stat_tap_table_item_type> items(cells.size());
  const bool replaced = has_row(table, row);
  for (unsigned i = 0; i < cells.size(); ++i) {
    if (replaced) free_item(table, row, i, stat_tap_get_field_data(table, row, i));
    items[i].type = TABLE_ITEM_STRING;
    items[i].value.string_value = g_strdup(cells[i].c_str());
  }
  stat_tap_init_table_row(table, row, static_cast<unsigned>(items.size()), items.data());
}

}  // namespace iwarpscope::plugin
