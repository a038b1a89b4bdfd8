// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <vector>

#include "attack/connection.h"
#include "attack/modes.h"
#include "synth/wire/sctp.h"

namespace iwarpscope::attack {
namespace {

namespace wire = synth::wire;

/// An SCTP association whose first end sends. Writes to a Load, which must outlive it.
class Association {
 public:
  explicit Association(Load& load, std::uint32_t number = 0)
      : load_(load), address_{Address::v4(0x0A000001U + number), "11.0.0.1"}, tag_{2 * number + 1, 2 * number + 2} {}

  void start(std::uint16_t streams) {
    packet(kThere, wire::write(init(kThere, streams)), 0);
    wire::Init answer = init(kBack, streams);
    answer.ack = true;
    answer.cookie = filled(4);
    packet(kBack, wire::write(answer));
    packet(kThere, wire::write(wire::Chunk{.type = wire::ChunkType::cookie_echo, .value = filled(4)}));
    packet(kBack, wire::write(wire::Chunk{.type = wire::ChunkType::cookie_ack}));
  }
  void open(std::uint16_t stream) {
    packet(kThere, control(kThere, stream, wire::SessionFunction::initiate));
    Buffer answer = wire::write(wire::Sack{.cumulative_tsn = tsn_[0] - 1});
    append(answer, control(kBack, stream, wire::SessionFunction::accept));
    packet(kBack, answer);
    packet(kThere, wire::write(wire::Sack{.cumulative_tsn = tsn_[1] - 1}));
  }
  void packet(Direction d, Octets chunks) { packet(d, chunks, tag_[index(opposite(d))]); }

  /// A DATA chunk with a Send of one octet. `ahead`: TSNs that are left out before it.
  [[nodiscard]] Buffer send(std::uint16_t stream, std::uint32_t number, std::uint32_t ahead = 0) {
    const wire::DdpUntagged header{.msn = MessageSequence{number}};
    tsn_[0] += ahead;
    return wire::write(wire::Data{
        .tsn = tsn_[0]++,
        .stream = stream,
        .ppid = wire::kDdpSegmentPpid,
        .user_data = wire::write_ddp_segment(static_cast<std::uint16_t>(number), wire::write(header, filled(1)))});
  }
  /// A piece of a user message.
  [[nodiscard]] Buffer piece(bool begin, std::uint32_t ahead) {
    tsn_[0] += ahead;
    return wire::write(wire::Data{
        .tsn = tsn_[0]++, .ppid = wire::kDdpSegmentPpid, .begin = begin, .end = false, .user_data = filled(4)});
  }
  void skip() { ++tsn_[0]; }
  void move_to(std::uint32_t number) { address_[0] = Address::v4(0x0A000001U + number); }
  [[nodiscard]] std::uint32_t next_tsn() const noexcept { return tsn_[0]; }

  static void append(Buffer& to, const Buffer& more) { to.insert(to.end(), more.begin(), more.end()); }

 private:
  [[nodiscard]] wire::Init init(Direction d, std::uint16_t streams) const {
    return {.initiate_tag = tag_[index(d)],
            .outbound_streams = streams,
            .inbound_streams = streams,
            .initial_tsn = tsn_[index(d)],
            .adaptation = wire::kDdpAdaptation};
  }
  [[nodiscard]] Buffer control(Direction d, std::uint16_t stream, wire::SessionFunction function) {
    return wire::write(wire::Data{.tsn = tsn_[index(d)]++,
                                  .stream = stream,
                                  .ppid = wire::kSessionControlPpid,
                                  .user_data = wire::write(wire::SessionControl{.function = function}, 0)});
  }
  void packet(Direction d, Octets chunks, std::uint32_t tag) {
    const wire::Sctp header{.source_port = d == kThere ? std::uint16_t{5000} : std::uint16_t{5001},
                            .destination_port = d == kThere ? std::uint16_t{5001} : std::uint16_t{5000},
                            .verification_tag = tag};
    load_.ip(
        {.source = address_[index(d)], .destination = address_[index(opposite(d))], .protocol = wire::kProtocolSctp},
        wire::write(header, chunks));
  }

  Load& load_;
  std::array<Address, 2> address_;
  std::array<std::uint32_t, 2> tag_;
  std::array<std::uint32_t, 2> tsn_{1000, 2000};
};

constexpr std::uint16_t kStreams = 64;

/// Sends on kStreams streams. Their numbers are those of the next message of each.
struct Streams {
  Association association;
  std::vector<std::uint32_t> next;

