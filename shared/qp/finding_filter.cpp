// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/finding_filter.h"

#include <fmt/format.h>

#include <algorithm>

namespace iwarpscope::qp {

FindingFilter::Answer FindingFilter::ask(findings::FindingId id, std::optional<Direction> direction,
                                         std::uint64_t limit) {
  const findings::Repeat repeat = findings::rule(id).repeat;
  const unsigned side =
      repeat == findings::Repeat::per_qp ? 0U : (direction ? 1U + static_cast<unsigned>(index(*direction)) : 0U);
  const auto key = static_cast<std::uint16_t>(static_cast<unsigned>(id) * 3U + side);
  auto it = std::find_if(counts_.begin(), counts_.end(), [key](const Count& c) { return c.key == key; });
  if (it == counts_.end()) it = counts_.insert(counts_.end(), Count{key, 0});
  const std::uint64_t seen = it->seen++;
  if (repeat != findings::Repeat::each) return seen == 0 ? Answer::report : Answer::repeated;
  if (seen < limit) return Answer::report;
  ++suppressed_;
  return seen == limit ? Answer::first_over_limit : Answer::over_limit;
}

findings::Finding limit_reached(const findings::Finding& finding, std::uint64_t limit) {
  const findings::Rule& rule = findings::rule(finding.id);
  findings::Finding f;
  f.id = findings::FindingId::capture_findings_limit;
  f.direction = finding.direction;
  f.frames = finding.frames;
  f.seen = rule.name;
  f.text = fmt::format("There are more than {} findings of {} in this direction. The rest is counted, but not listed.",
                       limit, rule.code);
  return f;
}

}  // namespace iwarpscope::qp
