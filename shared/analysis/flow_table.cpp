#include "analysis/flow_table.h"

#include "net/checksum.h"

namespace iwarpscope::analysis {

void Flow::begin_anew(const net::TcpPacket& packet) {
  const net::FlowKey kept = key;
  *this = Flow{};
  key = kept;
  used = recent = true;
  first_frame = packet.frame;
  first_time = packet.time;
}

bool Flow::is_reopened_by(const net::TcpPacket& packet, bool from_low) const noexcept {
  const tcp::Origin& origin = origins[from_low ? 0 : 1];
  return packet.has(net::tcp_flag::syn) && !packet.has(net::tcp_flag::ack) && origin.seen &&
         origin.next_sequence != packet.sequence + 1;
}

void Flow::note_opening(const net::TcpPacket& packet, bool from_low) noexcept {
  if (!packet.has(net::tcp_flag::syn)) return;
  const bool low = from_low != packet.has(net::tcp_flag::ack);  // a SYN with ACK answers the other end's
  opened_by_low = opened_by_low || low;
  opened_by_high = opened_by_high || !low;
}

void Flow::note(const net::TcpPacket& packet, bool from_low) noexcept {
  tcp::Origin& origin = origins[from_low ? 0 : 1];
  const bool syn = packet.has(net::tcp_flag::syn);
  const std::uint32_t next = packet.sequence + packet.payload_length + (syn ? 1U : 0U);
  if (syn) {
    origin.syn_seen = true;
    origin.mss = packet.mss.value_or(0);
    origin.window_scale = packet.window_scale.value_or(0xFF);
    origin.next_sequence = next;
    // Whether this sender's checksums mean anything is known before its first payload comes.
    const net::Checksum checksum = net::checksum(packet).verdict;
    if (checksum == net::Checksum::good) origin.good_checksum_seen = true;
    if (checksum == net::Checksum::bad) origin.bad_checksum_seen = true;
  } else if (!origin.seen || static_cast<std::int32_t>(next - origin.next_sequence) > 0) {
    origin.next_sequence = next;
  }
  origin.seen = true;
  if (packet.payload_length != 0) origin.octets_seen = true;
  ++origin.packets;
  if (!packet.has(net::tcp_flag::fin)) return;
  fin_low = fin_low || from_low;
  fin_high = fin_high || !from_low;
}

FlowTable::FlowTable(std::size_t limit) : limit_(limit), set_(0, Hash{this}, Equal{this}) {}

std::uint32_t FlowTable::find_or_add(const net::FlowKey& key, bool& fresh) {
  fresh = false;
  if (const auto it = set_.find(key); it != set_.end()) return *it;
  if (set_.size() >= limit_ && !evict_one()) return kNone;
  const std::uint32_t slot = take_slot();
  Flow& flow = at(slot);
  flow = Flow{};
  flow.key = key;
  flow.used = true;
  set_.insert(slot);
  fresh = true;
  return slot;
}

void FlowTable::remove(std::uint32_t index) {
  set_.erase(set_.find(at(index).key));
  at(index).used = false;
  free_.push_back(index);
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
    remove(hand_);
    ++evicted_;
    return true;
  }
  return false;
}

}  // namespace iwarpscope::analysis
