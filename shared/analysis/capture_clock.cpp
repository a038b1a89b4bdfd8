// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/capture_clock.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

namespace iwarpscope::analysis {
namespace {

constexpr std::int64_t kClockToleranceNs = 10'000'000;
constexpr std::int64_t kStepNs = 5'000'000;
constexpr std::int64_t kAwayNs = 60'000'000'000;

}  // namespace

std::optional<findings::Finding> CaptureClock::see(const net::Frame& frame) {
  if (!first_time_) {
    first_time_ = start_ = frame.time;
  } else if (!has_two_) {
    has_two_ = true;
    if (std::abs(elapsed_ns(*first_time_, frame.time)) > kAwayNs) start_ = frame.time;
  }
  const TimePoint before = last_time_;
  const FrameNumber frame_before = last_frame_;
  last_time_ = frame.time;
  passed_.reset();
  last_frame_ = frame.number;
  is_step_ = !step_ || std::abs(elapsed_ns(*step_, frame.time)) >= kStepNs;
  if (is_step_) step_ = frame.time;
  if (went_back_ || frame_before.value == 0 || elapsed_ns(frame.time, before) <= kClockToleranceNs) return std::nullopt;
  went_back_ = true;
  findings::Finding f;
  f.id = findings::FindingId::capture_clock_went_back;
  f.frame = frame.number;
  f.frames = {frame_before, frame.number};
  f.time = frame.time;
  f.seen = fmt::format("{} ns", elapsed_ns(frame.time, before));
  f.text = fmt::format("The time of frame {} is {} ms before that of the frame before it.", frame.number.value,
                       elapsed_ns(frame.time, before) / 1'000'000);
  return f;
}

}  // namespace iwarpscope::analysis
