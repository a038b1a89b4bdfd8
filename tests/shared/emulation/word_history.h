// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Random histories of one word, and a checker that tries every order. Slow and obvious: the measure of the Linearizer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/octets.h"
#include "emulation/linearizer.h"
#include "emulation/word_operation.h"

namespace iwarpscope::emulation::test {

inline TapPoint at(std::uint64_t frame) {
  return {FrameNumber{frame}, TimePoint{static_cast<std::int64_t>(frame) * 10'000'000}};
}

/// An operation of a history. `turn`: of its response among all responses; none if it has none.
struct Step {
  std::uint64_t qp = 0;
  WordOperationKind kind = WordOperationKind::atomic;
  AtomicFunction function;
  std::uint64_t memory = 0;    ///< of a Write: the octets as a big-endian number
  std::uint64_t original = 0;  ///< of an answered atomic
  TapPoint invoked;
  TapPoint response;
  std::optional<std::size_t> turn;

  [[nodiscard]] bool is_optional() const { return kind == WordOperationKind::atomic && !turn; }
};
using WordHistory = std::vector<Step>;  ///< by invocation

/// A history as a failed test shows it.
inline std::string text(const WordHistory& history) {
  std::string out;
  for (const Step& step : history) {
    const AtomicFunction& f = step.function;
    out += "QP " + std::to_string(step.qp) + " from frame " + std::to_string(step.invoked.frame.value);
    if (step.turn) out += " to " + std::to_string(step.response.frame.value);
    if (step.kind == WordOperationKind::write) out += ": Write " + std::to_string(step.memory);
    if (step.kind == WordOperationKind::overwrite) out += ": unknown Write";
    if (step.kind == WordOperationKind::atomic) {
      out += ": " + std::string(rdmap::name(f.operation));
      for (const std::uint64_t number : {f.data, f.mask, f.compare, f.compare_mask})
        out += ' ' + std::to_string(number);
    }
    if (step.turn) out += " returned " + std::to_string(step.original) + " in turn " + std::to_string(*step.turn);
    out += '\n';
  }
  return out;
}

/// Tries all orders of a history.
class EveryOrder {
 public:
  explicit EveryOrder(const WordHistory& history) : history_(history) {}

  /// Whether the operations with turns up to `turn` can have taken effect, each on its original.
  [[nodiscard]] bool exists(std::size_t turn) { return search(turn, false); }
  /// Whether, moreover, the operation with that turn can have found a value that was known.
  [[nodiscard]] bool exists_with_known_value(std::size_t turn) { return search(turn, true); }

 private:
  bool search(std::size_t turn, bool known) {
    turn_ = turn;
    want_known_ = known;
    for (const bool little : {false, true}) {
      little_ = little;
      if (from(0, std::nullopt, false)) return true;
    }
    return false;
  }

  /// A request is not later than its response, by frame and by time.
  static TapPoint earliest(const Step& step) {
    if (!step.turn) return step.invoked;
    return {std::min(step.invoked.frame, step.response.frame), std::min(step.invoked.time, step.response.time)};
  }

  static bool comes_before(const Step& a, std::size_t ia, const Step& b, std::size_t ib) {
    if (a.turn && is_before(a.response, earliest(b))) return true;
    return b.kind == WordOperationKind::atomic && a.qp == b.qp && ia < ib;
  }

  bool may_be_next(std::size_t next, std::uint32_t done) const {
    for (std::size_t i = 0; i < history_.size(); ++i) {
      const bool is_done = ((done >> i) & 1U) != 0;
      if (is_done && comes_before(history_[next], next, history_[i], i)) return false;
      if (!is_done && !history_[i].is_optional() && comes_before(history_[i], i, history_[next], next)) return false;
    }
    return true;
  }

  bool is_complete(std::uint32_t done) const {
    for (std::size_t i = 0; i < history_.size(); ++i)
      if (history_[i].turn && *history_[i].turn <= turn_ && ((done >> i) & 1U) == 0) return false;
    return true;
  }

  bool from(std::uint32_t done, std::optional<std::uint64_t> value, bool found_known) {
    if (is_complete(done)) return found_known || !want_known_;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (((done >> i) & 1U) != 0 || !may_be_next(i, done)) continue;
      const Step& step = history_[i];
      std::optional<std::uint64_t> left;
      bool known = found_known;
      if (step.kind == WordOperationKind::overwrite) {
        left = std::nullopt;
      } else if (step.kind == WordOperationKind::write) {
        left = little_ ? swap_octets(step.memory) : step.memory;
      } else if (step.turn) {
        if (value && *value != step.original) continue;
        if (*step.turn == turn_) known = value.has_value();
        left = step.function.result(step.original);
      } else if (value) {
        left = step.function.result(*value);
      } else if (step.function.operation == rdmap::AOpCode::swap) {
        left = step.function.data;
      }
      if (from(done | (1U << i), left, known)) return true;
    }
    return false;
  }

  const WordHistory& history_;
  std::size_t turn_ = 0;
  bool want_known_ = false;
  bool little_ = false;
};

/// What a random history is made of.
struct Mixture {
  std::size_t most_operations = 7;
  std::uint64_t most_qps = 4;
  unsigned writes_percent = 0;
  unsigned overwrites_percent = 0;
  unsigned unanswered_percent = 0;
  unsigned same_time_percent = 0;  ///< of frames that carry the time of the frame before
  bool clocks_differ = false;      ///< the times of frames are not in their order, by less than the Linearizer expects
};

