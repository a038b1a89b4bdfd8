// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/recent_breaches.h"

#include <algorithm>

namespace iwarpscope::qp {

void RecentBreaches::add(Direction of, const MessageBreach& breach) {
  const Entry entry{breach, of};
  if (ring_.size() < kMost) {
    ring_.push_back(entry);
    return;
  }
  ring_[next_] = entry;
  next_ = static_cast<std::uint32_t>((next_ + 1) % ring_.size());
}

std::vector<MessageBreach> RecentBreaches::of_message(Direction of, const TerminateSummary::Named& named) const {
  std::vector<MessageBreach> all;
  for (std::size_t k = 0; k < ring_.size() && all.size() < TerminateSummary::Named::kMostBreaches; ++k) {
    const Entry& e = ring_[(next_ + k) % ring_.size()];
    if (e.direction == of && named.has_place(e.breach.place)) all.push_back(e.breach);
  }
  return all;
}

void RecentBreaches::trim() {
  if (ring_.size() <= kIdle) return;
  std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(next_), ring_.end());
  ring_ = std::vector<Entry>(ring_.end() - static_cast<std::ptrdiff_t>(kIdle), ring_.end());
  next_ = 0;
}

}  // namespace iwarpscope::qp
