// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A second network shows the SYN of a connection. Both ports of a path show each packet, and then there is one
// connection; or another tenant has the same addresses, ports and sequence numbers. What follows decides: the first
// octets that differ make two, and many equal packets, or octets that only the second network shows and the first one
// acknowledges, make one. Until then copies are taken as such, and the rest is held.
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "analysis/shard_sctp.h"
#include "analysis/shard_state.h"

namespace iwarpscope::analysis {
namespace {

constexpr std::size_t kMostDoubles = 64;              // of one shard; ours
constexpr std::int64_t kUndecidedNs = 1'000'000'000;  // ours: copies of most packets were seen by then

}  // namespace

/// Null: nothing is open about it.
Double* Shard::State::double_of(std::uint32_t flow_index) {
  if (doubles.empty()) return nullptr;
  const auto found = doubles.find(flow_index);
  if (found == doubles.end()) return nullptr;
  if (const Flow& flow = flows.at(flow_index); flow.used && flow.first_frame == found->second->first()) {
    return found->second.get();
  }
  doubles.erase(found);  // of a connection that is gone
  return nullptr;
}

/// The packet may be of the second network, although the first one showed nothing of its direction yet.
bool Shard::State::is_double(const Flow& flow, std::uint32_t flow_index, const net::TcpPacket& packet) const {
  if (doubles.empty()) return false;
  const auto found = doubles.find(flow_index);
  return found != doubles.end() && found->second->first() == flow.first_frame &&
         found->second->overlay() == packet.overlay;
}

/// A TCP segment of another network than the flow's. True: it waits.
bool Shard::State::hold_double(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low) {
  Flow& flow = flows.at(flow_index);
  Double* its = double_of(flow_index);
  if (its == nullptr) {
    if (flow.was_double || !packet.has(net::tcp_flag::syn) || flow.noted == 0) return false;
    if (doubles.size() >= kMostDoubles || environment.budget.is_scarce()) return false;
    const auto own = beginnings.of(flow_index, flow.first_frame);
    if (own.size() < flow.noted) return false;  // too much was seen since
    its = doubles
              .insert_or_assign(
                  flow_index, std::make_unique<Double>(flow.first_frame, own, packet.overlay, time, environment.budget))
              .first->second.get();
  }
  const auto [verdict, is_copy, is_held] = its->add(packet, SegmentFacts::of(packet, from_low));
  if (verdict == Double::Verdict::open) return !is_copy;
  settle_double(flow_index, verdict);
  if (verdict == Double::Verdict::one) return is_held && !is_copy;
  if (is_held) return true;
  const std::uint32_t index = flow_of(packet);
  if (index != FlowTable::kNone) feed_one(index, packet, packet.source == flows.at(index).key.low);
  return true;
}

/// A TCP segment of the flow's own network.
void Shard::State::see_own(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low) {
  Flow& flow = flows.at(flow_index);
  Double* const its = double_of(flow_index);
  if (its == nullptr && !SegmentFacts::is_needed(packet)) return;
  if (its == nullptr && (flow.was_double || flow.noted >= Beginnings::kOfFlow)) return;
  if (flow.noted < Beginnings::kOfFlow) {
    beginnings.note(flow_index, flow.first_frame, packet, from_low);
    ++flow.noted;
  }
  if (its == nullptr) return;
  const Double::Verdict verdict = its->see(SegmentFacts::of(packet, from_low), packet.acknowledgment);
  if (verdict != Double::Verdict::open) settle_double(flow_index, verdict);
}

/// It is known what the second network shows.
void Shard::State::settle_double(std::uint32_t flow_index, Double::Verdict verdict) {
  const auto found = doubles.find(flow_index);
  const auto its = std::move(found->second);
  doubles.erase(found);
  Flow& flow = flows.at(flow_index);
  const bool is_gone = !flow.used || flow.first_frame != its->first();
  if (!is_gone) flow.was_double = true;
  const bool are_two = verdict == Double::Verdict::two;
  const tcp::WaitingSegments::List segments = its->take(are_two);
  std::uint32_t other = FlowTable::kNone;
  for (const tcp::WaitingSegment& one : segments) {
    const net::TcpPacket& packet = one.packet;
    const bool from_low = one.direction == Direction::a_to_b;
    if (are_two && other == FlowTable::kNone) {
      other = flows.add(packet.flow(), flows.find(packet.flow()));
      if (other == FlowTable::kNone) return;
      flows.at(other).first_frame = packet.frame;
      flows.at(other).first_time = packet.time;
      flows.at(other).set_overlay(from_low, packet.overlay);
    }
    const std::uint32_t index = flow_of(packet);
    if (index != FlowTable::kNone) feed_one(index, packet, packet.source == flows.at(index).key.low);
  }
}

/// Those that were open long enough, or all of them.
void Shard::State::expire_doubles(bool all) {
  if (doubles.empty()) return;
  std::vector<std::uint32_t> open;
  for (const auto& [flow_index, its] : doubles) {
    if (all || std::abs(elapsed_ns(its->time(), time)) > kUndecidedNs) open.push_back(flow_index);
  }
  std::sort(open.begin(), open.end());
  for (const std::uint32_t flow_index : open) settle_double(flow_index, doubles.at(flow_index)->by_now());
}

}  // namespace iwarpscope::analysis
