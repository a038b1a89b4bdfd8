// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/capture_outages.h"

#include <algorithm>
#include <iterator>

namespace iwarpscope {
namespace {

void join(CaptureOutages::Stretch& to, const CaptureOutages::Stretch& other) noexcept {
  to.from = std::min(to.from, other.from);
  to.to = std::max(to.to, other.to);
  to.lost_frames = to.lost_frames || other.lost_frames;
  to.was_down = to.was_down || other.was_down;
}

}  // namespace

void CaptureOutages::add(Stretch stretch) {
  stretch.from = std::min(stretch.from, stretch.to);
  const auto first =
      std::partition_point(stretches_.begin(), stretches_.end(), [&](const Stretch& s) { return s.to < stretch.from; });
  auto last = first;
  for (; last != stretches_.end() && last->from <= stretch.to; ++last) join(stretch, *last);
  stretches_.insert(stretches_.erase(first, last), stretch);
  if (stretches_.size() <= kMost) return;
  auto closest = stretches_.begin();
  for (auto it = closest; std::next(it) != stretches_.end(); ++it) {
    const auto apart = [](auto s) { return elapsed_ns(s->to, std::next(s)->from); };
    if (apart(it) < apart(closest)) closest = it;
  }
  join(*closest, *std::next(closest));
  stretches_.erase(std::next(closest));
}

CaptureOutages::Share CaptureOutages::between(TimePoint from, TimePoint to) const noexcept {
  Share share;
  if (to < from) return share;
  auto it = std::partition_point(stretches_.begin(), stretches_.end(), [&](const Stretch& s) { return s.to < from; });
  for (; it != stretches_.end() && it->from <= to; ++it) {
    share.ns += elapsed_ns(std::max(from, it->from), std::min(to, it->to));
    share.lost_frames = share.lost_frames || it->lost_frames;
    share.was_down = share.was_down || it->was_down;
  }
  return share;
}

}  // namespace iwarpscope
