// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/time_merge.h"

#include <algorithm>
#include <utility>

namespace iwarpscope::capture {

void TimeMerge::add(std::size_t lane, Batch batch) {
  if (!batch.frames.empty()) lanes_[lane].batches.push_back(std::move(batch));
}

std::optional<std::size_t> TimeMerge::earliest() const noexcept {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!lanes_[i].is_empty() && (!best || lanes_[i].head() < lanes_[*best].head())) best = i;
  }
  return best;
}

bool TimeMerge::has_to_wait(std::size_t lane, SteadyTime now) {
  const SteadyTime settled = lanes_[lane].batches.front().handed + settle_;
  SteadyTime oldest = SteadyTime::max();
  bool all_known = true;
  for (const Lane& l : lanes_) {
    if (l.is_empty()) {
      all_known = all_known && (l.ended || l.clear >= settled);
    } else {
      oldest = std::min(oldest, l.batches.front().handed);
    }
  }
  if (all_known || now >= oldest + kMostWait) return false;
  due_ = oldest + kMostWait;
  return true;
}

std::optional<TimeMerge::Run> TimeMerge::next(SteadyTime now) {
  due_ = SteadyTime::max();
  const auto from = earliest();
  if (!from || has_to_wait(*from, now)) return std::nullopt;
  std::optional<TimePoint> limit;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (i != *from && !lanes_[i].is_empty()) limit = limit ? std::min(*limit, lanes_[i].head()) : lanes_[i].head();
  }
  Lane& lane = lanes_[*from];
  std::vector<net::Frame>& frames = lane.batches.front().frames;
  const auto start = frames.begin() + static_cast<std::ptrdiff_t>(lane.given);
  const auto stop = limit ? std::find_if(start + 1, frames.end(), [&](const net::Frame& f) { return f.time > *limit; })
                          : frames.end();
  Run run{*from, std::span(start, stop), lane.batches.front().storage};
  lane.given = static_cast<std::size_t>(stop - frames.begin());
  if (stop == frames.end()) {
    done_.push_back({*from, std::move(lane.batches.front())});  // the frames stay where they are
    lane.batches.pop_front();
    lane.given = 0;
  }
  return run;
}

bool TimeMerge::ended() const noexcept {
  return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.ended && lane.is_empty(); });
}

std::optional<TimeMerge::Done> TimeMerge::take_done() {
  if (done_.empty()) return std::nullopt;
  Done done = std::move(done_.front());
  done_.pop_front();
  return done;
}

}  // namespace iwarpscope::capture
