// Standard output and standard error, with their errors kept.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace iwarpscope::cli {

/// Writes octets to a file descriptor, all of them or an error. After the first error it writes nothing more. Borrows
/// the descriptor.
class Output {
 public:
  explicit Output(int descriptor) noexcept : descriptor_(descriptor) {}
  void write(std::string_view octets) noexcept;
  [[nodiscard]] bool is_terminal() const noexcept;
  /// Columns of the terminal; nothing when it is none, or does not say.
  [[nodiscard]] std::optional<std::size_t> columns() const noexcept;
  [[nodiscard]] bool has_failed() const noexcept { return error_ != 0; }
  /// The reader went away (EPIPE): nobody is left to be told.
  [[nodiscard]] bool is_closed() const noexcept;
  /// The system's words for the first error; empty without one.
  [[nodiscard]] std::string error_text() const;

 private:
  int descriptor_;
  int error_ = 0;  ///< errno
};

/// Columns after which sentences are broken: 100, or what a narrower terminal has; never below 40.
[[nodiscard]] std::size_t sentence_width(const Output& out) noexcept;

/// Where a command writes, and what it may do there.
struct Console {
  Output& out;
  Output& err;

  /// One line on standard error: "iwarpscope: " and the text, its control characters spelled out.
  void complain(std::string_view text) const;
};

}  // namespace iwarpscope::cli
