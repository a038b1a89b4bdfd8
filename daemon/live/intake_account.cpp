// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/intake_account.h"

#include <algorithm>
#include <optional>

namespace iwarpscope::live {

void IntakeAccount::read(const capture::Intake& intake) {
  counters_ = intake.counters();
  is_replay_ = std::any_of(counters_.begin(), counters_.end(), [](const auto& c) { return c.time_source == "file"; });
  losses_ = {};
  for (const capture::IntakeCounters& c : counters_) {
    losses_.nic += c.dropped_by_nic;
    losses_.kernel += c.dropped_by_kernel;
    losses_.queue += c.dropped_by_queue;
  }
}

bool IntakeAccount::is_cut() const noexcept {
  return std::any_of(counters_.begin(), counters_.end(), [](const auto& c) { return c.cut; });
}

analysis::CaptureInfo IntakeAccount::capture_info() const {
  analysis::CaptureInfo info;
  for (const capture::IntakeCounters& c : counters_) {
    for (const capture::ReplayedInterface& file : c.replayed) {
      info.interfaces.push_back({file.link_type, file.snap_length, file.dropped});
    }
    if (!c.replayed.empty()) {
      // Lost after the interfaces of the files; the interface is not known.
      std::optional<std::uint64_t>& dropped = info.interfaces.back().dropped;
      if (c.dropped_by_queue != 0) dropped = dropped.value_or(0) + c.dropped_by_queue;
      continue;
    }
    analysis::InterfaceInfo& i = info.interfaces.emplace_back();
    i.link_type = c.link_type;
    i.snap_length = c.snap_length;
    const std::uint64_t dropped = c.dropped_by_nic + c.dropped_by_kernel + c.dropped_by_queue;
    if (dropped != 0) i.dropped = dropped;
  }
  return info;
}

std::vector<InterfaceView> IntakeAccount::interfaces() const {
  std::vector<InterfaceView> all;
  for (const capture::IntakeCounters& c : counters_) {
    InterfaceView& i = all.emplace_back();
    i.name = c.name;
    i.link_type = c.link_type;
    i.file_format = c.file_format;
    i.frames = c.frames;
    i.octets = c.octets;
    i.losses = {c.dropped_by_nic, c.dropped_by_kernel, c.dropped_by_queue, 0};
    i.up = c.up;
    i.time_source = c.time_source;
    i.method = c.method;
    i.offloads = c.offloads;
    i.warnings = c.warnings;
  }
  return all;
}

std::vector<NumberedInterface> IntakeAccount::numbered(const capture::TapGroups& groups) const {
  std::vector<NumberedInterface> all;
  const auto add = [&](const std::string& name) {
    all.push_back({name, groups.name_of(all.size(), name), groups.of(all.size(), name)});
  };
  for (const capture::IntakeCounters& c : counters_) {
    for (const capture::ReplayedInterface& file : c.replayed) add(file.name);
    if (c.replayed.empty() && c.time_source != "file") add(c.name);
  }
  return all;
}

}  // namespace iwarpscope::live
