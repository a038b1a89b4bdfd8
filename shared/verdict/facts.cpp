// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/facts.h"

#include <algorithm>

#include "qp/ending_order.h"

namespace iwarpscope::verdict {

const mpa::StartupFrame* Facts::request() const noexcept {
  return record.startup && record.startup->request ? &*record.startup->request : nullptr;
}

const mpa::StartupFrame* Facts::reply() const noexcept {
  return record.startup && record.startup->reply ? &*record.startup->reply : nullptr;
}

bool Facts::has_octets_of_fpdus() const noexcept {
  return has_fpdus() || std::any_of(kDirections.begin(), kDirections.end(), [&](Direction d) {
           return from(d).inside_fpdu || from(d).framing_lost || record.directions[index(d)].unframed_octets != 0 ||
                  noted(findings::FindingId::mpa_ulpdu_length_invalid, d) != nullptr;
         });
}

TimePoint Facts::both_seen() const noexcept {
  const TimePoint both = std::min(from(Direction::a_to_b).last.time, from(Direction::b_to_a).last.time);
  return std::max(both, record.first_time);
}

bool Facts::is_whole(Direction d) const noexcept {
  const qp::DirectionRecord& r = record.directions[index(d)];
  // FPDUs follow a Request and a Reply: one that is not there was not captured.
  const bool lacks_startup = record.startup && has_fpdus() && (d == kInitiator ? request() : reply()) == nullptr;
  return !lacks_startup && !from(d).lacks_end && r.captured && !summary().one_sided && !r.has_capture_gap() &&
         !r.cut_framing && !from(d).framing_lost && !summary().reset_beyond_seen;
}

bool Facts::has_holes() const noexcept {
  const auto& d = record.directions;
  return summary().one_sided || summary().reset_beyond_seen || lacks_end() || d[0].has_capture_gap() ||
         d[1].has_capture_gap() || from(Direction::a_to_b).framing_lost || from(Direction::b_to_a).framing_lost;
}

bool Facts::may_have_answered(Direction d) const noexcept {
  if (from(d).lacks_start) return true;
  const auto& waiting = from(opposite(d)).waiting;
  const bool starts_seen = d == kResponder && reply() != nullptr;
  if (!is_over_sctp() || !record.joined_midstream || starts_seen || !waiting) return false;
  // No number in a chunk shows whether its stream had others before it: only the time does.
  return elapsed_ns(record.first_time, waiting->oldest.time) < qp::kMostSkewNs;
}

bool Facts::lacks_end() const noexcept {
  return from(Direction::a_to_b).lacks_end || from(Direction::b_to_a).lacks_end;
}

bool Facts::may_lack_before(const qp::Moment& abort) const noexcept {
  if (!is_over_sctp()) return false;
  return std::any_of(kDirections.begin(), kDirections.end(), [&](Direction d) {
    if (from(d).unacknowledged != 0 && !never_arrived(d)) return true;
    return elapsed_ns(from(d).last_octets.time, abort.time) < qp::kMostSackDelayNs;
  });
}

Doubt Facts::doubt(std::string_view about, TimePoint from, TimePoint to) const noexcept {
  if (!capture.may_lack(from, to)) return {};
  return {about, capture.outages_between(from, to), false};
}

Doubt Facts::doubt_silence(TimePoint since) const noexcept {
  Doubt doubted = doubt(kWhatCameMeanwhile, since);
  doubted.elsewhere = summary().may_pass_elsewhere;
  return doubted;
}

std::optional<End> Facts::first_end() const noexcept {
  const std::array ends{qp::end_seen(from(Direction::a_to_b)), qp::end_seen(from(Direction::b_to_a))};
  if (!ends[0].at.happened() && !ends[1].at.happened()) return std::nullopt;
  const auto& first = summary().ended_first;
  const Direction by = first.value_or(Direction::a_to_b);
  return End{by, ends[index(by)].at, ends[index(by)].reset, !first};
}

bool Facts::came_before_close(Direction d) const noexcept {
  const qp::Moment& closed = from(opposite(d)).fin;
  const auto& waiting = from(d).waiting;
  if (!waiting) return false;
  return from(opposite(d)).had_all || elapsed_ns(waiting->oldest.time, closed.time) >= qp::kMostSkewNs;
}

bool Facts::never_arrived(Direction d) const noexcept {
  if (from(d).unacknowledged == 0) return false;
  return is_over_sctp() ? record.directions[index(d)].retransmitted_octets != 0 : from(d).sent_again;
}

const qp::NotedFinding* Facts::noted(findings::FindingId id, std::optional<Direction> d) const noexcept {
  const auto& all = summary().findings;
  const auto at = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.id == id && f.direction == d; });
  return at != all.end() ? &*at : nullptr;
}

}  // namespace iwarpscope::verdict
