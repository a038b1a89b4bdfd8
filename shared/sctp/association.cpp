#include "sctp/association.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "mpa/ulpdu_header.h"
#include "sctp/association_state.h"
#include "sctp/notes.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

Association::Association(const AssociationOrigin& origin, const tcp::Limits& limits, tcp::BufferBudget& budget,
                         AssociationSink& sink)
    : state_(std::make_unique<State>(origin, limits, budget, sink)) {}
Association::~Association() = default;

void Association::feed(Direction d, const net::SctpPacket& packet) {
  state_->feed(d, packet);
}

void Association::open(Direction d, const Opening& opening, FrameNumber frame, TimePoint time) {
  state_->open(d, opening, {frame, time, std::nullopt});
}

void Association::finish(Ending how, FrameNumber frame, TimePoint time) {
  State& state = *state_;
  state.context.frame = frame;
  state.context.time = time;
  state.finish(how, std::nullopt);
}

const AssociationStatistics& Association::statistics() const noexcept {
  State& state = *state_;
  state.statistics.lost_tsns = state.context.losses();
  state.statistics.sessions = state.context.sessions;
  return state.statistics;
}

AssociationEnd Association::end() const noexcept {
  return state_->end;
}

std::size_t Association::live_sessions() const noexcept {
  return static_cast<std::size_t>(std::count_if(state_->streams.begin(), state_->streams.end(),
                                                [](const auto& each) { return each.second->is_live(); }));
}

bool Association::is_ddp() const noexcept {
  return state_->both_announced() || state_->confirmed;
}

// ---- packets ----

void Association::State::feed(Direction d, const net::SctpPacket& packet) {
  if (finished) return;
  ++statistics.packets;
  if (packet.truncated()) ++statistics.truncated_packets;
  context.frame = packet.frame;
  context.time = packet.time;
  if (policies[index(d)].judge(net::checksum(packet)) == tcp::Trust::rejected) {
    ++statistics.wrong_checksums;
    return;
  }
  see_path(d, packet);
  if (recent[index(d)].is_copy(packet)) {
    ++statistics.mirror_duplicates;
    count_copy(d, packet);
    return;
  }
  context.seen[index(d)] = true;
  context.tells_received = false;
  const std::uint64_t losses = context.losses();
  packet_octets = packet.chunks_length + 12;
  if (!packet.fragmented) largest_packet[index(d)] = std::max(largest_packet[index(d)], packet_octets);
  ChunkWalk walk(packet.chunks, packet.chunks_length);
  while (const auto chunk = walk.next()) {
    take(d, *chunk);
    if (finished) return;
  }
  for (TsnLine& line : context.lines) line.expire(context.time, context.limits.hole_timeout_ns);
  settle(context.losses() != losses);
}

void Association::State::see_path(Direction d, const net::SctpPacket& packet) {
  context.ends[index(d)] = packet.source;
  context.ends[index(opposite(d))] = packet.destination;
  context.overlay = packet.overlay;
  const net::FlowKey flow = packet.flow();
  if (!path) path = flow;
  if (*path != flow) context.several_paths = true;
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
    case chunk_type::forward_tsn:
    case chunk_type::shutdown: {
      const auto parsed = CumulativeTsn::parse(chunk.octets);
      const auto* tsn = std::get_if<CumulativeTsn>(&parsed);
      if (tsn == nullptr) break;
      if (chunk.type == chunk_type::forward_tsn) {
        context.line(d).skip(tsn->value(), context.time);
      } else {
        context.line(opposite(d)).acknowledge(tsn->value(), {}, context.time);
        if (!shut_by) shut_by = d;
      }
      break;
    }
    case chunk_type::shutdown_ack:
    case chunk_type::shutdown_complete:
      // A SHUTDOWN ACK follows once everything was acknowledged in both directions. Source: RFC 9260 §9.2.
      end = AssociationEnd::shutdown;
      finish(Ending::shutdown, shut_by ? shut_by : std::optional{opposite(d)});
      break;
    case chunk_type::abort:
      end = AssociationEnd::aborted;
      finish(Ending::aborted, d);
      break;
    default: break;
  }
}

