// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What limits a verdict, and what went wrong on the way.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "emulation/advertised_limits.h"
#include "verdict/diagnose.h"
#include "verdict/render.h"
#include "verdict/repairs.h"

namespace iwarpscope::verdict {
namespace {

using enum RemarkId;

void ulp_limits(const Facts& facts, Diagnosis& d) {
  if (row(d.id).outcome == qp::Outcome::refused) return;
  const auto limits = emulation::advertised_limits(facts.record);
  if (limits && !limits->compatible) d.remark(reason_ulp_limits, {{Arg::what, limits->sentence}});
}

/// Startup ended and an end took long over it. Linux siw gives up after 5 to 10 s, Chelsio's driver after 60.
void slow_startup(const Facts& facts, Diagnosis& d) {
  const mpa::StartupFrame* const request = facts.request();
  const mpa::StartupFrame* const reply = facts.reply();
  if (facts.record.joined_midstream || request == nullptr || reply == nullptr) return;
  const std::int64_t to_request = elapsed_ns(facts.record.first_time, request->time);
  const std::int64_t to_reply = elapsed_ns(request->time, reply->time);
  if (to_request >= kLongNs) d.remark(slow_request, {{Arg::waited, Nanoseconds{to_request}}}).show({request->frame});
  if (to_reply >= kLongNs) d.remark(slow_reply, {{Arg::waited, Nanoseconds{to_reply}}}).show({reply->frame});
}

/// "80 ms", "1.25 s".
std::string wait_text(std::int64_t ns) {
  return ns < 1'000'000'000 ? fmt::format("{} ms", (ns + 500'000) / 1'000'000) : seconds(ns);
}

/// Loss or reordering held messages back for so long that a person would notice.
void slow_paths(const Facts& facts, Diagnosis& d) {
  for (const Direction direction : kDirections) {
    const qp::DirectionRecord& record = facts.record.directions[index(direction)];
    if (!is_held_back(record)) continue;
    const auto& waits = record.head_of_line;
    std::string times = wait_text(waits.largest_ns);
    if (waits.messages != 1) times += " at most, " + wait_text(waits.total_ns) + " in all";
    d.remark(slow_path, {{Arg::amount, Amount{waits.messages, "message"}}, {Arg::who, direction}, {Arg::what, times}});
  }
}

/// What ended well had damage that the transport repaired.
void repairs(const Facts& facts, Diagnosis& d) {
  if (row(d.id).outcome != qp::Outcome::completed) return;
  for (const Direction direction : kDirections) {
    const qp::NotedFinding* const damage = facts.noted(findings::FindingId::tcp_wrong_checksum, direction);
    if (damage == nullptr) continue;
    d.remark(repaired, {{Arg::who, direction}, {Arg::of_frame, damage->frame}}).show({damage->frame});
  }
}

/// What ended well needed so many retransmissions that they cost speed.
void retransmissions(const Facts& facts, Diagnosis& d) {
  if (row(d.id).outcome != qp::Outcome::completed) return;
  for (const Direction direction : kDirections) {
    const qp::DirectionRecord& record = facts.record.directions[index(direction)];
    const std::uint64_t again = record.retransmitted_octets;
    if (!is_sent_again(record)) continue;
    const double share = 100 * static_cast<double>(again) / static_cast<double>(record.stream_octets);
    d.remark(sent_again, {{Arg::amount, Amount{again, "octet"}},
                          {Arg::who, direction},
                          {Arg::what, fmt::format("{:.{}f} %", share, share < 10 ? 1 : 0)}});
  }
}

/// What ended well may have returned wrong data, whatever else was wrong on the way.
void wrong_data(const Facts& facts, Diagnosis& d) {
  using findings::FindingId;
  if (row(d.id).outcome != qp::Outcome::completed) return;
  for (const FindingId id : {FindingId::rdmap_atomic_results_inconsistent, FindingId::rdmap_atomics_not_linearizable}) {
    const auto& all = facts.summary().findings;
    const auto at = std::find_if(all.begin(), all.end(), [id](const qp::NotedFinding& f) { return f.id == id; });
    const bool is_named = std::any_of(d.remarks.begin(), d.remarks.end(), [id](const Remark& remark) {
      return std::any_of(remark.arguments.begin(), remark.arguments.end(), [id](const Argument& a) {
        return a.value.kind() == Value::Kind::rule && a.value.rule() == id;
      });
    });
    if (at == all.end() || is_named) continue;
    d.remark(suspicious, {{Arg::rule, id}, {Arg::of_frame, at->frame}}).show({at->frame});
  }
}

