// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What only all queue pairs together can tell: atomic words and STags that several of them reach.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "emulation/atomic_memory.h"
#include "emulation/cross_fact.h"
#include "emulation/stag_registry.h"
#include "findings/finding.h"
#include "qp/ending_order.h"
#include "qp/finding_filter.h"
#include "qp/recent_breaches.h"
#include "qp/records.h"

namespace iwarpscope::analysis {

/// Takes the facts of all queue pairs in the order of their frames, then queue pair, and makes findings of them:
/// RM-38, AT-14, AT-15, AT-19, SX-01, SX-09, SX-11. Bounded by the bounds of its models.
class CrossStage final : private emulation::Notes {
 public:
  /// Something to report, of this queue pair; decided by the current frame.
  struct Reported {
    std::uint64_t qp = 0;
    std::variant<findings::Finding, qp::MessageRecord> body;
  };

  explicit CrossStage(std::uint64_t findings_per_rule);

  /// Takes a fact of the queue pair with this number; `frame` and `time` are the current ones. What it decides is
  /// appended to reported().
  void take(std::uint64_t qp, const emulation::CrossFact& fact, FrameNumber frame, TimePoint time);
  /// The record of an Atomic Response, or any other. True: it was taken, and comes back by reported() once its verdict
  /// is decided. False: it is decided, and was filled in. Call it after take() of all facts of its frame.
  [[nodiscard]] bool holds(qp::MessageRecord& record);
  /// All facts of a frame were taken, and all its records were offered.
  void end_frame() { decided_.clear(); }
  /// Nothing follows: decides everything that is left.
  void finish(FrameNumber frame, TimePoint time);

  [[nodiscard]] std::vector<Reported> reported() { return std::exchange(reported_, {}); }
  [[nodiscard]] bool has_reported() const noexcept { return !reported_.empty(); }
  /// Findings counted but not reported, to keep the report readable.
  [[nodiscard]] std::uint64_t suppressed() const noexcept { return suppressed_; }
  /// The first findings of a queue pair of at least severity warning; none: null. Valid until the next call.
  [[nodiscard]] const std::vector<qp::NotedFinding>* noted(std::uint64_t qp) const {
    const auto it = noted_.find(qp);
    return it == noted_.end() ? nullptr : &it->second;
  }
  /// What receivers refuse of it, message by message; none: null. Valid until the next call.
  [[nodiscard]] const qp::RecentBreaches* breaches(std::uint64_t qp) const {
    const auto it = breaches_.find(qp);
    return it == breaches_.end() ? nullptr : &it->second;
  }
  /// Nothing will be asked about this queue pair any more.
  void forget(std::uint64_t qp) {
    filters_.erase(qp);
    noted_.erase(qp);
    breaches_.erase(qp);
  }
  /// Words, STags and requests discarded to stay within the bounds.
  [[nodiscard]] std::uint64_t evicted() const { return memory_.counters().evicted + registry_.evicted() + discarded_; }

  template <class A>
  void archive(A& a) {
    a(memory_, registry_, waiting_, decided_, filters_, noted_, breaches_, in_order_, doubted_, unsure_, reported_);
    a(suppressed_, discarded_, frame_, time_);
    for (auto& [cookie, waiting] : waiting_) {
      const qp::MessageRecord* const record = waiting.record.get();
      a.check(record == nullptr || std::holds_alternative<qp::AtomicResponseDetail>(record->detail));
      a.check(waiting.doubted == nullptr || waiting.doubted->decision.conflict != nullptr);
      if (a.has_failed()) return;
      if (waiting.doubted != nullptr)
        a.check(waiting.doubted->decision.conflict->due_shown <= emulation::WordConflict::kMost);
    }
  }

 private:
  static constexpr std::size_t kMostWaiting = 262'144;  ///< above what the memory of atomics holds
  /// AT-15 waits so long: until then the close of a connection is known that the capture lacks octets of.
  static constexpr std::int64_t kDoubtNs = 3'500'000'000;
  /// An AT-14 waits so long for operations of other queue pairs that the capture holds late: directions may be captured
  /// with skew.
  static constexpr std::int64_t kSkewNs = qp::kMostSkewNs;
  static constexpr std::size_t kMostDoubted = 1024;

  /// An Atomic Response that waits for its verdict.
  struct Waiting {
    std::uint64_t response = 0;  ///< message index
    FrameNumber request, answer;
    std::unique_ptr<qp::MessageRecord> record;
    std::unique_ptr<emulation::AtomicDecision> doubted;  ///< it would be AT-15
  };
  struct Doubted {
    std::uint64_t cookie = 0;
    TimePoint since;
  };

  void note(const emulation::Note& note) override;
  void make_room();
  void requested(std::uint64_t qp, const emulation::AtomicRequested& fact);
  void responded(std::uint64_t qp, const emulation::AtomicResponded& fact);
  void contradicted(std::uint64_t qp, const emulation::ReadContradicted& fact);
  void ended(std::uint64_t qp, const emulation::StreamEnded& end);
  /// What the memory of atomics decided since the last call.
  void collect();
  void settle(emulation::AtomicDecision& decision);
  void conclude(std::uint64_t cookie, Waiting& waiting, emulation::WordVerdict verdict);
  [[nodiscard]] bool may_be_other_memory(const emulation::AtomicDecision& decision, emulation::Close close) const;
  void clear_doubted();
  void report(std::deque<Doubted>& those, std::int64_t wait_ns, bool all);
  void excuse(std::uint64_t qp, const net::IpAddress& responder, STag stag, const emulation::TapPoint& at);
  void raise_inconsistent(const emulation::AtomicDecision& decision, const Waiting& waiting);
  void raise_mixed(const emulation::MixedUse& use);
  void keep(std::uint64_t qp, const findings::Finding& finding);
  void raise(std::uint64_t qp, findings::Finding finding);

  emulation::AtomicMemory memory_;
  emulation::StagRegistry registry_;
  /// By cookie, which says queue pair, direction and message of the request. Those of a queue pair lie together.
  absl::btree_map<std::uint64_t, Waiting> waiting_;
  absl::flat_hash_map<std::uint64_t, emulation::WordVerdict> decided_;       ///< by cookie: in the current frame
  absl::flat_hash_map<std::uint64_t, qp::FindingFilter> filters_;            ///< by queue pair, of those with findings
  absl::flat_hash_map<std::uint64_t, std::vector<qp::NotedFinding>> noted_;  ///< by queue pair
  absl::flat_hash_map<std::uint64_t, qp::RecentBreaches> breaches_;          ///< by queue pair
  std::deque<std::uint64_t> in_order_;  ///< cookies of waiting_, oldest first, and of some that wait no more
  std::deque<Doubted> doubted_;         ///< AT-15 that wait, oldest first, and some that wait no more
  std::deque<Doubted> unsure_;          ///< AT-14 that wait, in the same way
  std::vector<Reported> reported_;
  std::uint64_t findings_per_rule_;
  std::uint64_t suppressed_ = 0;
  std::uint64_t discarded_ = 0;
  FrameNumber frame_;
  TimePoint time_;
};

}  // namespace iwarpscope::analysis
