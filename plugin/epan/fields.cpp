// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/fields.h"

#include <algorithm>
#include <array>
#include <vector>

#include "epan/field_rows.h"

namespace iwarpscope::plugin {
namespace {

struct Ids {
  int own = 0;
  std::array<int, 2> aliases{};
};
std::array<Ids, kFields> ids;

std::vector<hf_register_info> registered_fields;  // epan keeps pointers into it

hf_register_info info(int& id, const FieldRow& row) {
  return {&id, {row.name, row.abbreviation, row.type, row.display, row.strings, row.mask, row.blurb, HFILL}};
}
hf_register_info info(int& id, const FieldRow& row, const FieldAlias& alias) {
  return {&id, {row.name, alias.abbreviation, alias.type, alias.display, nullptr, alias.mask, row.blurb, HFILL}};
}

void hide(proto_item* item) {
  proto_item_set_hidden(item);
}

}  // namespace

void register_fields(int protocol) {
  std::vector<hf_register_info>& all = registered_fields;
  all.reserve(kFields * 2);
  for (const FieldRow& row : field_rows()) {
    Ids& to = ids[static_cast<std::size_t>(row.field)];
    all.push_back(info(to.own, row));
    for (std::size_t i = 0; i < row.aliases.size(); ++i) {
      if (row.aliases[i].abbreviation != nullptr) all.push_back(info(to.aliases[i], row, row.aliases[i]));
    }
  }
  proto_register_field_array(protocol, all.data(), static_cast<int>(all.size()));
}

bool is_looked_at(const proto_tree* tree) noexcept {
  if (tree == nullptr) return false;
  if (PTREE_DATA(tree)->visible) return true;
  return std::any_of(registered_fields.begin(), registered_fields.end(),
                     [](const hf_register_info& r) { return r.hfinfo.ref_type != HF_REF_TYPE_NONE; });
}

int id_of(Field field) noexcept {
  return ids[static_cast<std::size_t>(field)].own;
}

proto_item* add(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length) {
  const Ids& id = ids[static_cast<std::size_t>(field)];
  for (const int alias : id.aliases) {
    if (alias > 0) hide(proto_tree_add_item(tree, alias, tvb, at, length, ENC_BIG_ENDIAN));
  }
  return proto_tree_add_item(tree, id.own, tvb, at, length, ENC_BIG_ENDIAN);
}

namespace {

// Six parameters: those of epan's own proto_tree_add_uint(), in the order which readers of dissectors know.
proto_item* add_value(proto_tree* tree, int id, tvbuff_t* tvb, int at, int length, std::uint64_t value) {
  switch (proto_registrar_get_ftype(id)) {
    case FT_UINT64: return proto_tree_add_uint64(tree, id, tvb, at, length, value);
    case FT_INT64: return proto_tree_add_int64(tree, id, tvb, at, length, static_cast<std::int64_t>(value));
    case FT_BOOLEAN: return proto_tree_add_boolean(tree, id, tvb, at, length, value != 0 ? ~0u : 0u);
    case FT_NONE:
    case FT_BYTES: return proto_tree_add_item(tree, id, tvb, at, length, ENC_NA);
    default: return proto_tree_add_uint(tree, id, tvb, at, length, static_cast<std::uint32_t>(value));
  }
}

}  // namespace

proto_item* add_number(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length, std::uint64_t value) {
  const Ids& id = ids[static_cast<std::size_t>(field)];
  for (const int alias : id.aliases) {
    if (alias > 0) hide(add_value(tree, alias, tvb, at, length, value));
  }
  return add_value(tree, id.own, tvb, at, length, value);
}

void add_hidden(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length) {
  hide(proto_tree_add_item(tree, id_of(field), tvb, at, length, ENC_BIG_ENDIAN));
}

void add_hidden_number(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length, std::uint64_t value) {
  hide(add_value(tree, id_of(field), tvb, at, length, value));
}

proto_item* add_generated(proto_tree* tree, Field field, tvbuff_t* tvb, std::uint64_t value) {
  proto_item* const item = add_number(tree, field, tvb, 0, 0, value);
  proto_item_set_generated(item);
  return item;
}

void add_frame(proto_tree* tree, Field field, tvbuff_t* tvb, std::uint32_t frame) {
  if (frame != 0) add_generated(tree, field, tvb, frame);
}

void add_time(proto_tree* tree, Field field, tvbuff_t* tvb, std::int64_t ns) {
  nstime_t time;
  time.secs = static_cast<time_t>(ns / 1'000'000'000);
  time.nsecs = static_cast<int>(ns % 1'000'000'000);
  proto_item_set_generated(proto_tree_add_time(tree, id_of(field), tvb, 0, 0, &time));
}

proto_item* add_text(proto_tree* tree, Field field, tvbuff_t* tvb, const char* text) {
  proto_item* const item = proto_tree_add_string(tree, id_of(field), tvb, 0, 0, text);
  proto_item_set_generated(item);
  return item;
}

}  // namespace iwarpscope::plugin
