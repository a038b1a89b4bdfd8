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

void CaptureCoverage::look(const std::vector<capture::IntakeCounters>& interfaces, std::optional<TimePoint> first,
                           TimePoint now) {
  interfaces_.resize(interfaces.size());
  CaptureOutages::Stretch outage;
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    Interface& its = interfaces_[i];
    its.look(interfaces[i]);
    outage.lost_frames = outage.lost_frames || its.lost_frames;
    outage.was_down = outage.was_down || its.was_down;
    if (its.capturing) its.lost_frames = its.was_down = false;
  }
  if (!first) return;
  const TimePoint before = before_.value_or(*first);
  before_ = now;
  if (!outage.lost_frames && !outage.was_down) return;
  const auto add = [&](TimePoint from, TimePoint to) {
    outage.from = {from.ns - kMarginNs};
    outage.to = {to.ns + kMarginNs};
    outages_.add(outage);
  };
  if (now < before) add(before, before);  // the capture's clock was set back
  add(std::min(before, now), now);
}

}  // namespace iwarpscope::live