  Streams(Load& load, std::uint16_t count, std::uint32_t first) : association(load), next(count, first) {
    association.start(count);
    for (std::uint16_t s = 0; s < count; ++s) association.open(s);
  }
  [[nodiscard]] Buffer any(Load& load, std::uint32_t ahead) {
    const auto s = static_cast<std::uint16_t>(load.random.below(next.size()));
    return association.send(s, next[s]++, ahead);
  }
};

void small_chunks(Load& load) {
  Streams s(load, kStreams, 1);
  while (!load.is_full()) {
    Buffer chunks;
    for (int k = 0; k < 30; ++k) Association::append(chunks, s.any(load, 0));
    s.association.packet(kThere, chunks);
    s.association.packet(kBack, wire::write(wire::Sack{.cumulative_tsn = s.association.next_tsn() - 1}));
  }
}

void missing_tsns(Load& load) {
  Streams s(load, kStreams, 2);
  s.association.skip();
  while (!load.is_full()) {
    Buffer chunks;
    for (int k = 0; k < 30; ++k) Association::append(chunks, s.any(load, 1));
    s.association.packet(kThere, chunks);
  }
}

void lost_in_each_stream(Load& load) {
  Streams s(load, 1024, 3);
  s.association.skip();
  while (!load.is_full()) s.association.packet(kThere, s.any(load, 0));
}

void gap_blocks(Load& load) {
  Streams s(load, kStreams, 2);
  s.association.skip();
  wire::Sack sack{.cumulative_tsn = s.association.next_tsn() - 2};
  for (std::uint16_t k = 0; k < 340; ++k) {
    sack.gaps.emplace_back(static_cast<std::uint16_t>(2 + 3 * k), static_cast<std::uint16_t>(3 + 3 * k));
  }
  for (int k = 0; k < 1000; ++k) s.association.packet(kThere, s.any(load, 1));
  const Buffer chunk = wire::write(sack);
  while (!load.is_full()) s.association.packet(kBack, chunk);
}

void associations(Load& load) {
  for (std::uint32_t n = 0; !load.is_full(); ++n) {
    Association a(load, n);
    a.start(kStreams);
    a.open(0);
  }
}

void addresses(Load& load) {
  Association a(load);
  a.start(kStreams);
  a.open(0);
  for (std::uint32_t n = 1; !load.is_full(); ++n) {
    a.move_to(n);
    a.packet(kThere, a.send(0, n));
  }
}

/// 50 pieces in each packet. `ahead`: TSNs left out before each.
void pieces(Load& load, std::uint32_t ahead, bool begins) {
  Association a(load);
  a.start(kStreams);
  a.open(0);
  for (bool begin = begins; !load.is_full();) {
    Buffer chunks;
    for (int k = 0; k < 50; ++k) {
      Association::append(chunks, a.piece(begin, ahead));
      begin = false;
    }
    a.packet(kThere, chunks);
  }
}
void pieces_with_holes(Load& load) {
  pieces(load, 1, false);
}
void endless_message(Load& load) {
  pieces(load, 0, true);
}

void unknown_chunks(Load& load) {
  Association a(load);
  a.start(kStreams);
  a.open(0);
  Buffer chunks;
  for (int k = 0; k < 360; ++k) {
    Association::append(chunks, wire::write(wire::Chunk{.type = static_cast<wire::ChunkType>(0xC1)}));
  }
  while (!load.is_full()) a.packet(kThere, chunks);
}

void streams_opened(Load& load) {
  Association a(load);
  a.start(65'535);
  for (std::uint32_t s = 0; !load.is_full(); ++s) a.open(static_cast<std::uint16_t>(s));
}

void old_tsns(Load& load) {
  Streams s(load, kStreams, 1);
  const Buffer repeated = s.any(load, 0);
  Buffer chunks;
  for (int k = 0; k < 30; ++k) Association::append(chunks, repeated);
  while (!load.is_full()) s.association.packet(kThere, chunks);
}

constexpr std::array kSctpModes = {
    Mode{"sctp-small-chunks", "Sends of one octet on 64 streams", small_chunks},
    Mode{"sctp-missing-tsns", "every other TSN", missing_tsns},
    Mode{"sctp-lost-in-each-stream", "1024 streams that wait for a message", lost_in_each_stream},
    Mode{"sctp-gap-blocks", "SACKs with 340 gap blocks", gap_blocks},
    Mode{"sctp-associations", "associations with one session", associations},
    Mode{"sctp-addresses", "another address in each packet", addresses},
    Mode{"sctp-pieces-with-holes", "pieces of user messages, every other TSN", pieces_with_holes},
    Mode{"sctp-endless-message", "a user message without an end", endless_message},
    Mode{"sctp-unknown-chunks", "360 unknown chunks in each packet", unknown_chunks},
    Mode{"sctp-streams-opened", "a session on each stream", streams_opened},
    Mode{"sctp-old-tsns", "one TSN again and again", old_tsns},
};

}  // namespace

std::span<const Mode> sctp_modes() {
  return kSctpModes;
}

}  // namespace iwarpscope::attack
