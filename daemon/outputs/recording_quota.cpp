// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/recording_quota.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace iwarpscope::outputs {

bool RecordingQuota::admits(const RecordingCause& cause, const RecordingQuotas& quotas, Clock::time_point now) {
  std::size_t of_rule = 0, of_pair = 0;
  for (const Begun& one : begun_) {
    if (now - one.at >= quotas.time) continue;
    if (one.cause.rule == cause.rule) ++of_rule;
    if (one.cause.hosts == cause.hosts && one.cause.severity >= cause.severity) ++of_pair;
  }
  const auto has_room = [](std::size_t count, std::size_t most) { return most == 0 || count < most; };
  return has_room(of_rule, quotas.per_rule) && (cause.hosts.empty() || has_room(of_pair, quotas.per_pair));
}

void RecordingQuota::begun(RecordingCause cause, Clock::time_point at) {
  if (begun_.size() >= kMost) begun_.pop_front();
  begun_.push_back({std::move(cause), at});
}

std::size_t next_to_remove(const std::vector<RecordingCause>& all) {
  struct Group {
    std::size_t count = 0, first = 0;
    void add(std::size_t at) {
      if (count++ == 0) first = at;
    }
  };
  std::map<std::string_view, Group> rules;
  std::map<std::pair<std::string_view, std::string_view>, Group> pairs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    rules[all[i].rule].add(i);
    pairs[{all[i].rule, all[i].hosts}].add(i);
  }
  // The smallest goes.
  const auto rank = [&](std::size_t i) {
    const Group& rule = rules[all[i].rule];
    const Group& pair = pairs[{all[i].rule, all[i].hosts}];
    return std::tuple(rule.first == i, all.size() - rule.count, all.size() - pair.count, pair.first == i,
                      all[i].severity, i);
  };
  std::size_t next = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (rank(i) < rank(next)) next = i;
  }
  return next;
}

}  // namespace iwarpscope::outputs
