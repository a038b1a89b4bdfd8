// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/association.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "sctp/association_state.h"
#include "sctp/notes.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

Association::Association(const AssociationOrigin& origin, const tcp::Limits& limits, BufferBudget& budget,
                         AssociationSink& sink)
    : state_(std::make_unique<State>(origin, limits, budget, sink)) {}
Association::~Association() = default;

void Association::feed(Direction d, const net::SctpPacket& packet) {
  state_->feed(d, packet);
}

void Association::drop(Direction d, const net::SctpPacket& packet) {
  ++state_->statistics.packets;
  state_->count_dropped(d, Doubt::wrong_ip_checksum, packet);
}

void Association::open(Direction d, const Opening& opening, FrameNumber frame, TimePoint time) {
  state_->chosen[index(d)] = false;  // a tag that was in use before may have been of a stale cookie
  state_->open(d, opening, {frame, time, std::nullopt});
}

void Association::finish(Ending how, FrameNumber frame, TimePoint time) {
  State& state = *state_;
  state.release_all();
  state.context.frame = frame;
  state.context.time = time;
  state.finish(how, std::nullopt);
}

void Association::pass_time(TimePoint now) {
  state_->release(now);
}

bool Association::is_waiting() const noexcept {
  return !state_->order.is_empty();
}

const AssociationStatistics& Association::statistics() const noexcept {
  State& state = *state_;
  state.statistics.lost_tsns = state.context.losses();
  state.statistics.sessions = state.context.sessions;
  state.statistics.waits_cut_short = state.order.cut_short();
  return state.statistics;
}

AssociationEnd Association::end() const noexcept {
  return state_->end;
}

bool Association::is_ddp() const noexcept {
  return state_->both_announced() || state_->confirmed;
}

// ---- packets ----

void Association::State::feed(Direction d, const net::SctpPacket& packet) {
  if (finished) return;
  ++statistics.packets;
  // A sender that leaves the CRC32c to its adapter leaves 0 there; any other wrong one is of a damaged packet.
  const net::Checksum checksum = net::checksum(packet);
  if (checksum == net::Checksum::bad) {
    ++statistics.wrong_checksums;
    damaged[index(d)].see(packet.frame, packet.time);
    return release(packet.time);
  }
  if (checksum == net::Checksum::offloaded) offloaded[index(d)].see(packet.frame, packet.time);
  const Claims claims = claims_of(packet);
  const Doubt doubt = acceptance.judge(d, claims);
  if (doubt != Doubt::none) {
    count_dropped(d, doubt, packet);
    acceptance.set_aside(d, packet, claims);
    release(packet.time);
  } else {
    accept(d, packet, claims);
  }
  while (!finished && !acceptance.is_empty()) {
    const auto taken = acceptance.release();
    if (!taken) return;
    const auto& [from, late, octets] = taken->packet;
    --dropped[index(from)][static_cast<std::size_t>(taken->doubt)].count;
    accept(from, late, claims_of(late));
  }
}

void Association::State::count_dropped(Direction d, Doubt doubt, const net::SctpPacket& packet) {
  dropped[index(d)][static_cast<std::size_t>(doubt)].see(packet.frame, packet.time);
}

/// A packet that the receiver takes.
void Association::State::accept(Direction d, const net::SctpPacket& packet, const Claims& claims) {
  order.note_opening(d, claims);
  const bool is_copy = recent[index(d)].is_copy(packet);
  if (is_copy) {
    tell(d, packet, true);
    ++statistics.mirror_duplicates;
    context.frame = packet.frame;
    context.time = packet.time;
    see_path(d, packet);
    count_copy(d, packet);
    return release(packet.time);
  }
  if (order.may_pass(d, claims)) {
    shows_data = true;
    process(d, packet);
    shows_data = false;
    if (order.is_empty()) return;
  } else {
    tell(d, packet, false);
    while (!order.hold(d, packet)) {
      if (order.is_empty()) {
        process(d, packet);
        break;
      }
      const auto oldest = order.release_oldest();
      process(oldest->direction, oldest->packet);
      release(packet.time);
      if (finished) return;
    }
  }
  release(packet.time);
}

