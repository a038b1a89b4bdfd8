// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One order for what the shards tell, the numbers of queue pairs, and what crosses them.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/cross_stage.h"
#include "analysis/options.h"
#include "analysis/records.h"
#include "analysis/shard.h"
#include "findings/finding.h"

namespace iwarpscope::analysis {

/// Numbers queue pairs in the order of the frames that confirmed them and hands messages and findings to the observer
/// in the order of the frames that decided them, then queue pair, direction, index. Counts findings.
class Merger final : public findings::Reporter {
 public:
  Merger(const Options& options, Observer& observer);

  /// Takes what any shards reported; all of earlier frames must have been taken before. Empties `reports`.
  void take(Reports& reports);
  /// Nothing follows: what waited for more is reported, as decided at this frame.
  void finish(FrameNumber frame, TimePoint time);
  /// A finding that speaks of no queue pair.
  void raise(findings::Finding finding) override;

  /// Queue pairs numbered so far, those that were discarded included.
  [[nodiscard]] std::uint64_t qps() const noexcept { return qps_; }
  /// The queue pair was numbered and not discarded.
  [[nodiscard]] bool has(std::uint64_t number) const { return places_.contains(number); }
  [[nodiscard]] std::uint64_t followed() const noexcept { return places_.size(); }
  /// All of these, in order.
  [[nodiscard]] std::vector<std::uint64_t> numbers() const;
  /// Where the queue pair with this number is. Precondition: has(number).
  [[nodiscard]] QpPlace place(std::uint64_t number) const { return places_.at(number); }
  /// Precondition: the shard confirmed it, and that was taken.
  [[nodiscard]] std::uint64_t number_of(const QpPlace& place) const noexcept {
    return numbers_[place.shard][place.index];
  }
  /// Nothing is reported of it any more; its place may be another's from now on.
  void forget(std::uint64_t number);
  /// Findings counted so far: everything but qps, messages and time.
  [[nodiscard]] const SummaryRecord& counts() const noexcept { return counts_; }
  [[nodiscard]] const CrossStage& cross_stage() const noexcept { return cross_; }

  template <class A>
  void archive(A& a) {
    a(counts_, cross_, qps_, places_, numbers_);
    a.check(numbers_.size() == kShards);
    for (const auto& [number, place] : places_) {
      const bool is_there =
          number < qps_ && place.shard < numbers_.size() && place.index < numbers_[place.shard].size();
      a.check(is_there && !a.has_failed() && numbers_[place.shard][place.index] == number);
    }
  }

 private:
  void number(std::span<const Event> group);
  /// Everything of one frame: facts first, then what they decide among what the shards reported.
  void take_frame(std::span<Event> group, std::span<CrossEvent*> facts);
  void put_in_order(std::span<CrossEvent*> facts) const;
  void emit(std::span<Event> group);
  void emit(Event& event);
  /// The event's queue pair; before all others when it names none.
  [[nodiscard]] std::int64_t number_of(const Event& event) const noexcept;
  [[nodiscard]] std::vector<Event> cross_events(FrameNumber frame);

  Observer& observer_;
  SummaryRecord counts_;
  CrossStage cross_;
  std::vector<CrossEvent*> facts_;  ///< room for take()
  const bool emulation_;
  std::uint64_t qps_ = 0;
  absl::flat_hash_map<std::uint64_t, QpPlace> places_;  ///< by number
  std::vector<std::vector<std::uint64_t>> numbers_;     ///< by shard and index
};

}  // namespace iwarpscope::analysis