void Association::State::take_init(Direction d, const Chunk& chunk) {
  const auto opening = read_opening(chunk);
  if (opening) open(d, *opening, {context.frame, context.time, std::nullopt});
}

void Association::State::open(Direction d, const Opening& opening, const Spot& spot) {
  if (openings[index(d)]) return;  // sent again
  openings[index(d)] = opening;
  context.line(d).begin(opening.initial_tsn);
  const auto& other = openings[index(opposite(d))];
  if (!other || !both_announced()) return;
  // Each asks for as many outbound streams as it likes; the other side allows as many as it takes.
  const unsigned there = std::min(opening.outbound_streams, other->inbound_streams);
  const unsigned back = std::min(other->outbound_streams, opening.inbound_streams);
  if (there == back) return;
  raise(context.sink.reporter(), sctp_stream_counts_differ, d, spot, std::to_string(there), std::to_string(back),
        fmt::format("INIT and INIT ACK agree on {} one way and {} the other.", counted(there, "stream"),
                    counted(back, "stream")));
}

void Association::State::take_sack(Direction d, const Chunk& chunk) {
  const auto parsed = SackHeader::parse(chunk.octets);
  const auto* sack = std::get_if<SackHeader>(&parsed);
  if (sack == nullptr) return;
  context.tells_received = true;
  const Octets blocks = chunk.octets.subspan(SackHeader::kOctets);
  const std::size_t octets = std::min(blocks.size(), sack->blocks() * SackHeader::kBlockOctets);
  context.line(opposite(d)).acknowledge(sack->cumulative_tsn(), blocks.first(octets), context.time);
}

// ---- DATA ----

void Association::State::take_data(Direction d, const Chunk& chunk) {
  const auto parsed = DataHeader::parse(chunk.octets);
  const auto* data = std::get_if<DataHeader>(&parsed);
  if (data == nullptr) return;
  TsnLine& line = context.line(d);
  const Sight sight = line.see(data->tsn(), context.time);
  if (sight == Sight::far_away) return;
  Stream* const stream = stream_of(data->stream());
  const auto length = static_cast<std::uint32_t>(chunk.length - DataHeader::kOctets);
  const Octets octets = chunk.octets.subspan(DataHeader::kOctets);
  const bool late = sight == Sight::late;
  ChunkCount count{length, length - static_cast<std::uint32_t>(octets.size()), sight == Sight::again, late};
  if (stream != nullptr) stream->count(d, count);
  if (sight == Sight::again || stream == nullptr) return;
  const Tsn tsn = line.unwrapped(data->tsn());
  if (data->ppid() != kSegmentPpid && data->ppid() != kControlPpid) {
    other_payload(d, *data);
    return;
  }
  if (!data->unordered() && is_surely_ddp() && stream->is_live()) {
    raise(stream->reporter(), sctp_ordered_chunk, stream->told(d), {context.frame, context.time, std::nullopt}, "0",
          "1", fmt::format("The DATA chunk with TSN {} on stream {} is ordered.", data->tsn(), data->stream()));
  }
  if (data->begins() && data->ends()) {
    Arrival arrival;
    arrival.first_tsn = arrival.last_tsn = tsn;
    arrival.first_frame = arrival.last_frame = context.frame;
    arrival.first_time = arrival.placed_time = context.time;
    arrival.late = late;
    message(d, *stream, data->ppid(), octets, length, arrival);
  } else {
    fragment(d, *data, octets, length, tsn, late);
  }
}

