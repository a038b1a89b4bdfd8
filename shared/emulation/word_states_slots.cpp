// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which operations are pending, and how a conflict is explained.
#include <algorithm>

#include "base/octets.h"
#include "base/time_point.h"
#include "emulation/word_states.h"
#include "qp/ending_order.h"

namespace iwarpscope::emulation {
namespace {

/// Its effect cannot be foreseen from the value before it.
bool is_disturbing(const WordOperation& operation) noexcept {
  switch (operation.kind) {
    case WordOperationKind::atomic: return operation.late || operation.function.operation == rdmap::AOpCode::unknown;
    case WordOperationKind::write: return operation.late;
    case WordOperationKind::overwrite:
    case WordOperationKind::unseen: break;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> WordStates::find(std::uint64_t id) const noexcept {
  const auto found = std::find(ids_.begin(), ids_.end(), id);
  const auto slot = static_cast<std::size_t>(found - ids_.begin());
  if (found == ids_.end() || !live_.test(slot)) return std::nullopt;
  return slot;
}

/// A slot for one more operation; for lack of one, the oldest operation that nothing bounds is discarded.
std::optional<std::size_t> WordStates::vacant_slot() {
  if (live_.size() < SlotSet::kSlots) {
    const std::size_t slot = live_.first_missing();
    if (slot >= operations_.size()) {
      operations_.resize(slot + 1);
      ids_.resize(slot + 1);
      originals_.resize(slot + 1);
      bounds_.resize(slot + 1);
      before_.resize(slot + 1);
    }
    return slot;
  }
  std::optional<std::size_t> oldest;
  for (std::size_t slot = 0; slot < operations_.size(); ++slot) {
    if (operations_[slot].answered) continue;
    if (!oldest || operations_[slot].id < operations_[*oldest].id) oldest = slot;
  }
  if (!oldest) return std::nullopt;
  if (operations_[*oldest].kind == WordOperationKind::unseen) {
    discarded_ = kEver;
  } else if (discarded_ != kEver) {
    ++discarded_;
  }
  release(*oldest);
  return oldest;
}

/// Which pending operations precede the one that enters, and which it precedes: precedes(), for all of them.
void WordStates::place(std::size_t entered) {
  const WordOperation& operation = operations_[entered];
  const std::uint64_t frame = operation.invoked.frame.value;
  const std::int64_t ns = operation.invoked.time.ns;
  bounds_[entered] = {operation.answered ? operation.response.frame.value : ~std::uint64_t{0},
                      operation.response.time.ns, operation.qp};
  SlotSet before;
  for (std::size_t slot = 0; slot < bounds_.size(); ++slot) {
    const Bound& bound = bounds_[slot];
    // Operations enter in the order of their ids.
    before.set(slot, (bound.response_frame < frame && bound.response_ns < ns) ||
                         (operation.is_atomic() && bound.qp == operation.qp));
  }
  before_[entered] = before & live_;
  if (operation.answered && operation.response.frame.value < last_invoked_) {  // frames are reported out of order
    for (SlotSet rest = live_; !rest.empty();) {
      const std::size_t other = rest.pop();
      if (before_[entered].test(other)) continue;  // of its own QP: their order is known, whatever the tap says
      if (precedes(operation, operations_[other])) before_[other].set(entered);
    }
  }
  last_invoked_ = std::max(last_invoked_, frame);
}

void WordStates::enter(const WordOperation& operation) {
  disturbed_ |= is_disturbing(operation);
  const std::optional<std::size_t> slot = vacant_slot();
  if (!slot) {  // all slots hold operations that will be decided
    disturbed_ = true;
    if (operation.answered) {
      ++untracked_;
    } else if (operation.kind == WordOperationKind::unseen) {
      discarded_ = kEver;
    } else if (discarded_ != kEver) {
      ++discarded_;
    }
    return;
  }
  operations_[*slot] = operation;
  ids_[*slot] = operation.id;
  originals_[*slot] = operation.original;
  place(*slot);
  live_.set(*slot);
  if (operation.answered) answered_.set(*slot);
  if (operation.kind == WordOperationKind::unseen) unseen_.set(*slot);
  if (operation.is_optional() || operation.late) {
    for (WordState& state : states_) state.free.set(*slot);
  }
}

void WordStates::note_next(std::uint64_t id, TapPoint invoked) {
  if (const auto slot = find(id)) operations_[*slot].next = invoked;
}

/// The slot is not used any more. What its operation did stays done.
void WordStates::release(std::size_t slot) {
  const WordOperation& operation = operations_[slot];
  if (std::any_of(states_.begin(), states_.end(), [&](const WordState& s) { return s.left_by == operation.id; }))
    remember_leaver(operation);
  live_.clear(slot);
  answered_.clear(slot);
  unseen_.clear(slot);
  for (SlotSet& before : before_) before.clear(slot);
  for (WordState& state : states_) {
    state.applied.clear(slot);
    state.free.clear(slot);
    state.blind.clear(slot);
  }
}

/// `slot` is decided. What took effect in every state and has no decision to come goes as well.
void WordStates::retire(std::size_t slot) {
  extend_run(operations_[slot]);
  release(slot);
  SlotSet over = live_;
  for (const WordState& state : states_) over = over & state.applied;
  while (!over.empty()) {
    const std::size_t other = over.pop();
    const WordOperation& operation = operations_[other];
    if (operation.answered) continue;
    extend_run(operation);
    release(other);
  }
}

/// `operation` is retired: it goes on with the run, or begins another one.
void WordStates::extend_run(const WordOperation& operation) {
  if (run_first_id_ == 0 || run_qp_ != operation.qp) {
    run_qp_ = operation.qp;
    run_first_id_ = operation.id;
    before_run_ = retired_;
  }
  const TimePoint last = operation.answered ? operation.response.time : operation.invoked.time;
  retired_ = retired_ ? std::max(*retired_, last) : last;
}

void WordStates::remember_leaver(const WordOperation& operation) {
  if (leavers_.size() > 2 * states_.size() + 4) {
    std::erase_if(leavers_, [&](const WordOperation& old) {
      return std::none_of(states_.begin(), states_.end(), [&](const WordState& s) { return s.left_by == old.id; });
    });
  }
  leavers_.push_back(operation);
}

std::optional<WordOperation> WordStates::leaver(std::uint64_t id) const {
  if (id == 0) return std::nullopt;
  if (const auto slot = find(id)) return operations_[*slot];
  const auto found =
      std::find_if(leavers_.begin(), leavers_.end(), [&](const WordOperation& old) { return old.id == id; });
  if (found == leavers_.end()) return std::nullopt;
  return *found;
}

void WordStates::forget_value() {
  WordState state;
  state.order = order_;
  state.free = live_;
  states_.assign(1, state);
  disturbed_ = true;
}

void WordStates::learn(OctetOrder order) {
  if (order_ == order) return;
  order_ = order;
  order_was_given_ = order != OctetOrder::unknown;
  std::erase_if(states_, [&](const WordState& s) {
    return order != OctetOrder::unknown && s.order != OctetOrder::unknown && s.order != order;
  });
  for (WordState& state : states_) state.order = order;
  if (states_.empty()) forget_value();
}

std::optional<std::uint64_t> WordStates::settled_value() const noexcept {
  if (states_.size() != 1 || !live_.empty() || !states_.front().known || discarded_ > 0) return std::nullopt;
  return states_.front().value;
}

void WordStates::trim() {
  if (live_.empty()) {
    operations_.clear();
    ids_.clear();
    originals_.clear();
    bounds_.clear();
    before_.clear();
  }
  operations_.shrink_to_fit();
  ids_.shrink_to_fit();
  originals_.shrink_to_fit();
  bounds_.shrink_to_fit();
  before_.shrink_to_fit();
  states_.shrink_to_fit();
  leavers_.shrink_to_fit();
}

/// The operation to blame for that `wanted` cannot have taken effect: itself, or one that must come before it
/// (responses of one QP out of order).
std::size_t WordStates::obstacle(std::size_t wanted, const WordSearch& search) const {
  std::size_t found = wanted;
  for (const WordState& state : search.states) {
    if (state.applied.test(wanted)) continue;
    if (is_enabled(state, wanted)) return wanted;
    for (SlotSet rest = before_[wanted] - state.applied; !rest.empty();) {
      const std::size_t slot = rest.pop();
      if (operations_[slot].answered && is_enabled(state, slot)) found = slot;
    }
  }
  return found;
}

/// What the obstacle should have returned: the values it could have found, those that need the fewest operations first.
void WordStates::explain(std::size_t wanted, const WordSearch& search, WordConflict& conflict) const {
  const std::size_t blamed = obstacle(wanted, search);
  conflict = WordConflict{};
  conflict.operation = operations_[blamed];
  for (const WordState& state : search.states) {
    if (!state.known || state.applied.test(blamed) || !is_enabled(state, blamed)) continue;
    const auto shown = conflict.due.begin() + static_cast<std::ptrdiff_t>(conflict.due_shown);
    if (std::any_of(conflict.due.begin(), shown, [&](const auto& due) { return due.value == state.value; })) continue;
    if (conflict.due_shown == WordConflict::kMost) {
      conflict.more_due = true;
      break;
    }
    conflict.due[conflict.due_shown++] = {state.value, leaver(state.left_by)};
  }
  conflict.proved_by_one_qp = is_one_qps_matter(blamed, conflict);
  conflict.unseen_writer = !conflict.proved_by_one_qp;
  const auto& left_by = conflict.due.front().left_by;
  conflict.repeated_original = conflict.due_shown == 1 && left_by && left_by->answered &&
                               left_by->original == conflict.operation.original && left_by->changes_word();
}

/// The due value was left by the same QP, and no other QP's operation was pending or decided since, nor so soon before
/// that only a skew between what the tap saw of them may have it there.
bool WordStates::is_one_qps_matter(std::size_t blamed, const WordConflict& conflict) const {
  const WordOperation& operation = operations_[blamed];
  const std::optional<WordOperation>& left_by = conflict.due.front().left_by;
  if (conflict.due_shown != 1 || conflict.more_due || !left_by || !left_by->answered || left_by->qp != operation.qp)
    return false;
  if (run_first_id_ == 0 || run_qp_ != operation.qp || run_first_id_ > left_by->id) return false;
  if (before_run_ && elapsed_ns(*before_run_, left_by->invoked.time) < qp::kMostSkewNs) return false;
  return count([&](const WordOperation& o) { return o.qp != operation.qp || !o.answered; }) == 0;
}

/// The octet order learnt elsewhere may be wrong: read the other way, a Write would have left the original.
bool WordStates::fits_other_order(const WordOperation& operation, const WordConflict& conflict) const {
  if (!order_was_given_) return false;
  const auto fits = [&](const WordOperation& o) {
    const std::uint64_t reversed = swap_octets(o.original);
    return o.kind == WordOperationKind::write && o.original != reversed &&
           operation.original == (order_ == OctetOrder::little_endian ? o.original : reversed);
  };
  return count(fits) > 0 || std::any_of(conflict.due.begin(), conflict.due.end(),
                                        [&](const auto& due) { return due.left_by && fits(*due.left_by); });
}

}  // namespace iwarpscope::emulation
