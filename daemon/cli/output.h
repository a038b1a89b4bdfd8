// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Standard output and standard error; each remembers its first error.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace iwarpscope::cli {

/// Writes all octets to a file descriptor. After the first error it writes nothing more. Borrows the descriptor.
class Output {
 public:
  explicit Output(int descriptor) noexcept : descriptor_(descriptor) {}
  void write(std::string_view octets) noexcept;
  [[nodiscard]] bool is_terminal() const noexcept;
  /// Columns of the terminal; nothing when the width is unknown or it is not a terminal.
  [[nodiscard]] std::optional<std::size_t> columns() const noexcept;
  [[nodiscard]] bool has_failed() const noexcept { return error_ != 0; }
  /// The reader is gone (EPIPE): an error message is not useful.
  [[nodiscard]] bool is_closed() const noexcept;
  /// The system's message for the first error; empty without one.
  [[nodiscard]] std::string error_text() const;

 private:
  int descriptor_;
  int error_ = 0;  ///< errno
};

/// Columns that a report may use: the environment's COLUMNS, or the width of the terminal, or 100; at least 40.
[[nodiscard]] std::size_t report_columns(const Output& out) noexcept;
/// The line width for sentences: report_columns(), but at most 100.
[[nodiscard]] std::size_t sentence_width(const Output& out) noexcept;

/// The two outputs of a command.
struct Console {
  Output& out;
  Output& err;

  /// Prints one line on standard error: "iwarpscope: " and the text, with control characters escaped.
  void complain(std::string_view text) const;
};

}  // namespace iwarpscope::cli