void Association::State::fragment(Direction d, const DataHeader& data, Octets octets, std::uint32_t length, Tsn tsn,
                                  bool late) {
  Fragments& all = fragments[index(d)];
  auto joined = all.add({tsn, data.stream(), data.ppid(), data.begins(), data.ends(), late, octets, length,
                         packet_octets, context.frame, context.time});
  if (all.was_refused()) context.line(d).unread(tsn);
  if (!joined) return;
  Stream* const stream = stream_of(joined->stream);
  if (stream == nullptr) return;
  // Source: RFC 5043 §9. A packet that its sender sent is not above the path MTU.
  constexpr std::uint32_t kHeaders = 12 + static_cast<std::uint32_t>(DataHeader::kOctets);
  const std::uint32_t largest = context.several_paths ? joined->largest_packet : largest_packet[index(d)];
  if (joined->length + kHeaders <= largest && is_surely_ddp()) {
    raise(stream->reporter(), sctp_fragmented, stream->told(d), {context.frame, context.time, std::nullopt},
          fmt::format("{} chunks", joined->last_tsn - joined->first_tsn + 1), "1 chunk",
          fmt::format("A message of {} on stream {} came in {} chunks, although its sender sends packets of {}.",
                      counted(joined->length, "octet"), joined->stream, joined->last_tsn - joined->first_tsn + 1,
                      counted(largest, "octet")));
  }
  Arrival arrival;
  arrival.first_tsn = joined->first_tsn;
  arrival.last_tsn = joined->last_tsn;
  arrival.first_frame = joined->first_frame;
  arrival.last_frame = joined->last_frame;
  arrival.first_time = joined->first_time;
  arrival.placed_time = joined->placed_time;
  arrival.late = joined->late;
  message(d, *stream, joined->ppid, joined->octets, joined->length, arrival);
}

/// Precondition: PPID 16 or 17.
void Association::State::message(Direction d, Stream& stream, std::uint32_t ppid, Octets user_data,
                                 std::uint32_t length, Arrival& arrival) {
  const auto parsed = UserMessage::parse(user_data);
  const auto* user = std::get_if<UserMessage>(&parsed);
  arrival.control = ppid == kControlPpid;
  const bool lacks_code =
      arrival.control && user_data.size() < UserMessage::kOctets + ControlHeader::kOctets && user_data.size() < length;
  if (user == nullptr || lacks_code) {
    // The capture cut what says which place it takes, or what becomes of the session.
    context.line(d).unread(arrival.first_tsn);
    return;
  }
  arrival.ssn = user->ssn();
  arrival.octets = user_data.subspan(UserMessage::kOctets);
  arrival.length = length - static_cast<std::uint32_t>(UserMessage::kOctets);
  if (!confirmed) confirm(arrival);
  stream.arrive(d, arrival);
  if (stream.is_waiting()) waiting.insert(stream.id());
}

Stream* Association::State::stream_of(std::uint16_t id) {
  auto& stream = streams[id];
  if (stream) return stream.get();
  std::size_t* const left = context.origin.streams_left;
  if (streams.size() > kMaxStreams || (left != nullptr && *left == 0)) {
    streams.erase(id);
    ++statistics.streams_refused;
    return nullptr;
  }
  if (left != nullptr) --*left;
  stream = std::make_unique<Stream>(id, context);
  return stream.get();
}

void Association::State::settle(bool lost) {
  if (lost) {
    for (unsigned d = 0; d < 2; ++d) {
      if (!fragments[d].empty()) fragments[d].prune(context.lines[d].next());
    }
  }
  if (waiting.empty()) return;
  constexpr std::int64_t kEveryNs = 100'000'000;  // ours: holes are looked at when something was lost, or so often
  const std::int64_t since = elapsed_ns(settled, context.time);
  if (!lost && since >= 0 && since < kEveryNs) return;
  settled = context.time;
  for (auto each = waiting.begin(); each != waiting.end();) {
    Stream& stream = *streams.at(*each);
    stream.settle();
    each = stream.is_waiting() ? std::next(each) : waiting.erase(each);
  }
}

// ---- rules about the association ----

/// DDP on this association cannot be doubted.
bool Association::State::is_surely_ddp() const noexcept {
  return both_announced() || confirmed;
}

bool Association::State::both_announced() const noexcept {
  return openings[0] && openings[1] && openings[0]->adaptation.is_ddp() && openings[1]->adaptation.is_ddp();
}

