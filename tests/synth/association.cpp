// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An SCTP association: handshake, TSNs, bundling, acknowledgments, and its frames.
#include "synth/association.h"

#include <algorithm>
#include <stdexcept>

#include "synth/wire/tunnel.h"

namespace iwarpscope::synth {

using wire::Chunk;
using wire::ChunkType;

namespace {

constexpr std::uint16_t kUdpPort = 9899;  // RFC 6951 §5.1
constexpr std::size_t kCommonHeader = 12;
constexpr std::size_t kDataHeader = 16;
constexpr std::size_t kSackOctets = 16;  // without gap blocks
constexpr std::size_t kCookieOctets = 64;
constexpr std::size_t kMostGaps = 16;
constexpr std::uint16_t kUserInitiatedAbort = 12;

std::size_t octets_of(const wire::Data& chunk) {
  return (kDataHeader + chunk.user_data.size() + 3) / 4 * 4;
}

}  // namespace

Association::Association(ConnectionOptions options, SctpOptions sctp)
    : Conversation(std::move(options)), sctp_(std::move(sctp)) {
  ends_[0].endpoint = options_.initiator;
  ends_[1].endpoint = options_.responder;
  ends_[0].sctp = sctp_.initiator;
  ends_[1].sctp = sctp_.responder;
  for (End& e : ends_) {
    e.addresses = e.sctp.more_addresses;
    e.addresses.insert(e.addresses.begin(), e.endpoint.address);
  }
}

SctpStream& Association::stream(std::uint16_t id) {
  const auto [it, fresh] = streams_.try_emplace(id);
  if (fresh) {
    it->second = std::make_unique<SctpStream>(*this, id, options_.seed + id);
    if (streams_.size() > 1) {
      const auto first = streams_.begin() == it ? std::next(it) : streams_.begin();
      it->second->share_memory(*first->second);
    }
  }
  return *it->second;
}

std::size_t Association::room() const {
  const std::size_t ip = options_.initiator.address.is_v6() ? 40 : 20;
  const std::size_t headers = ip + (sctp_.udp ? 8 : 0) + kCommonHeader;
  if (sctp_.mtu < headers + 2 * kDataHeader) throw std::invalid_argument("mtu: no room for a chunk");
  return (sctp_.mtu - headers) / 4 * 4;
}

std::size_t Association::usual_user_data() const {
  return room() - kDataHeader - std::min(room() - kDataHeader - 4, kSackOctets);
}

// ---- the association ----

Buffer Association::init(Side side, bool ack) {
  const End& e = end(side);
  wire::Init chunk{.ack = ack,
                   .initiate_tag = e.sctp.tag,
                   .window = e.sctp.window,
                   .outbound_streams = e.sctp.outbound_streams,
                   .inbound_streams = e.sctp.inbound_streams,
                   .initial_tsn = e.endpoint.isn,
                   .adaptation = e.sctp.adaptation};
  if (e.addresses.size() > 1) chunk.addresses = e.addresses;
  if (ack) chunk.cookie = Random(options_.seed ^ e.sctp.tag).octets(kCookieOctets);
  return wire::write(chunk);
}

void Association::connect() {
  const Side opener = options_.opener;
  control(opener, init(opener, false), 0);
  control(peer(opener), init(peer(opener), true));
  const Buffer cookie = Random(options_.seed ^ end(peer(opener)).sctp.tag).octets(kCookieOctets);
  control(opener, wire::write(Chunk{ChunkType::cookie_echo, 0, cookie}));
  control(peer(opener), wire::write(Chunk{ChunkType::cookie_ack}));
}

void Association::shutdown(Side first) {
  flush();
  if (end(peer(first)).unacknowledged > 0) acknowledge(peer(first));
  const End& e = end(first);
  const auto cumulative = static_cast<std::uint32_t>(end(peer(first)).endpoint.isn + e.received - 1);
  control(first, wire::write(wire::Shutdown{cumulative}));
  control(peer(first), wire::write(Chunk{ChunkType::shutdown_ack}));
  control(first, wire::write(Chunk{ChunkType::shutdown_complete}));
}

void Association::abort(Side side) {
  settle(side);
  control(side, wire::write(wire::Abort{.cause = kUserInitiatedAbort}));
}

void Association::heartbeat(Side side) {
  const Buffer info = Random(options_.seed + end(side).identification).octets(40);
  control(side, wire::write(wire::Heartbeat{.info = info}));
  control(peer(side), wire::write(wire::Heartbeat{.ack = true, .info = info}));
}

void Association::acknowledge(Side side) {
  control(side, wire::write(sack(side)));
  end(side).unacknowledged = 0;
  end(side).duplicates.clear();
}

void Association::acknowledge_all() {
  flush();
  for (const Side side : {Side::initiator, Side::responder}) {
    if (end(side).unacknowledged > 0) acknowledge(side);
  }
}

void Association::use_path(Side side, std::size_t own, std::size_t peers) {
  if (own >= end(side).addresses.size() || peers >= end(peer(side)).addresses.size()) {
    throw std::invalid_argument("path: no such address");
  }
  if (end(side).addresses[own].is_v6() != end(peer(side)).addresses[peers].is_v6()) {
    throw std::invalid_argument("path: one address is IPv4, the other IPv6");
  }
  flush(side);
  end(side).own = own;
  end(side).peers = peers;
}

void Association::bundle(Side side, bool on) {
  flush(side);
  end(side).bundling = on;
}

void Association::chunk(Side side, Buffer chunk) {
  flush(side);
  control(side, std::move(chunk));
}

// ---- sending ----

void Association::data(Side side, wire::Data chunk) {
  End& e = end(side);
  const std::size_t most = std::min(e.fragment.value_or(room()), room() - kDataHeader);
  if (!chunk.unordered) chunk.ssn = e.ssn[chunk.stream]++;
  const Buffer whole = std::exchange(chunk.user_data, {});
  std::size_t at = 0;
  do {
    const std::size_t count = std::min(most, whole.size() - at);
    wire::Data piece = chunk;
    piece.begin = at == 0;
    piece.end = at + count == whole.size();
    const auto from = whole.begin() + static_cast<std::ptrdiff_t>(at);
    piece.user_data.assign(from, from + static_cast<std::ptrdiff_t>(count));
    at += count;
    if (e.waiting_octets + octets_of(piece) > room()) flush(side);
    e.waiting_octets += octets_of(piece);
    e.waiting.push_back(std::move(piece));
    if (!e.bundling) flush(side);
  } while (at < whole.size());
}

void Association::flush(Side side) {
  End& e = end(side);
  e.waiting_octets = 0;
  std::vector<wire::Data> data = std::exchange(e.waiting, {});
  if (!data.empty()) transmit(side, std::move(data));
}

void Association::flush() {
  settle(Side::initiator);
  settle(Side::responder);
}

void Association::settle(Side side) {
  flush(side);
  end(side).channel.settle(*this);
}

void Association::transmit(Side side, std::vector<wire::Data> data) {
  End& e = end(side);
  for (wire::Data& chunk : data) chunk.tsn = e.endpoint.isn + static_cast<std::uint32_t>(e.sent++);
  SctpPacket packet{.sender = side, .data = std::move(data)};
  stamp(packet);
  e.channel.carry(*this, std::move(packet), dice_);
}

void Association::control(Side side, Buffer chunk, std::optional<std::uint32_t> tag) {
  SctpPacket packet{.sender = side};
  stamp(packet);
  packet.control.push_back(std::move(chunk));
  packet.verification_tag = tag.value_or(packet.verification_tag);
  end(peer(side)).last_for_us_ns = packet.time_ns;
  show(std::move(packet), 0);
}

// Time, addresses and tag; a SACK before DATA if one is due and fits.
void Association::stamp(SctpPacket& packet) {
  End& e = end(packet.sender);
  const End& to = end(peer(packet.sender));
  clock_->now_ns = std::max(clock_->now_ns + options_.gap_ns, e.last_for_us_ns + e.endpoint.turnaround_ns);
  packet.time_ns = clock_->now_ns;
  packet.source = e.addresses[e.own];
  packet.destination = to.addresses[e.peers];
  packet.verification_tag = to.sctp.tag;
  packet.checksum = e.endpoint.checksum;
  packet.identification = e.identification++;
  packet.control.clear();
  if (packet.data.empty() || e.unacknowledged == 0) return;
  std::size_t octets = 0;
  for (const wire::Data& chunk : packet.data) octets += octets_of(chunk);
  Buffer acknowledgment = wire::write(sack(packet.sender));
  if (octets + acknowledgment.size() <= room()) {
    packet.control.push_back(std::move(acknowledgment));
    e.unacknowledged = 0;
    e.duplicates.clear();
  }
}

// Retransmitted to the next address of the peer that can be reached from this one, if there is another. Source: RFC
// 9260 §6.4.
void Association::send_again(SctpPacket& packet) {
  const std::vector<Address>& all = end(peer(packet.sender)).addresses;
  const auto last = std::find(all.begin(), all.end(), packet.destination);
  stamp(packet);
  auto next = last;
  do {
    next = next + 1 == all.end() ? all.begin() : next + 1;
  } while (next != last && next->is_v6() != packet.source.is_v6());
  packet.destination = *next;
}

void Association::release(SctpPacket& packet) {
  clock_->now_ns += options_.gap_ns;
  packet.time_ns = clock_->now_ns;
}

void Association::spoil(SctpPacket& packet, bool checksum_right) {
  Buffer& octets = packet.data.front().user_data;
  octets[octets.size() / 2] ^= std::byte{0xA5};
  if (!checksum_right) packet.checksum = wire::Checksum::wrong;
}

// ---- receiving ----

wire::Sack Association::sack(Side side) {
  End& e = end(side);
  wire::Sack chunk{.cumulative_tsn = end(peer(side)).endpoint.isn + static_cast<std::uint32_t>(e.received) - 1,
                   .window = e.sctp.window};
  for (const auto& [from, to] : e.islands) {
    if (chunk.gaps.size() == kMostGaps || to - e.received >= 0xFFFF) break;
    chunk.gaps.emplace_back(static_cast<std::uint16_t>(from - e.received + 1),
                            static_cast<std::uint16_t>(to - e.received));
  }
  chunk.duplicates = e.duplicates;
  return chunk;
}

void Association::put_in_order(Side side, std::uint64_t tsn) {
  End& e = end(side);
  const auto inside = [tsn](const auto& island) { return tsn >= island.first && tsn < island.second; };
  if (tsn < e.received || std::any_of(e.islands.begin(), e.islands.end(), inside)) {
    e.duplicates.push_back(end(peer(side)).endpoint.isn + static_cast<std::uint32_t>(tsn));
    return;
  }
  e.islands.emplace_back(tsn, tsn + 1);
  std::sort(e.islands.begin(), e.islands.end());
  while (!e.islands.empty() && e.islands.front().first == e.received) {
    e.received = e.islands.front().second;
    e.islands.erase(e.islands.begin());
  }
  for (std::size_t i = 1; i < e.islands.size();) {
    if (e.islands[i].first > e.islands[i - 1].second) {
      ++i;
      continue;
    }
    e.islands[i - 1].second = e.islands[i].second;
    e.islands.erase(e.islands.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void Association::receive(const SctpPacket& packet) {
  const Side side = peer(packet.sender);
  End& e = end(side);
  e.last_for_us_ns = clock_->now_ns;
  if (packet.data.empty()) return;
  const std::uint64_t before = e.received;
  const std::uint32_t initial = end(packet.sender).endpoint.isn;
  for (const wire::Data& chunk : packet.data) {
    const auto behind = static_cast<std::int32_t>(chunk.tsn - initial - static_cast<std::uint32_t>(e.received));
    put_in_order(side, e.received + static_cast<std::uint64_t>(std::int64_t{behind}));
  }
  ++e.unacknowledged;
  const bool in_order = e.received == before + packet.data.size() && e.islands.empty() && e.duplicates.empty();
  if (e.endpoint.ack_every == 0 || (in_order && e.unacknowledged < e.endpoint.ack_every)) return;
  acknowledge(side);
}

// ---- the tap ----

void Association::show(SctpPacket packet, std::int64_t late_ns) {
  packet.time_ns += late_ns;
  if (!sees(packet.sender)) return;
  if (sink_) {
    render(framer_, packet, sink_);
  } else {
    seen_.push_back(std::move(packet));
  }
}

void Association::render(Framer& framer, const SctpPacket& packet, const std::function<void(Frame&&)>& out) const {
  const Endpoint& from = end(packet.sender).endpoint;
  const Endpoint& to = end(peer(packet.sender)).endpoint;
  wire::Writer chunks;
  for (const Buffer& chunk : packet.control) chunks.octets(chunk);
  for (const wire::Data& chunk : packet.data) chunks.octets(wire::write(chunk));
  IpPacket ip{
      .source = packet.source,
      .destination = packet.destination,
      .source_mac = from.mac,
      .destination_mac = to.mac,
      .identification = packet.identification,
      .ttl = from.ttl,
      .protocol = wire::kProtocolSctp,
      .payload = wire::write(wire::Sctp{from.port, to.port, packet.verification_tag, packet.checksum}, chunks.view())};
  if (sctp_.udp) {
    ip.protocol = wire::kProtocolUdp;
    ip.payload = wire::write(wire::Udp{kUdpPort, kUdpPort}, ip.payload, ip.source, ip.destination);
  }
  std::int64_t time = packet.time_ns;
  for (Frame& frame : framer.frames(ip)) {
    frame.time_ns = time;
    frame.interface = from.interface;
    time += 100;  // fragments follow one another
    out(std::move(frame));
  }
}

Frames Association::frames() {
  flush();
  Framer framer(framer_.path());
  Frames out;
  for (const SctpPacket& packet : seen_) {
    render(framer, packet, [&out](Frame&& frame) { out.push_back(std::move(frame)); });
  }
  return out;
}

}  // namespace iwarpscope::synth
