// One order for what the shards tell, and the numbers of queue pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/records.h"
#include "analysis/shard.h"

namespace iwarpscope::analysis {

/// Numbers queue pairs in the order of the frames that confirmed them and hands messages and findings to the observer
/// in the order of the frames that decided them, then queue pair, direction, index. Counts findings.
class Merger {
 public:
  explicit Merger(Observer& observer);

  /// Takes events of any shards; all events of earlier frames must have been taken before. Empties `events`.
  void take(std::vector<Event>& events);
  /// A finding that speaks of no queue pair.
  void finding(const findings::Finding& finding);

  [[nodiscard]] std::uint64_t qps() const noexcept { return places_.size(); }
  /// Where the queue pair with this number is. Precondition: number < qps().
  [[nodiscard]] QpPlace place(std::uint64_t number) const noexcept { return places_[number]; }
  /// Findings counted so far: everything but qps, messages and time.
  [[nodiscard]] const SummaryRecord& counts() const noexcept { return counts_; }

 private:
  void emit(Event& event);
  /// Of the event's queue pair; before all others when it speaks of none.
  [[nodiscard]] std::int64_t number_of(const Event& event) const noexcept;

  Observer& observer_;
  SummaryRecord counts_;
  std::vector<QpPlace> places_;                      ///< by number
  std::vector<std::vector<std::uint64_t>> numbers_;  ///< by shard and index
};

}  // namespace iwarpscope::analysis
