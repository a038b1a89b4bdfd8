// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Texts that state refers to and does not own.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

namespace iwarpscope {

/// Keeps the texts that views of read state refer to. Must outlive them.
class ArchivedWords {
 public:
  /// The same text, which lives as long as this object.
  [[nodiscard]] std::string_view keep(std::string_view text);

 private:
  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> known_;  ///< into texts_
};

}  // namespace iwarpscope
