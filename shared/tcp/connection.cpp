// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp/connection.h"

#include "base/archive.h"
#include "tcp/acceptance.h"
#include "tcp/connection_state.h"
#include "tcp/half.h"
#include "tcp/notes.h"

namespace iwarpscope::tcp {

Connection::Connection(const std::array<Origin, 2>& origins, const Limits& limits, BufferBudget& budget)
    : state_(std::make_unique<State>(limits, budget)) {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    state_->halves[index(d)].start(origins[index(d)]);
    state_->acceptance.start(d, origins[index(d)]);
  }
}

Connection::~Connection() = default;
template <class A>
void Connection::archive(A& a) {
  state_->archive(a);
}
template void Connection::archive(Archive& a);

Doubt Connection::State::judge(Direction d, const net::TcpPacket& packet) const noexcept {
  const Half& half = halves[index(d)];
  const Half& other = halves[index(opposite(d))];
  if (!packet.has(net::tcp_flag::rst)) return acceptance.judge(d, packet, half, other);
  return is_reset_doubted(packet, half, other) ? Doubt::unfitting_reset : Doubt::none;
}

/// Whether the receiver drops this TCP segment: nothing else is to be done with it.
bool Connection::State::sets_aside(Doubt doubt, const net::TcpPacket& packet, Half& half, Half& other, Call& call) {
  if (doubt == Doubt::none || doubt == Doubt::unfitting_reset) return false;
  if (doubt == Doubt::unfitting_syn) acceptance.wait_for_more(packet, ResetFit::impossible, half, other, call);
  return !acceptance.set_aside(doubt, packet, half, has_ended(other), call);
}

void Connection::feed(Direction d, const net::TcpPacket& packet, Doubt doubt, const std::array<StreamSink*, 2>& sinks,
                      findings::Reporter& reporter) {
  State& s = *state_;
  const Direction o = opposite(d);
  Call call{d, packet.frame, packet.time, sinks[index(d)], reporter, s.limits, s.budget, s.traces};
  Call other_call{o, packet.frame, packet.time, sinks[index(o)], reporter, s.limits, s.budget, s.traces};
  Half& half = s.half(d);
  Half& other = s.half(o);
  ++half.statistics.tcp_segments;
  if (s.sets_aside(doubt, packet, half, other, call)) return;
  if (packet.fragmented || (!packet.dont_fragment && packet.payload_length > 0)) {
    if (!half.fragments_raised) raise_fragments(call, packet);
    half.fragments_raised = true;
  }
  s.take_segment(packet, {half, call}, {other, other_call});
  half.expire(call);
  other.expire(other_call);
}

void Connection::give_up(const Lost& lost, const net::TcpPacket& shown_by, const std::array<StreamSink*, 2>& sinks,
                         findings::Reporter& reporter) {
  State& s = *state_;
  Call call{lost.of, shown_by.frame, shown_by.time, sinks[index(lost.of)], reporter, s.limits, s.budget, s.traces};
  s.half(lost.of).acknowledge(lost.end.value, call);
  s.half(lost.of).give_up_tail(lost.end.value, lost.followed, call);
}

std::optional<StreamOffset> Connection::offset_of(Direction d, const net::TcpPacket& packet) const noexcept {
  const Half& half = state_->halves[index(d)];
  if (!half.has_origin()) return std::nullopt;
  const std::uint64_t offset = half.offset_of(packet.sequence + (packet.has(net::tcp_flag::syn) ? 1u : 0u));
  return half.is_plausible(offset) ? std::optional(StreamOffset{offset}) : std::nullopt;
}

