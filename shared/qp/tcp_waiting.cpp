// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP segments in causal order: what was sent in answer to octets is taken after them. Captures merge mirrored ports
// and capture queues, whose frames come some time apart; an ACK shows what came before it.
#include <algorithm>
#include <cstdlib>

#include "base/serial.h"
#include "qp/tcp_queue_pair_state.h"

namespace iwarpscope::qp {

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
  if (patience_ != nullptr && patience_->silent[index(of)]) return std::nullopt;
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

void TcpQueuePair::Impl::hear_octets(Direction d) noexcept {
  if (patience_ == nullptr) return;
  patience_->heard[index(d)] = frame;
  patience_->silent[index(d)] = false;
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
    if (patience_ == nullptr) patience_ = std::make_unique<Patience>();
    seen_[index(d)] = true;
    one_sided = !(seen_[0] && seen_[1]);
    if (env.budget.is_scarce() || !waiting_->add(d, packet)) {
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
  const bool goes_on = held != 0 || patience_->heard[index(of)] > packet.frame;
  if (std::abs(elapsed_ns(packet.time, time)) > (goes_on ? env.tcp.hole_wait_ns : env.tcp.wait_ns)) {
    patience_->silent[index(of)] = patience_->heard[index(of)] < packet.frame;
    return true;
  }
  return env.budget.is_scarce() || held > env.tcp.max_waiting_octets;
}

/// Those whose octets are there by now, and those that have waited enough. One may be what others wait for.
void TcpQueuePair::Impl::take_ready() {
  bool again = waiting_ != nullptr;
  while (again) {
    again = false;
    for (auto it = waiting_->begin(); it != waiting_->end();) {
      const auto of = awaited(it->direction, it->packet);
      if (of && !has_waited_enough(it->packet, *of)) {
        ++it;
        continue;
      }
      tcp::WaitingSegments::List taken;
      it = waiting_->take(it, taken);
      take_late(taken.front().direction, taken.front().packet);
      again = true;
    }
  }
  if (waiting_ != nullptr && waiting_->empty()) waiting_.reset();
}

void TcpQueuePair::Impl::take_all_waiting() {
  if (waiting_ == nullptr) return;
  while (!waiting_->empty()) {
    tcp::WaitingSegments::List taken;
    (void)waiting_->take(waiting_->begin(), taken);
    take_late(taken.front().direction, taken.front().packet);
  }
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
