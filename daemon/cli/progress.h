// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The progress bar on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/output.h"

namespace iwarpscope::cli {

/// "[#####.....] 50 %  1.00 GiB of 2.00 GiB  412 MiB/s  3 s left"; without a total: only octets and speed.
/// Shape: one line of less than 80 columns, no line feed.
[[nodiscard]] std::string progress_line(std::uint64_t consumed, std::optional<std::uint64_t> total,
                                        std::chrono::nanoseconds elapsed);

/// Draws the line from one second after construction, ten times a second at most, and only on a terminal.
class Progress {
 public:
  using Clock = std::function<std::chrono::nanoseconds()>;

  /// Borrows `err`. `now` is a clock that does not go back.
  Progress(Output& err, bool enabled, Clock now);
  ~Progress() { hide(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(std::uint64_t consumed, std::optional<std::uint64_t> total);
  /// Removes the line, before other text is written to the terminal.
  void hide();

 private:
  Output& err_;
  bool enabled_;
  Clock now_;
  std::chrono::nanoseconds start_;
  std::chrono::nanoseconds last_{};
  bool shown_ = false;
};

}  // namespace iwarpscope::cli
