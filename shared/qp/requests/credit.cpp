// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/credit.h"

#include <algorithm>

namespace iwarpscope::qp {

void Credit::Level::sent(std::uint32_t outstanding, std::optional<std::uint16_t> most, TimePoint time) noexcept {
  use.peak = std::max<std::uint64_t>(use.peak, outstanding);
  now = outstanding;
  if (!most) return;
  limit = std::max<std::uint32_t>(*most, 1);
  if (outstanding > *most) ++use.over_limit;
  if (outstanding < limit) {
    leave(time);
  } else if (!at_limit) {
    at_limit = true;
    since = time;
    ++use.times_at_limit;
  }
}

void Credit::Level::received(TimePoint time) noexcept {
  if (now != 0) --now;
  if (now < limit) leave(time);
}

void Credit::Level::leave(TimePoint time) noexcept {
  use = until(time);
  at_limit = false;
}

CreditUse Credit::Level::until(TimePoint time) const noexcept {
  CreditUse total = use;
  if (at_limit) total.at_limit_ns += std::max<std::int64_t>(elapsed_ns(since, time), 0);
  return total;
}

/// The oldest response counts as received.
void Credit::drop_oldest() {
  if (!responses_[first_].atomic) --counted_reads_;
  ++first_;
  if (first_ <= 32 || first_ * 2 <= responses_.size()) return;
  responses_.erase(responses_.begin(), responses_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

Waiting Credit::sent(Waiting unanswered, StreamOffset acknowledged, std::optional<std::uint16_t> limit,
                     TimePoint time) {
  counted_ = true;
  while (first_ < responses_.size() && responses_[first_].end <= acknowledged) drop_oldest();
  const Waiting outstanding{unanswered.reads + counted_reads_,
                            unanswered.all + static_cast<std::uint32_t>(responses_.size() - first_)};
  reads_.sent(outstanding.reads, limit, time);
  all_.sent(outstanding.all, limit, time);
  return outstanding;
}

void Credit::answered(bool atomic, StreamOffset end, TimePoint time) {
  if (!atomic) reads_.received(time);
  all_.received(time);
  if (responses_.size() - first_ >= kMost) drop_oldest();
  responses_.push_back({end, atomic});
  if (!atomic) ++counted_reads_;
}

void Credit::forget_responses() noexcept {
  responses_.clear();
  first_ = 0;
  counted_reads_ = 0;
}

void Credit::ended(TimePoint time) noexcept {
  reads_.leave(time);
  all_.leave(time);
}

std::optional<ReadCreditRecord> Credit::record(std::optional<std::uint16_t> limit, TimePoint now) const {
  if (!counted_) return std::nullopt;
  return ReadCreditRecord{limit, reads_.until(now), all_.until(now)};
}

void Credit::trim() {
  responses_.erase(responses_.begin(), responses_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
  responses_.shrink_to_fit();
}

}  // namespace iwarpscope::qp
