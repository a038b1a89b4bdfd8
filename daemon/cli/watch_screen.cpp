// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/watch_screen.h"

// The macros of ncurses would change other headers.
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>

namespace iwarpscope::cli {
namespace {

using Style = WatchLine::Style;

constexpr short kErrorPair = 1, kWarningPair = 2;

class Curses final : public WatchScreen {
 public:
  Curses(SCREEN* screen, bool color) : screen_(screen) {
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    color_ = color && has_colors();
    if (!color_) return;
    start_color();
    use_default_colors();
    init_pair(kErrorPair, COLOR_RED, -1);
    init_pair(kWarningPair, COLOR_YELLOW, -1);
  }
  ~Curses() override {
    endwin();
    delscreen(screen_);
  }
  Curses(const Curses&) = delete;
  Curses& operator=(const Curses&) = delete;

  [[nodiscard]] std::size_t rows() const override { return static_cast<std::size_t>(getmaxy(stdscr)); }
  [[nodiscard]] std::size_t columns() const override { return static_cast<std::size_t>(getmaxx(stdscr)); }

  void show(const std::vector<WatchLine>& lines) override {
    erase();
    for (std::size_t i = 0; i < lines.size() && i < rows(); ++i) {
      const attr_t how = attributes(lines[i].style);
      attron(static_cast<int>(how));
      mvaddnstr(static_cast<int>(i), 0, lines[i].text.c_str(), static_cast<int>(columns()));
      attroff(static_cast<int>(how));
    }
    refresh();
  }

  void redraw() override { clearok(curscr, TRUE); }

  WatchKey key(std::chrono::milliseconds most, char& character) override {
    timeout(static_cast<int>(most.count()));
    const int key = getch();
    switch (key) {
      case ERR: return WatchKey::none;
      case KEY_RESIZE: return WatchKey::resized;
      case KEY_UP: return WatchKey::up;
      case KEY_DOWN: return WatchKey::down;
      case KEY_PPAGE: return WatchKey::page_up;
      case KEY_NPAGE: return WatchKey::page_down;
      case KEY_HOME: return WatchKey::home;
      case KEY_END: return WatchKey::end;
      default: break;
    }
    character = key > 0 && key < 128 ? static_cast<char>(key) : '\0';
    return WatchKey::other;
  }

 private:
  /// Colour only repeats what the words say.
  [[nodiscard]] attr_t attributes(Style style) const {
    switch (style) {
      case Style::head: return A_REVERSE;
      case Style::dim: return A_DIM;
      case Style::error: return A_BOLD | (color_ ? COLOR_PAIR(kErrorPair) : 0);
      case Style::warning: return color_ ? COLOR_PAIR(kWarningPair) : A_NORMAL;
      case Style::plain: break;
    }
    return A_NORMAL;
  }

  SCREEN* screen_;
  bool color_ = false;
};

}  // namespace

tl::expected<std::unique_ptr<WatchScreen>, std::string> WatchScreen::open(bool color) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
    return tl::unexpected(
        std::string{"standard input or output is not a terminal; use --once to print one screen as text"});
  }
  std::setlocale(LC_CTYPE, "");
  SCREEN* const screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr) {
    const char* name = std::getenv("TERM");
    return tl::unexpected("the terminal '" + std::string{name == nullptr ? "" : name} +
                          "' is not supported; set TERM to the terminal's type, or use --once");
  }
  return std::make_unique<Curses>(screen, color);
}

}  // namespace iwarpscope::cli