/// What need not wait any more, at this packet's time.
void Association::State::release(TimePoint now) {
  while (!finished) {
    const auto released = order.release(now);
    if (!released) return;
    process(released->direction, released->packet);
  }
}

void Association::State::release_all() {
  while (!finished) {
    auto released = order.release_due();
    if (!released) released = order.release_oldest();
    if (!released) return;
    process(released->direction, released->packet);
  }
}

/// Takes a packet when everything that was sent before it was taken, as far as that is known.
void Association::State::process(Direction d, const net::SctpPacket& packet) {
  context.frame = packet.frame;
  context.time = packet.time;
  see_path(d, packet);
  context.seen[index(d)] = true;
  context.others_wait = !order.is_empty();
  const auto& to = openings[index(opposite(d))];
  if (to && to->place.initiate_tag == packet.verification_tag) chosen[index(opposite(d))] = true;
  context.shows_received = false;
  context.sack.reset();
  const std::uint64_t losses = context.losses();
  packet_octets = packet.chunks_length + 12;
  packet_has_data = packet_has_new_data = packet_is_padded = false;
  ChunkWalk walk(packet.chunks, packet.chunks_length);
  while (const auto chunk = walk.next()) {
    take(d, *chunk);
    if (finished) return;
  }
  if (packet_has_new_data && !packet_is_padded && !packet.fragmented) {
    tell_split(d, sizes[index(d)].sent(packet_octets, context.time));
  }
  for (TsnLine& line : context.lines) line.expire(context.time, context.limits.hole_timeout_ns);
  settle(context.losses() != losses);
}

void Association::State::see_path(Direction d, const net::SctpPacket& packet) {
  context.ends[index(d)] = packet.source;
  context.ends[index(opposite(d))] = packet.destination;
  context.overlay = packet.overlay;
  context.tap_group = packet.tap_group;
  context.tenants[index(d)] = packet.tenant;
  if (!path) path = packet.path();
  if (*path != packet.path()) context.several_paths = true;
  auto& known = context.sources[index(d)];
  if (known.size() < Context::kMaxAddresses &&
      std::find(known.begin(), known.end(), packet.source.address) == known.end()) {
    known.push_back(packet.source.address);
  }
}

void Association::State::count_copy(Direction d, const net::SctpPacket& packet) {
  ChunkWalk walk(packet.chunks, packet.chunks_length);
  while (const auto chunk = walk.next()) {
    if (chunk->type != chunk_type::data) continue;
    const auto parsed = DataHeader::parse(chunk->octets);
    const auto* data = std::get_if<DataHeader>(&parsed);
    if (data == nullptr) continue;
    const auto found = streams.find(data->stream());
    if (found != streams.end()) found->second->count_copy(d);
  }
}

void Association::State::take(Direction d, const Chunk& chunk) {
  switch (chunk.type) {
    case chunk_type::data: take_data(d, chunk); break;
    case chunk_type::init:
    case chunk_type::init_ack: take_init(d, chunk); break;
    case chunk_type::sack: take_sack(d, chunk); break;
    case chunk_type::i_data: take_interleaved(d, chunk); break;
    case chunk_type::forward_tsn:
    case chunk_type::i_forward_tsn: {
      const auto parsed = CumulativeTsn::parse(chunk.octets);
      const auto* tsn = std::get_if<CumulativeTsn>(&parsed);
      if (tsn != nullptr) context.line(d).skip(tsn->value(), context.time);
      break;
    }
    case chunk_type::shutdown: take_shutdown(d, chunk); break;
    case chunk_type::shutdown_ack:
    case chunk_type::shutdown_complete: {
      // Who sent SHUTDOWN gets a SHUTDOWN ACK, and answers it. By then all of both sides was acknowledged.
      // Source: RFC 9260 §9.2.
      // Where its SHUTDOWN is not here, whatever came just before may be missing too.
      if (!context.shutdown) {
        for (TsnLine& line : context.lines) line.lose_end();
      }
      shut_down(chunk.type == chunk_type::shutdown_ack ? opposite(d) : d);
      for (TsnLine& line : context.lines) line.acknowledge_all(context.time);
      end = AssociationEnd::shutdown;
      finish(Ending::shutdown, context.shutdown->by);
      break;
    }
    case chunk_type::abort:
      end = AssociationEnd::aborted;
      context.aborted_by = d;
      tell_abort(d, chunk);
      finish(Ending::aborted, d);
      break;
    case chunk_type::pad: packet_is_padded = true; break;
    case chunk_type::auth:  // each packet has to have one, and so less room for DATA
      packet_octets -= std::min(packet_octets, static_cast<std::uint32_t>(chunk.length));
      break;
    default: break;
  }
}

