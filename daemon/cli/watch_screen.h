// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The terminal of `watch`: ncurses only, independent of the content.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cli/watch_model.h"

namespace iwarpscope::cli {

enum class WatchKey : std::uint8_t { none, other, resized, up, down, page_up, page_down, home, end };

/// Uses the whole terminal from open() to the destructor, which restores it. One thread.
class WatchScreen {
 public:
  /// Fails when this is not a terminal, or the terminal is not supported.
  [[nodiscard]] static tl::expected<std::unique_ptr<WatchScreen>, std::string> open(bool color);
  virtual ~WatchScreen() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;
  [[nodiscard]] virtual std::size_t columns() const = 0;
  /// Shows the lines from the top; only what differs is sent to the terminal.
  virtual void show(const std::vector<WatchLine>& lines) = 0;
  /// Makes the next show() send everything, for example after another program wrote to the terminal.
  virtual void redraw() = 0;
  /// Waits for a key. With WatchKey::other, `character` is the key.
  virtual WatchKey key(std::chrono::milliseconds most, char& character) = 0;
};

}  // namespace iwarpscope::cli
