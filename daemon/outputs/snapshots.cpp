// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/snapshots.h"

#include <algorithm>
#include <utility>

#include "capture/thread_name.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;

/// Queue pairs of a page, and of those that wait to be taken at most.
constexpr std::size_t kPage = 200, kMostWaiting = 4096;
constexpr std::size_t kMostHeartbeats = 16;
/// A round is done in this part of its time, so that the next one begins when it should.
constexpr double kPartOfRound = 0.8;

}  // namespace

Snapshots::Snapshots(const SnapshotOptions& options, live::Directory& directory)
    : options_(options), directory_(directory), thread_([this] {
        capture::name_thread("snapshots");
        run();
      }) {}

Snapshots::~Snapshots() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Snapshots::Taken Snapshots::take() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
  return std::exchange(taken_, {});
}

/// Takes heartbeats meanwhile. False: it is to stop.
bool Snapshots::wait_until(Clock::time_point when) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stopping_) return false;
    const Clock::time_point now = Clock::now();
    const bool has_heartbeats = options_.heartbeats.count() != 0;
    if (has_heartbeats && now >= next_heartbeat_) {
      next_heartbeat_ = now + std::chrono::duration_cast<Clock::duration>(options_.heartbeats);
      lock.unlock();
      live::Status status = directory_.status();
      lock.lock();
      if (taken_.heartbeats.size() < kMostHeartbeats) taken_.heartbeats.push_back(std::move(status));
      continue;
    }
    const bool is_full = taken_.states.size() >= kMostWaiting;
    if (now >= when && !is_full) return true;
    Clock::time_point until = is_full ? now + 1s : when;
    if (has_heartbeats) until = std::min(until, next_heartbeat_);
    changed_.wait_until(lock, until);
  }
}

void Snapshots::run() {
  Clock::time_point next = Clock::now();
  while (wait_until(options_.states.count() != 0 ? next : Clock::now() + 1h)) {
    if (options_.states.count() == 0) continue;
    const Clock::time_point began = Clock::now();
    walk();
    next = std::max(began + std::chrono::duration_cast<Clock::duration>(options_.states), Clock::now());
  }
}

/// One round over all open queue pairs.
void Snapshots::walk() {
  std::uint64_t open = 0;
  for (const auto& [state, count] : directory_.status().totals.qps_by_state) open += count;
  const std::uint64_t pages = open / kPage + 1;
  const auto pause =
      std::chrono::duration_cast<Clock::duration>(options_.states * kPartOfRound / static_cast<double>(pages));
  seen_before_ = std::exchange(seen_, {});
  live::QpFilter filter;
  filter.with_ended = false;
  std::uint64_t from = 0;
  for (;;) {
    const Clock::time_point asked = Clock::now();
    const auto page = directory_.qps(filter, from, kPage);
    if (!page) return;  // the analysis is busy or has ended: what this round did not see is like new in the next one
    add(*page);
    if (!page->next) return;
    from = *page->next;
    if (!wait_until(asked + pause)) return;
  }
}

void Snapshots::add(const live::QpPage& page) {
  const std::lock_guard lock(mutex_);
  for (const live::QpViewPtr& view : page.qps) {
    const Seen now{view->record.last_time.ns, view->version};
    seen_[view->record.qp] = now;
    const auto before = seen_before_.find(view->record.qp);
    if (before == seen_before_.end() || !(before->second == now)) taken_.states.push_back(view);
  }
}

}  // namespace iwarpscope::outputs
