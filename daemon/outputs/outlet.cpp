// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/outlet.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "capture/thread_name.h"

namespace iwarpscope::outputs {
namespace {

using Clock = std::chrono::steady_clock;

live::Wanted patiently(live::Wanted wanted, std::size_t queue) {
  wanted.patient = true;
  if (queue != 0) wanted.queue = queue;
  return wanted;
}

}  // namespace

struct Outlet::State {
  State(std::unique_ptr<Sink> its_sink, live::Directory& directory, const OutletOptions& its_options)
      : sink(std::move(its_sink)), options(its_options), wanted(patiently(sink->wanted(), options.queue)) {
    subscription = directory.subscribe(wanted);
  }

  const std::unique_ptr<Sink> sink;
  const OutletOptions options;
  const live::Wanted wanted;

  mutable std::mutex mutex;
  std::condition_variable changed;
  // Everything below: under mutex. The thread uses the subscription without it while `in_sink` is false; stop() takes
  // it away only while `in_sink` is true.
  std::unique_ptr<live::Subscription> subscription;
  bool stopping = false, reopening = false, in_sink = false, done = false;
  bool abandoned = false;                    ///< stop() waits no more: the thread ends without another word
  std::size_t in_hand = 0;                   ///< events that take() was given and has not answered for
  std::uint64_t taken = 0;                   ///< stored
  std::uint64_t lost = 0;                    ///< by the sink, or given up
  std::uint64_t lost_before = 0;             ///< by the subscription, when it was taken away
  std::string failure;                       ///< what the sink threw last
  Clock::time_point emptied = Clock::now();  ///< whatever waits came after this

  /// Runs `work` as the sink's; false when stop() waits no more. Called without the mutex.
  template <class Work>
  bool in_the_sink(std::size_t events, Work&& work) {
    {
      const std::lock_guard lock(mutex);
      in_sink = true;
      in_hand = events;
      changed.notify_all();
    }
    std::size_t not_stored = 0;
    std::string thrown;
    try {
      not_stored = std::min<std::size_t>(work(), events);
    } catch (const std::exception& exception) {
      not_stored = events;
      thrown = fmt::format("The output failed: {}.", exception.what());
    }
    const std::lock_guard lock(mutex);
    in_sink = false;
    in_hand = 0;
    changed.notify_all();
    if (abandoned) return false;
    if (events != 0 || !thrown.empty()) failure = std::move(thrown);
    lost += not_stored;
    taken += events - not_stored;
    return true;
  }
  bool take(const std::vector<live::Event>& events) {
    return in_the_sink(events.size(), [&] { return sink->take(events); });
  }
  bool tell_missed(std::uint64_t events) {
    return in_the_sink(0, [&]() -> std::size_t {
      sink->missed(events);
      return 0;
    });
  }
  bool call(void (Sink::*member)()) {
    return in_the_sink(0, [&]() -> std::size_t {
      (sink.get()->*member)();
      return 0;
    });
  }
};

Outlet::Outlet(std::unique_ptr<Sink> sink, live::Directory& directory, const OutletOptions& options)
    : state_(std::make_shared<State>(std::move(sink), directory, options)), thread_([state = state_] {
        capture::name_thread(("out-" + std::string(state->sink->name())).substr(0, 15).c_str());
        run(state);
      }) {}

Outlet::~Outlet() {
  stop();
}

void Outlet::run(const std::shared_ptr<State>& state) {
  State& s = *state;
  live::Subscription& subscription = *s.subscription;
  Clock::time_point next_tend = Clock::now() + s.options.tend_every;
  std::uint64_t missed = 0;  ///< by the subscription, and the sink knows
  std::size_t left = 0;      // what waited when stop() came
  bool stopping = false;
  for (;;) {
    const auto until_tend = std::chrono::duration_cast<std::chrono::milliseconds>(next_tend - Clock::now());
    const auto wait = stopping ? std::chrono::milliseconds{0} : std::max(until_tend, std::chrono::milliseconds{0});
    const std::vector<live::Event> events = subscription.wait(wait);
    bool reopening = false;
    {
      const std::lock_guard lock(s.mutex);
      s.emptied = Clock::now();
      reopening = std::exchange(s.reopening, false);
      if (s.stopping && !std::exchange(stopping, true)) left = events.size() + subscription.waiting();
    }
    if (reopening && !s.call(&Sink::reopen)) return;
    if (!events.empty() && !s.take(events)) return;
    if (const std::uint64_t lost = subscription.lost(); lost != missed) {
      const std::uint64_t more = lost - std::exchange(missed, lost);
      if (!s.tell_missed(more)) return;
    }
    if (!events.empty() || Clock::now() >= next_tend) {
      if (!s.call(&Sink::tend)) return;
      next_tend = Clock::now() + s.options.tend_every;
    }
    left -= std::min(left, events.size());
    // Closed first: what waits after that is all there will be.
    const bool is_over = subscription.is_closed() && subscription.waiting() == 0;
    if (stopping ? left == 0 || events.empty() : is_over) break;
  }
  if (!s.call(&Sink::finish)) return;
  const std::lock_guard lock(s.mutex);
  s.done = true;
  s.changed.notify_all();
}

void Outlet::reopen() {
  const std::lock_guard lock(state_->mutex);
  state_->reopening = true;
}

void Outlet::stop() {
  if (!thread_.joinable()) return;
  State& s = *state_;
  const auto deadline = Clock::now() + s.options.stop_within;
  std::unique_ptr<live::Subscription> taken_away;
  s.sink->hurry();
  {
    std::unique_lock lock(s.mutex);
    s.stopping = true;
    s.subscription->cancel();
    s.changed.wait_until(lock, deadline, [&] { return s.done; });
    s.changed.wait(lock, [&] { return s.done || s.in_sink; });
    if (!s.done) {
      s.abandoned = true;
      s.lost += s.in_hand;
      s.in_hand = 0;
      s.failure = fmt::format("The output did not finish within {:.1f} s and was abandoned.",
                              std::chrono::duration<double>(s.options.stop_within).count());
    }
  }
  s.abandoned ? thread_.detach() : thread_.join();
  const std::lock_guard lock(s.mutex);
  s.lost_before = s.subscription->lost() + s.subscription->waiting();
  taken_away = std::move(s.subscription);
}

live::OutputView Outlet::view() const {
  const State& s = *state_;
  live::OutputView view;
  view.name = s.sink->name();
  view.queue_limit = s.wanted.queue;
  view.trouble = s.sink->trouble();
  view.not_begun = s.sink->not_begun();  // before those it is a part of
  view.withheld = s.sink->withheld();
  const std::uint64_t later = s.sink->lost_later();
  const std::lock_guard lock(s.mutex);
  if (!s.failure.empty()) view.trouble = s.failure;
  view.healthy = view.trouble.empty();
  view.taken = s.taken - std::min(later, s.taken);
  view.lost = s.lost + later + (s.subscription ? s.subscription->lost() : s.lost_before);
  view.queued = s.in_hand + (s.subscription ? s.subscription->waiting() : 0);
  if (view.queued != 0) view.lag_seconds = std::chrono::duration<double>(Clock::now() - s.emptied).count();
  return view;
}

}  // namespace iwarpscope::outputs
