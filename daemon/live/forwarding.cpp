// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/forwarding.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace iwarpscope::live {
namespace {

constexpr double kNearlyFull = 0.8;

double part(std::uint64_t of, std::uint64_t all) noexcept {
  return static_cast<double>(of) / static_cast<double>(all);
}

}  // namespace

std::uint64_t Backlog::done(RecordKind kind, const std::vector<ArchivePlace>& stored) const noexcept {
  const auto i = static_cast<std::size_t>(kind);
  std::uint64_t last = gone[i];
  for (const ArchivePlace& place : stored) {
    if (place.kind == kind && place.id <= highest[i]) last = std::max(last, place.id);  // else of another file
  }
  return last;
}

std::uint64_t Backlog::records(const std::vector<ArchivePlace>& stored) const noexcept {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kRecordKinds; ++i) all += highest[i] - done(static_cast<RecordKind>(i), stored);
  return all;
}

void Forwarding::connected() {
  const std::lock_guard lock(mutex_);
  ++connections_;
  trouble_ = {};
}

void Forwarding::disconnected() {
  const std::lock_guard lock(mutex_);
  if (--connections_ == 0) alone_since_ = Clock::now();
}

void Forwarding::report(std::vector<ArchivePlace> stored, Trouble trouble) {
  const std::lock_guard lock(mutex_);
  for (ArchivePlace& place : stored) {
    const auto is_same_kind = [&](const ArchivePlace& other) { return other.kind == place.kind; };
    const auto before = std::find_if(stored_.begin(), stored_.end(), is_same_kind);
    if (before == stored_.end()) {
      if (has_report_) delivered_ += place.id;
      stored_.push_back(std::move(place));
      continue;
    }
    // A place before the one that is known is that of another reader, or of another run.
    const bool is_further = place.id > before->id;
    if (has_report_ && is_further) delivered_ += place.id - before->id;
    if (is_further || place.run_uuid != before->run_uuid) *before = std::move(place);
  }
  has_report_ = true;
  trouble_ = std::move(trouble);
}

std::vector<ArchivePlace> Forwarding::stored() const {
  const std::lock_guard lock(mutex_);
  return stored_;
}

void Forwarding::restore(std::vector<ArchivePlace> stored) {
  const std::lock_guard lock(mutex_);
  if (!has_report_) stored_ = std::move(stored);
}

void Forwarding::waits(const Backlog& backlog) {
  const std::lock_guard lock(mutex_);
  backlog_ = backlog;
}

void Forwarding::lose(const Lost& more) {
  const auto add = [](CountByKind& to, const CountByKind& from) {
    std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>{});
  };
  const std::lock_guard lock(mutex_);
  add(lost_.expired, more.expired);
  add(lost_.not_stored, more.not_stored);
  lost_.missed += more.missed;
}

Forwarding::Lost Forwarding::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

OutputView Forwarding::view() const {
  const std::lock_guard lock(mutex_);
  OutputView view;
  view.name = "forward";
  view.trouble = trouble_.text;
  view.refused = trouble_.refused;
  if (connections_ == 0 && Clock::now() - alone_since_ >= grace_)
    view.trouble = "No program delivers the history to the centre: iwarpscope-forward is not connected.";
  view.taken = delivered_;
  view.lost = std::accumulate(lost_.expired.begin(), lost_.expired.end(), std::uint64_t{0});
  view.queued = backlog_.records(stored_);
  if (view.queued != 0) view.lag_seconds = backlog_.seconds;
  if (backlog_.room != 0) view.fill = view.queued == 0 ? 0 : std::min(1.0, part(backlog_.octets, backlog_.room));
  if (view.fill > kNearlyFull) {
    if (!view.trouble.empty()) view.trouble += ' ';
    view.trouble += "Records that wait for the centre fill more than 80 % of their room.";
  }
  view.healthy = view.trouble.empty();
  return view;
}

}  // namespace iwarpscope::live
