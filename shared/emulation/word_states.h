// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every state a 64-bit word may be in, after what was seen of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "emulation/slot_set.h"
#include "emulation/word_operation.h"

namespace iwarpscope::emulation {

/// One state of the word that is possible: its value, and which of the pending operations led to it.
struct WordState {
  std::uint64_t value = 0;
  std::uint64_t left_by = 0;               ///< id of the operation that left the value; 0: none that was seen
  OctetOrder order = OctetOrder::unknown;  ///< what this state takes the responder's memory for
  bool known = false;                      ///< whether the value is
  bool dead = false;                       ///< another state of the same search says as much
  SlotSet applied;                         ///< took effect
  SlotSet free;   ///< not `applied`; may have taken effect already without leaving a trace, or may yet take effect
  SlotSet blind;  ///< of `applied`: took effect on a value that was not known
};

/// Memory for a search, lent to one WordStates after the other.
struct WordSearch {
  std::vector<WordState> states;
  std::optional<std::size_t> wanted;  ///< the slot whose operation is to take effect
  std::int64_t work = 0;              ///< done so far, in comparisons of two states
  static constexpr std::int64_t kMostPool = std::int64_t{1} << 28;
  std::int64_t pool = kMostPool;  ///< credit of all words together

  /// Adds the state unless another says as much, and drops those of which it says as much.
  void add(const WordState& state);
  [[nodiscard]] bool is_over(const WordState& state) const noexcept { return wanted && state.applied.test(*wanted); }
};

/// The pending operations of a word and the states that all orders of them lead to. Operations enter when they may have
/// taken effect; decide() then asks for each, by the order of their responses, whether it can have taken effect by now.
/// Exact while no more than SlotSet::kSlots operations are pending and the search stays within its credit; beyond, it
/// knows less but nothing wrong. An operation that leaves the word as it is takes effect at once: no order is lost by
/// it.
class WordStates {
 public:
  /// Work of the search, in comparisons of two states (some nanoseconds each): what a decision earns, and how much may
  /// be saved for harder ones. So the time is linear in the number of operations, whatever they are.
  static constexpr std::int64_t kCreditPerDecision = 128;
  static constexpr std::int64_t kMostCredit = std::int64_t{1} << 22;
  static constexpr std::size_t kMostStates = 2048;  ///< of one search

  enum class Outcome : std::uint8_t {
    ordered,    ///< an order exists in which the operation found its original
    blind,      ///< orders exist, in all of which it found a value that was not known
    broken,     ///< none exists
    excused,    ///< none exists, but operations that had to be discarded would explain it
    reversed,   ///< none exists, but the other octet order would explain it
    exhausted,  ///< the credit did not suffice
    untracked,  ///< the operation had found no place when it entered
  };

  WordStates() : states_(1) {}

  /// The operation may take effect from now on. Precondition: !operation.waits.
  void enter(const WordOperation& operation);
  /// The answered operation `id` has taken effect. It is retired. `conflict` is filled if the outcome is broken.
  [[nodiscard]] Outcome decide(std::uint64_t id, WordSearch& search, WordConflict& conflict);
  /// The next atomic of the QP of operation `id` was invoked.
  void note_next(std::uint64_t id, TapPoint invoked);
  /// Nothing that is reported from now on was invoked before this time; if it was after all, relied_on() shows the
  /// harm.
  void set_clock(std::int64_t ns) noexcept { clock_ns_ = ns; }
  /// The latest response that the search relied on to be before whatever is reported from now on.
  [[nodiscard]] TapPoint relied_on() const noexcept { return relied_on_; }
  /// Nothing is known any more but which operations are pending.
  void forget_value();
  /// The octet order became known by other means; unknown: what was known of it is in doubt.
  void learn(OctetOrder order);

  [[nodiscard]] OctetOrder order() const noexcept { return order_; }
  /// The value, if there is no doubt about it and nothing is pending.
  [[nodiscard]] std::optional<std::uint64_t> settled_value() const noexcept;
  /// Something unknown may have happened to the word.
  [[nodiscard]] bool disturbed() const noexcept { return disturbed_; }
  [[nodiscard]] bool has(std::uint64_t id) const noexcept { return find(id).has_value(); }
  [[nodiscard]] std::size_t pending() const noexcept { return live_.size(); }
  /// How many pending operations there are for which `matches` holds.
  template <class Matches>
  [[nodiscard]] std::size_t count(Matches matches) const {
    std::size_t found = 0;
    for (SlotSet rest = live_; !rest.empty();) found += matches(operations_[rest.pop()]) ? 1U : 0U;
    return found;
  }
  /// Gives back memory that a quiet word does not need.
  void trim();

