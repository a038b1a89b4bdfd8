// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The recorder's thread: packets from the ring into files.
#include <algorithm>
#include <chrono>
#include <utility>

#include "outputs/recorder_parts.h"
#include "outputs/run.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostEnded = 65'536;  ///< queue pairs of which it is known when they were recorded last
constexpr auto kLook = 100ms;               ///< how often the ring is looked at
constexpr auto kRetireEvery = 60s;          ///< recordings grow old, and others may put files into the folder

}  // namespace

std::unique_ptr<RecordingFile> Recorder::new_file(const std::string& name, const Settings& by,
                                                  PcapngWriter::Describe described,
                                                  std::vector<std::string> comments) const {
  return std::make_unique<RecordingFile>(by.folder.path(name), by.options.most_file_octets,
                                         PcapngWriter(application_, std::move(described), std::move(comments)));
}

/// A recording could not be written, and what it was for is lost. Under mutex_.
void Recorder::failed(std::string trouble, std::uint64_t lost) {
  ++counts_.failed;
  counts_.lost += lost;
  trouble_ = std::move(trouble);
  failed_ = Clock::now();
  works_again_ = false;
}

/// Whether a recording can be written again; tests this with a temporary file.
void Recorder::try_again() {
  const auto by = settings();
  if (Clock::now() - tried_ < by->options.try_again_every) return;
  tried_ = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    if (trouble_.empty() || works_again_) return;
  }
  if (!by->folder.make().empty()) return;
  const auto file = new_file(by->folder.name_for(now(), 0, "try"), *by, {});
  if (!file->open().empty() || !file->try_out().empty()) return;
  const std::lock_guard lock(mutex_);
  works_again_ = true;
}

/// Makes the file of a recording for a finding. False: it is not to be recorded now.
bool Recorder::make_file(Request& request, const Settings& by) {
  const auto last = ended_.find(request.qp);
  const bool is_paused = last != ended_.end() && Clock::now() - last->second < by.options.pause;
  RecordingCause cause{request.reason, request.hosts};
  if (const findings::Rule* const rule = findings::find_rule(cause.rule)) cause.severity = rule->severity;
  const bool is_over_quota = !is_paused && !quota_.admits(cause, by.options.quotas, Clock::now());
  auto described = is_paused || is_over_quota ? PcapngWriter::Describe{} : described_interfaces();
  const std::lock_guard lock(mutex_);
  if (is_paused || is_over_quota || shown_.size() >= by.options.most_at_once) {
    ++(is_paused ? counts_.paused : is_over_quota ? counts_.over_quota : counts_.not_begun);
    return false;
  }
  request.name = by.folder.name_for(request.at, request.qp, request.reason);
  request.file = new_file(request.name, by, std::move(described), {comment_for(request.qp, cause), request.origin});
  if (std::string trouble = request.file->open(); !trouble.empty()) {
    failed(std::move(trouble), 1);
    return false;
  }
  shown_[request.qp] = {request.name, request.qp, request.reason, request.at, 0, 0, false};
  quota_.begun(std::move(cause), Clock::now());
  return true;
}

/// What the ring holds of the flow from the wanted time on, the newest of it: as much as fits into the file, or into
/// half of it where more is to come. follow() does the rest.
void Recorder::fill(Active& active, TimePoint earliest, bool is_over) const {
  const auto each = [&](const auto& take) {
    (void)ring_.read(ring_.counts().first, [&](std::uint64_t place, std::span<const RingEntry> entries) {
      for (const RingEntry& entry : entries) {
        if (place++ >= next_ || !active.trouble.empty()) return false;
        const bool is_its = entry.flow == active.flow && entry.frame.time >= earliest;
        if (is_its && entry.frame.time <= active.until) take(entry.frame);
      }
      return true;
    });
  };
  std::uint64_t octets = 0;
  each([&](const net::Frame& frame) { octets += PcapngWriter::most_octets(frame, {}); });
  const std::uint64_t room = active.file().room() / (is_over ? 1 : 2);
  std::uint64_t skip = octets - std::min(octets, room);
  each([&](const net::Frame& frame) {
    if (skip == 0) {
      active.trouble = active.file().append(frame);
    } else {
      skip -= std::min(skip, PcapngWriter::most_octets(frame, {}));
    }
  });
}

