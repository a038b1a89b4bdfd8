// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which flow a packet belongs to, where tenants use the same addresses and ports.
#include <cstdlib>

#include "analysis/shard_state.h"

namespace iwarpscope::analysis {

std::uint32_t Shard::State::find_tenant(std::uint32_t first, const auto& is_it) const {
  std::uint32_t index = first;
  while (index != FlowTable::kNone && !is_it(flows.at(index))) index = flows.at(index).sibling;
  return index;
}

// What separates tenants on the path (VLANs, labels, tunnels) may differ between the two directions of one connection,
// and a router's or a mirror's copies of one packet may have both. So equal separators are one flow, and different ones
// are another only if the packet's numbers do not fit either.
std::uint32_t Shard::State::flow_of(const net::TcpPacket& packet) {
  if (latest != FlowTable::kNone && flows.at(latest).has(packet)) return latest;
  latest = find_flow(packet);
  return latest;
}

std::uint32_t Shard::State::find_flow(const net::TcpPacket& packet) {
  const net::FlowKey key = packet.flow();
  const bool from_low = packet.source == key.low;
  const std::uint32_t first = flows.find(key);
  std::size_t tenants = 0;
  for (std::uint32_t index = first; index != FlowTable::kNone; index = flows.at(index).sibling, ++tenants) {
    if (flows.at(index).overlay(from_low) == packet.overlay) return index;
  }
  // The other direction has the same separators: that is enough unless there is a choice.
  const auto is_symmetric = [&](const Flow& flow) {
    return !flow.overlay(from_low) && flow.overlay(!from_low) == packet.overlay;
  };
  const auto by_numbers = [&](const Flow& flow) { return fits(flow, packet, from_low); };
  // Where two have the numbers, the network decides.
  std::uint32_t found = find_tenant(
      first, [&](const Flow& flow) { return is_symmetric(flow) && (tenants == 1 || fits(flow, packet, from_low)); });
  if (found == FlowTable::kNone) found = find_tenant(first, by_numbers);
  if (found == FlowTable::kNone) found = find_tenant(first, is_symmetric);
  if (found != FlowTable::kNone) {
    Flow& flow = flows.at(found);
    if (!flow.overlay(from_low) && !is_double(flow, found, packet)) flow.set_overlay(from_low, packet.overlay);
    return found;
  }
  if (tenants >= FlowTable::kMostTenants) return first;
  const std::uint32_t index = flows.add(key, first);
  if (index == FlowTable::kNone) return index;
  Flow& flow = flows.at(index);
  flow.first_frame = packet.frame;
  flow.first_time = packet.time;
  flow.set_overlay(from_low, packet.overlay);
  return index;
}

/// By its numbers, the packet is one of the flow, though what separates tenants is not the same.
bool Shard::State::fits(const Flow& flow, const net::TcpPacket& packet, bool from_low) const {
  constexpr std::int64_t kCopiedNs = 100'000'000;  // a mirror's second copy of a SYN comes sooner; ours
  if (flow.qp == Flow::kNoQp) return flow.fits(packet, from_low);
  const Slot& slot = *slots[flow.qp];
  if (slot.pair == nullptr) return false;
  if (packet.has(net::tcp_flag::syn) && elapsed_ns(flow.first_time, packet.time) > kCopiedNs) return false;
  return slot.tcp().fits(from_low == slot.a_is_low ? Direction::a_to_b : Direction::b_to_a, packet);
}

/// The flow is another connection's from this TCP segment on.
void Shard::State::restart(Flow& flow, const net::TcpPacket& first) {
  count_unconfirmed(flow);
  const bool follows_pair = flow.follows_pair || is_followed(flow);
  if (flow.qp != Flow::kNoQp) {
    Slot& slot = *slots[flow.qp];
    if (slot.pair != nullptr) slot.tcp().stop_waiting(frame, time);  // its end may be among what waits
    slot.flow = FlowTable::kNone;
    if (slot.had_models && !slot.closed_listed) slot.tell_end();
    if (slot.pair != nullptr && !slot.pair->is_confirmed()) drop(flow.qp);
  }
  flow.restart(first);
  flow.follows_pair = follows_pair;
}

}  // namespace iwarpscope::analysis
