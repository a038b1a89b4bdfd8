// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table of fields. Only for fields.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "epan/fields.h"

namespace iwarpscope::plugin {

inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::count);

/// A field of a built-in dissector with the same meaning: existing filters still match.
struct FieldAlias {
  const char* abbreviation = nullptr;  ///< null: none
  ftenum type = FT_NONE;
  int display = BASE_NONE;
  std::uint64_t mask = 0;
};

/// As in epan's header_field_info.
struct FieldRow {
  Field field;
  const char* name;
  const char* abbreviation;
  ftenum type;
  int display;
  std::uint64_t mask;
  const char* blurb = nullptr;
  const void* strings = nullptr;  ///< value_strings, or a FRAMENUM_TYPE
  std::array<FieldAlias, 2> aliases{};
};

/// One for each Field, in their order.
[[nodiscard]] std::span<const FieldRow, kFields> field_rows() noexcept;

}  // namespace iwarpscope::plugin
