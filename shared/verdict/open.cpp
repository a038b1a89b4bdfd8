// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// It is open: which end waits for which, or that it is in use.
#include <algorithm>
#include <array>

#include "verdict/outstanding.h"

namespace iwarpscope::verdict {
namespace {

using enum VerdictId;

/// A question about one direction; those of A are asked first.
struct Side {
  const Facts& facts;
  Direction d;
  [[nodiscard]] const qp::DirectionSummary& summary() const { return facts.from(d); }
  [[nodiscard]] const qp::DirectionSummary& other() const { return facts.from(opposite(d)); }
  /// What it sent last may still be on its way.
  [[nodiscard]] bool just_sent() const {
    return summary().unacknowledged != 0 && facts.waiting_ns(summary().last_octets) < kLongNs &&
           !facts.never_arrived(d);
  }
};

/// No end is blamed for what the capture may lack.
Diagnosis& doubted_since(const Facts& facts, Diagnosis& d, const qp::Moment& since) {
  d.doubted(facts.doubt_silence(since.time));
  if (facts.has_holes()) d.blame_none();
  if (d.doubt.any() || facts.has_holes()) d.at_most(qp::Confidence::limited);
  return d;
}

std::optional<Diagnosis> window_closed(const Side& side) {
  const qp::Moment since = side.summary().window_closed;
  if (side.just_sent() || !since.happened() || side.facts.waiting_ns(since) < kLongNs) return std::nullopt;
  const std::int64_t waited = elapsed_ns(since.time, side.facts.capture.end);
  Diagnosis d(open_window_closed, {{Arg::who, side.d}, {Arg::frame, since.frame}, {Arg::waited, Nanoseconds{waited}}});
  return doubted_since(side.facts, d, since).show({since.frame});
}

std::optional<Diagnosis> unacknowledged(const Side& side) {
  const qp::Moment began{side.facts.record.first_frame, side.facts.record.first_time};
  const qp::Moment last = side.other().last.happened() ? side.other().last : began;
  const std::int64_t silent = side.facts.waiting_ns(last);
  if (side.just_sent() || side.summary().unacknowledged == 0 || silent < kLongNs) return std::nullopt;
  const bool lost = side.facts.never_arrived(side.d);
  const Amount amount{side.summary().unacknowledged, side.facts.is_over_sctp() ? "message" : "octet"};
  Diagnosis d(lost ? open_lost : open_unacknowledged,
              {{Arg::who, side.d}, {Arg::amount, amount}, {Arg::waited, Nanoseconds{silent}}});
  doubted_since(side.facts, d, last).show({side.summary().last_octets.frame});
  if (!lost) d.remark(RemarkId::not_sent_again);
  return d;
}

/// Whether it can send another request.
void add_credit(const Side& side, Diagnosis& d) {
  const std::uint64_t count = side.summary().waiting->count;
  const auto& depth = side.facts.record.read_depth[index(side.d)];
  if (depth && count >= *depth && count == 1) {
    d.remark(RemarkId::open_only_request, {{Arg::who, side.d}});
  } else if (depth && count >= *depth) {
    d.remark(RemarkId::open_all_requests, {{Arg::amount, Amount{count, "request"}}, {Arg::who, side.d}});
  } else if (count > 1) {
    d.remark(RemarkId::open_requests, {{Arg::amount, Amount{count, "request"}}});
  }
}

std::optional<Diagnosis> no_answer(const Side& side) {
  const auto& waiting = side.summary().waiting;
  if (side.just_sent() || !waiting || side.facts.waiting_ns(waiting->oldest) < kLongNs ||
      side.facts.waiting_ns(side.other().last_octets) < kLongNs) {
    return std::nullopt;
  }
  Diagnosis d(open_no_answer, {{Arg::who, side.d},
                               {Arg::request_kind, request_kind(*waiting)},
                               {Arg::msn, std::uint64_t{waiting->msn.value}},
                               {Arg::frame, waiting->oldest.frame},
                               {Arg::waited, Nanoseconds{side.facts.waiting_ns(waiting->oldest)}}});
  doubted_since(side.facts, d, waiting->oldest).show({waiting->oldest.frame});
  add_credit(side, d);
  return d;
}

std::optional<Diagnosis> stopped_inside(const Side& side) {
  const qp::DirectionSummary& s = side.summary();
  const std::int64_t silent = side.facts.waiting_ns(s.last_octets);
  if ((!s.inside_message && !s.inside_fpdu) || silent < kLongNs || s.unacknowledged != 0) return std::nullopt;
  std::vector<Argument> arguments{{Arg::who, side.d}, {Arg::waited, Nanoseconds{silent}}};
  if (s.inside_message) {
    arguments.push_back({Arg::opcode, s.last_opcode});
    arguments.push_back({Arg::frame, s.last_message.frame});
  }
  Diagnosis d(s.inside_message ? open_inside_message : open_inside_fpdu, std::move(arguments));
  doubted_since(side.facts, d, s.last_octets).show({s.inside_message ? s.last_message.frame : s.last_octets.frame});
  return s.inside_message ? d : name_unfinished_fpdu(side.facts, side.d, d);
}

/// All that a side may wait for, A's side first.
std::optional<Diagnosis> an_end_waits(const Facts& facts) {
  constexpr auto kQuestions = std::to_array<std::optional<Diagnosis> (*)(const Side&)>(
      {window_closed, unacknowledged, no_answer, stopped_inside});
  for (const Direction d : kDirections) {
    for (const auto question : kQuestions) {
      auto diagnosis = question({facts, d});
      if (!diagnosis) continue;
      mention_findings(facts, *diagnosis);
      return diagnosis;
    }
  }
  return std::nullopt;
}

Diagnosis running(const Facts& facts, Diagnosis d) {
  d.doubted(facts.doubt("the end of the connection", facts.both_seen()));
  mention_findings(facts, d);
  return d;
}

/// The direction of the last message of both.
Direction last_sender(const Facts& facts) {
  return facts.from(Direction::b_to_a).last_message.frame > facts.from(Direction::a_to_b).last_message.frame
             ? Direction::b_to_a
             : Direction::a_to_b;
}

std::optional<Diagnosis> unused(const Facts& facts) {
  if (facts.from(last_sender(facts)).last_message.happened()) return std::nullopt;
  return running(facts, Diagnosis(open_unused, {}));
}

/// Requests that wait although other messages flow.
void add_waiting(const Facts& facts, Diagnosis& d) {
  for (const Direction asks : kDirections) {
    const auto& waiting = facts.from(asks).waiting;
    if (!waiting || facts.waiting_ns(waiting->oldest) < kReplyLateNs || facts.has_holes()) continue;
    d.remark(RemarkId::open_still_waiting, {{Arg::request_kind, request_kind(*waiting)},
                                            {Arg::msn, std::uint64_t{waiting->msn.value}},
                                            {Arg::frame, waiting->oldest.frame},
                                            {Arg::who, asks},
                                            {Arg::waited, Nanoseconds{facts.waiting_ns(waiting->oldest)}}});
    d.show({waiting->oldest.frame});
  }
}

std::optional<Diagnosis> in_use(const Facts& facts) {
  if (facts.waiting_ns(facts.from(last_sender(facts)).last_message) >= kLongNs) return std::nullopt;
  Diagnosis d(open_in_use, {});
  add_waiting(facts, d);
  return running(facts, std::move(d));
}

std::optional<Diagnosis> idle(const Facts& facts) {
  const Direction last = last_sender(facts);
  const qp::DirectionSummary& s = facts.from(last);
  const bool asks = rdmap::traits(s.last_opcode).qn == QueueNumber{0} && !facts.summary().one_sided;
  Diagnosis d(asks ? open_idle_after_send : open_idle, {{Arg::who, last},
                                                        {Arg::opcode, s.last_opcode},
                                                        {Arg::frame, s.last_message.frame},
                                                        {Arg::waited, Nanoseconds{facts.waiting_ns(s.last_message)}}});
  d.show({s.last_message.frame});
  if (asks) d.remark(RemarkId::whose_turn, {{Arg::who, last}});
  return running(facts, std::move(d));
}

constexpr auto kOpenSteps = std::to_array<Step>({
    {"open: an end waits", an_end_waits},
    {"open: no message yet", unused},
    {"open: in use", in_use},
    {"open: idle", idle},
});

}  // namespace

std::span<const Step> open_steps() noexcept {
  return kOpenSteps;
}

}  // namespace iwarpscope::verdict
