// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/read_text.h"
#include "report/human.h"
#include "report/utf8.h"

namespace iwarpscope::cli {

void Output::write(std::string_view octets) noexcept {
  while (!octets.empty() && error_ == 0) {
    const ssize_t written = ::write(descriptor_, octets.data(), octets.size());
    if (written >= 0) {
      octets.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

bool Output::is_terminal() const noexcept {
  return ::isatty(descriptor_) == 1;
}

std::optional<std::size_t> Output::columns() const noexcept {
  winsize size{};
  if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool Output::is_closed() const noexcept {
  return error_ == EPIPE;
}

std::string Output::error_text() const {
  return error_ == 0 ? std::string{} : std::generic_category().message(error_);
}

std::size_t report_columns(const Output& out) noexcept {
  constexpr std::size_t kLeast = 40, kUsual = 100, kMost = 10'000;
  std::size_t columns = 0;
  if (const char* wanted = std::getenv("COLUMNS"); wanted != nullptr) {
    columns = whole_number<std::size_t>(wanted).value_or(0);
  }
  if (columns == 0) columns = out.columns().value_or(kUsual);
  return std::clamp(columns, kLeast, kMost);
}

std::size_t sentence_width(const Output& out) noexcept {
  return std::min(report_columns(out), report::kSentenceWidth);
}

void Console::complain(std::string_view text) const {
  err.write("iwarpscope: " + report::to_printable(text) + "\n");
}

}  // namespace iwarpscope::cli
