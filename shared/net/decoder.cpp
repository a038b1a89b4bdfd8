// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/decoder.h"

#include <algorithm>

#include "base/archive.h"
#include "net/defragmenter.h"
#include "net/mirror_cuts.h"
#include "net/sctp_header.h"
#include "net/tcp_header.h"
#include "net/walk.h"

namespace iwarpscope::net {
namespace {

/// Reads the options as far as they were captured; a length that lies ends them. Source: RFC 9293 §3.1.
void read_options(Octets options, TcpPacket& packet) noexcept {
  while (!options.empty()) {
    const std::uint8_t kind = to_u8(options[0]);
    if (kind == tcp_option::end) return;
    if (kind == tcp_option::no_operation) {
      options = options.subspan(1);
      continue;
    }
    if (options.size() < 2) return;
    const std::size_t length = to_u8(options[1]);
    if (length < 2 || length > options.size()) return;
    const Octets value = options.first(length).subspan(2);
    if (kind == tcp_option::timestamps && length == 10) packet.timestamp = load_be<std::uint32_t>(value);
    if (kind == tcp_option::mss && length == 4) packet.mss = load_be<std::uint16_t>(value);
    if (kind == tcp_option::window_scale && length == 3) packet.window_scale = to_u8(value[0]);
    options = options.subspan(length);
  }
}

}  // namespace

struct Decoder::State {
  explicit State(const DecoderLimits& l) : limits(l), defragmenter(l) {}

  [[nodiscard]] Layer step(Layer layer, Walk& walk, const Frame& frame) {
    return layer == Layer::fragment ? fragment(walk, frame) : walk_on(layer, walk);
  }

  [[nodiscard]] Layer fragment(Walk& walk, const Frame& frame) {
    ++statistics.ip_fragments;
    if (lies(walk, frame)) return Layer::none;
    const Layer next = defragmenter.add(walk, frame.time);
    statistics.fragments_dropped = defragmenter.dropped();
    statistics.fragments_over_limit = defragmenter.over_limit();
    statistics.fragments_over_datagrams = defragmenter.over_datagrams();
    statistics.fragments_waiting = defragmenter.waiting();
    statistics.fragment_octets = defragmenter.held_octets();
    statistics.fragmented_datagrams = defragmenter.datagrams();
    return next;
  }

  /// Its IP length promises more octets than were on the wire, and no mirror cut them off: every receiver drops it.
  [[nodiscard]] bool lies(Walk& walk, const Frame& frame) noexcept {
    const auto length = std::max(frame.original_length, static_cast<std::uint32_t>(frame.octets.size()));
    if (!walk.shortened) {
      cuts.saw_whole(frame.interface, length);
      return false;
    }
    if (walk.cut_announced || cuts.may_be_cut(frame.interface, length)) {
      ++statistics.mirror_cut_frames;
      return false;
    }
    ++statistics.beyond_frame;
    walk.shortened = false;
    (void)walk.stop(NoPacket::malformed);
    return true;
  }

  void count(const Walk& walk) noexcept {
    switch (walk.reason) {
      case NoPacket::unsupported_link: ++statistics.unsupported_link; break;
      case NoPacket::malformed: ++(walk.too_deep ? statistics.too_deep : statistics.malformed); break;
      case NoPacket::truncated: ++statistics.truncated_headers; break;
      case NoPacket::other_protocol:
      case NoPacket::fragment_held: break;
    }
  }

  /// Precondition: the TCP header's fixed part was captured and its length is sound.
  [[nodiscard]] static Decoding packet(const Frame& frame, const Walk& walk, const TcpHeader& header) noexcept {
    Decoding result{std::in_place_type<TcpPacket>};
    TcpPacket& out = *std::get_if<TcpPacket>(&result);
    const std::size_t captured = std::min(header.length(), walk.rest.size());
    out.frame = frame.number;
    out.time = frame.time;
    out.source = {walk.ip.source, header.source_port()};
    out.destination = {walk.ip.destination, header.destination_port()};
    out.overlay = walk.tenant;
    out.interface = frame.interface;
    out.tap_group = frame.tap_group;
    out.sequence = header.sequence();
    out.acknowledgment = header.acknowledgment();
    out.window = header.window();
    out.flags = header.flags();
    out.ttl = walk.ip.ttl;
    out.ip_id = walk.ip.id;
    out.dont_fragment = walk.ip.dont_fragment;
    out.fragmented = walk.ip.fragmented;
    out.shortened = walk.shortened;
    out.ip_checksum_good = walk.ip.checksum_good;
    out.ip_checksum_wrong = walk.ip.checksum_wrong;
    out.options_cut = captured < header.length();
    out.tcp_header = walk.rest.first(captured);
    out.payload = walk.rest.subspan(captured);
    out.payload_length = static_cast<std::uint32_t>(walk.wire_length() - header.length());
    if (captured > TcpHeader::kOctets) read_options(out.tcp_header.subspan(TcpHeader::kOctets), out);
    return result;
  }

