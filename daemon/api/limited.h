// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A limit for log lines whose number strangers choose.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace iwarpscope::api {

/// Lets kLines through in each kTime. Any thread.
class Limited {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kLines = 10;
  static constexpr std::chrono::seconds kTime{60};

  /// How many were kept back since the last one that went through; empty: this one is kept back, too.
  [[nodiscard]] std::optional<std::uint64_t> pass(Clock::time_point now = Clock::now()) {
    const std::lock_guard lock(mutex_);
    if (lines_ == 0 || now - since_ >= kTime) {
      since_ = now;
      lines_ = 0;
    }
    if (lines_ >= kLines) {
      ++kept_;
      return std::nullopt;
    }
    ++lines_;
    return std::exchange(kept_, 0);
  }

 private:
  std::mutex mutex_;
  Clock::time_point since_;
  unsigned lines_ = 0;
  std::uint64_t kept_ = 0;
};

}  // namespace iwarpscope::api
