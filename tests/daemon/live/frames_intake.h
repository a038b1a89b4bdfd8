// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An intake that gives the frames of a test when the test allows it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "capture/intake.h"
#include "support/analysis.h"

namespace iwarpscope::test {

/// Gives frames in batches, each with a storage of its own. A batch that was given and let go of is overwritten.
class FramesIntake final : public capture::Intake {
 public:
  explicit FramesIntake(const synth::Frames& frames, std::size_t batch = 64, bool held = false)
      : frames_(frames), batch_(batch), allowed_(held ? 0 : frames.size()) {}

  /// Frames up to this number may be given from now on.
  void allow(std::size_t frames) {
    const std::lock_guard lock(mutex_);
    allowed_ = std::min(frames, frames_.size());
    changed_.notify_all();
  }
  /// No end comes after the last frame: as on an interface.
  void keep_open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
  }
  void be_interface() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    counters_.time_source = "host-ns";
  }
  /// Another interface, from which no frame comes.
  void add_interface(bool up) {
    const std::lock_guard lock(mutex_);
    others_.push_back({.name = "other", .link_type = "EN10MB", .up = up, .capturing = up, .time_source = "host-ns"});
  }
  void lose(std::uint64_t frames) {
    const std::lock_guard lock(mutex_);
    counters_.dropped_by_kernel += frames;
  }

  /// The interface goes down, or comes up again.
  void be_up(bool up) {
    const std::lock_guard lock(mutex_);
    if (counters_.up && !up) ++counters_.outages;
    counters_.up = counters_.capturing = up;
  }

  void start() override {}
  Given next(std::chrono::milliseconds wait) override {
    std::unique_lock lock(mutex_);
    if (storage_ != nullptr && storage_.use_count() == 1)
      std::fill(storage_->begin(), storage_->end(), std::byte{0xEE});
    changed_.wait_for(lock, wait, [this] { return given_ < allowed_ || woken_ || is_over(); });
    woken_ = false;
    if (given_ >= allowed_) return {is_over() ? State::ended : State::nothing, {}, {}};
    const std::size_t to = std::min(allowed_, given_ + batch_);
    std::size_t octets = 0;
    for (std::size_t i = given_; i < to; ++i) octets += frames_[i].octets.size();
    storage_ = std::make_shared<std::vector<std::byte>>(octets);
    batch_frames_.clear();
    std::size_t at = 0;
    for (; given_ < to; ++given_) {
      net::Frame frame = frame_of(frames_[given_], given_ + 1);
      std::copy(frame.octets.begin(), frame.octets.end(), storage_->begin() + static_cast<std::ptrdiff_t>(at));
      frame.octets = Octets{*storage_}.subspan(at, frame.octets.size());
      at += frame.octets.size();
      counters_.octets += frame.octets.size();
      ++counters_.frames;
      batch_frames_.push_back(frame);
    }
    return {State::frames, storage_, batch_frames_};
  }
  void wake() noexcept override {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }
  void stop() noexcept override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  std::vector<capture::IntakeCounters> counters() const override {
    const std::lock_guard lock(mutex_);
    std::vector<capture::IntakeCounters> all{counters_};
    all.insert(all.end(), others_.begin(), others_.end());
    return all;
  }

 private:
  [[nodiscard]] bool is_over() const noexcept { return stopped_ || (!open_ && given_ == frames_.size()); }

  const synth::Frames& frames_;
  const std::size_t batch_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t allowed_ = 0, given_ = 0;
  bool open_ = false, stopped_ = false, woken_ = false;
  capture::IntakeCounters counters_{.name = "test", .link_type = "EN10MB", .time_source = "file"};
  std::vector<capture::IntakeCounters> others_;
  std::shared_ptr<std::vector<std::byte>> storage_;
  std::vector<net::Frame> batch_frames_;
};

}  // namespace iwarpscope::test
