// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The TCP half of a Connection: handshake, cutting, acknowledgments, and the effects of network and tap on TCP
// segments.
#include <algorithm>
#include <stdexcept>

#include "synth/connection.h"

namespace iwarpscope::synth {

namespace {

constexpr std::size_t kOffloadOctets = 65535 - 20 - 32;  // the largest IPv4 packet with time stamps

std::uint64_t length_of(const TcpSegment& tcp) {
  return tcp.payload.size() + ((tcp.flags & wire::kSyn) != 0 ? 1U : 0U) + ((tcp.flags & wire::kFin) != 0 ? 1U : 0U);
}

}  // namespace

std::size_t Connection::tcp_payload(Side side) const {
  const std::size_t options = both(&Endpoint::timestamps) ? 12 : 0;
  return std::max<std::size_t>(end(peer(side)).endpoint.mss, options + 1) - options;
}

bool Connection::both(bool Endpoint::*offer) const {
  return ends_[0].endpoint.*offer && ends_[1].endpoint.*offer;
}

std::uint64_t Connection::stream_octets(Side side) const {
  const End& e = end(side);
  return e.sent == 0 ? 0 : e.sent - 1 - (e.closed ? 1 : 0);
}

void Connection::connect() {
  for (End& e : ends_) e.sent = e.received = 0;
  const Side opener = options_.opener;
  transmit(opener, wire::kSyn, {});
  transmit(peer(opener), wire::kSyn | wire::kAck, {});
  transmit(opener, wire::kAck, {});
}

void Connection::stream(Side side, const Payload& payload) {
  flush(side);
  in_pieces(side, octets_of(payload), tcp_payload(side));
}

void Connection::fin(Side side) {
  settle(side);
  transmit(side, wire::kFin | wire::kAck, {});
  end(side).closed = true;
  acknowledge(peer(side));
}

void Connection::close(Side first) {
  settle(first);
  settle(peer(first));
  for (const Side side : {first, peer(first)}) {
    if (end(side).closed) continue;
    transmit(side, wire::kFin | wire::kAck, {});
    end(side).closed = true;
  }
  acknowledge(first);
}

void Connection::reset(Side side) {
  settle(side);
  transmit(side, wire::kRst | wire::kAck, {});
}

void Connection::acknowledge(Side side) {
  transmit(side, wire::kAck, {});
}

void Connection::keep_alive(Side side, bool with_octet) {
  settle(side);
  TcpSegment probe{.sender = side, .payload = Buffer(with_octet ? 1U : 0U)};
  stamp(probe, end(side).sent - 1);
  end(peer(side)).last_for_us_ns = probe.time_ns;
  show(std::move(probe));
  acknowledge(peer(side));
}

void Connection::reuse_ports(std::optional<std::uint32_t> initiator_isn, std::optional<std::uint32_t> responder_isn) {
  flush();
  for (End& e : ends_) {
    End next;
    next.endpoint = e.endpoint;
    next.endpoint.isn += 0x01000000;
    next.sent = next.received = 1;
    next.identification = e.identification;
    next.packing = e.packing;
    next.sizes = e.sizes;
    e = std::move(next);
  }
  begin_again();
  if (initiator_isn) end(Side::initiator).endpoint.isn = *initiator_isn;
  if (responder_isn) end(Side::responder).endpoint.isn = *responder_isn;
  wait(1'000'000);
}

void Connection::packing(Side side, Packing packing, std::vector<std::size_t> sizes) {
  if (packing == Packing::cut && sizes.empty()) throw std::invalid_argument("packing: cut without sizes");
  if (std::find(sizes.begin(), sizes.end(), 0U) != sizes.end()) throw std::invalid_argument("packing: size 0");
  flush(side);
  end(side).packing = packing;
  end(side).sizes = std::move(sizes);
  end(side).next_size = 0;
}

void Connection::packing(Packing packing, std::vector<std::size_t> sizes) {
  this->packing(Side::initiator, packing, sizes);
  this->packing(Side::responder, packing, std::move(sizes));
}

void Connection::flush() {
  settle(Side::initiator);
  settle(Side::responder);
}

void Connection::touch(Side side, std::function<void(TcpSegment&)> change, unsigned skip) {
  end(side).touches.push_back({skip, std::move(change)});
}

void Connection::channel(Side side, Effect effect, EffectOptions options) {
  end(side).channel.plan(effect, options);
}

// ---- sending ----

void Connection::in_pieces(Side side, Octets octets, std::size_t size) {
  while (!octets.empty()) {
    const Octets piece = octets.first(std::min(size, octets.size()));
    octets = octets.subspan(piece.size());
    const unsigned push = octets.empty() ? wire::kPsh : 0U;
    transmit(side, static_cast<std::uint8_t>(wire::kAck | push), Buffer(piece.begin(), piece.end()));
  }
}

void Connection::put(Side side, Buffer octets, bool whole_fpdu) {
  End& e = end(side);
  const std::size_t mss = tcp_payload(side);
  switch (e.packing) {
    case Packing::fpdu_per_tcp_segment: in_pieces(side, octets, mss); return;
    case Packing::crc_alone: {
      const std::size_t crc = whole_fpdu && octets.size() > 4 ? 4 : 0;
      in_pieces(side, Octets(octets).first(octets.size() - crc), mss);
      in_pieces(side, Octets(octets).last(crc), mss);
      return;
    }
    case Packing::cut: {
      Octets rest = octets;
      while (!rest.empty()) {
        const std::size_t size = std::min(e.sizes[e.next_size++ % e.sizes.size()], rest.size());
        in_pieces(side, rest.first(size), size);
        rest = rest.subspan(size);
      }
      return;
    }
    case Packing::packed:
    case Packing::offload: break;
  }
  const std::size_t usual = e.packing == Packing::packed ? mss : kOffloadOctets;
  const std::size_t size = e.sizes.empty() ? usual : e.sizes.front();
  e.waiting.insert(e.waiting.end(), octets.begin(), octets.end());
  std::size_t done = 0;
  for (; e.waiting.size() - done >= size; done += size) in_pieces(side, Octets(e.waiting).subspan(done, size), size);
  e.waiting.erase(e.waiting.begin(), e.waiting.begin() + static_cast<std::ptrdiff_t>(done));
}

void Connection::end_message(Side side) {
  if (end(side).packing == Packing::offload) flush(side);
}

void Connection::flush(Side side) {
  const Buffer waiting = std::exchange(end(side).waiting, {});
  if (!waiting.empty()) in_pieces(side, waiting, waiting.size());
}

void Connection::settle(Side side) {
  flush(side);
  end(side).channel.settle(*this);
}

void Connection::stamp(TcpSegment& tcp, std::uint64_t offset) {
  End& e = end(tcp.sender);
  clock_->now_ns = std::max(clock_->now_ns + options_.gap_ns, e.last_for_us_ns + e.endpoint.turnaround_ns);
  tcp.time_ns = clock_->now_ns;
  tcp.sequence = e.endpoint.isn + static_cast<std::uint32_t>(offset);
  if ((tcp.flags & wire::kAck) != 0) {
    tcp.acknowledgment = end(peer(tcp.sender)).endpoint.isn + static_cast<std::uint32_t>(e.received);
    e.unacknowledged = 0;
  }
  tcp.checksum = e.endpoint.checksum;
  tcp.identification = e.identification++;
  const bool syn = (tcp.flags & wire::kSyn) != 0;
  if (both(&Endpoint::timestamps) || (syn && (tcp.flags & wire::kAck) == 0 && e.endpoint.timestamps)) {
    tcp.options.timestamps = {static_cast<std::uint32_t>(tcp.time_ns / 1'000'000), e.last_timestamp};
  }
  if (syn) {
    tcp.options.mss = e.endpoint.mss;
    tcp.options.window_scale = e.endpoint.window_scale;
    tcp.options.sack_permitted = e.endpoint.sack;
    tcp.window = 65535;
  }
  if (!e.islands.empty() && both(&Endpoint::sack)) {
    const std::uint32_t isn = end(peer(tcp.sender)).endpoint.isn;
    tcp.options.sack.clear();
    for (const auto& [from, to] : e.islands) {
      if (tcp.options.sack.size() == 3 || !tcp.payload.empty()) break;
      tcp.options.sack.emplace_back(isn + static_cast<std::uint32_t>(from), isn + static_cast<std::uint32_t>(to));
    }
  }
}

void Connection::transmit(Side side, std::uint8_t flags, Buffer payload) {
  End& e = end(side);
  TcpSegment tcp{.sender = side, .flags = flags, .payload = std::move(payload)};
  const std::uint64_t offset = e.sent;
  e.sent += length_of(tcp);
  stamp(tcp, offset);
  if (tcp.payload.empty()) {
    show(tcp);
    receive({std::move(tcp), offset});
    return;
  }
  for (PlannedTouch& touch : e.touches) {
    if (touch.skip == 0) touch.change(tcp);
  }
  std::erase_if(e.touches, [](const PlannedTouch& touch) { return touch.skip == 0; });
  for (PlannedTouch& touch : e.touches) --touch.skip;
  e.channel.carry(*this, {std::move(tcp), offset}, dice_);
}

void Connection::show(TcpInFlight packet, std::int64_t late_ns) {
  packet.tcp.time_ns += late_ns;
  show(std::move(packet.tcp));
}

void Connection::send_again(TcpInFlight& packet) {
  packet.tcp.options = {};
  stamp(packet.tcp, packet.offset);
}

void Connection::release(TcpInFlight& packet) {
  clock_->now_ns += options_.gap_ns;
  packet.tcp.time_ns = clock_->now_ns;
}

void Connection::spoil(TcpInFlight& packet, bool checksum_right) {
  TcpSegment& tcp = packet.tcp;
  tcp.payload[tcp.payload.size() / 2] ^= std::byte{0xA5};
  if (!checksum_right) tcp.checksum = wire::Checksum::wrong;
}

// ---- receiving ----

void Connection::receive(const TcpInFlight& packet) {
  const auto& [tcp, offset] = packet;
  const Side side = peer(tcp.sender);
  End& e = end(side);
  if (tcp.options.timestamps && offset <= e.received) e.last_timestamp = tcp.options.timestamps->first;
  const std::uint64_t length = length_of(tcp);
  if (length == 0) return;
  e.last_for_us_ns = clock_->now_ns;
  const bool in_order = offset == e.received;
  if (offset + length > e.received) e.islands.emplace_back(offset, offset + length);
  std::sort(e.islands.begin(), e.islands.end());
  while (!e.islands.empty() && e.islands.front().first <= e.received) {
    e.received = std::max(e.received, e.islands.front().second);
    e.islands.erase(e.islands.begin());
  }
  for (std::size_t i = 1; i < e.islands.size();) {
    if (e.islands[i].first > e.islands[i - 1].second) {
      ++i;
      continue;
    }
    e.islands[i - 1].second = std::max(e.islands[i - 1].second, e.islands[i].second);
    e.islands.erase(e.islands.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (tcp.payload.empty() || e.endpoint.ack_every == 0) return;
  if (++e.unacknowledged >= e.endpoint.ack_every || !in_order || !e.islands.empty()) acknowledge(side);
}

}  // namespace iwarpscope::synth
