// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/plots/latency_counts.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace iwarpscope::gui {
namespace {

constexpr std::int64_t kLongest = (std::int64_t{1} << LatencyCounts::kOctaves) - 1;

}  // namespace

std::size_t LatencyCounts::cell_of(std::int64_t ns) noexcept {
  const auto value = static_cast<std::uint64_t>(std::clamp<std::int64_t>(ns, 0, kLongest));
  if (value < kSteps) return value;
  const auto octave = static_cast<unsigned>(std::bit_width(value)) - 1;  // 3 or more
  return (octave - 2) * kSteps + ((value >> (octave - 3)) & (kSteps - 1));
}

std::int64_t LatencyCounts::begin_of(std::size_t cell) noexcept {
  if (cell < kSteps) return static_cast<std::int64_t>(cell);
  const std::size_t octave = cell / kSteps + 2;
  return static_cast<std::int64_t>((kSteps + cell % kSteps) << (octave - 3));
}

void LatencyCounts::add(std::int64_t ns) {
  if (cells_.empty()) cells_.resize(kCells);
  std::uint32_t& count = cells_[cell_of(ns)];
  if (count != std::numeric_limits<std::uint32_t>::max()) ++count;
  ++total_;
  largest_ns_ = std::max(largest_ns_, ns);
}

void LatencyCounts::add(const LatencyCounts& other) {
  if (other.cells_.empty()) return;
  if (cells_.empty()) cells_.resize(kCells);
  for (std::size_t i = 0; i < kCells; ++i) {
    const std::uint64_t sum = std::uint64_t{cells_[i]} + other.cells_[i];
    cells_[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
  }
  total_ += other.total_;
  largest_ns_ = std::max(largest_ns_, other.largest_ns_);
}

std::int64_t LatencyCounts::percentile_ns(double percent) const {
  const auto rank = static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(total_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kCells; ++i) {
    seen += cells_[i];
    if (seen >= rank && cells_[i] != 0) return std::min(largest_ns_, begin_of(i + 1) - 1);
  }
  return largest_ns_;
}

QString duration_text(std::int64_t ns) {
  constexpr std::array<std::pair<double, const char*>, 4> kUnits{{
      {1e9, QT_TRANSLATE_NOOP("Duration", "%1 s")},
      {1e6, QT_TRANSLATE_NOOP("Duration", "%1 ms")},
      {1e3, QT_TRANSLATE_NOOP("Duration", "%1 us")},
      {1, QT_TRANSLATE_NOOP("Duration", "%1 ns")},
  }};
  const auto value = static_cast<double>(ns);
  for (const auto& [size, words] : kUnits) {
    if (std::abs(value) < size && size > 1) continue;
    const double shown = value / size;
    const int decimals = size == 1 || std::abs(shown) >= 100 ? 0 : std::abs(shown) >= 10 ? 1 : 2;
    return QCoreApplication::translate("Duration", words).arg(QLocale().toString(shown, 'f', decimals));
  }
  return {};
}

QString since_text(std::int64_t ns) {
  return QCoreApplication::translate("Duration", "%1 s").arg(QLocale().toString(static_cast<double>(ns) / 1e9, 'f', 6));
}

}  // namespace iwarpscope::gui
