// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Between the threads that read and the one that analyses.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "capture/time_merge.h"

namespace iwarpscope::capture {

/// A queue for each reader, bounded by octets, and their merge. A batch counts until all of its frames were given and
/// done with; one batch is always let in, however long.
class Handover {
 public:
  struct Limits {
    std::size_t octets = 0;                 ///< of a queue
    std::uint64_t simulate_full_every = 0;  ///< every n-th batch of a lane finds the queue full; 0: never
    std::chrono::nanoseconds settle{0};     ///< TimeMerge's
  };
  Handover(std::size_t lanes, const Limits& limits);
  [[nodiscard]] std::size_t lanes() const noexcept { return lanes_.size(); }

  // For the reader of the lane.
  /// Takes the batch, or leaves it as it is and returns false when the queue is full. Never waits.
  [[nodiscard]] bool offer(std::size_t lane, Batch& batch);
  /// Waits for room. Returns false when the queue is said to be full, or after stop().
  [[nodiscard]] bool push(std::size_t lane, Batch& batch);
  /// See TimeMerge::clear().
  void clear(std::size_t lane, SteadyTime time);
  void end(std::size_t lane);
  /// An empty list of frames, with room from earlier ones.
  [[nodiscard]] std::vector<net::Frame> frames(std::size_t lane);
  void give_back(std::size_t lane, std::vector<net::Frame> frames);
  /// Sleeps. Returns false after stop().
  [[nodiscard]] bool sleep_until(SteadyTime time);

  // For the consumer.
  enum class Outcome : std::uint8_t { run, nothing, ended };
  /// Waits for the next run; what the last one gave is done with.
  [[nodiscard]] Outcome take(std::optional<TimeMerge::Run>& run, std::chrono::milliseconds wait);

  // For any thread.
  void wake() noexcept;
  void stop() noexcept;
  [[nodiscard]] bool is_stopped() const noexcept;

 private:
  static constexpr std::size_t kSpareLists = 8;
  struct Lane {
    std::vector<Batch> inbox;
    std::size_t octets = 0;     ///< in the inbox and in the merge
    std::uint64_t batches = 0;  ///< offered
    SteadyTime clear{};
    bool ended = false;
    std::vector<std::vector<net::Frame>> spare;
  };
  [[nodiscard]] bool is_simulated_full(Lane& lane) const noexcept {
    return limits_.simulate_full_every != 0 && ++lane.batches % limits_.simulate_full_every == 0;
  }
  [[nodiscard]] bool has_room(const Lane& lane, const Batch& batch) const noexcept {
    return lane.octets == 0 || lane.octets + batch.weight() <= limits_.octets;
  }
  void put(Lane& lane, Batch& batch);
  void let_go();
  void collect();

  const Limits limits_;
  mutable std::mutex mutex_;
  std::condition_variable to_taker_;
  std::condition_variable to_readers_;
  std::vector<Lane> lanes_;
  bool woken_ = false;
  bool stopped_ = false;
  TimeMerge merge_;  ///< the taker's
};

}  // namespace iwarpscope::capture
