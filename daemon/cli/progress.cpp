// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/human.h"

namespace iwarpscope::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirst = 1s;
constexpr auto kEvery = 100ms;
constexpr std::size_t kBar = 20;  // columns

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

std::string progress_line(std::uint64_t consumed, std::optional<std::uint64_t> total,
                          std::chrono::nanoseconds elapsed) {
  const double speed = elapsed > 0ns ? static_cast<double>(consumed) / seconds(elapsed) : 0;
  const std::string rate = report::human_rate(speed);
  if (!total || *total == 0) return fmt::format("{}  {}", report::human_octets(consumed), rate);
  const double part = std::min(1.0, static_cast<double>(consumed) / static_cast<double>(*total));
  const std::size_t filled = static_cast<std::size_t>(part * kBar);
  std::string line = fmt::format("[{:#<{}}{:.<{}}] {:.0f} %  {} of {}  {}", "", filled, "", kBar - filled, part * 100,
                                 report::human_octets(consumed), report::human_octets(*total), rate);
  if (part > 0) line += fmt::format("  {:.0f} s left", seconds(elapsed) * (1 - part) / part);
  return line;
}

Progress::Progress(Output& err, bool enabled, Clock now)
    : err_(err), enabled_(enabled), now_(std::move(now)), start_(now_()) {}

void Progress::update(std::uint64_t consumed, std::optional<std::uint64_t> total) {
  if (!enabled_) return;
  const auto now = now_();
  if (now - start_ < kFirst || (last_ != 0ns && now - last_ < kEvery)) return;
  last_ = now;
  shown_ = true;
  std::string line = progress_line(consumed, total, now - start_);
  // A wrapped line could not be removed.
  if (const auto columns = err_.columns(); columns && line.size() >= *columns) line.resize(*columns - 1);
  err_.write("\r" + line + "\x1b[K");
}

void Progress::hide() {
  if (!shown_) return;
  shown_ = false;
  err_.write("\r\x1b[K");
}

}  // namespace iwarpscope::cli
