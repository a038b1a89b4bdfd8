// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Joined connections as JSON and as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "join/joined.h"

namespace iwarpscope::report {

/// What is known of one tap's capture.
struct TapRecord {
  std::string file;
  std::uint64_t frames = 0;
  std::uint64_t qps = 0;
};

/// Each appends one line of JSON: a tap, and a joined connection with its number.
void append_json(std::string& out, const join::Tap& tap, const TapRecord& record);
void append_json(std::string& out, const join::JoinedConnection& joined, std::uint64_t number,
                 std::span<const join::Tap> taps);

/// All of it as text. `notes`: list findings that are notes, too.
struct JoinedText {
  std::span<const join::Tap> taps;
  std::span<const TapRecord> records;  ///< by tap
  bool notes = false;
  bool is_merged = false;  ///< the frames of all taps were also analysed together
};
[[nodiscard]] std::string joined_text(const std::vector<join::JoinedConnection>& all, const JoinedText& how);

}  // namespace iwarpscope::report
