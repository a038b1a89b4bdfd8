// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP segments in causal order: what was sent in answer to octets is taken after them. Captures merge mirrored ports
// and capture queues, whose frames come some time apart; an ACK shows what came before it.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <limits>

#include "base/serial.h"
#include "qp/transport/tcp_queue_pair_state.h"

namespace iwarpscope::qp {
namespace {

constexpr StreamOffset kNowhere{std::numeric_limits<std::uint64_t>::max()};

}  // namespace

/// The direction whose octets the TCP segment shows to have been sent, where some may still come. An RST waits for what
/// its sender sent before it, such as a Terminate: that explains it.
std::optional<Direction> TcpQueuePair::Impl::awaited(Direction d, const net::TcpPacket& packet) const noexcept {
  tcp::Unseen unseen = connection_.shows_unseen(d, packet);
  if (unseen == tcp::Unseen::none && waiting_ != nullptr && packet.has(net::tcp_flag::rst)) {
    const auto before = std::find_if(waiting_->begin(), waiting_->end(), [&](const auto& waits) {
      return waits.direction == d && waits.packet.frame < packet.frame;
    });
    if (before != waiting_->end()) unseen = connection_.shows_unseen(d, before->packet);
  }
  if (unseen == tcp::Unseen::none) return std::nullopt;
  const Direction of = unseen == tcp::Unseen::own ? d : opposite(d);
  if (rare_ != nullptr && rare_->silent[index(of)]) return std::nullopt;
  // Nothing of that direction was seen, and it may be one that the capture lacks: only a Reply is certain to follow a
  // Request of it.
  if (!connection_.has_origin(of) && (of != Direction::a_to_b || !awaits_request())) return std::nullopt;
  return of;
}

bool TcpQueuePair::Impl::awaits_request() const noexcept {
  return startup_ != nullptr && startup_->phase() == mpa::StartupPhase::await_request;
}

/// What waits may show that it is no stray one.
void TcpQueuePair::Impl::take_late(Direction d, const net::TcpPacket& packet) {
  if (is_stray(d, packet)) return;
  const bool belongs = take(d, packet);
  observe(d, packet, belongs);
}

void TcpQueuePair::Impl::note_octets(Direction d) noexcept {
  if (rare_ == nullptr) return;
  rare_->last_octets[index(d)] = frame;
  rare_->silent[index(d)] = false;
}

/// Those that wait for the first TCP segment of `d` had not received `first`: it is not what they wait for.
void TcpQueuePair::Impl::take_before_first(Direction d, const net::TcpPacket& first) {
  if (waiting_ == nullptr || connection_.has_origin(d)) return;
  const net::TcpPacket& waits = waiting_->begin()->packet;
  if (serial_distance(first.sequence, waits.acknowledgment) <= 0) take_all_waiting();
}

void TcpQueuePair::Impl::take_in_turn(Direction d, const net::TcpPacket& packet) {
  take_before_first(d, packet);
  if (!awaited(d, packet)) {
    take_late(d, packet);
  } else {
    if (waiting_ == nullptr) waiting_ = std::make_unique<tcp::WaitingSegments>(env.tcp, env.budget);
    if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
    seen_[index(d)] = true;
    one_sided = !(seen_[0] && seen_[1]);
    if (!make_room_for(d, packet)) {
      take_all_waiting();
      take_late(d, packet);
    }
  }
  take_ready();
}

/// A clock that went back counts as one that went on.
bool TcpQueuePair::Impl::has_waited_enough(const net::TcpPacket& packet, Direction of) noexcept {
  const std::size_t held = connection_.held_octets(of);
  // Octets of that direction came since, even if they wait in turn for what this one holds up.
  const bool goes_on = held != 0 || rare_->last_octets[index(of)] > packet.frame;
  if (std::abs(elapsed_ns(packet.time, time)) > (goes_on ? env.tcp.hole_wait_ns : env.tcp.wait_ns)) {
    rare_->silent[index(of)] = rare_->last_octets[index(of)] < packet.frame;
    return true;
  }
  return env.budget.is_scarce() || held > env.tcp.max_waiting_octets;
}

tcp::WaitingSegments::List::iterator TcpQueuePair::Impl::take_one(tcp::WaitingSegments::List::iterator which) {
  tcp::WaitingSegments::List taken;
  const auto next = waiting_->take(which, taken);
  take_late(taken.front().direction, taken.front().packet);
  return next;
}

/// Those whose octets are there by now. One may be what others wait for.
void TcpQueuePair::Impl::take_satisfied() {
  for (bool again = true; again;) {
    again = false;
    for (auto it = waiting_->begin(); it != waiting_->end();) {
      if (awaited(it->direction, it->packet)) {
        ++it;
      } else {
        it = take_one(it);
        again = true;
      }
    }
  }
}

/// Where octets of `of` that were not handed up yet begin, among those that wait or are held; kNowhere: none are there.
StreamOffset TcpQueuePair::Impl::next_there(Direction of) const noexcept {
  const StreamOffset next = connection_.next_offset(of);
  StreamOffset first = connection_.first_held(of).value_or(kNowhere);
  for (const tcp::WaitingSegment& waits : *waiting_) {
    if (waits.direction != of || waits.packet.payload_length == 0) continue;
    const StreamOffset begin = connection_.offset_of(of, waits.packet).value_or(kNowhere);
    const bool is_new = begin != kNowhere && next < begin + waits.packet.payload_length;
    if (is_new) first = std::min(first, std::max(begin, next));
  }
  return first;
}

/// Its ACK number shows octets that were not seen, and there is no doubt about it. What an RST shows is a fact about
/// the RST: it is taken as it is.
bool TcpQueuePair::Impl::is_sure_of_unseen(const tcp::WaitingSegment& waits) const noexcept {
  return !waits.packet.has(net::tcp_flag::rst) && connection_.has_origin(opposite(waits.direction)) &&
         connection_.shows_unseen(waits.direction, waits.packet) == tcp::Unseen::other &&
         connection_.judge(waits.direction, waits.packet) == tcp::Doubt::none &&
         net::checksum(waits.packet).verdict != net::Checksum::bad;
}

/// The octets that it waits for are nowhere: the capture lacks those before the next ones that are `there`. False: what
/// it waits for waits as well, or is not certain.
bool TcpQueuePair::Impl::give_up_for(const tcp::WaitingSegment& waits, StreamOffset there) {
  const Direction of = opposite(waits.direction);
  const StreamOffset next = connection_.next_offset(of);
  if (there <= next || !is_sure_of_unseen(waits)) return false;
  StreamOffset end = std::min(there, connection_.acknowledged_end(waits.direction, waits.packet));
  // Others may show more of the same gap: up to the octets that are there.
  for (const tcp::WaitingSegment& other : *waiting_) {
    if (end == there || there == kNowhere) break;
    if (other.direction != waits.direction || !is_sure_of_unseen(other)) continue;
    end = std::max(end, std::min(there, connection_.acknowledged_end(other.direction, other.packet)));
  }
  taken_ = {waits.packet.frame, waits.packet.time};
  const std::array before{connection_.statistics(Direction::a_to_b), connection_.statistics(Direction::b_to_a)};
  connection_.give_up({of, end, end == there}, waits.packet, sinks(), *this);
  if (env.transport && confirmed) tell_transport(waits.direction, waits.packet, before);
  follow_close();
  return next < connection_.next_offset(of);
}

/// The same for the first of those that `may` be taken for which it holds.
bool TcpQueuePair::Impl::give_up_any(const std::function<bool(const tcp::WaitingSegment&)>& may) {
  const std::array there{next_there(Direction::a_to_b), next_there(Direction::b_to_a)};
  return std::any_of(waiting_->begin(), waiting_->end(), [&](const tcp::WaitingSegment& waits) {
    return may(waits) && give_up_for(waits, there[index(opposite(waits.direction))]);
  });
}

/// Those whose octets are there by now, and those that have waited enough.
void TcpQueuePair::Impl::take_ready() {
  if (waiting_ == nullptr) return;
  const auto enough = [&](const tcp::WaitingSegment& waits) {
    const auto of = awaited(waits.direction, waits.packet);
    return of && has_waited_enough(waits.packet, *of);
  };
  while (true) {
    take_satisfied();
    const auto it = std::find_if(waiting_->begin(), waiting_->end(), enough);
    if (it == waiting_->end()) break;
    if (give_up_any(enough)) continue;
    // What it waits for waits in turn, and has its time, too.
    const bool may_wait = std::abs(elapsed_ns(it->packet.time, time)) <= env.tcp.wait_ns && !env.budget.is_scarce();
    if (may_wait) break;
    take_one(it);
  }
  if (waiting_->empty()) waiting_.reset();
}

/// At a limit those that wait in vain are taken, until there is room. False: this one has no room even so, or the
/// budget of all connections is scarce.
bool TcpQueuePair::Impl::make_room_for(Direction d, const net::TcpPacket& packet) {
  while (!env.budget.is_scarce()) {
    if (waiting_->add(d, packet)) return true;
    if (waiting_->empty()) return false;
    take_first_in_vain();
  }
  return false;
}

void TcpQueuePair::Impl::take_first_in_vain() {
  if (!give_up_any([](const tcp::WaitingSegment&) { return true; })) take_one(waiting_->begin());
  take_satisfied();
}

void TcpQueuePair::Impl::take_all_waiting() {
  if (waiting_ == nullptr) return;
  take_satisfied();
  while (!waiting_->empty()) take_first_in_vain();
  waiting_.reset();
}

void TcpQueuePair::Impl::pass_time(FrameNumber at_frame, TimePoint at_time) {
  if (waiting_ == nullptr) return;
  frame = at_frame;
  time = at_time;
  take_ready();
  if (startup_ != nullptr && startup_->phase() == mpa::StartupPhase::full_operation) keep_startup_frames();
}

void TcpQueuePair::Impl::stop_waiting(FrameNumber at_frame, TimePoint at_time) {
  if (waiting_ == nullptr) return;
  frame = at_frame;
  time = at_time;
  take_all_waiting();
  if (startup_ != nullptr && startup_->phase() == mpa::StartupPhase::full_operation) keep_startup_frames();
}

}  // namespace iwarpscope::qp