void Association::State::take_init(Direction d, const Chunk& chunk) {
  const auto opening = read_opening(chunk, context.frame, context.time);
  if (opening) open(d, *opening, here());
}

/// The newest counts until its tag is in use: each INIT that is sent again may be answered by another INIT ACK.
void Association::State::open(Direction d, const Opening& opening, const Spot& spot) {
  auto& known = openings[index(d)];
  if (known && (known->place.initiate_tag == opening.place.initiate_tag || chosen[index(d)]))
    return;  // sent again, or late
  const bool first = !known;
  known = opening;
  context.announced[index(d)] = std::min(opening.adaptation.addresses, Context::kMaxAddresses);
  context.line(d).begin(opening.place.initial_tsn);
  context.openings[index(d)] = opening.place;
  // One of them may have come late, but nothing that was sent after it was taken.
  const auto is_whole = [](const TsnLine& line) { return line.is_untouched(); };
  if (openings[0] && openings[1] && std::all_of(context.lines.begin(), context.lines.end(), is_whole)) {
    context.origin.init_seen = true;
  }
  if (first) judge_stream_counts(d, opening, spot);
}

void Association::State::take_sack(Direction d, const Chunk& chunk) {
  const auto parsed = SackHeader::parse(chunk.octets);
  const auto* sack = std::get_if<SackHeader>(&parsed);
  if (sack == nullptr) return;
  const Direction of = opposite(d);
  const Octets blocks = chunk.octets.subspan(SackHeader::kOctets);
  const std::size_t on_wire = sack->blocks() * SackHeader::kBlockOctets;
  const std::size_t octets = std::min(blocks.size(), on_wire);
  const bool is_whole = octets == on_wire;
  context.sack = SackView{context.line(of).unwrapped(sack->cumulative_tsn()), blocks.first(octets), is_whole};
  // Where another one overtook it, the line knows more than the sender of this packet did.
  context.shows_received =
      context.line(of).acknowledge(sack->cumulative_tsn(), blocks.first(octets), is_whole, context.time);
  if (!context.shows_received) return;
  if (sack->window() == 0) closed_windows[index(d)].see(context.frame, context.time);
  auto& closed = context.closed[index(of)];
  if (sack->window() != 0) {
    closed.reset();
  } else if (!closed) {
    closed = WindowClosed{context.frame, context.time};
  }
  for (const std::uint16_t id : std::exchange(context.suspects[index(of)], {})) streams.at(id)->acknowledged(of);
}

/// Its sender has received an acknowledgment of all that it sent.
void Association::State::take_shutdown(Direction d, const Chunk& chunk) {
  const auto parsed = CumulativeTsn::parse(chunk.octets);
  const auto* tsn = std::get_if<CumulativeTsn>(&parsed);
  if (tsn == nullptr) return;
  context.line(opposite(d)).acknowledge(tsn->value(), {}, false, context.time);
  context.line(d).acknowledge_all(context.time);
  // Packets just before it are not here: they may have held chunks of its sender as well, and what acknowledged them.
  if (context.line(opposite(d)).is_overdue()) context.line(d).lose_end();
  shut_down(d);
}

