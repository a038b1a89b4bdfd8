// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/log.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace iwarpscope::service {

// systemd.exec(5): set when standard output or error goes to the journal.
Log::Log(int file, LogLevel level) : file_(file), journal_(std::getenv("JOURNAL_STREAM") != nullptr), level_(level) {}

void Log::say(LogLevel level, std::string_view sentence) {
  if (level <= level_.load(std::memory_order_relaxed)) write(level, sentence);
}

void Log::write(LogLevel level, std::string_view sentence) const {
  std::string line;
  switch (level) {  // sd-daemon(3): SD_ERR, SD_WARNING, SD_INFO
    case LogLevel::error: line = journal_ ? "<3>" : "iwarpscoped: error: "; break;
    case LogLevel::warning: line = journal_ ? "<4>" : "iwarpscoped: warning: "; break;
    case LogLevel::info: line = journal_ ? "<6>" : "iwarpscoped: "; break;
  }
  for (const char c : sentence) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  line += '\n';
  // One call writes one line, so that lines of several threads do not mix. A failed write is ignored.
  [[maybe_unused]] const ssize_t written = ::write(file_, line.data(), line.size());
}

}  // namespace iwarpscope::service