/// Prolongs the recording of the queue pair, or begins one.
void Recorder::begin(Request& request) {
  const auto by = settings();
  if (const auto its = active_.find(request.qp); its != active_.end()) {
    its->second->prolong(request, by->options.longest);
    return;
  }
  if (!request.file) {
    {
      const std::lock_guard lock(mutex_);
      if (shown_.count(request.qp) != 0) {  // a requested recording waits after this finding
        if (!stopping_) requests_.push_back(std::move(request));
        return;
      }
    }
    if (!make_file(request, *by)) return;
  }
  auto active = std::make_unique<Active>(std::move(request.file), request);
  active->prolong(request, by->options.longest);
  const TimePoint before{request.at.ns - nanoseconds(by->options.before)};
  fill(*active, request.earliest.value_or(before), request.earliest.has_value());
  active_.emplace(request.qp, std::move(active));
  const std::lock_guard lock(mutex_);
  ++counts_.begun;
}

/// Gives new packets to the recordings they belong to.
void Recorder::follow() {
  std::uint64_t missed = 0;
  if (active_.empty()) {
    next_ = ring_.counts().next;
    return;
  }
  std::map<std::uint64_t, Active*> by_flow;
  for (auto& [qp, active] : active_) by_flow.emplace(active->flow, active.get());
  next_ = ring_.read(
      next_,
      [&](std::uint64_t, std::span<const RingEntry> entries) {
        for (const RingEntry& entry : entries) {
          if (entry.flow == 0) continue;
          const auto its = by_flow.find(entry.flow);
          if (its == by_flow.end() || entry.frame.time > its->second->until || !its->second->trouble.empty()) continue;
          its->second->trouble = its->second->file().append(entry.frame);
        }
        return true;
      },
      &missed);
  for (auto& [qp, active] : active_) {
    active->missed += missed;
    if (active->trouble.empty()) active->trouble = active->file().keep_up();
  }
  const std::lock_guard lock(mutex_);
  counts_.missed += missed;
  for (auto& [qp, active] : active_) {
    live::Recording& shown = shown_[qp];
    shown.frames = active->file().frames();
    shown.octets = active->file().octets();
  }
}

/// Completes the recordings that were over when the ring was looked at, at `now`, or all of them.
void Recorder::complete(bool all, TimePoint newest, Clock::time_point now) {
  bool any = false;
  for (auto its = active_.begin(); its != active_.end();) {
    Active& active = *its->second;
    if (!all && active.trouble.empty() && !active.is_over(newest, last_packet_, now)) {
      ++its;
      continue;
    }
    const bool is_written = active.trouble.empty();
    std::string trouble = is_written ? active.file().complete(active.missed) : active.trouble;
    if (active.is_for_finding) {
      if (ended_.size() >= kMostEnded) ended_.clear();
      ended_[its->first] = Clock::now();
    }
    // A full file may have no room for the frames of findings that prolonged it.
    const std::size_t without_frame = active.file().is_full() ? active.file().waiting_comments() : 0;
    any = true;
    {
      const std::lock_guard lock(mutex_);
      if (trouble.empty()) {
        ++counts_.complete;
        counts_.lost += without_frame;
        works_again_ = true;
      } else {
        failed(std::move(trouble), active.wishes);
      }
      shown_.erase(its->first);
    }
    its = active_.erase(its);
  }
  if (any) settings()->folder.retire();
}

void Recorder::run() {
  next_ = ring_.counts().next;
  Clock::time_point retired = Clock::now();
  for (bool stopping = false; !stopping;) {
    bool has_changed = false;
    std::deque<Request> requests;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kLook, [&] { return stopping_ || !requests_.empty(); });
      requests.swap(requests_);
      stopping = stopping_;
      has_changed = std::exchange(has_changed_, false);
    }
    const std::uint64_t before = next_;
    // What prolongs a recording does so before the packets that came with it are looked at.
    const auto begins = std::stable_partition(requests.begin(), requests.end(),
                                              [&](const Request& request) { return active_.count(request.qp) != 0; });
    std::for_each(requests.begin(), begins, [&](Request& request) { begin(request); });
    // What comes later than this may belong into a recording that seems to be over.
    const TimePoint newest = ring_.counts().newest;
    const auto now = Clock::now();
    follow();
    std::for_each(begins, requests.end(), [&](Request& request) { begin(request); });
    if (begins != requests.end()) follow();
    if (next_ != before) last_packet_ = Clock::now();
    complete(stopping, newest, now);
    if (has_changed || now - retired >= kRetireEvery) {
      retired = now;
      settings()->folder.retire();
    }
    if (!stopping) try_again();
  }
}

}  // namespace iwarpscope::outputs
