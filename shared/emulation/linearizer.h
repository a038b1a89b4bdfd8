// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Can what the atomics of one word returned be true? The history of the word, checked for linearisability.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "emulation/sliding_queue.h"
#include "emulation/word_operation.h"
#include "emulation/word_states.h"

namespace iwarpscope::emulation {

/// The history of one 64-bit word. It receives requests, responses and Writes of all QPs in the order of the capture;
/// then advance() decides what can be decided. An operation took effect between its request and its response at the
/// tap, and those of one QP in their order. Is there an order in which each found what the one before it left?
///
/// A decision lags: until every operation invoked before the response has its own, and until the clock of this word's
/// frames has passed the response by kReorderNs, as frames of two interfaces may come in a slightly wrong order. At
/// most kMostHeld operations wait; then the oldest without a response is given up. What is decided is discarded.
///
/// Source: RFC 7306 §5.3, §5.4. M. Herlihy, J. Wing: Linearizability (1990), for the notion.
class Linearizer {
 public:
  static constexpr std::size_t kMostHeld = 4096;
  static constexpr std::int64_t kReorderNs = 1'000'000;
  /// A clock that goes back further was set: time goes on from where it was, and points are kept on that clock.
  static constexpr std::int64_t kClockSetNs = 1'000'000'000;
  static constexpr TapPoint kEver{FrameNumber{0}, TimePoint{std::numeric_limits<std::int64_t>::min()}};
  /// Writes of one QP without an atomic after them; more are taken together as something unknown.
  static constexpr std::size_t kMostOpenWrites = 8;

  /// What bounds and disorder cost so far.
  struct Counters {
    std::uint64_t given_up = 0;   ///< operations that others waited for too long
    std::uint64_t late = 0;       ///< operations that may belong before what was decided already, or are after their
                                  ///< own response
    std::uint64_t crowded = 0;    ///< decisions for want of a slot: more pending at once than SlotSet::kSlots
    std::uint64_t exhausted = 0;  ///< decisions for want of search credit
  };

  /// An Atomic Request. `invoked`: when its last octet and all before it in its stream had passed the tap. Returns an
  /// id for the response.
  std::uint64_t request(std::uint64_t qp, std::uint64_t cookie, const AtomicFunction& function, TapPoint invoked);
  /// The response to it; `at`: its first octet. False if the operation was given up before, or if its request comes
  /// after it at the tap: it will not be decided.
  [[nodiscard]] bool response(std::uint64_t id, std::uint64_t original, TapPoint at);
  /// No response will be seen: the operation may or may not take effect.
  void give_up(std::uint64_t id);
  /// A Write; `at`: its last octet in the word. `memory`: the eight octets as a big-endian number; empty if it covers
  /// the word in part or its octets cannot be trusted.
  void write(std::uint64_t qp, std::optional<std::uint64_t> memory, TapPoint at);
  /// What a Read returned. Only the octet order is learnt from it.
  void read(std::uint64_t memory, TapPoint request, TapPoint response);
  /// Requests of this QP are missing in the capture: until its next atomic it may have done anything. What was answered
  /// before `since` was not found by them; kEver: they may be older than all the rest.
  void gap(std::uint64_t qp, TapPoint since = kEver);
  /// The responder's octet order, found elsewhere; unknown: what was known of it is in doubt.
  void learn(OctetOrder order) { states_.learn(order); }

  /// Decides what can be decided by now. Call it after each of the above. `search` is working memory.
  void advance(WordSearch& search, std::vector<WordDecision>& decided);
  /// Nothing follows: decides all that is answered.
  void finish(WordSearch& search, std::vector<WordDecision>& decided);

  /// Whether a response with this id would be taken.
  [[nodiscard]] bool waits_for(std::uint64_t id) const noexcept;
  [[nodiscard]] OctetOrder order() const noexcept { return states_.order(); }
  /// Operations that wait to be decided or to take effect.
  [[nodiscard]] std::size_t held() const noexcept { return held_.size() + states_.pending(); }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

  template <class A>
  void archive(A& a) {
    a(states_, held_, turns_, last_atomic_, read_, next_id_, clock_shift_ns_, latest_ns_, decided_frame_, decided_ns_);
    a(counters_);
    if (a.is_reading()) a.check(is_sound());
  }

 private:
  /// A response that waits for its turn. id 0: of the Read.
  struct Turn {
    std::uint64_t id;
    std::uint64_t cookie;
    std::uint64_t qp;
    TapPoint at;
  };
  struct PendingRead {
    std::uint64_t memory;
    TapPoint request;
  };

  [[nodiscard]] bool is_sound();
  void hold(WordOperation operation);
  void push(const WordOperation& operation);
  [[nodiscard]] TapPoint on_own_clock(TapPoint point) noexcept;
  [[nodiscard]] TapPoint now(TapPoint point) noexcept;
  void check_late(WordOperation& operation);
  [[nodiscard]] std::optional<std::size_t> position(std::uint64_t id) const noexcept;
  void note_next(std::uint64_t qp, TapPoint invoked);
  void set_next(std::uint64_t id, TapPoint invoked);
  void invoke_before(WordOperation& operation, TapPoint response);
  [[nodiscard]] bool is_write_foreseen(std::uint64_t qp, std::size_t& open_writes) const;
  [[nodiscard]] bool is_full() const noexcept { return held_.size() > kMostHeld; }
  [[nodiscard]] bool is_due(const Turn& turn) const noexcept;
  void enter_front();
  void give_up_front();
  [[nodiscard]] bool enter_until(TapPoint response);
  [[nodiscard]] bool is_crossed(const WordOperation& operation) const noexcept;
  [[nodiscard]] WordDecision decide(const Turn& turn, WordSearch& search);
  void judge_read();
  void trim();

  WordStates states_;
  SlidingQueue<WordOperation> held_;  ///< reported, not entered; their ids are consecutive
  SlidingMinimum<std::uint64_t> first_frame_;
  SlidingMinimum<std::int64_t> first_time_;
  SlidingQueue<Turn> turns_;
  absl::flat_hash_map<std::uint64_t, std::uint64_t> last_atomic_;  ///< id by QP, of those that are held; or older ones
  std::optional<PendingRead> read_;
  std::uint64_t next_id_ = 1;
  std::int64_t clock_shift_ns_ = 0;
  std::int64_t latest_ns_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t decided_frame_ = 0;  ///< highest frame and time among the responses decided
  std::int64_t decided_ns_ = std::numeric_limits<std::int64_t>::min();
  Counters counters_;
  bool finishing_ = false;
};

}  // namespace iwarpscope::emulation