void earlier_attempts(const Facts& facts, Diagnosis& d) {
  const auto& earlier = facts.earlier;
  if (!earlier || facts.request() == nullptr) return;
  const std::uint64_t revision = facts.request()->revision;
  const bool fell_back = revision < earlier->revision;
  const RemarkId id = !fell_back ? earlier_attempt : facts.is_over_sctp() ? earlier_plain : earlier_revision;
  d.remark(id, {{Arg::qp, earlier->qp},
                {Arg::of_frame, earlier->frame},
                {Arg::revision, revision},
                {Arg::old_revision, std::uint64_t{earlier->revision}}});
  d.show({earlier->frame});
}

/// What the capture says itself that it did not take.
void not_captured(const Facts& facts, Diagnosis& d) {
  if (!d.doubt.about.empty() && (facts.capture.has_drops || d.doubt.share.lost_frames)) {
    d.remark(limit_frames_lost, {{Arg::what, d.doubt.about}});
  }
  if (!d.doubt.about.empty() && d.doubt.share.was_down) {
    d.remark(limit_interface_down, {{Arg::waited, Nanoseconds{d.doubt.share.ns}}, {Arg::what, d.doubt.about}});
  }
  if (d.doubt.elsewhere) d.remark(limit_other_path);
}

/// An answer or FPDUs may be in the octets that it cut off.
void cut_frames(const Facts& facts, Diagnosis& d) {
  using enum VerdictId;
  constexpr auto kMatters =
      std::to_array({startup_answer_not_captured, startup_fpdus_not_captured, end_closed_open_for_hole,
                     end_reset_open_for_hole, end_replaced_open_for_hole});
  const bool matters = std::find(kMatters.begin(), kMatters.end(), d.id) != kMatters.end();
  if (matters && facts.is_cut()) d.remark(limit_frames_cut);
}

/// What the capture lacks is of interest where the verdict has a reason to seek.
std::string_view what_a_hole_means(const Diagnosis& d) {
  const qp::Outcome outcome = row(d.id).outcome;
  const bool seeks = outcome != qp::Outcome::completed && outcome != qp::Outcome::running;
  return seeks ? "which may hold the real reason" : "so some of it was not read";
}

/// What sequence numbers show that it lacks.
void holes(const Facts& facts, Diagnosis& d) {
  const auto& [a, b] = facts.record.directions;
  if (!facts.has_holes()) return;
  const Argument means{Arg::what, what_a_hole_means(d)};
  if (facts.summary().one_sided) {
    d.remark(limit_one_sided);
  } else if (a.has_capture_gap() || b.has_capture_gap()) {
    const Amount lacks = facts.is_over_sctp() ? Amount{a.capture_gap_messages + b.capture_gap_messages, "message"}
                                              : Amount{a.capture_gap_octets + b.capture_gap_octets, "octet"};
    d.remark(limit_gap, {{Arg::amount, lacks}, means});
  } else if (facts.summary().reset_beyond_seen) {
    d.remark(limit_reset_shows_more, {means});
  } else if (facts.lacks_end()) {
    d.remark(limit_end_missing, {means});
  } else {
    d.remark(limit_framing_lost);
  }
}

constexpr auto kRemarkers =
    std::to_array<void (*)(const Facts&, Diagnosis&)>({wrong_data, repairs, retransmissions, ulp_limits, slow_startup,
                                                       slow_paths, earlier_attempts, not_captured, cut_frames, holes});

}  // namespace

void add_remarks(const Facts& facts, Diagnosis& diagnosis) {
  for (const auto remark : kRemarkers) remark(facts, diagnosis);
}

}  // namespace iwarpscope::verdict
