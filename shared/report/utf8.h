// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Text from outside, made fit for a report: file names and captured octets may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace iwarpscope::report {

/// Whether `text` is well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF. Source: RFC 3629 §4.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// `text` with each octet that is not part of well-formed UTF-8 replaced by U+FFFD. Well-formed text is unchanged.
[[nodiscard]] std::string to_utf8(std::string_view text);

/// `text` for a terminal: to_utf8(), then each control character (C0, DEL, C1) as \xNN, so that no capture and no file
/// name can send a terminal commands or break a line.
[[nodiscard]] std::string to_printable(std::string_view text);

}  // namespace iwarpscope::report
