// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of several capture sockets in one order.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "capture/intake.h"
#include "net/frame.h"

namespace iwarpscope::capture {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Frames that one reader handed over at once, in the order in which it got them.
struct Batch {
  Intake::Storage storage;  ///< where the frames' octets lie
  std::vector<net::Frame> frames;
  std::uint64_t octets = 0;  ///< captured in them
  SteadyTime handed;         ///< when

  /// What it takes of a queue. Units: octets.
  [[nodiscard]] std::size_t weight() const noexcept {
    return static_cast<std::size_t>(octets) + frames.size() * sizeof(net::Frame);
  }
};

/// Merges lanes, one for each socket, by the time of their frames. Within a lane nothing is put in another order. A
/// lane that has nothing keeps the others waiting until it is known that nothing earlier can come from it any more, or
/// until a batch has waited for kMostWait; what is late then comes all the same. Pure: the caller passes the time.
class TimeMerge {
 public:
  /// How long a batch waits for other lanes. Source: ours.
  static constexpr std::chrono::milliseconds kMostWait{50};

  /// Some frames of one batch, next to one another. Valid until the next call of next() or take_done().
  struct Run {
    std::size_t lane = 0;
    std::span<net::Frame> frames;
    Intake::Storage storage;
  };
  /// A batch whose frames were all given.
  struct Done {
    std::size_t lane = 0;
    Batch batch;
  };

  /// `settle`: how long after it came a frame may still be under way to its lane.
  TimeMerge(std::size_t lanes, std::chrono::nanoseconds settle) : lanes_(lanes), settle_(settle) {}

  void add(std::size_t lane, Batch batch);
  /// Nothing was under way in the lane at that time, but what was added and what came within `settle` before it.
  void clear(std::size_t lane, SteadyTime time) noexcept { lanes_[lane].clear = time; }
  /// Nothing more comes in this lane.
  void end(std::size_t lane) noexcept { lanes_[lane].ended = true; }

  /// The next frames. None if no frames are waiting, or they have to wait until due().
  [[nodiscard]] std::optional<Run> next(SteadyTime now);
  /// When next() has to be asked again even if nothing happens before.
  [[nodiscard]] SteadyTime due() const noexcept { return due_; }
  /// All lanes ended, and all was given.
  [[nodiscard]] bool ended() const noexcept;
  /// A batch that was given as a whole; its frames are valid until this is called.
  [[nodiscard]] std::optional<Done> take_done();

 private:
  struct Lane {
    std::deque<Batch> batches;
    std::size_t given = 0;  ///< frames of the first batch
    SteadyTime clear{};
    bool ended = false;

    [[nodiscard]] bool is_empty() const noexcept { return batches.empty(); }
    [[nodiscard]] TimePoint head() const noexcept { return batches.front().frames[given].time; }
  };
  [[nodiscard]] std::optional<std::size_t> earliest() const noexcept;
  [[nodiscard]] bool has_to_wait(std::size_t lane, SteadyTime now);

  std::vector<Lane> lanes_;
  std::chrono::nanoseconds settle_;
  SteadyTime due_ = SteadyTime::max();
  std::deque<Done> done_;
};

}  // namespace iwarpscope::capture