void Association::State::shut_down(Direction by) noexcept {
  if (!context.shutdown) context.shutdown = Shutdown{by, context.frame, context.time};
}

void Association::State::settle(bool lost) {
  if (lost) {
    for (unsigned d = 0; d < 2; ++d) {
      if (!fragments[d].empty()) fragments[d].prune(context.lines[d].next());
    }
  }
  // Each packet may lose something, and very many streams may wait: they are looked at a few for each packet.
  constexpr std::size_t kLooks = 64;  // ours
  looks = std::min(looks + kLooks, kMaxStreams);
  settles = settles || lost;
  if (waiting.empty()) {
    settles = false;
    return;
  }
  constexpr std::int64_t kEveryNs = 100'000'000;  // ours: holes are looked at when something was lost, or so often
  const std::int64_t since = elapsed_ns(settled, context.time);
  if (!settles && since >= 0 && since < kEveryNs) return;
  if (looks < waiting.size() && looks < kMaxStreams) return;
  looks -= std::min(looks, waiting.size());
  settles = false;
  settled = context.time;
  for (auto each = waiting.begin(); each != waiting.end();) {
    Stream& stream = *streams.at(*each);
    stream.settle();
    each = stream.is_waiting() ? std::next(each) : waiting.erase(each);
  }
}

// ---- the end ----

void Association::State::finish(Ending how, std::optional<Direction> by) {
  if (finished) return;
  finished = true;
  context.capture_ends = how == Ending::capture_end;
  if (how == Ending::shutdown || how == Ending::aborted) check_terminates();
  tell_counts();
  for (TsnLine& line : context.lines) line.flush(context.time);
  // In the order of stream numbers: reports must not depend on that of a hash table.
  for (auto& [id, stream] : streams) stream->give_up_holes();
  tell_lost_ends();
  for (auto& [id, stream] : streams) stream->finish(how, by);
  waiting.clear();
}

/// What was acknowledged and never seen, and nothing came after it on its stream.
void Association::State::tell_lost_ends() {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (context.untold(d) == 0) continue;
    std::size_t sessions = 0;
    std::uint64_t most = 0;
    Stream* any = nullptr;
    for (auto& [id, stream] : streams) {
      const std::uint64_t lost = stream->acknowledged_unseen(d);
      if (lost == 0) continue;
      ++sessions;
      most = std::max(most, std::min(lost, context.untold(d)));
      any = stream.get();
    }
    if (sessions == 1 && any->is_live()) {
      any->lose_end(d, most);
      continue;
    }
    // No session is open: another took its place, or none was seen.
    if (sessions == 0 && context.reported_lost[index(d)] == 0) most = context.line(d).lost_by_capture();
    if (most == 0) continue;
    raise(context.sink.reporter(), here(),
          {.id = capture_gap,
           .direction = d,
           .seen = std::to_string(most),
           .text = fmt::format("{} of {} {} acknowledged and {} not in the capture: {}.", counted(most, "DATA chunk"),
                               sender(d), most == 1 ? "was" : "were", most == 1 ? "is" : "are",
                               sessions < 2 ? std::string("the session is not known")
                                            : fmt::format("the last of one of {} sessions, or of several", sessions))});
  }
}

std::optional<Opening> read_opening(const Chunk& chunk, FrameNumber frame, TimePoint time) noexcept {
  const auto parsed = InitHeader::parse(chunk.octets);
  const auto* header = std::get_if<InitHeader>(&parsed);
  if (header == nullptr) return std::nullopt;
  return Opening{header->outbound_streams(),
                 header->inbound_streams(),
                 read_adaptation(chunk.octets, chunk.length),
                 {frame, time, chunk.type == chunk_type::init_ack, header->initiate_tag(), header->initial_tsn()}};
}

}  // namespace iwarpscope::sctp
