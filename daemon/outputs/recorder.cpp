// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/recorder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "capture/thread_name.h"
#include "outputs/recorder_parts.h"
#include "outputs/run.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostRequests = 1024;  ///< that wait for the recorder's thread

std::string hosts_of(const net::Endpoint& a, const net::Endpoint& b) {
  const auto [low, high] = std::minmax(a.address, b.address);
  return fmt::format("{}, {}", low.text(), high.text());
}

}  // namespace

Recorder::Recorder(RecorderOptions options, const PacketRing& ring, live::Directory& directory)
    : ring_(ring),
      directory_(directory),
      application_(options.application),
      settings_(std::make_shared<const Settings>(std::move(options))),
      trouble_(settings_->folder.prepare()) {
  settings_->folder.retire();
  for (const auto& [cause, age] : settings_->folder.recent()) quota_.begun(cause, Clock::now() - age);
  thread_ = std::thread([this] {
    capture::name_thread("recorder");
    run();
  });
}

Recorder::~Recorder() {
  stop();
}

void Recorder::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

Recorder::Counts Recorder::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::string Recorder::trouble() const {
  const std::lock_guard lock(mutex_);
  const bool is_recent = failed_ && Clock::now() - *failed_ < settings_->options.trouble_for;
  const bool is_over = works_again_ && !is_recent;
  return is_over ? std::string{} : trouble_;
}

std::shared_ptr<const Recorder::Settings> Recorder::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

void Recorder::change(RecorderOptions options) {
  options.folder.path = settings()->options.folder.path;
  auto next = std::make_shared<const Settings>(std::move(options));
  const std::lock_guard lock(mutex_);
  settings_ = std::move(next);
  has_changed_ = true;
}

void Recorder::reported(const live::FindingView& view) {
  const findings::Finding& finding = view.finding;
  if (!finding.qp || finding.frame.value == 0 || view.flow == 0) return;
  const auto by = settings();
  if (!by->is_wanted(findings::rule(finding.id))) return;
  Request request;
  request.qp = *finding.qp;
  request.flow = view.flow;
  request.at = finding.time;
  request.after = by->options.after;
  request.frame = finding.frame;
  request.comment = comment_of(finding);
  request.origin = live::named(view).line();
  request.reason = findings::rule(finding.id).code;
  if (view.ends) request.hosts = hosts_of(view.ends->first, view.ends->second);
  const std::lock_guard lock(mutex_);
  if (stopping_ || requests_.size() >= kMostRequests) {
    ++counts_.lost;
    return;
  }
  requests_.push_back(std::move(request));
  changed_.notify_all();
}

live::Packets::Answer<std::string> Recorder::record(std::uint64_t qp, const std::string& reason, unsigned seconds) {
  const auto known = known_qp(qp);
  if (!known) return tl::unexpected(known.error());
  const auto by = settings();
  const RecorderOptions& options = by->options;
  Request request;
  request.qp = qp;
  request.flow = (*known)->flow;
  request.at = ring_.counts().newest;
  if (std::chrono::seconds{seconds} > options.longest) {
    return tl::unexpected(fmt::format("A recording lasts at most {} s (recorder.longest).", options.longest.count()));
  }
  request.after = seconds == 0 ? options.after : std::chrono::seconds{seconds};
  request.reason = reason;
  request.hosts = hosts_of((*known)->record.a, (*known)->record.b);
  request.origin = live::named(**known).line();
  if ((*known)->ended) {  // nothing more comes: what the ring has of it
    const qp::QpRecord& record = (*known)->record;
    // The capture's clock may have gone back meanwhile.
    const auto [first, last] = std::minmax(record.first_time, record.last_time);
    if (!has_packets(request.flow, first, last)) {
      return tl::unexpected(fmt::format("Queue pair {} has ended, and its packets are no longer in memory.", qp));
    }
    request.earliest = first;
    request.at = last;
    request.after = {};
  }
  auto described = described_interfaces();
  const std::lock_guard lock(mutex_);
  if (stopping_) return tl::unexpected(std::string{"The daemon is stopping; no recording can be started."});
  if (const auto its = shown_.find(qp); its != shown_.end()) {
    request.name = its->second.file;
  } else if (shown_.size() >= options.most_at_once || requests_.size() >= kMostRequests) {
    return tl::unexpected(
        fmt::format("{} recordings are active, which is the limit (recorder.at_once).", shown_.size()));
  } else {
    if (request.at.ns == 0) request.at = now();
    request.name = by->folder.name_for(request.at, qp, reason);
    request.file =
        new_file(request.name, *by, std::move(described), {comment_for(qp, {reason, request.hosts}), request.origin});
    if (std::string trouble = request.file->open(); !trouble.empty()) return tl::unexpected(std::move(trouble));
    shown_[qp] = {request.name, qp, reason, request.at, 0, 0, false};
  }
  std::string name = request.name;
  requests_.push_back(std::move(request));
  changed_.notify_all();
  return name;
}

std::vector<live::Recording> Recorder::recordings() {
  // Before the folder is looked at: one that is completed meanwhile is in both.
  std::vector<live::Recording> writing;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [qp, recording] : shown_) writing.push_back(recording);
  }
  std::vector<live::Recording> all = settings()->folder.list();
  std::erase_if(writing, [&all](const live::Recording& one) {
    return std::any_of(all.begin(), all.end(), [&one](const live::Recording& its) { return its.file == one.file; });
  });
  all.insert(all.end(), writing.begin(), writing.end());
  return all;
}

live::Wanted RecorderSink::wanted() const {
  live::Wanted wanted;
  wanted.findings = true;  // whatever their severity: which are recorded may change
  return wanted;
}

std::size_t RecorderSink::take(const std::vector<live::Event>& events) {
  for (const live::Event& event : events) {
    if (const auto* reported = std::get_if<live::FindingReported>(&event)) recorder_.reported(*reported->finding);
  }
  return 0;
}

std::uint64_t RecorderSink::lost_later() const noexcept {
  const Recorder::Counts counts = recorder_.counts();
  return counts.lost + counts.not_begun;
}

}  // namespace iwarpscope::outputs
