// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The data of `watch`, and its layout on a screen of any size. It does not use the terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/views.h"

namespace iwarpscope::v1 {
class Status;
}

namespace iwarpscope::cli {

/// The columns; each has a row in watch_model.cpp. Rows that are equal in the column of the order are sorted by number.
enum class WatchColumn : std::uint8_t { number, sensor, ends, ulp, state, rate, outstanding, finding, verdict };

/// The choices of the user.
struct WatchChoice {
  WatchColumn sort = WatchColumn::rate;
  bool reverse = false;  ///< normally, numbers and severities begin with the largest and words with the first
  bool with_ended = true;
  std::size_t first = 0;    ///< row at the top
  bool whole_head = false;  ///< the lines above the table are not cut
};

struct WatchLine {
  enum class Style : std::uint8_t { plain, head, error, warning, dim };
  std::string text;  ///< printable ASCII, no line feed
  Style style = Style::plain;
};

/// Can be used by any thread.
class WatchModel {
 public:
  using Clock = std::chrono::steady_clock;
  /// The maximum number of queue pairs. Above it, ended ones are removed first, then those with the lowest numbers.
  static constexpr std::size_t kMost = 200'000;

  void take_status(const v1::Status& status, Clock::time_point when);
  /// Replaces all queue pairs.
  void replace(std::vector<live::QpView> views);
  /// Adds or updates one queue pair.
  void apply(live::QpView view);
  /// Why the connection failed; empty: it works again.
  void set_trouble(const std::string& sentence);

  /// A whole screen: exactly `rows` lines of at most `columns` octets. Moves choice.first so that the table stays full.
  /// With whole_head the lines above the table are not cut.
  [[nodiscard]] std::vector<WatchLine> screen(WatchChoice& choice, std::size_t rows, std::size_t columns) const;
  /// All data, sorted the same way: a JSON record `watch`, one line.
  [[nodiscard]] std::string json(const WatchChoice& choice) const;

 private:
  void forget_some();

  mutable std::mutex mutex_;
  std::map<std::uint64_t, live::QpView> views_;
  std::string title_ = "iwarpscoped", rates_, losses_, outputs_, trouble_;
  std::shared_ptr<const v1::Status> status_;  ///< null: none received yet
  std::int64_t capture_time_ns_ = 0;
  bool any_losses_ = false, is_centre_ = false;
  std::uint64_t frames_ = 0, octets_ = 0;
  Clock::time_point when_{};
};

/// The column for a word of --sort.
[[nodiscard]] WatchColumn watch_column(std::string_view word) noexcept;
/// The column for a key; empty: none.
[[nodiscard]] std::optional<WatchColumn> watch_column(char letter) noexcept;
/// The words of --sort.
[[nodiscard]] std::vector<std::string> watch_words();

}  // namespace iwarpscope::cli
