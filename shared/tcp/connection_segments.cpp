// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What one TCP segment that the receiver takes means for the two halves of its connection.
#include <algorithm>

#include "tcp/connection_state.h"
#include "tcp/notes.h"
#include "tcp/windows.h"

namespace iwarpscope::tcp {
namespace {

namespace flag = net::tcp_flag;

[[nodiscard]] bool controls(const net::TcpPacket& packet) noexcept {
  return packet.has(flag::syn | flag::fin | flag::rst);
}

[[nodiscard]] Arrival arrival_of(const net::TcpPacket& packet, std::uint64_t offset, bool comparable) noexcept {
  Arrival arrival;
  arrival.begin = offset;
  arrival.end = offset + packet.payload_length;
  arrival.octets = packet.payload.first(std::min<std::size_t>(packet.payload.size(), packet.payload_length));
  arrival.frame = packet.frame;
  arrival.time = packet.time;
  arrival.comparable = comparable;
  arrival.has_timestamp = packet.timestamp.has_value();
  arrival.timestamp = packet.timestamp.value_or(0);
  arrival.ip_id = packet.ip_id;
  return arrival;
}

void count_duplicate(Half& half, const Call& call) noexcept {
  if (half.statistics.mirror_duplicates++ == 0) half.first.duplicate = call.frame;
}

}  // namespace

/// False when the receiver dropped the TCP segment for its checksum. One without payload is only checked when something
/// hangs on it: the connection's state, or octets that were never seen.
bool Connection::State::check(const net::TcpPacket& packet, Half& half, const Half& other, Checked& checked,
                              Call& call) {
  bool needed = packet.payload_length != 0 || controls(packet);
  if (!needed && packet.has(flag::ack) && other.has_origin()) {
    needed = other.acknowledged_by(packet.acknowledgment).value_or(0) > other.next();
  }
  if (!needed) return true;
  const net::ChecksumResult sum = net::checksum(packet);
  const Trust trust = half.checksums.judge(sum.verdict);
  if (trust == Trust::rejected) {
    ++half.statistics.wrong_checksums;
    std::optional<StreamOffset> offset;
    if (half.has_origin()) {
      const std::uint64_t begin = half.offset_of(packet.sequence);
      if (half.is_plausible(begin)) offset = StreamOffset{begin};
    }
    raise_wrong_checksum(call, packet, offset);
    return false;
  }
  if (sum.verdict == net::Checksum::offloaded || sum.verdict == net::Checksum::bad) {
    ++half.statistics.offloaded_checksums;
  }
  checked = {trust == Trust::verified && !packet.truncated(), sum.payload_sum};
  return true;
}

/// Fits the sequence number of a TCP segment to the half. False for one that does not belong to it.
bool Connection::State::begin(const net::TcpPacket& packet, Half& half) {
  if (packet.has(flag::syn)) {
    if (!half.may_be_own_syn(packet.sequence)) return false;
    if (!half.has_origin()) half.set_origin(packet.sequence + 1, false);
    half.note_syn(packet.sequence);
    half.mss = packet.mss.value_or(0);
    half.window_scale = packet.window_scale.value_or(0xFF);
  } else if (!half.has_origin()) {
    // A keep-alive may be the first that is seen: its octet repeats one that the other end has.
    const bool keep_alive = packet.payload_length == 1 && half.remembered_acknowledgment() == packet.sequence + 1;
    const bool carries = packet.payload_length > 0 || packet.has(flag::fin);
    const std::uint32_t first = packet.sequence + (keep_alive ? 1u : 0u);
    if (half.is_far_from_acknowledged(first)) {
      if (packet.payload_length == 0 || !half.is_distant_run(first, packet.payload_length)) return false;
      half.forget_acknowledgments();
    }
    const bool from_the_start = halves[&half == halves.data() ? 1 : 0].syn_seen;
    if (!from_the_start && half.lacks_octets_before(first)) half.note_late_start();
    half.set_origin(from_the_start ? half.first_octet_before(first) : first, !carries);
  }
  half.saw_segment();
  return true;
}

/// The offset of its first octet; 0 for a number that cannot be one of this half.
std::uint64_t Connection::State::place(const net::TcpPacket& packet, Half& half, Call& call) {
  const std::uint32_t sequence = packet.sequence + (packet.has(flag::syn) ? 1u : 0u);
  const std::uint64_t offset = half.offset_of(sequence);
  if (half.is_plausible(offset)) return offset;
  if (packet.payload_length == 0 || !half.goes_on_at(sequence, packet.payload_length, call)) return 0;
  return half.next();
}

/// Source: RFC 9293 §3.8.4.
bool Connection::State::is_keep_alive(const net::TcpPacket& packet, const Half& half, std::uint64_t offset) noexcept {
  if (controls(packet) || packet.payload_length > 1) return false;
  if (offset + 1 != half.next() || half.next() != half.highest()) return false;
  return packet.payload_length == 0 || half.acknowledged() == 0 || half.acknowledged() >= half.next();
}

void Connection::State::take_acknowledgment(const net::TcpPacket& packet, Half& other, Arrival& arrival,
                                            Call& other_call) {
  if (!packet.has(flag::ack)) return;
  Half& half = halves[index(opposite(other_call.direction))];
  if (!other.has_origin()) {
    // The first of a sender whose SYN was seen: nothing but the other end's SYN was received by then.
    if (half.syn_seen && arrival.begin == kStreamOrigin.value) {
      other.set_origin(other.first_octet_before(packet.acknowledgment), false);
    }
    other.remember_acknowledgment(packet.acknowledgment);
    return;
  }
  const auto offset = other.acknowledged_by(packet.acknowledgment);
  if (!offset) {
    ++half.statistics.ignored_segments;
    return;
  }
  arrival.acknowledged = StreamOffset{*offset};
  arrival.has_acknowledged = true;
  const std::uint64_t highest = std::max(other.highest(), other.acknowledged());
  acceptance.release(*offset, other, has_ended(half), other_call);
  other.acknowledge(*offset, other_call);
  // What is answered, or followed by an end, was there before it. A pure ACK leaves it open until more is known.
  const bool answers = packet.payload_length != 0 || packet.has(flag::fin | flag::rst);
  if (answers && *offset > other.next() && *offset <= highest + offered_window(half, other)) {
    other.give_up_tail(*offset, false, other_call);
  }
}

/// Whether a TCP segment without payload is a mirror's second copy. A host sends equal ACKs and RSTs in quick
/// succession (duplicate ACKs, an RST for each TCP segment that comes): only an IP ID distinguishes those from copies.
bool Connection::State::is_empty_copy(const net::TcpPacket& packet, Half& half) {
  if (packet.ip_id == 0 && !packet.has(flag::syn | flag::fin)) return false;
  return half.controls.is_copy(packet.sequence, Signature::of(packet));
}

/// Whether a TCP segment with payload is a mirror's second copy; else it is remembered, and compared with the first
/// transmission if it repeats one.
bool Connection::State::is_copy(const net::TcpPacket& packet, Half& half, Arrival& arrival, std::uint16_t payload_sum,
                                Call& call) {
  RecentSegment segment;
  segment.offset = static_cast<std::uint32_t>(arrival.begin);
  segment.length = packet.payload_length;
  segment.frame = static_cast<std::uint32_t>(packet.frame.value);
  segment.signature = Signature::of(packet);
  segment.signature.payload_sum = payload_sum;
  segment.signature.comparable = arrival.comparable;
  // What lies after the FIN never becomes part of the stream, however often it is seen.
  const bool after_fin = half.fin() != 0 && arrival.begin >= half.fin();
  if (arrival.begin < half.highest() || after_fin) {
    if (half.recent.has_copy(segment)) return true;
    arrival.may_be_copy = half.recent.may_have_copy(segment);
    const RecentSegment* first = half.recent.first_of(segment.offset, segment.length);
    if (arrival.end <= half.next() && first != nullptr && first->signature.comparable && arrival.comparable &&
        first->signature.payload_sum % 0xFFFF != payload_sum % 0xFFFF) {
      const FrameNumber earlier{unwrap(packet.frame.value, first->frame)};
      const bool is_packet = segment.signature.dated && segment.signature.has_fields_of(first->signature);
      raise_conflict(
          call, arrival,
          {.earlier = earlier, .is_copy = is_packet, .second = payload_sum, .first = first->signature.payload_sum});
      if (is_packet) return true;
    }
  }
  std::optional<std::uint32_t> acknowledged;
  if (half.acknowledged() != 0) acknowledged = static_cast<std::uint32_t>(half.acknowledged());
  half.recent.add(segment, acknowledged);
  return false;
}

/// Takes the octets and the end that a TCP segment carries; not of a keep-alive.
void Connection::State::take_contents(const net::TcpPacket& packet, const Arrival& arrival, Side own,
                                      const Half& other) {
  if (packet.payload_length > 0) {
    own.half.take(arrival, has_ended(other), own.call);
  } else if (!packet.has(flag::fin)) {
    own.half.take_empty(arrival.begin, own.call);
  }
  if (packet.has(flag::fin)) own.half.take_fin(arrival.end, arrival.comparable, own.call);
}

void Connection::State::take_segment(const net::TcpPacket& packet, Side own, Side other) {
  Half& half = own.half;
  Call& call = own.call;
  Checked checked;
  if (!check(packet, half, other.half, checked, call)) return;
  if (packet.has(flag::rst)) {
    if (is_empty_copy(packet, half)) return count_duplicate(half, call);
    return take_reset(packet, own, other);
  }
  const std::uint64_t offset = begin(packet, half) ? place(packet, half, call) : 0;
  if (offset == 0) {
    ++half.statistics.ignored_segments;
    return;
  }
  const bool keep_alive = is_keep_alive(packet, half, offset);
  const bool empty = keep_alive || packet.payload_length == 0;
  Arrival arrival = arrival_of(packet, offset, checked.comparable);
  if (empty ? is_empty_copy(packet, half) : is_copy(packet, half, arrival, checked.payload_sum, call)) {
    return count_duplicate(half, call);
  }
  if (keep_alive) ++half.statistics.keep_alives;
  half.window = packet.window;
  if (packet.window == 0 && packet.has(flag::ack) && !packet.has(flag::syn)) {
    if (half.statistics.zero_windows++ == 0) half.first.zero_window = call.frame;
  }
  acceptance.take(packet, offset, own, other);
  take_acknowledgment(packet, other.half, arrival, other.call);
  if (!keep_alive) take_contents(packet, arrival, own, other.half);
}

}  // namespace iwarpscope::tcp