  template <class A>
  void archive(A& a) {
    a(operations_, ids_, originals_, bounds_, before_, live_, answered_, unseen_, states_, leavers_, discarded_);
    a(untracked_, run_qp_, last_invoked_, run_first_id_, retired_, before_run_, credit_, clock_ns_, relied_on_, order_);
    a(order_was_given_, disturbed_);
    if (a.is_reading()) a.check(is_sound());
  }

 private:
  /// What precedes() asks of an operation, close together.
  struct Bound {
    std::uint64_t response_frame = 0;  ///< the highest number if there is no response
    std::int64_t response_ns = 0;
    std::uint64_t qp = 0;
  };

  [[nodiscard]] bool is_sound() const noexcept;
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t id) const noexcept;
  void place(std::size_t entered);
  [[nodiscard]] std::optional<std::size_t> vacant_slot();
  void release(std::size_t slot);
  void retire(std::size_t slot);
  void extend_run(const WordOperation& operation);
  void remember_leaver(const WordOperation& operation);
  [[nodiscard]] std::optional<WordOperation> leaver(std::uint64_t id) const;

  [[nodiscard]] bool is_enabled(const WordState& state, std::size_t slot) const noexcept;
  [[nodiscard]] bool is_twin_first(const WordState& state, std::size_t twin, std::size_t slot);
  [[nodiscard]] bool may_wait(const WordState& state, std::size_t slot, SlotSet candidates);
  [[nodiscard]] bool is_disturbable(const WordState& state) const noexcept;
  [[nodiscard]] SlotSet finding(const WordState& state, WordSearch& search) const;
  void settle(WordState& state, WordSearch& search) const;
  bool settle_one(WordState& state, std::size_t slot) const;
  void expand(const WordState& state, std::size_t wanted, WordSearch& search);
  void apply_atomic(const WordState& state, std::size_t slot, bool wanted, WordSearch& search) const;
  void apply_unanswered(const WordState& state, std::size_t slot, WordSearch& search) const;
  void apply_write(const WordState& state, std::size_t slot, WordSearch& search) const;
  void apply(WordState state, std::size_t slot, std::optional<std::uint64_t> value, WordSearch& search) const;
  [[nodiscard]] WordState unknown_state(const WordState& state) const;
  [[nodiscard]] bool explore(std::size_t wanted, WordSearch& search);
  [[nodiscard]] Outcome conclude(std::size_t wanted, WordSearch& search, WordConflict& conflict);
  [[nodiscard]] Outcome break_off(std::size_t wanted, const WordSearch& search, WordConflict& conflict);
  void explain(std::size_t wanted, const WordSearch& search, WordConflict& conflict) const;
  [[nodiscard]] std::size_t obstacle(std::size_t wanted, const WordSearch& search) const;
  [[nodiscard]] bool is_one_qps_matter(std::size_t blamed, const WordConflict& conflict) const;
  [[nodiscard]] bool fits_other_order(const WordOperation& operation, const WordConflict& conflict) const;
  Outcome pass_untracked();

  // By slot:
  std::vector<WordOperation> operations_;
  std::vector<std::uint64_t> ids_;        ///< of `operations_`
  std::vector<std::uint64_t> originals_;  ///< of `operations_`
  std::vector<Bound> bounds_;             ///< of `operations_`
  std::vector<SlotSet> before_;           ///< pending operations that surely took effect before it, if they did
  SlotSet live_;                          ///< slots in use
  SlotSet answered_;                      ///< of them: answered atomics,
  SlotSet unseen_;                        ///< and requests that the capture misses

  std::vector<WordState> states_;
  std::vector<WordOperation> leavers_;   ///< retired operations that left a value which the word may still have
  std::uint64_t discarded_ = 0;          ///< effects of operations that had to be discarded; kEver: any number
  std::uint64_t untracked_ = 0;          ///< answered operations that found no slot and are not decided yet
  std::uint64_t run_qp_ = 0;             ///< whose operations were retired last,
  std::uint64_t last_invoked_ = 0;       ///< highest frame number at which an operation was invoked
  std::uint64_t run_first_id_ = 0;       ///< and the first of that run; 0: none
  std::optional<TimePoint> retired_;     ///< latest time of what was retired,
  std::optional<TimePoint> before_run_;  ///< and of that before the run
  std::int64_t credit_ = kMostCredit;    ///< below zero: owed by a search that went too far
  std::int64_t clock_ns_ = std::numeric_limits<std::int64_t>::min();
  TapPoint relied_on_{FrameNumber{0}, TimePoint{std::numeric_limits<std::int64_t>::min()}};
  OctetOrder order_ = OctetOrder::unknown;
  bool order_was_given_ = false;  ///< not found by this word's own operations
  bool disturbed_ = false;

  static constexpr std::uint64_t kEver = ~std::uint64_t{0};
};

}  // namespace iwarpscope::emulation