void Connection::finish(FrameNumber frame, TimePoint time, const std::array<StreamSink*, 2>& sinks,
                        findings::Reporter& reporter) {
  State& s = *state_;
  Call a{Direction::a_to_b, frame, time, sinks[0], reporter, s.limits, s.budget, s.traces};
  Call b{Direction::b_to_a, frame, time, sinks[1], reporter, s.limits, s.budget, s.traces};
  s.take_late_resets({&a, &b});
  s.acceptance.finish(s.half(Direction::a_to_b), has_ended(s.half(Direction::b_to_a)), a);
  s.acceptance.finish(s.half(Direction::b_to_a), has_ended(s.half(Direction::a_to_b)), b);
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    Call call{d, frame, time, sinks[index(d)], reporter, s.limits, s.budget, s.traces};
    s.half(d).flush(call);
    s.half(d).give_up_tail(s.half(d).acknowledged(), false, call);
    s.half(d).raise_lost_payload(call);
    if (!s.finished) {
      raise_counts(call, s.half(d));
      s.acceptance.report_dropped(call);
    }
  }
  Call call{Direction::a_to_b, frame, time, nullptr, reporter, s.limits, s.budget, s.traces};
  if (!s.finished) raise_counts(call, s.halves);
  s.finished = true;
}

std::optional<SequenceNumbers> Connection::sequence_numbers(Direction d) const noexcept {
  return state_->half(d).sequence_numbers();
}

const LossTraces* Connection::loss_traces(Direction d) const noexcept {
  return state_->traces.find(d);
}

const DirectionStatistics& Connection::statistics(Direction d) const noexcept {
  return state_->half(d).statistics;
}

const Dropped* Connection::dropped(Direction d) const noexcept {
  return state_->acceptance.dropped(d);
}

ClosedBy Connection::closed_by() const noexcept {
  if (state_->reset_by) return ClosedBy::rst;
  return state_->closed_by_fin() ? ClosedBy::fin : ClosedBy::open;
}

std::optional<StreamOffset> Connection::fin_offset(Direction d) const noexcept {
  const std::uint64_t fin = state_->half(d).fin();
  return fin != 0 ? std::optional{StreamOffset{fin}} : std::nullopt;
}

bool Connection::fin_delivered(Direction d) const noexcept {
  const Half& half = state_->half(d);
  return half.fin() != 0 && half.next() == half.fin();
}

Doubt Connection::judge(Direction d, const net::TcpPacket& packet) const noexcept {
  return state_->judge(d, packet);
}

bool Connection::answers_refused(Direction d, const net::TcpPacket& packet) const noexcept {
  return state_->acceptance.is_answer(d, packet, state_->halves[index(opposite(d))]);
}

ControlSeen Connection::reset_at() const noexcept {
  return state_->acceptance.reset_at();
}

std::optional<ControlSeen> Connection::last_reset(Direction d) const noexcept {
  return state_->acceptance.last_reset(d);
}

std::optional<Direction> Connection::reset_by() const noexcept {
  return state_->reset_by;
}

StreamOffset Connection::next_offset(Direction d) const noexcept {
  return StreamOffset{state_->half(d).next()};
}

std::optional<StreamOffset> Connection::acknowledged(Direction d) const noexcept {
  const std::uint64_t offset = state_->half(d).acknowledged();
  return offset != 0 ? std::optional{StreamOffset{offset}} : std::nullopt;
}

bool Connection::was_sent_again(Direction d) const noexcept {
  return state_->half(d).was_sent_again();
}

bool Connection::lacks_start(Direction d) const noexcept {
  return state_->half(d).lacks_start();
}

bool Connection::lacks_end(Direction d) const noexcept {
  return state_->half(d).lacks_end();
}

bool Connection::is_unseen(Direction d) const noexcept {
  return state_->half(d).is_unseen();
}

bool Connection::syn_seen(Direction d) const noexcept {
  return state_->half(d).syn_seen;
}

bool Connection::has_origin(Direction d) const noexcept {
  return state_->half(d).has_origin();
}

std::optional<StreamOffset> Connection::first_held(Direction d) const noexcept {
  return state_->half(d).first_held();
}

std::size_t Connection::held_octets(Direction d) const noexcept {
  return state_->half(d).held_octets();
}

std::uint16_t Connection::mss(Direction d) const noexcept {
  return state_->half(d).mss;
}

}  // namespace iwarpscope::tcp
