// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/hosts/host_pair.h"

#include "models/queue_pairs/qp_columns.h"

namespace iwarpscope::gui {
HostPairKey host_pair_of(const QpRow& row) {
  return row.a.address <= row.b.address ? HostPairKey{row.a.address, row.b.address}
                                        : HostPairKey{row.b.address, row.a.address};
}

HostPairSum::HostPairSum(const HostPairKey& key) {
  sum_.a.address = key.low;
  sum_.b.address = key.high;
  sum_.ended = true;
}

void HostPairSum::add(const QpRow& row) {
  ++sum_.queue_pairs;
  for (const QpColumnTraits& column : qp_columns()) {
    if (column.add != nullptr) column.add(row, sum_);
  }
}

}  // namespace iwarpscope::gui
