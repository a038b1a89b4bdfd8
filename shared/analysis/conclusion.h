// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The end of a capture: what only the whole of it can tell.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/judge.h"
#include "analysis/merger.h"
#include "analysis/records.h"
#include "analysis/shard.h"
#include "analysis/surroundings.h"
#include "net/decoder.h"
#include "net/frame.h"

namespace iwarpscope::analysis {

/// What is counted frame by frame, before shards matter.
class CaptureClock {
 public:
  /// Takes the frame's time. The finding when the capture's clock went back by more than 10 ms, the first time.
  [[nodiscard]] std::optional<findings::Finding> see(const net::Frame& frame);

  /// Until then no frame will come, or none came: time has passed all the same. Holds until the next frame.
  void pass(TimePoint time) noexcept { passed_ = time; }

  [[nodiscard]] std::optional<TimePoint> first_time() const noexcept { return first_time_; }
  [[nodiscard]] TimePoint last_time() const noexcept { return last_time_; }  ///< of the last frame
  /// As late as it is known to be.
  [[nodiscard]] TimePoint now() const noexcept { return passed_.value_or(last_time_); }
  [[nodiscard]] FrameNumber last_frame() const noexcept { return last_frame_; }
  /// The frame seen last is so much later than the one of the step before that every shard is to be told: see
  /// Shard::pass_time(). It depends on the times of all frames and on nothing else.
  [[nodiscard]] bool is_step() const noexcept { return is_step_; }

 private:
  std::optional<TimePoint> first_time_;
  TimePoint last_time_;
  std::optional<TimePoint> passed_;
  FrameNumber last_frame_;
  std::optional<TimePoint> step_;
  bool is_step_ = false;
  bool went_back_ = false;
};

/// In a capture that goes on: queue pairs that ended, or are idle for longer than the limits, have their last findings
/// told and their record, and are forgotten. Everything the shards told must have been taken before. Returns how many.
std::size_t retire(Shards& shards, Merger& merger, Judge& judge, const CaptureClock& clock, const RetireLimits& limits,
                   const verdict::CaptureSpan& span, Surroundings& surroundings, Observer& observer);

/// Finishes all shards and hands the observer what is left: waiting messages and findings, findings about the capture
/// and about what surrounds the queue pairs, the capture record, a record for each queue pair, the summary.
/// Queue pairs that were retired before are not told again. Who waited has waited until the end of `span`.
void conclude(Shards& shards, Merger& merger, Judge& judge, const CaptureClock& clock, const net::Statistics& net,
              const CaptureInfo& info, const verdict::CaptureSpan& span, Surroundings& surroundings,
              Observer& observer);

/// Of a capture that says how many frames it lost, but not when: until the clock's now().
[[nodiscard]] verdict::CaptureSpan whole_capture(const CaptureClock& clock, const CaptureInfo& info);

}  // namespace iwarpscope::analysis
