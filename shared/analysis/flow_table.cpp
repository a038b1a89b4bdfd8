// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/flow_table.h"

#include <algorithm>
#include <limits>

#include "net/checksum.h"

namespace iwarpscope::analysis {

void Flow::restart(const net::TcpPacket& packet) {
  const net::FlowKey kept = key;
  const std::uint32_t kept_sibling = sibling;
  *this = Flow{};
  key = kept;
  sibling = kept_sibling;
  used = recent = true;
  set_overlay(packet.source == key.low, packet.overlay);
  first_frame = packet.frame;
  first_time = packet.time;
}

void Flow::set_overlay(bool from_low, std::uint32_t overlay) noexcept {
  overlays[from_low ? 0 : 1] = overlay;
  has_overlay_low = has_overlay_low || from_low;
  has_overlay_high = has_overlay_high || !from_low;
}

std::uint32_t Flow::tenant() const noexcept {
  if (!has_overlay_low || !has_overlay_high) return has_overlay_low ? overlays[0] : overlays[1];
  const auto [least, most] = std::minmax(overlays[0], overlays[1]);
  return least == most ? least : least * 31 + most;
}

bool Flow::fits(const net::TcpPacket& packet, bool from_low) const noexcept {
  // Ours: further than two hosts' numbers move before a connection is looked at; 1 in a thousand is near by chance.
  constexpr std::uint32_t kNear = 4u << 20, kNearAnswer = 0xFFFF;
  constexpr std::int64_t kCopiedNs = 100'000'000;  // a mirror's second copy of a SYN comes sooner; ours
  const tcp::Origin& own = origins[from_low ? 0 : 1];
  const tcp::Origin& other = origins[from_low ? 1 : 0];
  const auto is_near = [](std::uint32_t a, std::uint32_t b, std::uint32_t reach) {
    return std::min(a - b, b - a) <= reach;
  };
  const bool syn = packet.has(net::tcp_flag::syn);
  if (syn && own.seen &&
      (own.next_sequence != packet.sequence + 1 || elapsed_ns(first_time, packet.time) > kCopiedNs)) {
    return false;
  }
  if (!syn && own.seen && !is_near(packet.sequence, own.next_sequence, kNear)) return false;
  if (!packet.has(net::tcp_flag::ack) || !other.seen) return own.seen;
  return is_near(packet.acknowledgment, other.next_sequence, syn ? kNearAnswer : kNear);
}

bool Flow::has_other_syn(const net::TcpPacket& packet, bool from_low) const noexcept {
  constexpr std::uint32_t kLate = 65535;  // ours
  const tcp::Origin& origin = origins[from_low ? 0 : 1];
  const std::uint32_t first = packet.sequence + 1;
  if (!packet.has(net::tcp_flag::syn) || !origin.seen || origin.next_sequence == first) return false;
  // What follows the connection's own SYN may come before it in the file.
  return origin.syn_seen || origin.octets_seen || origin.next_sequence - first > kLate;
}

bool Flow::is_reopened_by(const net::TcpPacket& packet, bool from_low) const noexcept {
  return has_other_syn(packet, from_low) && !packet.has(net::tcp_flag::ack);
}

bool Flow::answers_other_syn(const net::TcpPacket& packet, bool from_low) const noexcept {
  constexpr std::uint32_t kNear = 65535;  // octets with the SYN, or sent since; ours
  const tcp::Origin& other = origins[from_low ? 1 : 0];
  if (!packet.has(net::tcp_flag::syn) || !packet.has(net::tcp_flag::ack) || !other.syn_seen) return false;
  const std::uint32_t ahead = packet.acknowledgment - other.next_sequence;
  return std::min(ahead, 0 - ahead) > kNear;
}

void Flow::note_opening(const net::TcpPacket& packet, bool from_low) noexcept {
  begun = begun || packet.has(net::tcp_flag::syn) || packet.payload_length != 0;
  if (!packet.has(net::tcp_flag::syn)) return;
  const bool low = from_low != packet.has(net::tcp_flag::ack);  // a SYN with ACK answers the other end's
  opened_by_low = opened_by_low || low;
  opened_by_high = opened_by_high || !low;
}

void Flow::begin_at(const net::TcpPacket& packet, bool from_low) noexcept {
  tcp::Origin& origin = origins[from_low ? 0 : 1];
  const bool is_ahead = static_cast<std::int32_t>(origin.next_sequence - packet.sequence) > 0;
  if (!origin.seen || !is_ahead) return;
  origin.next_sequence = packet.sequence;
  if (!origin.octets_seen) origin.syn_seen = false;  // the number was the SYN's
}

namespace {

/// The sender has moved on to `next`. Until its first octets were seen, an ACK, a FIN or a TCP segment without captured
/// octets does not show that: the octets before it may still follow in the file, or they are missing.
bool moves_on(const net::TcpPacket& packet, const tcp::Origin& origin, std::uint32_t next) noexcept {
  if (static_cast<std::int32_t>(next - origin.next_sequence) <= 0) return false;
  return !origin.syn_seen || origin.octets_seen || !packet.payload.empty();
}

}  // namespace

bool Flow::is_before_start(const net::TcpPacket& packet, bool from_low) const noexcept {
  const tcp::Origin& origin = origins[from_low ? 0 : 1];
  if (!origin.syn_seen || origin.octets_seen || packet.has(net::tcp_flag::syn)) return false;
  return static_cast<std::int32_t>(packet.sequence - origin.next_sequence) < 0;
}

void Flow::note_syn(const net::TcpPacket& packet, bool from_low) noexcept {
  if (packet.frame == first_frame) {
    if (from_low) {
      first_is_syn_of_low = true;
    } else {
      first_is_syn_of_high = true;
    }
    return;
  }
  const std::int64_t after = elapsed_ns(first_time, packet.time);
  const std::uint64_t frames = packet.frame.value - first_frame.value;
  constexpr std::uint64_t kMostFrames = 2047;  // of answer_frames
  constexpr auto kMostNs = std::numeric_limits<std::uint32_t>::max();
  if (packet.frame < first_frame || frames > kMostFrames || after < 0 || after > kMostNs) return;
  answer_of_low = from_low;
  answer_frames = static_cast<std::uint32_t>(frames) & kMostFrames;
  answer_ns = static_cast<std::uint32_t>(after);
}

qp::Moment Flow::syn(bool of_low) const noexcept {
  if (!origins[of_low ? 0 : 1].syn_seen) return {};
  if (of_low ? first_is_syn_of_low : first_is_syn_of_high) return {first_frame, first_time};
  if (answer_frames == 0 || answer_of_low != of_low) return {};
  return {FrameNumber{first_frame.value + answer_frames}, TimePoint{first_time.ns + answer_ns}};
}

void Flow::note(const net::TcpPacket& packet, bool from_low) noexcept {
  tcp::Origin& origin = origins[from_low ? 0 : 1];
  const bool syn = packet.has(net::tcp_flag::syn);
  const std::uint32_t next = packet.sequence + packet.payload_length + (syn ? 1U : 0U);
  if (syn) {
    if (!origin.syn_seen) note_syn(packet, from_low);
    origin.syn_seen = true;
    origin.mss = packet.mss.value_or(0);
    origin.window_scale = packet.window_scale.value_or(0xFF);
    origin.next_sequence = next;
    // Whether this sender's checksums mean anything is known before its first payload comes.
    const net::Checksum checksum = net::checksum(packet).verdict;
    if (checksum == net::Checksum::good) origin.good_checksum_seen = true;
    if (checksum == net::Checksum::bad) origin.bad_checksum_seen = true;
  } else if (!origin.seen || moves_on(packet, origin, next)) {
    origin.next_sequence = next;
  }
  origin.seen = true;
  origin.note(packet);
  origin.interfaces.add(packet.interface);
  tcp::Origin& other = origins[from_low ? 1 : 0];
  if (packet.has(net::tcp_flag::ack) && !other.seen && !other.acknowledged && !is_before_start(packet, from_low)) {
    other.acknowledged = true;
    other.next_sequence = packet.acknowledgment;
  }
  if (!packet.payload.empty()) origin.octets_seen = true;
  ++origin.packets;
  if (!packet.has(net::tcp_flag::fin)) return;
  fin_low = fin_low || from_low;
  fin_high = fin_high || !from_low;
}

FlowTable::FlowTable(std::size_t limit) : limit_(limit), set_(0, Hash{this}, Equal{this}) {}

std::uint32_t FlowTable::find_or_add(const net::FlowKey& key, bool& fresh) {
  fresh = false;
  const std::uint32_t first = find(key);
  for (std::uint32_t index = first; index != kNone; index = at(index).sibling) {
    if (at(index).key == key) return index;
  }
  const std::uint32_t slot = add(key, first);
  fresh = slot != kNone;
  return slot;
}

std::uint32_t FlowTable::find(const net::FlowKey& key) const {
  const auto it = set_.find(key);
  return it != set_.end() ? *it : kNone;
}

std::uint32_t FlowTable::add(const net::FlowKey& key, std::uint32_t first) {
  if (used_ >= limit_) {
    if (!evict_one()) return kNone;
    first = find(key);
  }
  const std::uint32_t slot = take_slot();
  Flow& flow = at(slot);
  flow = Flow{};
  flow.key = key;
  flow.used = true;
  ++used_;
  if (first == kNone) {
    set_.insert(slot);
  } else {
    flow.sibling = at(first).sibling;
    at(first).sibling = slot;
  }
  return slot;
}

void FlowTable::remove(std::uint32_t index) {
  const auto it = set_.find(at(index).key);
  if (const std::uint32_t next = at(index).sibling; *it != index) {
    std::uint32_t before = *it;
    while (at(before).sibling != index) before = at(before).sibling;
    at(before).sibling = next;
  } else {
    set_.erase(it);
    if (next != kNone) set_.insert(next);
  }
  at(index).used = false;
  --used_;
  free_.push_back(index);
}

void FlowTable::make_room(std::uint32_t extent) {
  while (blocks_.size() * std::size_t{kBlock} < extent) blocks_.push_back(std::make_unique<Flow[]>(kBlock));
  extent_ = extent;
}

bool FlowTable::join_all() {
  std::vector<bool> is_named(extent_);
  for (const std::uint32_t index : free_) {
    if (index >= extent_ || at(index).used || is_named[index]) return false;
    is_named[index] = true;
  }
  // The first of those with the same ends is named by no other. Each is named once, so that the others are no circle.
  for (std::uint32_t index = 0; index < extent_; ++index) {
    const Flow& flow = at(index);
    if (!flow.used || flow.sibling == kNone) continue;
    if (flow.sibling >= extent_ || is_named[flow.sibling] || !Equal::same_ends(flow.key, at(flow.sibling).key))
      return false;
    is_named[flow.sibling] = true;
  }
  for (std::uint32_t index = 0; index < extent_; ++index) {
    if (is_named[index]) continue;
    if (!at(index).used || set_.contains(at(index).key)) return false;
    set_.insert(index);
    for (std::uint32_t next = index; next != kNone; next = at(next).sibling) ++used_;
  }
  return used_ + free_.size() == extent_ && (hand_ < extent_ || hand_ == 0);
}

std::uint32_t FlowTable::take_slot() {
  if (!free_.empty()) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  if (extent_ == blocks_.size() * kBlock) blocks_.push_back(std::make_unique<Flow[]>(kBlock));
  return extent_++;
}

bool FlowTable::evict_one() {
  // Second chance: the hand passes flows seen lately once, and queue pairs always.
  for (std::uint64_t steps = 0; steps < std::uint64_t{extent_} * 2; ++steps) {
    hand_ = hand_ + 1 < extent_ ? hand_ + 1 : 0;
    Flow& flow = at(hand_);
    if (!flow.used || flow.qp != Flow::kNoQp) continue;
    if (flow.recent) {
      flow.recent = false;
      continue;
    }
    if (!flow.is_over()) ++evicted_;
    remove(hand_);
    return true;
  }
  return false;
}

bool FlowTable::is_old(Flow& flow) noexcept {
  if (!flow.used || flow.qp != Flow::kNoQp) return false;
  if (flow.recent) {
    flow.recent = false;
    flow.looks = 0;
    return false;
  }
  if (flow.looks < kMostLooks) ++flow.looks;
  return flow.looks >= (flow.is_over() ? 1 : kMostLooks);
}

}  // namespace iwarpscope::analysis
