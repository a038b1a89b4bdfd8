// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A connection followed as a queue pair: what it reports, and the models that listen to it.
#include <algorithm>
#include <string_view>
#include <utility>

#include "analysis/shard_state.h"
#include "emulation/linearizer.h"
#include "qp/ending_order.h"

namespace iwarpscope::analysis {
namespace {

/// The first of them, as reports show them.
std::vector<qp::StagUse> stag_uses(const std::vector<emulation::StagRecord>& all) {
  const auto frame = [](FrameNumber f) { return f.value != 0 ? std::optional(f) : std::nullopt; };
  std::vector<qp::StagUse> uses;
  for (const emulation::StagRecord& s : all) {
    if (uses.size() == qp::QpRecord::kMostStags) break;
    uses.push_back({.owner = s.owner,
                    .stag = s.stag,
                    .first_frame = s.first_frame,
                    .announced_frame = frame(s.announced_frame),
                    .invalidated_frame = frame(s.invalidated_frame),
                    .written = has(s.seen, emulation::Access::write),
                    .read = has(s.seen, emulation::Access::read),
                    .atomic = has(s.seen, emulation::Access::atomic),
                    .read_sink = has(s.seen, emulation::Access::sink),
                    .begin = s.begin,
                    .end = s.end});
  }
  return uses;
}

/// More uses of one STag, seen later.
void add(qp::StagUse& to, const qp::StagUse& later) {
  if (!to.announced_frame) to.announced_frame = later.announced_frame;
  if (later.invalidated_frame) to.invalidated_frame = later.invalidated_frame;
  to.written |= later.written;
  to.read |= later.read;
  to.atomic |= later.atomic;
  to.read_sink |= later.read_sink;
  if (later.begin == later.end) return;
  const bool first = to.begin == to.end;
  to.begin = first ? later.begin : std::min(to.begin, later.begin);
  to.end = first ? later.end : std::max(to.end, later.end);
}

emulation::TapPoint tap_point(const qp::Moment& moment) noexcept {
  if (moment.frame.value == 0) return emulation::Linearizer::kEver;
  return {moment.frame, moment.time};
}

}  // namespace

void Shard::Slot::confirmed(FrameNumber) {
  if (tentative) {
    tentative = false;
    --owner.tentative;
  }
  if (owner.free_indices.empty()) {
    index = static_cast<std::uint32_t>(owner.confirmed.size());
    owner.confirmed.push_back(place);
  } else {
    index = owner.free_indices.back();
    owner.free_indices.pop_back();
    owner.confirmed[index] = place;
  }
  const FrameNumber first = pair != nullptr ? pair->first_frame() : owner.frame;
  owner.reports->events.emplace_back(owner.frame, QpPlace{owner.number, index}, Event::Confirmed{first});
  if (watcher != nullptr) watcher->confirmed({owner.number, index});
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (owner.emulates && gaps[iwarpscope::index(d)]) gap(d);
  }
}
void Shard::Slot::message(qp::MessageRecord record) {
  owner.reports->events.emplace_back(owner.frame, QpPlace{owner.number, index}, std::move(record));
}
void Shard::Slot::finding(findings::Finding finding) {
  owner.decide(finding);
  owner.reports->events.emplace_back(owner.frame, QpPlace{owner.number, index}, std::move(finding));
}

void Shard::Slot::transport(const qp::TransportEvent& event) {
  owner.reports->events.emplace_back(owner.frame, QpPlace{owner.number, index}, event);
}

