// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Queue pairs between the same two hosts, summed.
#pragma once

#include <compare>
#include <utility>

#include "models/queue_pairs/qp_row.h"

namespace iwarpscope::gui {

/// Two addresses, the lower one first: either may be A.
struct HostPairKey {
  net::IpAddress low, high;
  friend auto operator<=>(const HostPairKey&, const HostPairKey&) = default;
};
[[nodiscard]] HostPairKey host_pair_of(const QpRow& row);

/// Sums rows: counts and rates, the worst verdict and finding, settings if all have the same.
class HostPairSum {
 public:
  explicit HostPairSum(const HostPairKey& key);
  void add(const QpRow& row);
  [[nodiscard]] const QpRow& row() const noexcept { return sum_; }

 private:
  QpRow sum_;
};

}  // namespace iwarpscope::gui
