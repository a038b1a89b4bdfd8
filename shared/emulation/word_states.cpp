// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/word_states.h"

#include <algorithm>

#include "base/octets.h"

namespace iwarpscope::emulation {
namespace {

/// The number that a Write leaves, if that is known.
std::optional<std::uint64_t> written(const WordOperation& write, OctetOrder order) noexcept {
  const std::uint64_t reversed = swap_octets(write.original);
  if (write.original == reversed || order == OctetOrder::big_endian) return write.original;
  if (order == OctetOrder::little_endian) return reversed;
  return std::nullopt;
}

/// Whether everything that may follow `b` may follow `a` as well.
bool covers(const WordState& a, const WordState& b) noexcept {
  if (a.known != b.known || a.value != b.value) return false;
  if (a.order != b.order && a.order != OctetOrder::unknown) return false;
  const SlotSet differing = (a.applied ^ b.applied) | ((a.free ^ b.free) - (a.applied | b.applied));
  return (differing - a.free).empty();
}

}  // namespace

/// Two states that differ in `blind` alone are both possible, so an operation is blind in neither unless it is in both.
void WordSearch::add(const WordState& state) {
  WordState added = state;
  work += static_cast<std::int64_t>(states.size());
  for (WordState& other : states) {
    if (other.dead || is_over(other) != is_over(added)) continue;
    const bool other_covers = covers(other, added);
    const bool added_covers = covers(added, other);
    if (other_covers && (other.blind - added.blind).empty()) return;
    if (other_covers && added_covers) added.blind = added.blind & other.blind;
    if (added_covers && (added.blind - other.blind).empty()) other.dead = true;
  }
  states.push_back(added);
}

/// For what was read: every slot that something names is there.
bool WordStates::is_sound() const noexcept {
  const std::size_t slots = operations_.size();
  if (slots > SlotSet::kSlots || ids_.size() != slots || originals_.size() != slots) return false;
  if (bounds_.size() != slots || before_.size() != slots || states_.empty() || states_.size() > kMostStates)
    return false;
  SlotSet there;
  for (std::size_t slot = 0; slot < slots; ++slot) there.set(slot);
  const auto is_there = [&](SlotSet set) { return (set - there).empty(); };
  const auto is_state_there = [&](const WordState& s) {
    return is_there(s.applied) && is_there(s.free) && is_there(s.blind);
  };
  return is_there(live_) && is_there(answered_) && is_there(unseen_) && std::ranges::all_of(before_, is_there) &&
         std::ranges::all_of(states_, is_state_there);
}

bool WordStates::is_enabled(const WordState& state, std::size_t slot) const noexcept {
  return (before_[slot] - (state.applied | state.free)).empty();
}

bool WordStates::is_disturbable(const WordState& state) const noexcept {
  return untracked_ > 0 || !(unseen_ - state.applied).empty();
}

/// Lets happen what loses no order. Returns whether something did.
bool WordStates::settle_one(WordState& state, std::size_t slot) const {
  const WordOperation& operation = operations_[slot];
  switch (operation.kind) {
    case WordOperationKind::atomic:
      // It leaves the word as it is. Operations before it that may yet take effect would lose that by it, though.
      if (!operation.answered || !state.known || operation.original != state.value || operation.changes_word() ||
          !(before_[slot] - state.applied).empty())
        return false;
      state.applied.set(slot);
      state.free.clear(slot);
      return true;
    case WordOperationKind::write:
      // It would not be noticed now, and is not bound to happen now.
      if (state.free.test(slot) || !state.known || written(operation, state.order) != state.value ||
          !is_enabled(state, slot))
        return false;
      break;
    case WordOperationKind::overwrite:
      if (state.free.test(slot) || state.known || !is_enabled(state, slot)) return false;
      break;
    case WordOperationKind::unseen: return false;
  }
  state.free.set(slot);
  return true;
}

/// The answered operations that found the value of this state.
SlotSet WordStates::finding(const WordState& state, WordSearch& search) const {
  SlotSet found;
  const std::uint64_t value = state.value;
  search.work += static_cast<std::int64_t>(originals_.size() / 4);
  for (std::size_t slot = 0; slot < originals_.size(); ++slot) found.set(slot, originals_[slot] == value);
  return found & answered_;
}

void WordStates::settle(WordState& state, WordSearch& search) const {
  const SlotSet candidates = (state.known ? finding(state, search) : SlotSet{}) | (live_ - answered_);
  for (bool changed = true; changed;) {
    changed = false;
    for (SlotSet rest = candidates - state.applied; !rest.empty(); ++search.work)
      changed |= settle_one(state, rest.pop());
  }
}

/// `slot` takes effect in `state` and leaves `value`. What it comes after is over.
void WordStates::apply(WordState state, std::size_t slot, std::optional<std::uint64_t> value,
                       WordSearch& search) const {
  const bool changed = !state.known || value != state.value;
  state.applied = state.applied | before_[slot];
  state.applied.set(slot);
  state.free = state.free - state.applied;
  state.known = value.has_value();
  state.value = value.value_or(0);
  if (changed) state.left_by = value ? operations_[slot].id : 0;
  settle(state, search);
  search.add(state);
}

void WordStates::apply_atomic(const WordState& state, std::size_t slot, bool wanted, WordSearch& search) const {
  const WordOperation& operation = operations_[slot];
  const bool free = state.free.test(slot);
  if (state.known && operation.original == state.value) apply(state, slot, operation.result, search);
  // On a value that is not known it may find anything. One that is free has no need to be tried before its turn: all
  // that follows what it leaves may follow the unknown value too.
  if (!state.known && (wanted || !free)) {
    WordState next = state;
    next.blind.set(slot);
    apply(next, slot, operation.result, search);
  }
  if (wanted && free) {  // it took effect before this state began
    WordState next = state;
    next.blind.set(slot);
    apply(next, slot, state.known ? std::optional{state.value} : std::nullopt, search);
  }
}

void WordStates::apply_unanswered(const WordState& state, std::size_t slot, WordSearch& search) const {
  if (!state.known) return;
  const std::optional<std::uint64_t> result = operations_[slot].function.result(state.value);
  if (result != state.value) apply(state, slot, result, search);
}

void WordStates::apply_write(const WordState& state, std::size_t slot, WordSearch& search) const {
  if (!state.known && state.free.test(slot)) return;
  const WordOperation& operation = operations_[slot];
  if (const auto value = written(operation, state.order)) {
    if (!state.known || value != state.value) apply(state, slot, value, search);
    return;
  }
  for (const OctetOrder order : {OctetOrder::big_endian, OctetOrder::little_endian}) {
    WordState next = state;
    next.order = order;
    apply(next, slot, written(operation, order), search);
  }
}

/// The same after something unknown happened, once or often: each pending operation may have taken effect meanwhile.
WordState WordStates::unknown_state(const WordState& state) const {
  WordState unknown = state;
  unknown.known = false;
  unknown.value = 0;
  unknown.left_by = 0;
  unknown.free = live_ - state.applied;
  return unknown;
}

/// `twin` does what `slot` does, and whatever must come after `slot` must come after `twin`: where an order has `slot`
/// here and `twin` later, the two may change places.
bool WordStates::is_twin_first(const WordState& state, std::size_t twin, std::size_t slot) {
  const WordOperation& first = operations_[twin];
  const WordOperation& second = operations_[slot];
  if (!first.answered || first.original != second.original || first.result != second.result) return false;
  if (state.free.test(twin) || !(before_[twin] - state.applied).empty()) return false;
  if (first.response.frame > second.response.frame || first.response.time > second.response.time) return false;
  if (first.response.frame == second.response.frame && first.response.time == second.response.time && twin > slot)
    return false;
  if (second.next ? !is_before(first.response, *second.next) : first.response.time.ns >= clock_ns_) return false;
  relied_on_.frame = std::max(relied_on_.frame, first.response.frame);
  relied_on_.time = std::max(relied_on_.time, first.response.time);
  return true;
}

/// Whether another operation can do what `slot` would, so that nothing is lost if `slot` does not take effect here.
bool WordStates::may_wait(const WordState& state, std::size_t slot, SlotSet candidates) {
  if (!state.known || state.free.test(slot) || !operations_[slot].answered) return false;
  for (SlotSet rest = candidates; !rest.empty();) {
    const std::size_t twin = rest.pop();
    if (twin != slot && is_twin_first(state, twin, slot)) return true;
  }
  return false;
}

/// Adds every state to which one more operation leads. `wanted` is what the search is for.
void WordStates::expand(const WordState& state, std::size_t wanted, WordSearch& search) {
  SlotSet candidates = live_;
  if (state.known) candidates = finding(state, search) | (live_ - answered_);
  candidates.set(wanted);
  candidates = candidates - state.applied;
  for (SlotSet rest = candidates; !rest.empty(); ++search.work) {
    const std::size_t slot = rest.pop();
    const WordOperation& operation = operations_[slot];
    if (!is_enabled(state, slot) || (slot != wanted && may_wait(state, slot, candidates))) continue;
    switch (operation.kind) {
      case WordOperationKind::atomic:
        if (operation.answered) {
          apply_atomic(state, slot, slot == wanted, search);
        } else {
          apply_unanswered(state, slot, search);
        }
        break;
      case WordOperationKind::write: apply_write(state, slot, search); break;
      case WordOperationKind::overwrite:
        if (state.known) apply(state, slot, std::nullopt, search);
        break;
      case WordOperationKind::unseen: break;
    }
  }
  if (is_disturbable(state)) search.add(unknown_state(state));
}

/// Finds all states in which `wanted` took effect and nothing after it did. False if that takes too long.
bool WordStates::explore(std::size_t wanted, WordSearch& search) {
  search.states.clear();
  search.wanted = wanted;
  search.work = 0;
  credit_ = std::min(credit_ + kCreditPerDecision, kMostCredit);
  search.pool = std::min(search.pool + kCreditPerDecision, WordSearch::kMostPool);
  const std::int64_t credit = std::min(credit_, search.pool);
  if (credit < 0) return false;
  for (WordState& state : states_) {
    settle(state, search);
    search.add(state);
  }
  for (std::size_t next = 0; next < search.states.size(); ++next) {
    if (search.states[next].dead || search.is_over(search.states[next])) continue;
    if (search.work > credit || search.states.size() > kMostStates) return false;
    const WordState state = search.states[next];  // a copy: the search grows
    expand(state, wanted, search);
  }
  return true;
}

WordStates::Outcome WordStates::decide(std::uint64_t id, WordSearch& search, WordConflict& conflict) {
  const std::optional<std::size_t> wanted = find(id);
  if (!wanted) return pass_untracked();
  const bool explored = explore(*wanted, search);
  credit_ -= search.work;
  search.pool -= search.work;
  if (!explored) {
    forget_value();
    retire(*wanted);
    return Outcome::exhausted;
  }
  const Outcome outcome = conclude(*wanted, search, conflict);
  retire(*wanted);
  return outcome;
}

WordStates::Outcome WordStates::conclude(std::size_t wanted, WordSearch& search, WordConflict& conflict) {
  const auto is_over = [&](const WordState& s) { return !s.dead && search.is_over(s); };
  if (std::none_of(search.states.begin(), search.states.end(), is_over)) return break_off(wanted, search, conflict);
  states_.clear();
  bool blind = true;
  for (const WordState& state : search.states) {
    if (!is_over(state)) continue;
    blind &= state.blind.test(wanted);
    states_.push_back(state);
  }
  if (order_ == OctetOrder::unknown &&
      std::all_of(states_.begin(), states_.end(), [&](const WordState& s) { return s.order == states_.front().order; }))
    order_ = states_.front().order;
  return blind ? Outcome::blind : Outcome::ordered;
}

/// No order exists: the history starts again from what the operation left.
WordStates::Outcome WordStates::break_off(std::size_t wanted, const WordSearch& search, WordConflict& conflict) {
  const WordOperation& operation = operations_[wanted];
  explain(wanted, search, conflict);
  Outcome outcome = Outcome::broken;
  if (fits_other_order(operation, conflict)) {
    outcome = Outcome::reversed;
    order_ = OctetOrder::unknown;
    order_was_given_ = false;
  } else if (discarded_ > 0) {
    outcome = Outcome::excused;
    if (discarded_ != kEver) --discarded_;
  }
  WordState state;
  state.known = operation.result.has_value();
  state.value = operation.result.value_or(0);
  state.left_by = state.known ? operation.id : 0;
  state.order = order_;
  state.applied.set(wanted);
  state.free = live_ - state.applied;
  states_.assign(1, state);
  return outcome;
}

/// An operation without a slot took effect at some time up to now.
WordStates::Outcome WordStates::pass_untracked() {
  if (untracked_ > 0) --untracked_;
  WordSearch both;
  for (const WordState& state : states_) both.add(unknown_state(state));
  for (const WordState& state : states_) both.add(state);
  std::erase_if(both.states, [](const WordState& s) { return s.dead; });
  states_ = std::move(both.states);
  if (states_.size() > kMostStates) forget_value();
  return Outcome::untracked;
}

}  // namespace iwarpscope::emulation
