// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/loss_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"

namespace iwarpscope::service {
namespace {

std::uint64_t growth(std::uint64_t now, std::uint64_t before) {
  return now - std::min(now, before);
}

std::string were_lost(std::uint64_t frames) {
  return fmt::format("{} {} lost", counted(frames, "frame"), frames == 1 ? "was" : "were");
}

}  // namespace

LossLog::Lost LossLog::since(const capture::IntakeCounters& counters) const {
  const auto its = interfaces_.find(counters.name);
  const Lost reported = its == interfaces_.end() ? Lost{} : its->second.reported;
  return {growth(counters.dropped_by_nic, reported.nic), growth(counters.dropped_by_kernel, reported.kernel),
          growth(counters.dropped_by_queue, reported.queue)};
}

std::string LossLog::text(const std::string& name, const Lost& lost) {
  std::string where;
  const auto add = [&](std::uint64_t frames, const char* place) {
    if (frames != 0) where += fmt::format("{}{} {}", where.empty() ? "" : ", ", frames, place);
  };
  add(lost.nic, "at the interface");
  add(lost.kernel, "in the kernel's ring (capture.ring and capture.workers give it more room)");
  add(lost.queue, "before the analysis (analysis.threads makes it faster, capture.queue gives it more room)");
  return fmt::format("{}: {}: {}.", name, were_lost(lost.all()), where);
}

std::vector<LossLog::Sentence> LossLog::look(const std::vector<capture::IntakeCounters>& counters,
                                             Clock::time_point now) {
  std::vector<Sentence> all;
  for (const capture::IntakeCounters& c : counters) {
    Interface& its = interfaces_[c.name];
    if (its.spoken && now - *its.spoken < kEvery) continue;
    const Lost lost = since(c);
    if (lost.all() != 0) {
      all.push_back({LogLevel::warning, text(c.name, lost)});
      its.reported = {c.dropped_by_nic, c.dropped_by_kernel, c.dropped_by_queue};
      its.this_time += lost.all();
      its.spoken = now;
    } else if (its.this_time != 0) {
      all.push_back({LogLevel::info, fmt::format("{}: no frame was lost for {} s; {} before that.", c.name,
                                                 kEvery.count(), were_lost(its.this_time))});
      its.this_time = 0;
      its.spoken = now;
    }
  }
  return all;
}

std::vector<LossLog::Sentence> LossLog::end(const std::vector<capture::IntakeCounters>& counters) const {
  std::vector<Sentence> all;
  for (const capture::IntakeCounters& c : counters) {
    const Lost lost = since(c);
    if (lost.all() != 0) all.push_back({LogLevel::warning, text(c.name, lost)});
  }
  return all;
}

}  // namespace iwarpscope::service
