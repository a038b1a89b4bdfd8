// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/reopening.h"

#include <algorithm>
#include <utility>

namespace iwarpscope::analysis {

namespace flag = net::tcp_flag;

void Reopenings::wait(std::uint32_t flow, const net::TcpPacket& packet, bool from_low) {
  const auto known = waiting_.find(flow);
  if (known != waiting_.end() && known->second.from_low == from_low &&
      known->second.packet.sequence == packet.sequence) {
    return;
  }
  if (known == waiting_.end() && waiting_.size() >= kMost) {
    waiting_.erase(std::ranges::min_element(
        waiting_, {}, [](const auto& entry) { return std::pair(entry.second.packet.frame, entry.first); }));
  }
  Opening& opening = waiting_[flow];
  opening = {packet, from_low};
  // Borrowed from the frame.
  opening.packet.payload = {};
  opening.packet.tcp_header = {};
  opening.packet.payload_length = 0;
}

std::optional<Reopenings::Opening> Reopenings::take_answered(std::uint32_t flow, const net::TcpPacket& packet) {
  constexpr std::uint32_t kNear = 0xFFFF;  // octets that a first ACK may lie after the SYN; ours
  const auto it = waiting_.find(flow);
  if (it == waiting_.end() || packet.has(flag::rst) || !packet.has(flag::ack)) return std::nullopt;
  const Opening& opening = it->second;
  const std::uint32_t next = opening.packet.sequence + 1;
  const bool from_other = opening.packet.source == packet.destination;
  const bool answers = from_other && packet.acknowledgment - next <= (packet.has(flag::syn) ? 0 : kNear);
  const bool continues = opening.packet.source == packet.source && !packet.has(flag::syn) && packet.sequence == next;
  if (!answers && !continues) return std::nullopt;
  Opening answered = opening;
  waiting_.erase(it);
  return answered;
}

}  // namespace iwarpscope::analysis
