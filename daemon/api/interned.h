// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Words for records that hold words of static storage.
#pragma once

#include <string>
#include <string_view>

namespace iwarpscope::api {

/// The same word, for as long as the process lives. Hostile servers cannot make it hold many or long ones: "unknown"
/// takes the place of what is too much; words of this version have their place. Any thread.
[[nodiscard]] std::string_view interned(const std::string& word);
/// A word of this version, or one that interned() got; else "unknown". Any thread.
[[nodiscard]] std::string_view known_word(const std::string& word);

}  // namespace iwarpscope::api