/// Plays a responder: operations arrive, take effect on a word and are answered, all at random times.
class Play {
 public:
  Play(std::mt19937& random, const Mixture& mixture) : random_(random), mixture_(mixture), value_(pick(3)) {
    little_ = pick(2) == 1;
  }

  WordHistory run() {
    const std::uint64_t qps = 2 + pick(mixture_.most_qps - 1);
    const std::size_t operations = 2 + pick(mixture_.most_operations - 1);
    for (unsigned idle = 0; idle < 200;) {
      const std::uint64_t what = pick(3);
      if (what == 0 && history_.size() < operations) {
        invoke(pick(qps));
      } else if (what == 1 && !history_.empty()) {
        take_effect(pick(history_.size()));
      } else if (what == 2 && !history_.empty()) {
        respond(pick(history_.size()));
      }
      idle = history_.size() == operations ? idle + 1 : 0;
    }
    return history_;
  }

 private:
  struct Progress {
    bool effective = false;
    bool never = false;       ///< takes no effect
    bool unanswered = false;  ///< no response
  };

  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  bool chance(unsigned percent) { return random_() % 100 < percent; }

  TapPoint next_point() {
    ++frame_;
    if (!chance(mixture_.same_time_percent)) time_ns_ += 10'000'000;
    if (mixture_.clocks_differ) time_ns_ = static_cast<std::int64_t>(frame_ * 100'000 + pick(6) * 80'000);
    return {FrameNumber{frame_}, TimePoint{time_ns_}};
  }

  AtomicFunction random_function() {
    switch (pick(4)) {
      case 0: return {rdmap::AOpCode::fetch_add, pick(3), pick(3) == 0 ? 1U : 0U, 0, ~std::uint64_t{0}};
      case 1: return {rdmap::AOpCode::cmp_swap, pick(3), ~std::uint64_t{0}, pick(3), ~std::uint64_t{0}};
      case 2: return {rdmap::AOpCode::cmp_swap, pick(4), 1 + pick(3), pick(4), 1 + pick(3)};
      default: return {rdmap::AOpCode::swap, pick(3), 0, 0, 0};
    }
  }

  void invoke(std::uint64_t qp) {
    Step step;
    step.qp = qp;
    step.invoked = next_point();
    Progress progress;
    if (chance(mixture_.writes_percent)) {
      step.kind = chance(mixture_.overwrites_percent) ? WordOperationKind::overwrite : WordOperationKind::write;
      step.memory = little_ ? swap_octets(pick(3)) : pick(3);
    } else {
      step.function = random_function();
      progress.unanswered = chance(mixture_.unanswered_percent);
      progress.never = progress.unanswered && chance(50);
    }
    history_.push_back(step);
    progress_.push_back(progress);
  }

  void take_effect(std::size_t which) {
    Step& step = history_[which];
    if (progress_[which].effective || progress_[which].never) return;
    for (std::size_t i = 0; i < which && step.kind == WordOperationKind::atomic; ++i)
      if (history_[i].qp == step.qp && !progress_[i].effective && !progress_[i].never) return;
    progress_[which].effective = true;
    switch (step.kind) {
      case WordOperationKind::atomic:
        step.original = value_;
        value_ = *step.function.result(value_);
        break;
      case WordOperationKind::write: value_ = little_ ? swap_octets(step.memory) : step.memory; break;
      case WordOperationKind::overwrite:
      case WordOperationKind::unseen: value_ = pick(3); break;
    }
  }

  void respond(std::size_t which) {
    Step& step = history_[which];
    if (step.kind != WordOperationKind::atomic || step.turn || !progress_[which].effective) return;
    if (progress_[which].unanswered) return;
    step.response = next_point();
    step.turn = turns_++;
  }

  std::mt19937& random_;
  Mixture mixture_;
  std::uint64_t value_;
  bool little_ = false;
  std::uint64_t frame_ = 0;
  std::int64_t time_ns_ = 0;
  std::size_t turns_ = 0;
  WordHistory history_;
  std::vector<Progress> progress_;
};

/// The decisions of a Linearizer that was fed the history; cookies are turns of the responses.
inline std::vector<WordDecision> linearize(const WordHistory& history, Linearizer& linearizer) {
  WordSearch search;
  std::vector<WordDecision> decided;
  std::vector<std::uint64_t> ids(history.size());
  std::uint64_t last_frame = 0;
  for (const Step& step : history)
    last_frame = std::max({last_frame, step.invoked.frame.value, step.response.frame.value});
  for (std::uint64_t frame = 1; frame <= last_frame; ++frame) {
    for (std::size_t i = 0; i < history.size(); ++i) {
      const Step& step = history[i];
      if (step.invoked.frame.value == frame) {
        if (step.kind == WordOperationKind::atomic) {
          ids[i] = linearizer.request(step.qp, step.turn.value_or(~std::size_t{0}), step.function, step.invoked);
        } else if (step.kind == WordOperationKind::write) {
          linearizer.write(step.qp, step.memory, step.invoked);
        } else {
          linearizer.write(step.qp, std::nullopt, step.invoked);
        }
      } else if (step.turn && step.response.frame.value == frame) {
        static_cast<void>(linearizer.response(ids[i], step.original, step.response));
      }
    }
    linearizer.advance(search, decided);
  }
  linearizer.finish(search, decided);
  return decided;
}
inline std::vector<WordDecision> linearize(const WordHistory& history) {
  Linearizer linearizer;
  return linearize(history, linearizer);
}

}  // namespace iwarpscope::emulation::test
