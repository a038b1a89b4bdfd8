// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/tsn_line.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace iwarpscope::sctp {

void TsnLine::begin(std::uint32_t initial_tsn) noexcept {
  if (highest_end_ != 0 || acked_) return;
  begun_ = true;
  next_ = (Tsn{1} << 32) + initial_tsn;
  highest_ = next_ - 1;
}

Sight TsnLine::see(std::uint32_t tsn, TimePoint time) {
  if (!begun_) {
    begin(tsn);
    discarded_ = first_ = floor_ = next_;
  }
  const Tsn at = unwrapped(tsn);
  const auto away = static_cast<std::int64_t>(at - next_);
  constexpr auto kFar = static_cast<std::int64_t>(kPlausible);
  if (away > kFar || away < -kFar) {
    lose_end();
    return Sight::far_away;
  }
  lower(at, time);
  if (at < next_) {
    return find(at) ? Sight::late : Sight::again;
  }
  const auto after = runs_.upper_bound(at);
  if (after != runs_.begin()) {
    const auto before = std::prev(after);
    if (at < before->second) return Sight::again;
  }
  // What is missing below it and was acknowledged comes no more.
  if (acked_ && at > next_ && *acked_ >= next_) advance(std::min(at, *acked_ + 1), tcp::Missing::capture_gap, time);
  Sight sight = Sight::late;
  if (at > highest_) {
    sight = at == highest_ + 1 ? Sight::next : Sight::ahead;
    highest_ = at;
    highest_end_ = at + 1;
  }
  if (at == next_) {
    ++next_;
    if (runs_.empty()) return sight;
    join_front();
    hole_since_ = time;
    return sight;
  }
  if (runs_.empty()) hole_since_ = time;
  // Joins the run that ends here, or the one that begins after it.
  Tsn begin = at, end = at + 1;
  if (after != runs_.begin()) {
    const auto before = std::prev(after);
    if (before->second == at) {
      begin = before->first;
      runs_.erase(before);
    }
  }
  if (after != runs_.end() && after->first == end) {
    end = after->second;
    runs_.erase(after);
  }
  runs_[begin] = end;
  if (runs_.size() > kMaxRuns) advance(runs_.begin()->first, tcp::Missing::buffer_limit, time);
  return sight;
}

/// A chunk that was overtaken, or sent again, where the capture began between.
void TsnLine::lower(Tsn to, TimePoint time) {
  if (!may_lower(to)) return;
  if (next_ > floor_) runs_[floor_] = next_;
  next_ = floor_ = discarded_ = to;
  hole_since_ = time;
}

void TsnLine::join_front() noexcept {
  while (!runs_.empty() && runs_.begin()->first <= next_) {
    next_ = std::max(next_, runs_.begin()->second);
    runs_.erase(runs_.begin());
  }
}

void TsnLine::lose(Tsn begin, Tsn end, tcp::Missing reason) {
  if (begin < first_) {  // sent before the capture began
    discarded_ = std::max(discarded_, std::min(end, first_));
    begin = first_;
    if (begin >= end) return;
  }
  lost_count_ += end - begin;
  if (reason == tcp::Missing::capture_gap) gap_count_ += end - begin;
  if (!lost_.empty() && lost_.back().end == begin && lost_.back().reason == reason) {
    lost_.back().end = end;
    return;
  }
  // All but those that were cut come in order.
  lost_.insert(first_lost_after(begin), {begin, end, reason});
  forget_oldest_lost();
}

void TsnLine::forget_oldest_lost() {
  if (lost_.size() <= kMaxLost) return;
  discarded_ = std::max(discarded_, lost_[kMaxLost / 2 - 1].end);
  lost_.erase(lost_.begin(), lost_.begin() + kMaxLost / 2);
}

std::vector<TsnLine::Lost>::const_iterator TsnLine::first_lost_after(Tsn tsn) const noexcept {
  return std::upper_bound(lost_.begin(), lost_.end(), tsn, [](Tsn t, const Lost& l) { return t < l.end; });
}

bool TsnLine::find(Tsn tsn) {
  if (tsn < discarded_) return false;
  const auto run = lost_.begin() + (first_lost_after(tsn) - lost_.cbegin());
  if (run == lost_.end() || run->begin > tsn) return false;
  ++found_;
  const Lost whole = *run;
  run->end = tsn;
  if (run->begin == run->end) {
    *run = {tsn + 1, whole.end, whole.reason};
    if (run->begin == run->end) lost_.erase(run);
  } else if (tsn + 1 < whole.end) {
    lost_.insert(std::next(run), {tsn + 1, whole.end, whole.reason});
    forget_oldest_lost();
  }
  return true;
}

void TsnLine::unread(Tsn tsn) {
  if (lost_between(tsn - 1, tsn + 1)) return;
  lose(tsn, tsn + 1, tcp::Missing::snap_length);
}

void TsnLine::advance(Tsn end, tcp::Missing reason, TimePoint time) {
  while (next_ < end) {
    const Tsn to = runs_.empty() ? end : std::min(end, runs_.begin()->first);
    if (to > next_) lose(next_, to, reason);
    next_ = to;
    join_front();
  }
  if (next_ > highest_ + 1) highest_ = next_ - 1;
  hole_since_ = time;
}