/// Whether this message settles that the association carries DDP.
void Association::State::confirm(const Arrival& arrival) {
  constexpr unsigned kEnough = 3;  // ours: chance does not make three plausible headers
  if (!looks_like_ddp(arrival)) return;
  plausible += arrival.control ? kEnough : 1;
  if (plausible < kEnough) return;
  confirmed = true;
  if (!openings[0] || !openings[1]) return;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const Adaptation& adaptation = openings[index(d)]->adaptation;
    if (adaptation.is_ddp() || !adaptation.complete) continue;
    raise(context.sink.reporter(), sctp_adaptation_missing, d, {context.frame, context.time, std::nullopt},
          adaptation.indication ? fmt::format("0x{:08x}", *adaptation.indication) : "none", "0x00000001",
          adaptation.indication ? fmt::format("This end announced the adaptation layer 0x{:08x}, and DDP is used.",
                                              *adaptation.indication)
                                : std::string("This end announced no adaptation layer, and DDP is used."));
  }
}

void Association::State::other_payload(Direction d, const DataHeader& data) {
  if (!is_surely_ddp() || told_other[index(d)]) return;
  told_other[index(d)] = true;
  raise(context.sink.reporter(), sctp_other_payload, d, {context.frame, context.time, std::nullopt},
        std::to_string(data.ppid()), "16 or 17",
        fmt::format("The DATA chunk with TSN {} on stream {} has the Payload Protocol Identifier {}.", data.tsn(),
                    data.stream(), data.ppid()));
}

/// SC-18: the last thing on every stream was an RDMAP Terminate of one end.
void Association::State::check_terminates() {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    std::optional<TimePoint> first;
    for (const auto& [id, stream] : streams) {
      const Session* session = stream->session();
      const auto at = session != nullptr ? session->rdmap_terminate[index(d)] : std::nullopt;
      if (at && elapsed_ns(*at, context.time) <= context.limits.hole_timeout_ns && (!first || *at < *first)) first = at;
    }
    if (!first) continue;
    // Sessions that were over before the first of these do not count.
    std::size_t with = 0, without = 0;
    for (const auto& [id, stream] : streams) {
      const Session* session = stream->session();
      if (session == nullptr || (session->whole && session->last_time < *first)) continue;
      const auto at = session->rdmap_terminate[index(d)];
      ++(at && *at >= *first ? with : without);
    }
    if (with < 2 || without > 0) continue;
    raise(context.sink.reporter(), sctp_terminate_on_every_stream, d, {context.frame, context.time, std::nullopt},
          std::to_string(with), "",
          fmt::format("An RDMAP Terminate was sent on each of {} before the association ended.",
                      counted(with, "stream")));
  }
}

void Association::State::finish(Ending how, std::optional<Direction> by) {
  if (finished) return;
  finished = true;
  if (how == Ending::shutdown || how == Ending::aborted) check_terminates();
  for (TsnLine& line : context.lines) line.flush(context.time);
  // In the order of stream numbers: reports must not depend on that of a hash table.
  for (auto& [id, stream] : streams) stream->finish(how, by);
  waiting.clear();
}

bool looks_like_ddp(const Arrival& message) noexcept {
  if (message.control) {
    const auto code = read_code(message.octets);
    return code && is_known(*code) && message.length <= ControlHeader::kOctets + 512;
  }
  // The test of an FPDU's first octets, with a length in place of the DDP-SSN.
  mpa::HeaderRoom room{};
  const std::size_t size = std::min(message.octets.size(), room.size() - 2);
  const std::uint32_t length = std::min<std::uint32_t>(message.length, 0xFFFF);
  room[0] = static_cast<std::byte>(length >> 8);
  room[1] = static_cast<std::byte>(length);
  std::copy_n(message.octets.begin(), size, room.begin() + 2);
  mpa::UlpduHeader header;
  return mpa::test_header(Octets(room).first(size + 2), std::nullopt, header) == mpa::HeaderLikelihood::plausible;
}

std::optional<Opening> read_opening(const Chunk& chunk) noexcept {
  const auto parsed = InitHeader::parse(chunk.octets);
  const auto* header = std::get_if<InitHeader>(&parsed);
  if (header == nullptr) return std::nullopt;
  return Opening{header->initiate_tag(), header->initial_tsn(), header->outbound_streams(), header->inbound_streams(),
                 read_adaptation(chunk.octets, chunk.length)};
}

}  // namespace iwarpscope::sctp
