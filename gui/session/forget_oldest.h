// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Limits the size of lists of queue pairs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

/// If there are more than `most` and an eighth: removes those that ended first, then those with the lowest numbers,
/// until `most` are left; the others keep their order. `places`: indexes in `rows`, by number. Returns how many were
/// removed.
inline std::uint64_t forget_oldest(std::vector<live::QpView>& rows, std::map<std::uint64_t, std::size_t>& places,
                                   std::size_t most) {
  if (rows.size() <= most + most / 8) return 0;
  using Age = std::tuple<bool, std::int64_t, std::uint64_t>;
  const auto age = [](const live::QpView& row) {
    return Age{!row.ended, row.ended ? row.record.last_time.ns : 0, row.record.qp};
  };
  std::vector<Age> ages;
  ages.reserve(rows.size());
  for (const live::QpView& row : rows) ages.push_back(age(row));
  const std::size_t excess = rows.size() - most;
  const auto first_kept = ages.begin() + static_cast<std::ptrdiff_t>(excess);
  std::nth_element(ages.begin(), first_kept, ages.end());
  std::erase_if(rows, [&](const live::QpView& row) { return age(row) < *first_kept; });
  places.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) places.emplace(rows[i].record.qp, i);
  return excess;
}

}  // namespace iwarpscope::gui
