// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The first TCP segments of a connection out of order: what comes before its first octets may follow an MPA startup
// frame, or be the rest of one.
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "analysis/shard_sctp.h"
#include "analysis/shard_state.h"

namespace iwarpscope::analysis {
namespace {

// For ordinary TCP this costs next to nothing: few connections begin out of order. All of one shard.
constexpr std::size_t kMostFlows = 64;
constexpr std::uint32_t kFurthest = 16u << 10;  // octets ahead of the first one

const tcp::Limits& early_limits() {
  static const tcp::Limits limits = [] {
    tcp::Limits few;
    few.max_waiting = 32;
    few.max_waiting_octets = kFurthest;
    return few;
  }();
  return limits;
}

}  // namespace

std::unique_ptr<tcp::WaitingSegments> Shard::State::make_early() {
  return std::make_unique<tcp::WaitingSegments>(early_limits(), environment.budget);
}

/// Keeps a TCP segment whose octets are not the first ones of its direction, while these may still come.
bool Shard::State::hold_early(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low) {
  Flow& flow = flows.at(flow_index);
  const tcp::Origin& origin = flow.origins[from_low ? 0 : 1];
  if (packet.payload.empty() || flow.qp != Flow::kNoQp || !origin.seen || origin.octets_seen) return false;
  const std::uint32_t ahead = packet.sequence - origin.next_sequence;
  if (ahead == 0 || ahead > kFurthest || packet.has(net::tcp_flag::syn)) return false;
  if (!flow.holds_early) {
    if (early.size() >= kMostFlows || environment.budget.is_scarce()) return false;
    early[flow_index] = make_early();
    flow.holds_early = true;
  }
  tcp::WaitingSegments& held = *early.at(flow_index);
  if (held.add(from_low ? Direction::a_to_b : Direction::b_to_a, packet)) return true;
  if (held.empty()) {
    early.erase(flow_index);
    flow.holds_early = false;
  } else {
    release_early(flow_index, true);  // they come before this one
  }
  return false;
}

/// Takes what is held of the flow, where its first octets came by now or are awaited no longer.
void Shard::State::release_early(std::uint32_t flow_index, bool at_once) {
  if (!flows.at(flow_index).holds_early) return;
  const auto held = early.find(flow_index);
  const net::TcpPacket& first = held->second->begin()->packet;
  const Flow& flow = flows.at(flow_index);
  const bool from_low = first.source == flow.key.low;
  const bool arrived = flow.qp != Flow::kNoQp || flow.origins[from_low ? 0 : 1].octets_seen;
  if (!arrived && !at_once && std::abs(elapsed_ns(first.time, time)) <= limits.tcp.wait_ns) return;
  const auto segments = std::move(held->second);
  early.erase(held);
  flows.at(flow_index).holds_early = false;
  while (!segments->empty()) {
    tcp::WaitingSegments::List taken;
    (void)segments->take(segments->begin(), taken);
    const net::TcpPacket& packet = taken.front().packet;
    const std::uint32_t index = flow_of(packet);
    if (index != FlowTable::kNone) feed_flow(index, packet);
  }
}

/// Those that were held long enough, or all of them.
void Shard::State::expire_early(bool all) {
  if (early.empty()) return;
  std::vector<std::uint32_t> held;
  for (const auto& [flow_index, segments] : early) held.push_back(flow_index);
  std::sort(held.begin(), held.end());
  for (const std::uint32_t flow_index : held) {
    const Flow& flow = flows.at(flow_index);
    const bool stale = !flow.used || !flow.holds_early || early.at(flow_index)->empty();
    if (stale) {
      early.erase(flow_index);
    } else {
      release_early(flow_index, all);
    }
  }
}

}  // namespace iwarpscope::analysis
