// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of the synthesiser through the frame reader.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "fields/frame_reader.h"
#include "support/analysis.h"

namespace iwarpscope::test {

inline std::optional<fields::FrameFields> read_frame(const synth::Frames& frames, std::uint64_t number,
                                                     std::uint64_t first = 1) {
  fields::FrameReader reader{FrameNumber{number}};
  for (std::uint64_t i = first; i <= frames.size(); ++i) {
    if (!reader.take(frame_of(frames[i - 1], i))) break;
  }
  return reader.finish();
}

/// The first field of this name; null: none.
inline const fields::Field* find(const fields::FrameFields& frame, std::string_view layer, std::string_view name) {
  const auto& all = frame.fields.fields;
  const auto it = std::ranges::find_if(all, [&](const auto& f) { return f.layer == layer && f.name == name; });
  return it == all.end() ? nullptr : &*it;
}
/// "0x00001234 @66+4"; "none".
inline std::string text_of(const fields::FrameFields& frame, std::string_view layer, std::string_view name) {
  const fields::Field* const field = find(frame, layer, name);
  return field == nullptr ? "none" : fmt::format("{} @{}+{}", field->value, field->offset, field->length);
}

/// What holds of any frame.
inline void expect_sound(const fields::FrameFields& frame) {
  EXPECT_LE(frame.octets.size(), fields::FrameReader::kMostOctets);
  EXPECT_LE(frame.fields.fields.size(), fields::FieldList::kMost);
  for (const fields::Field& field : frame.fields.fields) {
    EXPECT_GE(field.length, 1u) << field.name;
    EXPECT_LE(std::uint64_t{field.offset} + field.length, frame.octets.size()) << field.name;
    EXPECT_FALSE(field.name.empty() || field.layer.empty() || field.value.empty());
    EXPECT_TRUE(std::ranges::all_of(field.value, [](char c) { return c >= 0x20 && c < 0x7F; })) << field.value;
  }
  const auto& all = frame.fields.fields;
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &fields::Field::offset));
}

}  // namespace iwarpscope::test
