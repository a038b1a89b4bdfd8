// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/handover.h"

#include <algorithm>
#include <utility>

namespace iwarpscope::capture {

Handover::Handover(std::size_t lanes, const Limits& limits)
    : limits_(limits), lanes_(lanes), merge_(lanes, limits.settle) {}

void Handover::put(Lane& lane, Batch& batch) {
  batch.handed = std::chrono::steady_clock::now();
  lane.octets += batch.weight();
  lane.inbox.push_back(std::move(batch));
}

// The taker is notified without the lock: it would wake, wait for the lock, and wake again.

bool Handover::offer(std::size_t lane, Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    Lane& l = lanes_[lane];
    if (is_simulated_full(l) || !has_room(l, batch)) return false;
    put(l, batch);
  }
  to_taker_.notify_one();
  return true;
}

bool Handover::push(std::size_t lane, Batch& batch) {
  std::unique_lock lock(mutex_);
  Lane& l = lanes_[lane];
  if (is_simulated_full(l)) return false;
  to_readers_.wait(lock, [&] { return stopped_ || has_room(l, batch); });
  if (stopped_) return false;
  put(l, batch);
  lock.unlock();
  to_taker_.notify_one();
  return true;
}

void Handover::clear(std::size_t lane, SteadyTime time) {
  const std::lock_guard lock(mutex_);
  lanes_[lane].clear = time;
  if (lanes_.size() > 1) to_taker_.notify_one();
}

void Handover::end(std::size_t lane) {
  const std::lock_guard lock(mutex_);
  lanes_[lane].ended = true;
  to_taker_.notify_one();
}

std::vector<net::Frame> Handover::frames(std::size_t lane) {
  const std::lock_guard lock(mutex_);
  std::vector<std::vector<net::Frame>>& spare = lanes_[lane].spare;
  if (spare.empty()) return {};
  std::vector<net::Frame> list = std::move(spare.back());
  spare.pop_back();
  return list;
}

void Handover::give_back(std::size_t lane, std::vector<net::Frame> frames) {
  frames.clear();
  const std::lock_guard lock(mutex_);
  if (lanes_[lane].spare.size() < kSpareLists) lanes_[lane].spare.push_back(std::move(frames));
}

bool Handover::sleep_until(SteadyTime time) {
  std::unique_lock lock(mutex_);
  return !to_readers_.wait_until(lock, time, [this] { return stopped_; });
}

void Handover::let_go() {
  while (auto done = merge_.take_done()) {
    const std::size_t weight = done->batch.weight();
    std::vector<net::Frame> frames = std::move(done->batch.frames);
    done->batch.storage.reset();  // outside the lock: a large buffer may be freed
    frames.clear();
    const std::lock_guard lock(mutex_);
    Lane& lane = lanes_[done->lane];
    lane.octets -= weight;
    if (lane.spare.size() < kSpareLists) lane.spare.push_back(std::move(frames));
    to_readers_.notify_all();
  }
}

void Handover::collect() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    for (Batch& batch : lane.inbox) merge_.add(i, std::move(batch));
    lane.inbox.clear();
    merge_.clear(i, lane.clear);
    if (lane.ended) merge_.end(i);
  }
}

Handover::Outcome Handover::take(std::optional<TimeMerge::Run>& run, std::chrono::milliseconds wait) {
  run.reset();
  let_go();
  constexpr std::chrono::hours kLongest{24};  // what a clock can count without overflow
  const SteadyTime deadline = std::chrono::steady_clock::now() + std::min<std::chrono::milliseconds>(wait, kLongest);
  std::unique_lock lock(mutex_);
  for (;;) {
    collect();
    const SteadyTime now = std::chrono::steady_clock::now();
    run = merge_.next(now);
    if (run) return Outcome::run;
    if (merge_.ended()) return Outcome::ended;
    if (std::exchange(woken_, false) || now >= deadline) return Outcome::nothing;
    to_taker_.wait_until(lock, std::min(deadline, merge_.due()));
  }
}

void Handover::wake() noexcept {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  to_taker_.notify_one();
}

void Handover::stop() noexcept {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  to_readers_.notify_all();
}

bool Handover::is_stopped() const noexcept {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

}  // namespace iwarpscope::capture