void Shard::Slot::make_models() {
  had_models = true;
  models = std::make_unique<emulation::QueuePairModels>(
      emulation::Ends{pair->end_a().address, pair->end_b().address, overlay, pair->was_begin_seen()}, gaps, ulp, *this);
}
void Shard::Slot::tcp_segment(Direction direction, const net::TcpPacket& packet, std::optional<StreamOffset> offset) {
  if (watcher != nullptr) watcher->tcp_segment(direction, packet, offset);
}
void Shard::Slot::startup_frame(Direction direction, const mpa::StartupFrame& frame) {
  if (watcher != nullptr) watcher->startup_frame(direction, frame);
}
void Shard::Slot::marker(Direction direction, StreamOffset at, std::uint32_t value) {
  if (watcher != nullptr) watcher->marker(direction, at, value);
}
void Shard::Slot::fpdu(Direction direction, const mpa::Fpdu& fpdu) {
  if (watcher != nullptr) watcher->fpdu(direction, fpdu);
}
void Shard::Slot::control(Direction direction, const sctp::ControlMessage& message) {
  if (watcher != nullptr) watcher->control(direction, message);
}
void Shard::Slot::session_segment(Direction direction, const sctp::Message& message) {
  if (watcher != nullptr) watcher->session_segment(direction, message);
}
void Shard::Slot::segment(const qp::MessageFacts& facts, const ddp::Segment& segment) {
  if (watcher != nullptr) watcher->segment(facts, segment);
  if (!owner.emulates) return;
  if (models == nullptr) {
    if (!ulp_known) {
      ulp = ulp::ulp_named(pair->ulp().value_or(std::string_view{}));
      ulp_known = true;
    }
    if (!emulation::QueuePairModels::wants(facts, segment, ulp)) return;
    make_models();
  }
  models->segment(facts, segment);
}
void Shard::Slot::message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  if (watcher != nullptr) watcher->message_ended(facts, end);
  if (!owner.emulates) return;
  if (models == nullptr && (emulation::HeadOfLine::wait_ns(facts, end) > 0 || is_flooded(facts, end))) make_models();
  if (models != nullptr) models->message_ended(facts, end);
}
/// So many messages in a row from one end that a model has to look at them.
bool Shard::Slot::is_flooded(const qp::MessageFacts& facts, const ddp::MessageEnd& end) noexcept {
  in_a_row[iwarpscope::index(opposite(facts.direction))] = 0;
  std::uint8_t& count = in_a_row[iwarpscope::index(facts.direction)];
  count = end.length <= emulation::SmallSends::kTinyOctets ? static_cast<std::uint8_t>(count + 1) : 0;
  return count == 255;
}
void Shard::Slot::requested(Direction sender, const qp::Request& request) {
  if (watcher != nullptr) watcher->requested(sender, request);
  if (models != nullptr) models->requested(sender, request);
}
void Shard::Slot::answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end,
                           bool certain, std::optional<std::uint64_t> original) {
  if (watcher != nullptr) watcher->answered(request, response, end, certain, original);
  if (models != nullptr) models->answered(request, response, end, certain, original);
}
void Shard::Slot::terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                             std::optional<std::uint64_t> names) {
  if (watcher != nullptr) watcher->terminated(facts, terminate, names);
  if (models != nullptr) models->terminated(facts, terminate, names);
  if (!had_models) return;
  // No request comes after it: the last one before it is a sign as good, in the order of the requests' direction.
  const qp::Moment last = pair->last_message(opposite(facts.direction));
  const bool is_near =
      last.happened() && last.frame < facts.first_frame && elapsed_ns(last.time, facts.first_time) <= qp::kMostSkewNs;
  tell_end(is_near ? last : qp::Moment{facts.first_frame, facts.first_time});
}
void Shard::Slot::gap(Direction direction) {
  if (watcher != nullptr) watcher->gap(direction);
  if (!owner.emulates) return;
  gaps[iwarpscope::index(direction)] = true;
  if (models != nullptr) models->gap(direction);
  const net::Endpoint& receiver = direction == Direction::a_to_b ? pair->end_b() : pair->end_a();
  tell(emulation::RequestsMissing{receiver.address, tap_point(pair->last_message(direction))});
}
/// That the connection ended. Facts of it may have waited, and what others did meanwhile was reported before them.
/// `terminate`: a Terminate ends it, which is sent before the close.
void Shard::Slot::tell_end(std::optional<qp::Moment> terminate) {
  const emulation::TapPoint a = tap_point(pair->last_message(Direction::a_to_b));
  const emulation::TapPoint b = tap_point(pair->last_message(Direction::b_to_a));
  const emulation::TapPoint last{std::max(a.frame, b.frame), std::max(a.time, b.time)};
  const bool has_gaps = gaps[0] || gaps[1];  // what it waited for may have been in them
  const qp::Moment closed = terminate ? *terminate : pair != nullptr ? pair->first_close() : qp::Moment{};
  const bool is_known = !has_gaps && closed.happened();
  tell(emulation::StreamEnded{last, is_known ? tap_point(closed) : last, terminate.has_value()});
}
void Shard::Slot::noted(const emulation::Note& note) {
  pair->report(finding_of(note));
}
void Shard::Slot::tell(emulation::CrossFact fact) {
  if (tentative) return;  // it has no number yet, and nothing is known of its messages
  owner.reports->facts.push_back({owner.frame, owner.time, QpPlace{owner.number, index}, std::move(fact)});
}
void Shard::Slot::found(findings::Finding finding) {
  pair->report(std::move(finding));
}
bool Shard::Slot::saw_all(Direction direction, const ddp::Carrier& at) const {
  return pair->was_known_before(direction, at);
}
/// What the models know now, after what they knew before they were trimmed.
Shard::Slot::KnownStags Shard::Slot::stags() const {
  KnownStags known = known_stags != nullptr ? *known_stags : KnownStags{};
  if (models == nullptr) return known;
  std::uint64_t again = 0;
  for (const qp::StagUse& use : stag_uses(models->stags().list())) {
    const auto same = std::ranges::find_if(
        known.first, [&](const qp::StagUse& k) { return k.owner == use.owner && k.stag == use.stag; });
    if (same != known.first.end()) {
      ++again;
      add(*same, use);
    } else if (known.first.size() < qp::QpRecord::kMostStags) {
      known.first.push_back(use);
    }
  }
  known.all += models->stags().size() - again;
  return known;
}
qp::QpRecord Shard::Slot::record() const {
  qp::QpRecord r = pair->record();
  r.tap_group = tap_group;
  // The flow may be another connection's by now.
  const Flow* const its = flow != FlowTable::kNone ? &owner.flows.at(flow) : nullptr;
  if (its != nullptr && its->used && its->first_frame == r.first_frame) {
    r.summary.directions[0].syn = its->syn(r.a == its->key.low);
    r.summary.directions[1].syn = its->syn(r.a != its->key.low);
  }
  KnownStags known = stags();
  r.stags = std::move(known.first);
  r.stags_known = known.all;
  if (models == nullptr) return r;
  if (const auto limits = models->negotiated())
    r.negotiated = qp::UlpLimitsRecord{limits->sentence, limits->compatible};
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const emulation::HeadOfLine& waits = models->head_of_line(d);
    r.directions[iwarpscope::index(d)].head_of_line = {waits.waited, waits.total_ns, waits.largest_ns,
                                                       waits.largest_message};
  }
  return r;
}

}  // namespace iwarpscope::analysis
