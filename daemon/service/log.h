// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the daemon says on standard error: sentences, one a line.
#pragma once

#include <atomic>
#include <string_view>

#include "service/configuration.h"

namespace iwarpscope::service {

/// Any thread. In a systemd service lines carry the journal's priority, else a word.
class Log {
 public:
  explicit Log(int file, LogLevel level = LogLevel::info);
  void set_level(LogLevel level) noexcept { level_ = level; }
  void error(std::string_view sentence) { say(LogLevel::error, sentence); }
  void warning(std::string_view sentence) { say(LogLevel::warning, sentence); }
  void info(std::string_view sentence) { say(LogLevel::info, sentence); }
  void say(LogLevel level, std::string_view sentence);
  /// Written at every level.
  void audit(std::string_view sentence) const { write(LogLevel::info, sentence); }

 private:
  void write(LogLevel level, std::string_view sentence) const;

  const int file_;
  const bool journal_;
  std::atomic<LogLevel> level_;
};

}  // namespace iwarpscope::service
