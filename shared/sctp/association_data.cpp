// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DATA chunks of an association: fragments become messages, and messages find their streams.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "mpa/ulpdu_header.h"
#include "sctp/association_state.h"

namespace iwarpscope::sctp {

using enum findings::FindingId;

/// A packet that waits, or is a copy: a program that shows single octets asks for those of the frame being
/// processed.
void Association::State::tell(Direction d, const net::SctpPacket& packet, bool copy) {
  const TsnLine& line = context.line(d);
  ChunkWalk walk(packet.chunks, packet.chunks_length);
  while (const auto chunk = walk.next()) {
    if (chunk->type != chunk_type::data) continue;
    const auto parsed = DataHeader::parse(chunk->octets);
    const auto* data = std::get_if<DataHeader>(&parsed);
    if (data == nullptr) continue;
    const Tsn tsn = line.unwrapped(data->tsn());
    if (line.has_begun() && !line.is_plausible(tsn)) continue;
    tell(d, *data, *chunk, !copy && (line.was_seen(tsn) || order.holds(d, data->tsn())), copy);
  }
}

void Association::State::take_data(Direction d, const Chunk& chunk) {
  const auto parsed = DataHeader::parse(chunk.octets);
  const auto* data = std::get_if<DataHeader>(&parsed);
  if (data == nullptr) return;
  // That of the first chunk was judged with its packet.
  if (std::exchange(packet_has_data, true) && acceptance.is_too_far(d, data->tsn())) {
    dropped[index(d)][static_cast<std::size_t>(Doubt::beyond_window)].see(context.frame, context.time);
    return;
  }
  TsnLine& line = context.line(d);
  // The mirror has it after its acknowledgment.
  const bool is_after_ack = line.is_acknowledged(line.unwrapped(data->tsn()));
  const Sight sight = line.see(data->tsn(), context.time);
  context.is_skewed = context.is_skewed || (is_after_ack && sight != Sight::again);
  if (sight == Sight::far_away) return;
  if (shows_data) tell(d, *data, chunk, sight == Sight::again, false);
  Stream* const stream = stream_of(data->stream());
  const auto length = static_cast<std::uint32_t>(chunk.length - DataHeader::kOctets);
  const Octets octets = chunk.octets.subspan(DataHeader::kOctets);
  const bool is_overtaken = sight == Sight::late, late = is_overtaken || is_after_ack;
  packet_has_new_data = packet_has_new_data || sight == Sight::next || sight == Sight::ahead;
  const Tsn tsn = line.unwrapped(data->tsn());
  const std::uint32_t cut = length - static_cast<std::uint32_t>(octets.size());
  if (stream != nullptr) stream->count(d, {tsn, length, cut, sight == Sight::again, is_overtaken && !is_after_ack});
  if (sight == Sight::again || stream == nullptr) return;
  if (data->ppid() != kSegmentPpid && data->ppid() != kControlPpid) {
    other_payload(d, *data);
    return;
  }
  if (data->begins() && data->ends()) {
    Arrival arrival;
    arrival.first_tsn = arrival.last_tsn = tsn;
    arrival.first_frame = arrival.last_frame = context.frame;
    arrival.first_time = arrival.placed_time = context.time;
    arrival.late = late;
    arrival.is_after_ack = is_after_ack;
    arrival.ordered = !data->unordered();
    arrival.control = data->ppid() == kControlPpid;
    arrival.octets = octets;
    arrival.length = length;
    message(d, *stream, arrival);
  } else {
    fragment(d, {tsn, data->stream(), data->ppid(), data->begins(), data->ends(), late, is_after_ack,
                 !data->unordered(), octets, length, packet_octets, context.frame, context.time});
  }
}

/// What it carries is not followed, but it takes a TSN: the chunks around it are not missing anything.
void Association::State::take_interleaved(Direction d, const Chunk& chunk) {
  const auto parsed = InterleavedHeader::parse(chunk.octets);
  const auto* data = std::get_if<InterleavedHeader>(&parsed);
  if (data == nullptr) return;
  if (context.line(d).see(data->tsn(), context.time) != Sight::again) ++statistics.interleaved_chunks;
}

void Association::State::fragment(Direction d, const Fragment& part) {
  Fragments& all = fragments[index(d)];
  auto joined = all.add(part);
  if (all.was_refused()) context.line(d).unread(part.tsn);
  if (!joined) return;
  Stream* const stream = stream_of(joined->stream);
  if (stream == nullptr) return;
  Arrival arrival;
  arrival.first_tsn = joined->first_tsn;
  arrival.last_tsn = joined->last_tsn;
  arrival.first_frame = joined->first_frame;
  arrival.last_frame = joined->last_frame;
  arrival.first_time = joined->first_time;
  arrival.placed_time = joined->placed_time;
  arrival.late = joined->late;
  arrival.is_after_ack = joined->is_after_ack;
  arrival.ordered = joined->ordered;
  // The message itself may settle that this is DDP, or end its session.
  const bool is_known = is_surely_ddp();
  if (is_known) judge_split(d, *joined);
  arrival.control = joined->ppid == kControlPpid;
  arrival.octets = joined->octets;
  arrival.length = joined->length;
  message(d, *stream, arrival);
  if (!is_known && is_surely_ddp()) judge_split(d, *joined);
}

/// Precondition: PPID 16 or 17. `arrival`: its octets still begin with the DDP-SSN.
void Association::State::message(Direction d, Stream& stream, Arrival& arrival) {
  const Octets user_data = arrival.octets;
  const std::uint32_t length = arrival.length;
  const auto parsed = UserMessage::parse(user_data);
  const auto* user = std::get_if<UserMessage>(&parsed);
  const bool lacks_code =
      arrival.control && user_data.size() < UserMessage::kOctets + ControlHeader::kOctets && user_data.size() < length;
  if (user == nullptr && user_data.size() == length) {
    if (!is_surely_ddp() || !stream.is_live()) return;
    raise(stream.reporter(), here(),
          {.id = sctp_ddp_ssn_wrong,
           .direction = stream.reported(d),
           .seen = "none",
           .text = fmt::format("A message of {} on stream {} is too short for a DDP-SSN.", counted(length, "octet"),
                               stream.id())});
    return;
  }
  if (user == nullptr || lacks_code) {
    // The capture cut the part that shows its place, or the outcome of the session.
    context.line(d).unread(arrival.first_tsn);
    return;
  }
  arrival.ssn = user->ssn();
  arrival.octets = user_data.subspan(UserMessage::kOctets);
  arrival.length = length - static_cast<std::uint32_t>(UserMessage::kOctets);
  if (!confirmed) confirm(arrival);
  arrival.ordered = arrival.ordered && is_surely_ddp();
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

bool looks_like_ddp(const Arrival& message) noexcept {
  if (message.control) {
    const auto code = read_code(message.octets);
    // SC-06 reports private data of more than the 512 octets that are allowed.
    constexpr std::uint32_t kMostPrivate = 1024;  // ours
    return code && is_known(*code) && message.length <= ControlHeader::kOctets + kMostPrivate;
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

}  // namespace iwarpscope::sctp
