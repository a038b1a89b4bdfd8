// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How fast the history of one word is checked: 32 QPs, up to 64 operations pending at once, for several kinds of load.
// The last column counts the decisions of each verdict. Seconds are of this process, not of the clock on the wall.
// Usage: iwarpscope-atomics [OPERATIONS [PENDING]]
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <random>
#include <vector>

#include "base/octets.h"
#include "emulation/atomic_memory.h"

namespace {

using namespace iwarpscope;
using namespace iwarpscope::emulation;

constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::size_t kQps = 32;

struct Load {
  const char* name;
  AtomicFunction (*function)(std::uint64_t value, std::mt19937& random);
  bool writes;
};

AtomicFunction counter(std::uint64_t, std::mt19937&) {
  return {rdmap::AOpCode::fetch_add, 1, 0, 0, kAll};
}
AtomicFunction lock(std::uint64_t value, std::mt19937& random) {
  if (value != 0 && random() % 8 == 0) return {rdmap::AOpCode::cmp_swap, 0, kAll, value, kAll};
  return {rdmap::AOpCode::cmp_swap, 1 + random() % 32, kAll, 0, kAll};
}
AtomicFunction mixture(std::uint64_t value, std::mt19937& random) {
  switch (random() % 3) {
    case 0: return {rdmap::AOpCode::fetch_add, random() % 100, 0x80808080, 0, kAll};
    case 1: return {rdmap::AOpCode::swap, random() % 1000, kAll, 0, kAll};
    default: return {rdmap::AOpCode::cmp_swap, random() % 1000, kAll, value, kAll};
  }
}
AtomicFunction equal(std::uint64_t, std::mt19937&) {
  return {rdmap::AOpCode::cmp_swap, 0, kAll, 0, kAll};
}
AtomicFunction toggle(std::uint64_t, std::mt19937&) {
  return {rdmap::AOpCode::fetch_add, 1, 1, 0, kAll};
}

/// One operation that waits: to take effect, then to be answered.
struct Pending {
  std::uint64_t cookie;
  std::uint64_t qp;
  AtomicFunction function;
  std::uint64_t original = 0;
  bool effective = false;
};

class Run {
 public:
  Run(const Load& load, std::uint64_t operations, std::size_t most)
      : load_(load), operations_(operations), most_(most) {}

  void go() {
    const std::clock_t begin = std::clock();
    while (answered_ < operations_) {
      if (pending_.size() < most_ && invoked_ < operations_) {
        invoke();
      } else {
        take_effect(random_() % pending_.size());
        answer(random_() % pending_.size());
      }
      count();
    }
    memory_.finish();
    count();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%-28s %8.3f s %10.2f M operations/s   first %llu verified %llu inconsistent %llu undecidable %llu\n",
                load_.name, seconds, static_cast<double>(operations_) / seconds / 1e6, verdicts_[0], verdicts_[1],
                verdicts_[2], verdicts_[3]);
  }

 private:
  TapPoint now() { return {FrameNumber{++frame_}, TimePoint{static_cast<std::int64_t>(frame_) * 500}}; }

  void invoke() {
    std::uint64_t qp = random_() % kQps;
    while (pending_of_[qp] * kQps >= most_) qp = (qp + 1) % kQps;
    ++pending_of_[qp];
    if (load_.writes && random_() % 16 == 0) {
      value_ = 0;
      const std::array<std::byte, 8> zeros{};
      memory_.write({kKey.responder, kKey.stag, kKey.to, 8, zeros, qp}, now());
    }
    pending_.push_back({invoked_, qp, load_.function(value_, random_)});
    memory_.request(kKey, {qp}, invoked_++, pending_.back().function, now());
  }

  /// The QP's oldest operation that did not take effect yet does.
  void take_effect(std::size_t which) {
    const std::uint64_t qp = pending_[which].qp;
    for (Pending& operation : pending_) {
      if (operation.qp != qp || operation.effective) continue;
      operation.effective = true;
      operation.original = value_;
      value_ = operation.function.result(value_).value_or(0);
      return;
    }
  }

  /// The QP's oldest operation is answered, if it took effect.
  void answer(std::size_t which) {
    const std::uint64_t qp = pending_[which].qp;
    for (auto it = pending_.begin(); it != pending_.end(); ++it) {
      if (it->qp != qp) continue;
      if (!it->effective) return;
      memory_.response(it->cookie, it->original, now());
      pending_.erase(it);
      --pending_of_[qp];
      ++answered_;
      return;
    }
  }

  void count() {
    for (const AtomicDecision& decision : memory_.decided())
      ++verdicts_[static_cast<std::size_t>(decision.decision.verdict)];
  }

  static inline const WordKey kKey{net::IpAddress::v4(0x0A000001), STag{0x100}, TaggedOffset{0x1000}};

  Load load_;
  std::uint64_t operations_;
  std::size_t most_;  ///< operations pending at once
  std::mt19937 random_{1};
  AtomicMemory memory_;
  std::deque<Pending> pending_;
  std::array<std::size_t, kQps> pending_of_{};  ///< by QP: as many as any other may have
  std::uint64_t value_ = 0;
  std::uint64_t frame_ = 0;
  std::uint64_t invoked_ = 0;
  std::uint64_t answered_ = 0;
  std::array<unsigned long long, 4> verdicts_{};
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::size_t most = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 64;
  const std::array<Load, 6> loads{{{"counter (FetchAdd 1)", counter, false},
                                   {"lock (CmpSwap)", lock, false},
                                   {"mixture", mixture, false},
                                   {"counter and Writes of 0", counter, true},
                                   {"hostile: all values equal", equal, false},
                                   {"hostile: one bit toggled", toggle, false}}};
  for (const Load& load : loads) Run(load, operations, most).go();
  return 0;
}
