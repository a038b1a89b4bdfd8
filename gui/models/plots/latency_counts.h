// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Durations of requests, counted in steps of an eighth of an octave.
#pragma once

#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace iwarpscope::gui {

/// A histogram from nanoseconds to days in at most 1.5 KiB; no memory while it is empty. Durations are exact to one
/// eighth.
class LatencyCounts {
 public:
  static constexpr unsigned kSteps = 8;     ///< of an octave
  static constexpr unsigned kOctaves = 48;  ///< longer durations count as 2^48 ns, about 78 hours
  static constexpr std::size_t kCells = (kOctaves - 2) * kSteps;

  /// Negative durations (the clock went back) count as 0.
  void add(std::int64_t ns);
  void add(const LatencyCounts& other);

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  [[nodiscard]] std::int64_t largest_ns() const noexcept { return largest_ns_; }
  /// By nearest rank: at most one eighth too large, and never too small. Precondition: total() > 0, 0 < percent <= 100.
  [[nodiscard]] std::int64_t percentile_ns(double percent) const;
  /// Per cell; empty if there are no counts.
  [[nodiscard]] const std::vector<std::uint32_t>& cells() const noexcept { return cells_; }

  [[nodiscard]] static std::size_t cell_of(std::int64_t ns) noexcept;
  /// The shortest duration of a cell.
  [[nodiscard]] static std::int64_t begin_of(std::size_t cell) noexcept;

 private:
  std::vector<std::uint32_t> cells_;
  std::uint64_t total_ = 0;
  std::int64_t largest_ns_ = 0;
};

/// "850 ns", "12.3 us", "4.05 s": three digits, in the locale of the window.
[[nodiscard]] QString duration_text(std::int64_t ns);
/// "1.500000 s" for seconds since the first frame of a queue pair.
[[nodiscard]] QString since_text(std::int64_t ns);

}  // namespace iwarpscope::gui
