// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp/waiting_segments.h"

#include <iterator>

namespace iwarpscope::tcp {

WaitingSegment::WaitingSegment(Direction d, const net::TcpPacket& segment) : direction(d), packet(segment) {
  octets.reserve(segment.tcp_header.size() + segment.payload.size());
  octets.insert(octets.end(), segment.tcp_header.begin(), segment.tcp_header.end());
  octets.insert(octets.end(), segment.payload.begin(), segment.payload.end());
  packet.tcp_header = Octets{octets}.first(segment.tcp_header.size());
  packet.payload = Octets{octets}.subspan(segment.tcp_header.size());
}

WaitingSegments::~WaitingSegments() {
  budget_.give_back(octets_ + list_.size() * kOverhead);
}

bool WaitingSegments::add(Direction d, const net::TcpPacket& packet) {
  const std::size_t size = packet.tcp_header.size() + packet.payload.size();
  if (list_.size() >= limits_.max_waiting || size > limits_.max_waiting_octets - octets_) return false;
  if (!budget_.take(size + kOverhead)) return false;
  list_.emplace_back(d, packet);
  octets_ += size;
  return true;
}

WaitingSegments::List::iterator WaitingSegments::take(List::iterator from, List& to) {
  const std::size_t size = from->octets.size();
  const auto next = std::next(from);
  to.splice(to.end(), list_, from);
  octets_ -= size;
  budget_.give_back(size + kOverhead);
  return next;
}

}  // namespace iwarpscope::tcp
