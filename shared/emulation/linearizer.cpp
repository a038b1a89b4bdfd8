// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/linearizer.h"

#include <algorithm>
#include <utility>

#include "base/octets.h"
#include "qp/ending_order.h"

namespace iwarpscope::emulation {
namespace {

/// Whether `later` is more than `ns` nanoseconds after `earlier`. Times may be any number.
bool is_later_by(std::int64_t later, std::int64_t earlier, std::int64_t ns) noexcept {
  return later > earlier &&
         static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier) > static_cast<std::uint64_t>(ns);
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

/// The point on this word's own clock, which goes on where the capture's was set back.
TapPoint Linearizer::on_own_clock(TapPoint point) noexcept {
  std::int64_t ns = saturating_add(point.time.ns, clock_shift_ns_);
  if (is_later_by(latest_ns_, ns, kClockSetNs)) {
    clock_shift_ns_ = saturating_add(latest_ns_, -std::max(point.time.ns, -std::numeric_limits<std::int64_t>::max()));
    ns = latest_ns_;
  }
  return {point.frame, TimePoint{ns}};
}

/// The same, of what was just seen.
TapPoint Linearizer::now(TapPoint point) noexcept {
  const TapPoint seen = on_own_clock(point);
  latest_ns_ = std::max(latest_ns_, seen.time.ns);
  return seen;
}

/// An operation that need not come after one that was decided: what is known may be wrong.
/// For what was read. The minima follow from what is held.
bool Linearizer::is_sound() {
  std::size_t reads = 0;
  for (std::size_t k = 0; k < turns_.size(); ++k) reads += turns_[k].id == 0 ? 1 : 0;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (held_[k].id != held_.front().id + k) return false;
    first_frame_.push(held_[k].id, held_[k].invoked.frame.value);
    first_time_.push(held_[k].id, held_[k].invoked.time.ns);
  }
  return reads == (read_ ? 1 : 0) && (held_.empty() || held_.back().id < next_id_);
}

void Linearizer::check_late(WordOperation& operation) {
  const TapPoint relied_on = states_.relied_on();
  if (operation.invoked.frame.value > std::max(decided_frame_, relied_on.frame.value) &&
      operation.invoked.time.ns > std::max(decided_ns_, relied_on.time.ns))
    return;
  ++counters_.late;
  operation.late = true;
  states_.forget_value();
}

void Linearizer::push(const WordOperation& operation) {
  first_frame_.push(operation.id, operation.invoked.frame.value);
  first_time_.push(operation.id, operation.invoked.time.ns);
  held_.push(operation);
}

void Linearizer::hold(WordOperation operation) {
  operation.id = next_id_++;
  operation.invoked = now(operation.invoked);
  check_late(operation);
  push(operation);
}

std::uint64_t Linearizer::request(std::uint64_t qp, std::uint64_t cookie, const AtomicFunction& function,
                                  TapPoint invoked) {
  WordOperation operation;
  operation.cookie = cookie;
  operation.qp = qp;
  operation.waits = true;
  operation.invoked = invoked;
  operation.function = function;
  hold(operation);
  note_next(qp, held_.back().invoked);
  return held_.back().id;
}

/// The atomic just reported is the next of its QP: marks the one before, if it is still held.
void Linearizer::note_next(std::uint64_t qp, TapPoint invoked) {
  if (last_atomic_.size() > 2 * held() + 64) {
    absl::erase_if(last_atomic_, [&](const auto& last) { return !position(last.second) && !states_.has(last.second); });
  }
  std::uint64_t& last = last_atomic_[qp];
  held_.back().previous = last;
  set_next(last, invoked);
  last = held_.back().id;
}

/// The atomic after that one was invoked at this point. `id` 0: none.
void Linearizer::set_next(std::uint64_t id, TapPoint invoked) {
  if (const auto at = position(id)) {
    held_[*at].next = invoked;
  } else if (id != 0) {
    states_.note_next(id, invoked);
  }
}

/// A request is not later than its response. Where the tap has them in order by frame or by time alone, the other of
/// the two is wrong for one of them: the request may be as early as the response by either.
void Linearizer::invoke_before(WordOperation& operation, TapPoint response) {
  TapPoint& invoked = operation.invoked;
  if (invoked.frame <= response.frame && invoked.time <= response.time) return;
  invoked = {std::min(invoked.frame, response.frame), std::min(invoked.time, response.time)};
  first_frame_.lower(operation.id, invoked.frame.value);
  first_time_.lower(operation.id, invoked.time.ns);
  set_next(operation.previous, invoked);
  if (!operation.late) check_late(operation);
}

std::optional<std::size_t> Linearizer::position(std::uint64_t id) const noexcept {
  if (held_.empty() || id < held_.front().id || id - held_.front().id >= held_.size()) return std::nullopt;
  return static_cast<std::size_t>(id - held_.front().id);
}

bool Linearizer::waits_for(std::uint64_t id) const noexcept {
  const std::optional<std::size_t> at = position(id);
  return at && held_[*at].waits;
}

bool Linearizer::response(std::uint64_t id, std::uint64_t original, TapPoint at) {
  const TapPoint seen = now(at);
  if (!waits_for(id)) return false;
  WordOperation& operation = held_[*position(id)];
  operation.waits = false;
  if (is_before(seen, operation.invoked)) {  // when it was sent cannot be known
    ++counters_.late;
    gap(operation.qp);
    return false;
  }
  invoke_before(operation, seen);
  operation.answered = true;
  operation.response = seen;
  operation.original = original;
  operation.result = operation.function.result(original);
  turns_.push({id, operation.cookie, operation.qp, seen});
  return true;
}

void Linearizer::give_up(std::uint64_t id) {
  if (const auto at = position(id)) held_[*at].waits = false;
}

/// Whether something unknown is to be expected of the QP anyway. Counts its Writes that no atomic of it followed.
bool Linearizer::is_write_foreseen(std::uint64_t qp, std::size_t& open_writes) const {
  constexpr std::size_t kMostLookedAt = 256;
  for (std::size_t back = 0; back < std::min(held_.size(), kMostLookedAt); ++back) {
    const WordOperation& operation = held_[held_.size() - 1 - back];
    if (operation.qp != qp) continue;
    if (operation.kind == WordOperationKind::unseen) return true;
    if (operation.is_atomic()) return false;
    ++open_writes;
  }
  std::uint64_t last_atomic = 0;
  std::uint64_t last_unseen = 0;
  open_writes += states_.count([&](const WordOperation& operation) {
    if (operation.qp != qp) return false;
    if (operation.is_atomic()) last_atomic = std::max(last_atomic, operation.id);
    if (operation.kind == WordOperationKind::unseen) last_unseen = std::max(last_unseen, operation.id);
    return !operation.is_atomic();
  });
  return last_unseen > last_atomic;
}

void Linearizer::write(std::uint64_t qp, std::optional<std::uint64_t> memory, TapPoint at) {
  std::size_t open_writes = 0;
  if (is_write_foreseen(qp, open_writes) || open_writes >= kMostOpenWrites) {
    static_cast<void>(now(at));
    gap(qp);
    return;
  }
  WordOperation operation;
  operation.qp = qp;
  operation.kind = memory ? WordOperationKind::write : WordOperationKind::overwrite;
  operation.invoked = at;
  operation.original = memory.value_or(0);
  hold(operation);
}

void Linearizer::gap(std::uint64_t qp, TapPoint since) {
  std::size_t ignored = 0;
  if (is_write_foreseen(qp, ignored)) return;
  WordOperation operation;
  operation.id = next_id_++;
  operation.qp = qp;
  operation.kind = WordOperationKind::unseen;
  // On this word's own clock, and as much earlier as frames may be out of order.
  const std::int64_t ns = saturating_add(since.time.ns, clock_shift_ns_);
  operation.invoked = {since.frame, TimePoint{saturating_add(ns, -kReorderNs)}};
  push(operation);
}

void Linearizer::read(std::uint64_t memory, TapPoint request, TapPoint response) {
  const TapPoint seen = now(response);
  if (read_ || states_.order() != OctetOrder::unknown || memory == swap_octets(memory)) return;
  read_ = PendingRead{memory, on_own_clock(request)};
  turns_.push({0, 0, 0, seen});
}

void Linearizer::judge_read() {
  const PendingRead read = *read_;
  read_.reset();
  const std::optional<std::uint64_t> value = states_.settled_value();
  if (!value || read.request.frame.value <= decided_frame_ || read.request.time.ns <= decided_ns_) return;
  if (read.memory == *value) states_.learn(OctetOrder::big_endian);
  if (swap_octets(read.memory) == *value) states_.learn(OctetOrder::little_endian);
}

bool Linearizer::is_due(const Turn& turn) const noexcept {
  return finishing_ || is_full() || is_later_by(latest_ns_, turn.at.time.ns, kReorderNs);
}

void Linearizer::enter_front() {
  const WordOperation& operation = held_.front();
  first_frame_.pop(operation.id);
  first_time_.pop(operation.id);
  states_.enter(operation);
  held_.pop();
}

void Linearizer::give_up_front() {
  if (!held_.front().waits) return;
  held_.front().waits = false;
  if (!finishing_) ++counters_.given_up;
}

/// Enters all that may have taken effect before the response. False if the response of one of them must be waited for.
bool Linearizer::enter_until(TapPoint response) {
  while (!held_.empty() && (first_frame_.value() <= response.frame.value || first_time_.value() <= response.time.ns)) {
    if (held_.front().waits) {
      if (!finishing_ && !is_full()) return false;
      give_up_front();
    }
    enter_front();
  }
  return true;
}

/// Another QP's operation passed the tap so soon after this one's response that it may have been carried out before.
bool Linearizer::is_crossed(const WordOperation& operation) const noexcept {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const WordOperation& later = held_[i];
    if (later.kind == WordOperationKind::unseen) continue;
    if (later.qp != operation.qp && elapsed_ns(operation.response.time, later.invoked.time) <= qp::kMostSkewNs)
      return true;
  }
  return false;
}