bool TsnLine::acknowledge(std::uint32_t cumulative, Octets blocks, bool whole, TimePoint time) {
  if (!begun_) {
    note_early(cumulative);
    return false;
  }
  const Tsn acked = unwrapped(cumulative);
  if (!is_plausible(acked)) return false;
  if (acked_ && acked < *acked_) return false;  // overtaken by a newer one
  lower(acked + 1, time);
  if (acked < first_) note_early(cumulative);
  acked_ = acked;
  blocks_.clear();
  blocks_whole_ = whole && blocks.size() / 4 <= kMaxBlocks;
  while (blocks.size() >= 4 && blocks_.size() < kMaxBlocks) {
    const std::uint16_t first = load_be<std::uint16_t>(blocks);
    const std::uint16_t last = load_be<std::uint16_t>(blocks.subspan(2));
    if (first <= last) blocks_.emplace_back(acked + first, acked + last + 1);
    blocks = blocks.subspan(4);
  }
  if (acked + 1 <= next_) return true;
  const Tsn seen_end = highest_ + 1;
  if (seen_end > next_) advance(std::min(acked + 1, seen_end), tcp::Missing::capture_gap, time);
  if (is_overdue() && !overdue_since_) overdue_since_ = time;
  return true;
}

/// A SACK of DATA before the first that was seen. One alone may be of DATA from before the capture began; what the next
/// one acknowledges was on its way meanwhile.
void TsnLine::note_early(std::uint32_t cumulative) noexcept {
  missed_first_ = missed_first_ || (early_ && static_cast<std::int32_t>(cumulative - *early_) > 0);
  if (!early_ || static_cast<std::int32_t>(cumulative - *early_) > 0) early_ = cumulative;
}

void TsnLine::acknowledge_all(TimePoint time) {
  if (!begun_ || (acked_ && *acked_ >= highest_)) return;
  if (highest_end_ != 0) lose_end();
  acknowledge(static_cast<std::uint32_t>(highest_), {}, true, time);
}

void TsnLine::skip(std::uint32_t cumulative, TimePoint time) {
  if (!begun_) return;
  const Tsn to = unwrapped(cumulative) + 1;
  if (to <= next_ || to >= highest_ + kPlausible) return;
  abandoned_begin_ = next_;
  abandoned_end_ = to;
  advance(to, tcp::Missing::unexplained, time);
}

void TsnLine::expire(TimePoint now, std::int64_t timeout_ns) {
  if (!is_overdue()) {
    overdue_since_.reset();
  } else if (overdue_since_ && std::abs(elapsed_ns(*overdue_since_, now)) >= timeout_ns) {
    advance(*acked_ + 1, tcp::Missing::capture_gap, now);
  }
  if (runs_.empty()) return;
  // A clock that went back would keep a hole open for ever.
  if (now < hole_since_) hole_since_ = now;
  if (elapsed_ns(hole_since_, now) >= timeout_ns) advance(runs_.begin()->first, tcp::Missing::unexplained, now);
}

void TsnLine::flush(TimePoint now) {
  if (!runs_.empty()) advance(std::prev(runs_.end())->first, tcp::Missing::unexplained, now);
  if (is_overdue()) advance(*acked_ + 1, tcp::Missing::capture_gap, now);
}

bool TsnLine::was_seen(Tsn tsn) const noexcept {
  if (!begun_ || may_lower(tsn)) return false;
  if (tsn < discarded_) return true;
  const auto run = first_lost_after(tsn);
  return has_seen(tsn, tsn) && (run == lost_.end() || run->begin > tsn);
}

bool TsnLine::has_seen(Tsn first, Tsn last) const noexcept {
  if (last < next_) return true;
  const auto after = runs_.upper_bound(first);
  return after != runs_.begin() && std::prev(after)->second > last;
}

bool TsnLine::has_seen_all_acknowledged() const noexcept {
  const bool within =
      std::all_of(blocks_.begin(), blocks_.end(), [this](const auto& block) { return block.second <= highest_end_; });
  return is_whole() && within && !is_overdue();
}

bool TsnLine::is_acknowledged(Tsn tsn) const noexcept {
  if (!acked_) return false;
  if (tsn <= *acked_) return true;
  return std::any_of(blocks_.begin(), blocks_.end(), [tsn](const auto& b) { return tsn >= b.first && tsn < b.second; });
}

std::optional<tcp::Missing> TsnLine::lost_between(Tsn after, Tsn before) const noexcept {
  if (after + 1 < discarded_) return tcp::Missing::unexplained;
  const auto found = first_lost_after(after + 1);
  if (found == lost_.end() || found->begin >= before) return std::nullopt;
  return found->reason;
}

std::uint64_t TsnLine::lost_after(Tsn after, Tsn before) const noexcept {
  std::uint64_t count = 0;
  for (auto run = first_lost_after(after + 1); run != lost_.end() && run->begin < before; ++run) {
    count += std::min(run->end, before) - std::max(run->begin, after + 1);
  }
  return count;
}

TsnLine::Hole TsnLine::hole_after(Tsn after) const noexcept {
  // No run touches another: after the one that holds the TSN there is a hole, or the end.
  const Tsn at = std::max(after + 1, next_);
  const auto run = runs_.upper_bound(at);
  return {run == runs_.begin() ? at : std::max(at, std::prev(run)->second), run};
}

std::uint64_t TsnLine::unseen_between(Tsn after, Tsn before) const noexcept {
  std::uint64_t count = lost_after(after, before);
  auto [at, run] = hole_after(after);
  for (; run != runs_.end() && at < before; ++run) {
    count += std::min(run->first, before) - at;
    at = run->second;
  }
  return count;
}

bool TsnLine::misses_some_after(Tsn after) const noexcept {
  return first_lost_after(after + 1) != lost_.end() || awaited_between(after, highest_ + 1) ||
         (is_overdue() && *acked_ > after);
}

bool TsnLine::awaited_between(Tsn after, Tsn before) const noexcept {
  const auto [at, run] = hole_after(after);
  if (at >= before) return false;
  return run != runs_.end() || at < highest_;
}

}  // namespace iwarpscope::sctp
