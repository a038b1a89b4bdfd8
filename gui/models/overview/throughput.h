// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// ULP payload of all queue pairs, second by second, and when queue pairs failed.
#pragma once

#include <QList>

#include <cstdint>
#include <map>
#include <unordered_map>

#include "api/records.h"

namespace iwarpscope::gui {

/// Sums the rows of queue pairs. A row has its last minute only. Seconds are those since 1970-01-01 UTC.
class Throughput {
 public:
  static constexpr std::size_t kMostSeconds = 20'000;  ///< others do not count
  static constexpr std::int64_t kMostShown = 600;      ///< the newest ones

  void add(const live::QpView& row);
  /// Keeps what earlier rows had and these have no more.
  void keep(const Throughput& earlier);

  /// The first and the last second that are shown; first > last: nothing is known.
  [[nodiscard]] std::int64_t first() const noexcept;
  [[nodiscard]] std::int64_t last() const noexcept { return last_; }
  /// From first() to last().
  [[nodiscard]] QList<quint32> octets() const;
  /// Queue pairs that failed, by the second of their last frame.
  [[nodiscard]] const std::map<std::int64_t, std::uint64_t>& failures() const noexcept { return failures_; }
  /// A queue pair lasted longer than its row can show.
  [[nodiscard]] bool is_cut() const noexcept { return is_cut_; }

 private:
  std::unordered_map<std::int64_t, std::uint64_t> octets_;
  std::map<std::int64_t, std::uint64_t> failures_;
  std::int64_t first_ = 1, last_ = 0;
  bool is_cut_ = false;
};

}  // namespace iwarpscope::gui
