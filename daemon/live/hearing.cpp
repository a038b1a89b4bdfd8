#include "live/hearing.h"

#include <algorithm>

namespace iwarpscope::live {
namespace {

// An interface is looked at every 100 ms, and clocks do not agree to the last.
constexpr std::int64_t kMarginNs = 250'000'000;

}  // namespace

void Hearing::Interface::look(const capture::IntakeCounters& now) {
  const std::uint64_t lost_now = now.dropped_by_nic + now.dropped_by_kernel + now.dropped_by_queue;
  const bool loses = lost_now != lost;
  const bool is_down = !now.hears || now.went_deaf != went_deaf;
  lost = lost_now;
  went_deaf = now.went_deaf;
  const std::uint64_t done = now.frames + now.dropped_by_queue;
  until = loses || is_down ? done + now.waiting : std::min(until, done + now.waiting);
  lost_frames = lost_frames || loses;
  was_down = was_down || is_down;
  hears = now.hears && done >= until;
}

void Hearing::look(const std::vector<capture::IntakeCounters>& interfaces, std::optional<TimePoint> first,
                   TimePoint now) {
  interfaces_.resize(interfaces.size());
  DeafTime::Stretch deaf;
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    Interface& its = interfaces_[i];
    its.look(interfaces[i]);
    deaf.lost_frames = deaf.lost_frames || its.lost_frames;
    deaf.was_down = deaf.was_down || its.was_down;
    if (its.hears) its.lost_frames = its.was_down = false;
  }
  if (!first) return;
  const TimePoint before = before_.value_or(*first);
  before_ = now;
  if (!deaf.lost_frames && !deaf.was_down) return;
  const auto add = [&](TimePoint from, TimePoint to) {
    deaf.from = {from.ns - kMarginNs};
    deaf.to = {to.ns + kMarginNs};
    deaf_.add(deaf);
  };
  if (now < before) add(before, before);  // the capture's clock was set back
  add(std::min(before, now), now);
}

}  // namespace iwarpscope::live