WordDecision Linearizer::decide(const Turn& turn, WordSearch& search) {
  const bool disturbed = states_.disturbed();
  states_.set_clock(finishing_ ? std::numeric_limits<std::int64_t>::max() : latest_ns_);
  WordConflict conflict;
  WordDecision decision{.cookie = turn.cookie, .qp = turn.qp, .conflict = nullptr};
  switch (states_.decide(turn.id, search, conflict)) {
    case WordStates::Outcome::ordered: decision.verdict = WordVerdict::verified; break;
    case WordStates::Outcome::blind:
      decision.verdict = disturbed ? WordVerdict::undecidable : WordVerdict::first;
      decision.cause = disturbed ? UndecidableCause::unknown_value : UndecidableCause::none;
      break;
    case WordStates::Outcome::broken:
      conflict.crossed = conflict.proved_by_one_qp && is_crossed(conflict.operation);
      decision.verdict = WordVerdict::inconsistent;
      decision.conflict = std::make_unique<WordConflict>(conflict);
      break;
    case WordStates::Outcome::excused: decision.cause = UndecidableCause::unknown_value; break;
    case WordStates::Outcome::reversed: decision.cause = UndecidableCause::octet_order; break;
    case WordStates::Outcome::exhausted:
      decision.cause = UndecidableCause::too_many_orders;
      ++counters_.exhausted;
      break;
    case WordStates::Outcome::untracked:
      decision.cause = UndecidableCause::crowded;
      ++counters_.crowded;
      break;
  }
  decided_frame_ = std::max(decided_frame_, turn.at.frame.value);
  decided_ns_ = std::max(decided_ns_, turn.at.time.ns);
  return decision;
}

/// Gives back memory that a quiet word does not need.
void Linearizer::trim() {
  held_.trim();
  first_frame_.trim();
  first_time_.trim();
  turns_.trim();
  states_.trim();
  if (held() == 0) last_atomic_ = {};
}

void Linearizer::advance(WordSearch& search, std::vector<WordDecision>& decided) {
  while (!turns_.empty() || is_full()) {
    if (turns_.empty()) {
      give_up_front();
      enter_front();
      continue;
    }
    const Turn turn = turns_.front();
    if (!is_due(turn) || !enter_until(turn.at)) break;
    turns_.pop();
    if (turn.id == 0) {
      judge_read();
    } else {
      decided.push_back(decide(turn, search));
    }
  }
  if (held_.empty()) trim();
}

void Linearizer::finish(WordSearch& search, std::vector<WordDecision>& decided) {
  finishing_ = true;
  advance(search, decided);
  finishing_ = false;
}

}  // namespace iwarpscope::emulation
