// The terminal of `watch`: ncurses, and nothing of what is shown.
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

/// The terminal is a screen from open() to the destructor, which gives it back as it was. One thread.
class WatchScreen {
 public:
  /// Fails when this is no terminal, or one that cannot be drawn on.
  [[nodiscard]] static tl::expected<std::unique_ptr<WatchScreen>, std::string> open(bool color);
  virtual ~WatchScreen() = default;
  [[nodiscard]] virtual std::size_t rows() const = 0;
  [[nodiscard]] virtual std::size_t columns() const = 0;
  /// Shows the lines from the top; only what differs is sent to the terminal.
  virtual void show(const std::vector<WatchLine>& lines) = 0;
  /// The next show() sends all of it: something else wrote onto the terminal.
  virtual void redraw() = 0;
  /// Waits for a key. WatchKey::other: `character` is it.
  virtual WatchKey key(std::chrono::milliseconds most, char& character) = 0;
};

}  // namespace iwarpscope::cli
