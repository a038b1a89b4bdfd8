// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/capture_coverage.h"

#include <algorithm>

namespace iwarpscope::live {
namespace {

// An interface is looked at every 100 ms, and clocks do not agree to the last.
constexpr std::int64_t kMarginNs = 250'000'000;

}  // namespace

void CaptureCoverage::Interface::look(const capture::IntakeCounters& now) {
  const std::uint64_t lost_now = now.dropped_by_nic + now.dropped_by_kernel + now.dropped_by_queue;
  const bool loses = lost_now != lost;
  const bool is_down = !now.capturing || now.outages != outages;
  lost = lost_now;
  outages = now.outages;
  const std::uint64_t done = now.frames + now.dropped_by_queue;
  until = loses || is_down ? done + now.waiting : std::min(until, done + now.waiting);
  lost_frames = lost_frames || loses;
  was_down = was_down || is_down;
  capturing = now.capturing && done >= until;
}

void CaptureCoverage::was_away(TimePoint from, TimePoint to) {
  for (std::uint32_t interface = 0; interface <= InterfaceSet::kApart; ++interface) {
    outages_.add({.from = {from.ns - kMarginNs},
                  .to = {to.ns + kMarginNs},
                  .lost_frames = true,
                  .was_down = true,
                  .interface = interface});
  }
}

void CaptureCoverage::look(const std::vector<capture::IntakeCounters>& interfaces, std::optional<TimePoint> first,
                           TimePoint now) {
  interfaces_.resize(interfaces.size());
  const TimePoint before = before_.value_or(first.value_or(now));
  if (first) before_ = now;
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    Interface& its = interfaces_[i];
    its.look(interfaces[i]);
    const auto add = [&](TimePoint from, TimePoint to) {
      outages_.add({.from = {from.ns - kMarginNs},
                    .to = {to.ns + kMarginNs},
                    .lost_frames = its.lost_frames,
                    .was_down = its.was_down,
                    .interface = static_cast<std::uint32_t>(i)});
    };
    if (first && (its.lost_frames || its.was_down)) {
      if (now < before) add(before, before);  // the capture's clock was set back
      add(std::min(before, now), now);
    }
    if (its.capturing) its.lost_frames = its.was_down = false;
  }
}

}  // namespace iwarpscope::live
