#include "sctp/lane.h"

#include <algorithm>

namespace iwarpscope::sctp {

Place Lane::place(std::uint16_t ssn) const noexcept {
  // Half of what 16 bits can tell apart is behind, half ahead. Source: RFC 5043 §10.
  const std::uint64_t at = unwrapped(ssn);
  if (at == next_) return Place::next;
  const auto away = static_cast<std::int64_t>(at - next_);
  if (away > 0) return held_.contains(at) ? Place::repeated : Place::ahead;
  if (next_ < static_cast<std::uint64_t>(-away)) return Place::far_away;
  if (gap_ && at >= gap_begin_ && at < gap_end_) return Place::given_up;
  constexpr std::int64_t kNear = 16'384;  // ours: further back it is as well one far ahead of a gap
  return away >= -kNear ? Place::repeated : Place::far_away;
}

bool Lane::hold(std::uint64_t ssn, const Arrival& arrival) {
  HeldArrival held(arrival);
  if (!waiting_->take(held.cost())) return false;
  if (held_.empty()) hole_since_ = arrival.placed_time;
  held_.emplace(ssn, std::move(held));
  return true;
}

std::optional<HeldArrival> Lane::take_next() {
  const auto first = held_.begin();
  if (first == held_.end() || first->first != next_) return std::nullopt;
  HeldArrival taken = std::move(first->second);
  waiting_->give_back(taken.cost());
  held_.erase(first);
  return taken;
}

std::uint64_t Lane::give_up(std::uint64_t to) noexcept {
  const std::uint64_t count = to - next_;
  // Gaps that follow one another closely are remembered as one: what lies between was seen.
  if (!gap_) gap_begin_ = next_;
  gap_ = true;
  after_gap_ = true;
  gap_end_ = to;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, kMostUnacknowledged); ++i) unacknowledged_.push_back(0);
  next_ = to;
  return count;
}

void Lane::passed(const Arrival& arrival) noexcept {
  ++next_;
  last_tsn_ = arrival.last_tsn;
  if (overflowed_) return;
  unacknowledged_.push_back(arrival.last_tsn);
  if (unacknowledged_.size() <= kMostUnacknowledged) return;
  overflowed_ = true;
  unacknowledged_ = {};
}

void Lane::clear() noexcept {
  for (const auto& [ssn, held] : held_) waiting_->give_back(held.cost());
  held_.clear();
}

std::uint64_t Lane::unacknowledged(const TsnLine& line) const noexcept {
  if (!line.has_acknowledgments()) return 0;
  if (overflowed_) return kMostUnacknowledged;
  const auto first =
      std::find_if(unacknowledged_.begin(), unacknowledged_.end(), [&](Tsn tsn) { return !line.is_acknowledged(tsn); });
  return static_cast<std::uint64_t>(unacknowledged_.end() - first);
}

std::uint64_t Lane::received(const TsnLine& line) noexcept {
  while (!unacknowledged_.empty() && line.is_acknowledged(unacknowledged_.front())) {
    unacknowledged_.pop_front();
    ++received_;
  }
  return received_;
}

}  // namespace iwarpscope::sctp
