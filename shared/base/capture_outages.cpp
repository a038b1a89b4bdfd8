// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/capture_outages.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

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
  stretch.interface = std::min(stretch.interface, InterfaceSet::kApart);
  if (by_interface_.size() <= stretch.interface) by_interface_.resize(stretch.interface + 1);
  Stretches& its = by_interface_[stretch.interface];
  const auto first =
      std::partition_point(its.begin(), its.end(), [&](const Stretch& s) { return s.to < stretch.from; });
  auto last = first;
  for (; last != its.end() && last->from <= stretch.to; ++last) join(stretch, *last);
  its.insert(its.erase(first, last), stretch);
  if (its.size() <= kMost) return;
  auto closest = its.begin();
  for (auto it = closest; std::next(it) != its.end(); ++it) {
    const auto apart = [](auto s) { return elapsed_ns(s->to, std::next(s)->from); };
    if (apart(it) < apart(closest)) closest = it;
  }
  join(*closest, *std::next(closest));
  its.erase(std::next(closest));
}

CaptureOutages::Share CaptureOutages::between(TimePoint from, TimePoint to, InterfaceSet of) const noexcept {
  Share share;
  if (to < from) return share;
  // What is left of each interface's stretches, and the one that begins first of all of them.
  std::array<std::span<const Stretch>, InterfaceSet::kApart + 1> left;
  for (std::uint32_t i = 0; i < by_interface_.size(); ++i) {
    const Stretches& its = by_interface_[i];
    if (!of.has(i) || its.empty()) continue;
    left[i] = {std::partition_point(its.begin(), its.end(), [&](const Stretch& s) { return s.to < from; }), its.end()};
  }
  const std::span used(left.data(), by_interface_.size());
  TimePoint counted = from;  // the time before is counted
  for (;;) {
    std::span<const Stretch>* next = nullptr;
    for (std::span<const Stretch>& its : used) {
      if (!its.empty() && (next == nullptr || its.front().from < next->front().from)) next = &its;
    }
    if (next == nullptr || to < next->front().from) return share;
    const Stretch& stretch = next->front();
    const TimePoint begin = std::max(counted, stretch.from), end = std::min(to, stretch.to);
    if (begin < end) share.ns += elapsed_ns(begin, end);
    counted = std::max(counted, end);
    share.lost_frames = share.lost_frames || stretch.lost_frames;
    share.was_down = share.was_down || stretch.was_down;
    *next = next->subspan(1);
  }
}

std::size_t CaptureOutages::size() const noexcept {
  std::size_t all = 0;
  for (const Stretches& its : by_interface_) all += its.size();
  return all;
}

}  // namespace iwarpscope