  [[nodiscard]] Decoding stopped(const Walk& walk) noexcept {
    count(walk);
    return walk.reason;
  }

  [[nodiscard]] Decoding tcp(const Frame& frame, Walk& walk) noexcept {
    const auto parsed = TcpHeader::parse(walk.rest);
    const auto* header = std::get_if<TcpHeader>(&parsed);
    if (header == nullptr) {
      (void)walk.lacks(TcpHeader::kOctets);
      return stopped(walk);
    }
    if (header->length() < TcpHeader::kOctets || header->length() > walk.wire_length()) {
      (void)walk.stop(NoPacket::malformed);
      return stopped(walk);
    }
    return packet(frame, walk, *header);
  }

  [[nodiscard]] Decoding sctp(const Frame& frame, Walk& walk) noexcept {
    const auto parsed = SctpHeader::parse(walk.rest);
    const auto* header = std::get_if<SctpHeader>(&parsed);
    if (header == nullptr) {
      (void)walk.lacks(SctpHeader::kOctets);
      return stopped(walk);
    }
    Decoding result{std::in_place_type<SctpPacket>};
    SctpPacket& out = *std::get_if<SctpPacket>(&result);
    out.frame = frame.number;
    out.time = frame.time;
    out.source = {walk.ip.source, header->source_port()};
    out.destination = {walk.ip.destination, header->destination_port()};
    out.overlay = walk.overlay;
    out.tap_group = frame.tap_group;
    out.tenant = walk.tenant;
    out.udp_source = walk.udp_source;
    out.udp_destination = walk.udp_destination;
    out.verification_tag = header->verification_tag();
    out.crc = header->crc();
    out.ttl = walk.ip.ttl;
    out.ip_id = walk.ip.id;
    out.fragmented = walk.ip.fragmented;
    out.ip_checksum_good = walk.ip.checksum_good;
    out.ip_checksum_wrong = walk.ip.checksum_wrong;
    out.common_header = walk.rest.first(SctpHeader::kOctets);
    out.chunks = walk.rest.subspan(SctpHeader::kOctets);
    out.chunks_length = static_cast<std::uint32_t>(walk.wire_length() - SctpHeader::kOctets);
    return result;
  }

  [[nodiscard]] static Decoding datagram(const Frame& frame, const Walk& walk) noexcept {
    return UdpDatagram{frame.number,
                       frame.time,
                       {walk.ip.source, walk.udp_source},
                       {walk.ip.destination, walk.udp_destination},
                       walk.overlay,
                       frame.tap_group,
                       walk.rest};
  }

  DecoderLimits limits;
  Statistics statistics;
  Defragmenter defragmenter;
  MirrorCuts cuts;
};

Decoder::Decoder(const DecoderLimits& limits) : state_(std::make_unique<State>(limits)) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

Decoding Decoder::decode(const Frame& frame) {
  State& state = *state_;
  state.defragmenter.release();
  Walk walk = begin_walk(frame, state.limits.max_encapsulations);
  if (frame.tap_group != 0) walk.separate(separator::tap_group, frame.tap_group);
  const bool is_cut = walk.cut != 0;
  ++state.statistics.frames;
  state.statistics.octets += frame.octets.size();

  Layer layer = first_layer(frame.link, walk);
  while (layer != Layer::tcp && layer != Layer::sctp && layer != Layer::datagram && layer != Layer::none) {
    layer = state.step(layer, walk, frame);
  }
  // Of IP fragments that were joined this was asked before.
  if (layer != Layer::none && !walk.ip.fragmented && state.lies(walk, frame)) layer = Layer::none;
  state.statistics.truncated_frames += is_cut || walk.shortened ? 1u : 0u;
  if (layer == Layer::tcp) return state.tcp(frame, walk);
  if (layer == Layer::sctp) return state.sctp(frame, walk);
  return layer == Layer::datagram ? State::datagram(frame, walk) : state.stopped(walk);
}

template <class A>
void Decoder::archive(A& a) {
  a(state_->statistics, state_->defragmenter, state_->cuts);
}
template void Decoder::archive(Archive& a);

const Statistics& Decoder::statistics() const noexcept {
  return state_->statistics;
}

}  // namespace iwarpscope::net
