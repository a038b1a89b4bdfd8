// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/load.h"

#include <cerrno>
#include <memory>
#include <system_error>

#include "synth/association.h"
#include "synth/connection.h"
#include "synth/ordinary.h"

namespace iwarpscope::synth {

namespace {

constexpr std::size_t kHeldOctets = 1 << 20;

// The options of the n-th of many connections: different addresses and ports for each, one clock.
ConnectionOptions nth(std::uint64_t n, Clock& clock, std::int64_t gap_ns = 1'000) {
  ConnectionOptions options;
  options.initiator.address = Address::v4(static_cast<std::uint32_t>(0x0A000001 + n / 40'000));
  options.initiator.port = static_cast<std::uint16_t>(20'000 + n % 40'000);
  options.initiator.isn = static_cast<std::uint32_t>(n * 2'654'435'761U);
  options.responder.address = Address::v4(0x0A800001);
  options.responder.isn = static_cast<std::uint32_t>(~n * 2'246'822'519U);
  options.initiator.turnaround_ns = options.responder.turnaround_ns = 2 * gap_ns;
  options.gap_ns = gap_ns;
  options.clock = &clock;
  options.seed = n + 1;
  return options;
}

// A connection, or an association and its streams, with completed startups. Frames go to the sink.
struct Line {
  std::unique_ptr<Conversation> conversation;
  std::vector<DdpStream*> streams;
  std::function<void()> close;
};

Line tcp_line(const ConnectionOptions& options, const FrameSink& sink, const Startup& startup) {
  auto connection = std::make_unique<Connection>(options);
  Connection* const c = connection.get();
  c->sink(sink);
  c->connect();
  c->startup(startup);
  return {std::move(connection), {c}, [c] { c->close(); }};
}

Line sctp_line(const ConnectionOptions& options, std::uint16_t mtu, unsigned streams, const FrameSink& sink) {
  SctpOptions sctp{.mtu = mtu};
  sctp.initiator.tag = ~options.initiator.isn | 1U;
  sctp.responder.tag = ~options.responder.isn | 1U;
  for (SctpEnd* const e : {&sctp.initiator, &sctp.responder}) {
    e->outbound_streams = e->inbound_streams = static_cast<std::uint16_t>(streams);
  }
  auto association = std::make_unique<Association>(options, sctp);
  Association* const a = association.get();
  a->sink(sink);
  a->connect();
  Line line{std::move(association), {}, [a, streams] {
              for (unsigned i = 0; i < streams; ++i) a->stream(static_cast<std::uint16_t>(i)).close();
              a->shutdown();
            }};
  for (unsigned i = 0; i < streams; ++i) {
    SctpStream& s = a->stream(static_cast<std::uint16_t>(i));
    s.startup();
    line.streams.push_back(&s);
  }
  return line;
}

void one_message(DdpStream& c, Bulk kind, std::size_t octets, std::uint64_t round) {
  const TaggedOffset to{0x7F0000000000 + round % 64 * octets};
  switch (kind) {
    case Bulk::send: c.send(Side::initiator, octets); return;
    case Bulk::write: c.write(Side::initiator, STag{0x00ABCD01}, to, octets); return;
    case Bulk::read:
      c.read(Side::initiator, {.sink_to = to, .size = static_cast<std::uint32_t>(octets), .source_to = to});
      return;
  }
}

/// With TCP segments that fill this MTU, and octets of this seed.
ConnectionOptions filling(ConnectionOptions options, std::uint16_t mtu, std::uint64_t seed) {
  options.initiator.mss = options.responder.mss = static_cast<std::uint16_t>(mtu - 40);
  options.seed += seed;
  return options;
}

/// Passes frames on to `sink`, and adds their octets to `octets`. Both must outlive it.
FrameSink counting_sink(const FrameSink& sink, std::uint64_t& octets) {
  return [&sink, &octets](Frame&& frame) {
    octets += frame.octets.size();
    sink(std::move(frame));
  };
}

}  // namespace

void bulk(const BulkOptions& options, const FrameSink& sink) {
  Clock clock;
  std::uint64_t octets = 0;
  const FrameSink counting = counting_sink(sink, octets);
  std::vector<Line> lines;
  for (unsigned i = 0; i < options.connections; ++i) {
    const ConnectionOptions each = filling(nth(i, clock), options.mtu, options.seed);
    lines.push_back(options.carrying.sctp ? sctp_line(each, options.mtu, options.carrying.streams, counting)
                                          : tcp_line(each, counting, {.crc = options.crc, .markers = options.markers}));
    for (DdpStream* const s : lines.back().streams) s->send(Side::initiator, 64);
  }
  for (std::uint64_t round = 0; octets < options.octets; ++round) {
    const Bulk kind = options.mix[round % options.mix.size()];
    for (Line& line : lines) {
      for (DdpStream* const s : line.streams) one_message(*s, kind, options.message_octets, round);
    }
  }
  for (Line& line : lines) line.close();
}

void small(const SmallOptions& options, const FrameSink& sink) {
  Clock clock;
  std::uint64_t octets = 0;
  const FrameSink counting = counting_sink(sink, octets);
  std::vector<Line> lines;
  for (unsigned i = 0; i < options.connections; ++i) {
    if (options.carrying.sctp) {
      lines.push_back(sctp_line(nth(i, clock), 1500, options.carrying.streams, counting));
      static_cast<Association&>(*lines.back().conversation).bundle(Side::initiator, true);
      continue;
    }
    lines.push_back(tcp_line(nth(i, clock), counting, {.crc = options.crc, .markers = options.markers}));
    const std::size_t fpdu = (2 + 18 + options.message_octets + 3) / 4 * 4 + 4;
    const std::size_t whole = std::max<std::size_t>(1448 / fpdu, 1) * fpdu;
    static_cast<Connection&>(*lines.back().conversation)
        .packing(Packing::packed,
                 options.aligned && !options.markers ? std::vector{whole} : std::vector<std::size_t>{});
  }
  while (octets < options.octets) {
    for (Line& line : lines) {
      for (unsigned i = 0; i < 64; ++i) {
        line.streams[i % line.streams.size()]->send(Side::initiator, options.message_octets);
      }
    }
  }
  for (Line& line : lines) line.close();
}

namespace {

// The entry that a draw hits: each as often as its weight says.
template <class Entry>
const Entry& drawn(const std::vector<Entry>& entries, Random& random) {
  std::uint64_t all = 0;
  for (const Entry& e : entries) all += e.weight;
  std::uint64_t at = random.below(all);
  for (const Entry& e : entries) {
    if (at < e.weight) return e;
    at -= e.weight;
  }
  return entries.back();
}

void drawn_message(DdpStream& c, const MixtureOptions& options, Random& random) {
  const Side side = random.below(4) == 0 ? Side::responder : Side::initiator;
  const MixedOpcode opcode = drawn(options.opcodes, random).opcode;
  const SizeRange& range = drawn(options.sizes, random);
  const auto size = static_cast<std::uint32_t>(random.between(range.low, range.high));
  const STag stag{static_cast<std::uint32_t>(0x00ABCD01 + random.below(8) * 256)};
  const TaggedOffset to{0x7F0000000000 + random.below(64) * 0x100000};
  switch (opcode) {
    case MixedOpcode::send: c.send(side, size); return;
    case MixedOpcode::send_se: c.send_se(side, size); return;
    case MixedOpcode::write: c.write(side, stag, to, size); return;
    case MixedOpcode::read: c.read(side, {.sink_to = to, .size = size, .source_to = to}); return;
    case MixedOpcode::atomic: c.atomic(side, {.remote_to = to, .data = 1}); return;
    case MixedOpcode::immediate: c.immediate(side, random.next()); return;
  }
}

}  // namespace

void mixture(const MixtureOptions& options, const FrameSink& sink) {
  Clock clock;
  Random random(options.seed);
  std::uint64_t octets = 0;
  const FrameSink counting = counting_sink(sink, octets);
  std::vector<Line> lines;
  for (unsigned i = 0; i < options.connections; ++i) {
    const ConnectionOptions each = filling(nth(i, clock), options.mtu, options.seed);
    lines.push_back(tcp_line(each, counting, {.crc = options.crc, .markers = options.markers}));
    lines.back().streams[0]->share_memory(*lines.front().streams[0]);  // the atomics of one adapter
    lines.back().streams[0]->send(Side::initiator, 64);
    if (options.packed) static_cast<Connection&>(*lines.back().conversation).packing(Packing::packed);
  }
  while (octets < options.octets) drawn_message(*lines[random.below(lines.size())].streams[0], options, random);
  for (Line& line : lines) line.close();
}

void idle_qps(std::uint64_t count, const FrameSink& sink) {
  Clock clock;
  for (std::uint64_t i = 0; i < count; ++i) {
    Connection c(nth(i, clock));
    c.sink(sink);
    c.connect();
    c.startup();
    c.send(Side::initiator, 64);
    c.send(Side::responder, 64);
  }
}

void plain_connections(std::uint64_t count, const FrameSink& sink) {
  Clock clock;
  Random random(7);
  for (std::uint64_t i = 0; i < count; ++i) {
    Connection c(nth(i, clock));
    c.sink(sink);
    c.connect();
    const auto number = static_cast<unsigned>(i % 5);
    c.stream(Side::initiator,
             ordinary_octets(i % 2 == 0 ? Ordinary::http : Ordinary::tls, Side::initiator, number, random));
    if (i % 3 != 0) c.stream(Side::responder, random.octets(random.between(1, 400)));
  }
}

void syn_flood(std::uint64_t count, const FrameSink& sink) {
  Random random(11);
  Framer framer{Path{}};
  Clock clock;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Address from = Address::v4(static_cast<std::uint32_t>(random.next() | 0x01000000));
    const Address to = Address::v4(0x0A800001);
    const wire::Tcp syn{.source_port = static_cast<std::uint16_t>(random.between(1024, 65535)),
                        .sequence = static_cast<std::uint32_t>(random.next()),
                        .flags = wire::kSyn,
                        .options = {.mss = 1460}};
    IpPacket packet{.source = from, .destination = to, .source_mac = {}, .destination_mac = {}};
    packet.payload = wire::write(syn, {}, from, to);
    for (Frame& frame : framer.frames(packet)) {
      frame.time_ns = clock.now_ns += 1'000;
      sink(std::move(frame));
    }
  }
}

void tiny_fragments(std::uint64_t count, const FrameSink& sink) {
  Random random(13);
  Clock clock;
  const Buffer payload = random.octets(8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const wire::Ipv4 header{.source = Address::v4(static_cast<std::uint32_t>(0x0A000001 + (i >> 20))),
                            .identification = static_cast<std::uint16_t>(i / 3),
                            .dont_fragment = false,
                            .more_fragments = true,
                            .fragment_offset = static_cast<std::uint16_t>(random.below(8000) * 8)};
    Buffer octets = wire::write(wire::Ethernet{}, wire::write(header, payload));
    const auto length = static_cast<std::uint32_t>(octets.size());
    sink(Frame{.time_ns = clock.now_ns += 1'000, .octets = std::move(octets), .original_length = length});
  }
}

void garbage_markers(std::uint64_t octets, const FrameSink& sink) {
  Clock clock;
  Random random(17);
  Connection c(nth(0, clock));
  c.sink(sink);
  for (std::uint64_t sent = 0; sent < octets;) {
    wire::Writer w;
    while (w.size() < 1448) {
      const std::uint64_t draw = random.next();
      if (draw % 4 == 0) {
        w.u16(draw >> 8 & 0x05FF).u16(draw % 8 == 0 ? 0x4143 : 0xC140);  // a length, then DDP and RDMAP control
      } else {
        w.u16(0).u16(draw >> 8 & 0x0FFC);  // RESERVED, FPDUPTR
      }
    }
    sent += w.size();
    c.stream(Side::initiator, w.take());
  }
}

void scattered_writes(std::uint64_t count, const FrameSink& sink) {
  Clock clock;
  Random random(23);
  Connection c(nth(0, clock));
  c.sink(sink);
  c.connect();
  c.startup();
  c.packing(Side::initiator, Packing::packed);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t draw = random.next();
    c.write(Side::initiator, STag{static_cast<std::uint32_t>(0x1000 + (draw & 63) * 256)}, TaggedOffset{draw >> 16}, 1);
  }
  c.flush();
}

void unanswered_atomics(std::uint64_t count, const FrameSink& sink) {
  Clock clock;
  Connection c(nth(0, clock));
  c.sink(sink);
  c.connect();
  c.startup();
  c.packing(Side::initiator, Packing::packed);
  for (std::uint64_t i = 0; i < count; ++i) {
    c.atomic_request(Side::initiator, {.remote_to = TaggedOffset{i * 8}, .data = 1});
  }
  c.flush();
}

FileSink::FileSink(const std::string& path, const FileOptions& options)
    : path_(path), file_(std::fopen(path.c_str(), "wb")), writer_(options) {
  if (file_ == nullptr) throw std::system_error(errno, std::generic_category(), path);
  held_.reserve(kHeldOctets + 70'000);
  writer_.add_interface(held_, LinkType::ethernet);
}

FileSink::~FileSink() {
  if (file_ != nullptr) std::fclose(file_);
}

void FileSink::add(const Frame& frame) {
  writer_.add(held_, frame);
  if (held_.size() >= kHeldOctets) drain();
}

void FileSink::drain() {
  if (std::fwrite(held_.data(), 1, held_.size(), file_) != held_.size()) {
    throw std::system_error(errno, std::generic_category(), path_);
  }
  held_.clear();
}

void FileSink::close() {
  writer_.finish(held_);
  drain();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) throw std::system_error(errno, std::generic_category(), path_);
}

}  // namespace iwarpscope::synth
