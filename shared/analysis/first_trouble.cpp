// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/first_trouble.h"

#include <algorithm>
#include <limits>

#include "findings/catalogue.h"

namespace iwarpscope::analysis {

std::optional<FrameNumber> first_trouble(const qp::QpRecord& record) {
  if (!qp::ended_badly(record)) return std::nullopt;
  constexpr FrameNumber kNever{std::numeric_limits<std::uint64_t>::max()};
  FrameNumber first = kNever;
  const auto take = [&](FrameNumber frame) {
    if (frame.value != 0) first = std::min(first, frame);
  };
  for (const qp::NotedFinding& f : record.summary.findings) {
    const findings::Rule& rule = findings::rule(f.id);
    if (rule.severity != findings::Severity::note && rule.about != findings::About::capture) take(f.frame);
  }
  for (const qp::DirectionSummary& d : record.summary.directions) {
    if (d.terminate) take(d.terminate->named ? d.terminate->named->frame : d.terminate->at.frame);
    if (d.waiting) take(d.waiting->oldest.frame);
    take(d.rst.frame);
    take(d.window_closed.frame);
  }
  if (record.startup && record.startup->reply && record.startup->reply->rejected) take(record.startup->reply->frame);
  if (first == kNever) {
    for (const FrameNumber frame : record.verdict->evidence) take(frame);
  }
  return first == kNever ? std::nullopt : std::optional{first};
}

}  // namespace iwarpscope::analysis
