// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Where the numbers of a TCP segment lie in a connection: ahead of what was seen, near, far, or in another connection.
#include <algorithm>

#include "tcp/connection_state.h"
#include "tcp/windows.h"

namespace iwarpscope::tcp {
namespace {

namespace flag = net::tcp_flag;

}  // namespace

Unseen Connection::shows_unseen(Direction d, const net::TcpPacket& packet) const noexcept {
  if (packet.has(flag::syn)) return Unseen::none;
  const Half& half = state_->halves[index(d)];
  const Half& other = state_->halves[index(opposite(d))];
  if (packet.has(flag::rst) && half.has_origin()) {
    const std::uint64_t offset = half.offset_of(packet.sequence);
    if (half.is_plausible(offset) && may_reach(d, {packet.frame, packet.time, StreamOffset{offset}})) {
      return Unseen::own;
    }
  }
  if (!packet.has(flag::ack)) return Unseen::none;
  if (!other.has_origin()) return Unseen::other;
  const auto offset = other.acknowledged_by(packet.acknowledgment);
  if (!offset || *offset <= other.next() || is_far(other, *offset, far_reach(half, other))) return Unseen::none;
  return Unseen::other;
}

StreamOffset Connection::acknowledged_end(Direction d, const net::TcpPacket& packet) const noexcept {
  const Half& other = state_->halves[index(opposite(d))];
  return StreamOffset{other.acknowledged_by(packet.acknowledgment).value_or(other.next())};
}

bool Connection::may_reach(Direction d, const ControlSeen& reset) const noexcept {
  const Half& half = state_->halves[index(d)];
  if (!reset.offset) return !half.has_origin();
  const std::uint64_t offset = reset.offset->value;
  const bool ahead = offset > half.next() + (half.fin() != 0 ? 1 : 0) && !half.is_after_fin(offset);
  return ahead && !is_far(half, offset, far_reach(state_->halves[index(opposite(d))], half));
}

bool Connection::is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept {
  if (!packet.has(flag::syn) || packet.has(flag::rst)) return false;
  State& s = *state_;
  const Half& half = s.half(d);
  const Half& other = s.half(opposite(d));
  if (half.is_own_syn(packet.sequence)) return false;
  if (ChecksumPolicy policy = half.checksums; policy.judge(net::checksum(packet).verdict) == Trust::rejected) {
    return false;
  }
  if (half.has_origin()) {
    if (closed_by() != ClosedBy::open) return true;
    const std::uint64_t offset = half.offset_of(packet.sequence + 1);
    return !half.is_plausible(offset) || !half.is_in_window(offset, offered_window(other, half));
  }
  // Nothing of this half was seen. The other one belongs to the same connection if it acknowledged this SYN, or has
  // not acknowledged anything yet.
  const auto expected = half.remembered_acknowledgment();
  if (expected && *expected != packet.sequence + 1) {
    constexpr std::uint32_t kLate = 65535;  // the SYN came after what followed it
    return *expected - (packet.sequence + 1) > kLate;
  }
  return closed_by() != ClosedBy::open;
}

std::optional<StreamOffset> Connection::far_off(Direction d, const net::TcpPacket& packet) const noexcept {
  const State& s = *state_;
  const Half& half = s.halves[index(d)];
  const Half& other = s.halves[index(opposite(d))];
  if (!half.has_origin() || !packet.has(flag::ack)) return std::nullopt;
  const std::uint64_t offset = half.offset_of(packet.sequence);
  if (!is_far(half, offset, far_reach(other, half))) return std::nullopt;
  const std::uint64_t reach = far_reach(half, other);
  if (other.has_origin()) {
    if (!is_far(other, other.offset_of(packet.acknowledgment), reach)) return std::nullopt;
  } else {
    const auto expected = other.remembered_acknowledgment();
    const std::uint32_t ahead = expected ? packet.acknowledgment - *expected : 0;
    if (std::min(ahead, 0 - ahead) <= reach) return std::nullopt;
  }
  ChecksumPolicy policy = half.checksums;
  if (policy.judge(net::checksum(packet).verdict) == Trust::rejected) return std::nullopt;
  return StreamOffset{offset};
}

bool Connection::is_near(Direction d, const net::TcpPacket& packet) const noexcept {
  constexpr std::uint64_t kLeast = 4u << 20;  // ours: what gaps of a capture reach at most
  const State& s = *state_;
  const Half& half = s.halves[index(d)];
  const Half& other = s.halves[index(opposite(d))];
  if (half.has_origin()) {
    if (packet.has(flag::syn)) return half.may_be_own_syn(packet.sequence);
    if (is_far(half, half.offset_of(packet.sequence), std::max(far_reach(other, half), kLeast))) return false;
  }
  if (!packet.has(flag::ack) || !other.has_origin()) return half.has_origin();
  return !is_far(other, other.offset_of(packet.acknowledgment), std::max(far_reach(half, other), kLeast));
}

}  // namespace iwarpscope::tcp
