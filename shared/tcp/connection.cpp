#include "tcp/connection.h"

#include <algorithm>

#include "tcp/acceptance.h"
#include "tcp/half.h"
#include "tcp/notes.h"

namespace iwarpscope::tcp {
namespace {

namespace flag = net::tcp_flag;

[[nodiscard]] bool controls(const net::TcpPacket& packet) noexcept {
  return packet.has(flag::syn | flag::fin | flag::rst);
}

[[nodiscard]] bool has_ended(const Half& half) noexcept {
  return half.state() == HalfState::closed || half.state() == HalfState::reset;
}

/// Octets that the sender of `receiver` offers to take. Source: RFC 7323 §2.2, §2.3.
[[nodiscard]] std::uint64_t offered_window(const Half& receiver, const Half& sender) noexcept {
  constexpr unsigned kMostScale = 14;
  if (!receiver.has_origin()) return std::uint64_t{0xFFFF} << kMostScale;
  if (!receiver.syn_seen || !sender.syn_seen) return std::uint64_t{0xFFFF} << kMostScale;
  if (receiver.window_scale == 0xFF || sender.window_scale == 0xFF) return receiver.window;
  return std::uint64_t{receiver.window} << std::min<unsigned>(receiver.window_scale, kMostScale);
}

/// How far from what it expects of `sender` a number must lie to be far off.
[[nodiscard]] std::uint64_t far_reach(const Half& receiver, const Half& sender) noexcept {
  // Ours: what retransmissions and a few missing TCP segments never reach, and more than hosts offer unasked.
  constexpr std::uint64_t kLeast = 1u << 20, kOfUnknownWindow = 8u << 20;
  if (!receiver.syn_seen || !sender.syn_seen) return kOfUnknownWindow;
  return std::max(offered_window(receiver, sender), kLeast);
}

/// Neither near the octets of `half` that may be sent again nor near those that may come next.
[[nodiscard]] bool is_far(const Half& half, std::uint64_t offset, std::uint64_t reach) noexcept {
  const std::uint64_t oldest = half.acknowledged() != 0 ? std::min(half.acknowledged(), half.next()) : half.next();
  return offset < oldest - reach || offset > std::max(half.highest(), half.acknowledged()) + reach;
}

}  // namespace

struct Connection::State {
  State(const Limits& l, BufferBudget& b) noexcept : limits(l), budget(b) {}

  std::array<Half, 2> halves;
  std::array<std::uint32_t, 2> fin_acknowledges{};  ///< the low bits of the offset that a FIN acknowledges; 0: none
  const Limits& limits;
  BufferBudget& budget;
  Acceptance acceptance;
  std::optional<Direction> reset_by;
  bool finished = false;

  [[nodiscard]] Half& half(Direction d) noexcept { return halves[index(d)]; }
  [[nodiscard]] bool closed_by_fin() const noexcept {
    return !reset_by && halves[0].state() == HalfState::closed && halves[1].state() == HalfState::closed;
  }

  [[nodiscard]] bool take_checksum(const net::TcpPacket& packet, Half& half, Half& other, Arrival& arrival,
                                   std::uint16_t& payload_sum, Call& call);
  [[nodiscard]] bool refuses(Direction d, const net::TcpPacket& packet) const;
  [[nodiscard]] bool sets_aside(const net::TcpPacket& packet, Half& half, Half& other, Call& call);
  [[nodiscard]] bool is_reset_believable(const net::TcpPacket& packet, const Half& half, const Half& other) const;
  void take_reset(const net::TcpPacket& packet, Half& half, Half& other, Call& call, Call& other_call);
  void end_by_reset(const ControlSeen& reset, Half& half, Half& other, Call& call, Call& other_call);
  void take_late_resets(const std::array<Call*, 2>& calls);
  [[nodiscard]] bool begin(const net::TcpPacket& packet, Half& half);
  [[nodiscard]] bool is_keep_alive(const net::TcpPacket& packet, const Half& half, std::uint64_t offset) const;
  void take_acknowledgment(const net::TcpPacket& packet, Half& other, Arrival& arrival, Call& other_call);
  [[nodiscard]] bool is_empty_copy(const net::TcpPacket& packet, Half& half);
  [[nodiscard]] bool is_copy(const net::TcpPacket& packet, Half& half, const Arrival& arrival,
                             std::uint16_t payload_sum, Call& call);
  void take_segment(const net::TcpPacket& packet, Half& half, Half& other, Call& call, Call& other_call);
};

Connection::Connection(const std::array<Origin, 2>& origins, const Limits& limits, BufferBudget& budget)
    : state_(std::make_unique<State>(limits, budget)) {
  for (std::size_t i = 0; i < origins.size(); ++i) state_->halves[i].start(origins[i]);
}

Connection::~Connection() = default;

/// False when the receiver dropped the TCP segment for its checksum. Fills what the checksum proves. One without
/// payload is only checked when something hangs on it: the connection's state, or octets that were never seen.
bool Connection::State::take_checksum(const net::TcpPacket& packet, Half& half, Half& other, Arrival& arrival,
                                      std::uint16_t& payload_sum, Call& call) {
  bool needed = packet.payload_length != 0 || controls(packet);
  if (!needed && packet.has(flag::ack) && other.has_origin()) {
    needed = other.acknowledged_by(packet.acknowledgment).value_or(0) > other.next();
  }
  if (!needed) return true;
  const net::ChecksumResult sum = net::checksum(packet);
  payload_sum = sum.payload_sum;
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
  arrival.comparable = trust == Trust::verified && !packet.truncated();
  return true;
}

/// An RST that its receiver would believe. Source: RFC 9293 §3.5.2, §3.10.7.3; RFC 5961 §3.2.
bool Connection::State::is_reset_believable(const net::TcpPacket& packet, const Half& half, const Half& other) const {
  if (half.has_origin()) {
    const std::uint64_t offset = half.offset_of(packet.sequence);
    return half.is_plausible(offset) && half.is_in_window(offset, offered_window(other, half));
  }
  // The answer to a SYN that nobody listens for, or one half that the capture lacks.
  if (packet.has(flag::ack) && other.has_origin()) {
    const auto offset = other.acknowledged_by(packet.acknowledgment);
    return offset && other.is_in_window(*offset, offered_window(half, other));
  }
  const auto expected = half.remembered_acknowledgment();
  return !expected || (packet.sequence - *expected) <= 0xFFFFu;
}

void Connection::State::take_reset(const net::TcpPacket& packet, Half& half, Half& other, Call& call,
                                   Call& other_call) {
  if (closed_by_fin()) return;
  const ResetFit fit = Acceptance::fit(packet, half, is_reset_believable(packet, half, other));
  if (fit != ResetFit::exact) {
    ++half.statistics.ignored_segments;
    if (!reset_by) acceptance.wait_for_more(packet, fit, half, other, call);
    return;
  }
  std::optional<StreamOffset> offset;
  if (half.has_origin()) offset = StreamOffset{half.offset_of(packet.sequence)};
  end_by_reset({packet.frame, packet.time, offset}, half, other, call, other_call);
}

void Connection::State::end_by_reset(const ControlSeen& reset, Half& half, Half& other, Call& call, Call& other_call) {
  half.take_reset();
  if (reset_by) return;
  reset_by = call.direction;
  acceptance.keep_reset(reset, call);
  half.flush(call);
  other.flush(other_call);
  raise_reset(call, reset);
}

bool Connection::State::refuses(Direction d, const net::TcpPacket& packet) const {
  const Half& half = halves[index(d)];
  const Half& other = halves[index(opposite(d))];
  if (!packet.has(flag::rst)) return acceptance.judge(d, packet, half, other) != Doubt::none;
  if (closed_by_fin() || reset_by) return false;
  return Acceptance::fit(packet, half, is_reset_believable(packet, half, other)) != ResetFit::exact;
}

/// Whether the receiver drops this TCP segment: nothing else is to be done with it.
bool Connection::State::sets_aside(const net::TcpPacket& packet, Half& half, Half& other, Call& call) {
  const Doubt doubt = acceptance.judge(call.direction, packet, half, other);
  if (doubt == Doubt::none) return false;
  if (doubt == Doubt::unfitting_syn) acceptance.wait_for_more(packet, ResetFit::impossible, half, other, call);
  return !acceptance.set_aside(doubt, packet, half, has_ended(other), call);
}

/// At the end: RSTs in the window after which nothing came from their senders.
void Connection::State::take_late_resets(const std::array<Call*, 2>& calls) {
  if (closed_by_fin() || reset_by) return;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto reset = acceptance.unanswered_reset(d);
    if (!reset || reset_by) continue;
    end_by_reset(*reset, half(d), half(opposite(d)), *calls[index(d)], *calls[index(opposite(d))]);
  }
}

/// Fits the sequence number of a TCP segment to the half. False for a SYN that does not belong to it.
bool Connection::State::begin(const net::TcpPacket& packet, Half& half) {
  if (packet.has(flag::syn)) {
    if (!half.may_be_own_syn(packet.sequence)) return false;
    if (!half.has_origin()) half.set_origin(packet.sequence + 1, false);
    half.syn_seen = true;
    half.mss = packet.mss.value_or(0);
    half.window_scale = packet.window_scale.value_or(0xFF);
  } else if (!half.has_origin()) {
    // A keep-alive may be the first that is seen: its octet repeats one that the other end has.
    const bool keep_alive = packet.payload_length == 1 && half.remembered_acknowledgment() == packet.sequence + 1;
    const bool carries = packet.payload_length > 0 || packet.has(flag::fin);
    const std::uint32_t first = packet.sequence + (keep_alive ? 1u : 0u);
    const bool from_the_start = halves[&half == halves.data() ? 1 : 0].syn_seen;
    if (!from_the_start && half.lacks_octets_before(first)) half.note_late_start();
    half.set_origin(from_the_start ? half.first_octet_before(first) : first, !carries);
  }
  half.saw_segment();
  return true;
}

/// Source: RFC 9293 §3.8.4.
bool Connection::State::is_keep_alive(const net::TcpPacket& packet, const Half& half, std::uint64_t offset) const {
  if (controls(packet) || packet.payload_length > 1) return false;
  if (offset + 1 != half.next() || half.next() != half.highest()) return false;
  return packet.payload_length == 0 || half.acknowledged() == 0 || half.acknowledged() >= half.next();
}

void Connection::State::take_acknowledgment(const net::TcpPacket& packet, Half& other, Arrival& arrival,
                                            Call& other_call) {
  if (!packet.has(flag::ack)) return;
  const Half& half = halves[index(opposite(other_call.direction))];
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
    ++halves[index(opposite(other_call.direction))].statistics.ignored_segments;
    return;
  }
  arrival.acknowledged = StreamOffset{*offset};
  arrival.has_acknowledged = true;
  const std::uint64_t most = std::max(other.highest(), other.acknowledged()) +
                             offered_window(halves[index(opposite(other_call.direction))], other);
  acceptance.release(*offset, other, has_ended(halves[index(opposite(other_call.direction))]), other_call);
  other.acknowledge(*offset, other_call);
  // What is answered, or followed by an end, was there before it. A pure ACK leaves it open until more is known.
  const bool answers = packet.payload_length != 0 || packet.has(flag::fin | flag::rst);
  if (answers && *offset <= most) other.give_up_tail(*offset, other_call);
}

/// Whether a TCP segment without payload is a mirror's second copy. A host sends equal ACKs and RSTs in quick
/// succession (duplicate ACKs, an RST for each TCP segment that comes): only an IP ID tells those from copies.
bool Connection::State::is_empty_copy(const net::TcpPacket& packet, Half& half) {
  if (packet.ip_id == 0 && !packet.has(flag::syn | flag::fin)) return false;
  return half.controls.is_copy(packet.sequence, Signature::of(packet));
}

/// Whether a TCP segment with payload is a mirror's second copy; else it is remembered, and compared with the first
/// transmission if it repeats one.
bool Connection::State::is_copy(const net::TcpPacket& packet, Half& half, const Arrival& arrival,
                                std::uint16_t payload_sum, Call& call) {
  RecentSegment segment;
  segment.offset = static_cast<std::uint32_t>(arrival.begin);
  segment.length = packet.payload_length;
  segment.frame = static_cast<std::uint32_t>(packet.frame.value);
  segment.signature = Signature::of(packet);
  segment.signature.payload_sum = payload_sum;
  segment.signature.comparable = arrival.comparable;
  // What lies behind the FIN never becomes part of the stream, however often it is seen.
  const bool behind_fin = half.fin() != 0 && arrival.begin >= half.fin();
  if (arrival.begin < half.highest() || behind_fin) {
    if (half.recent.has_copy(segment)) return true;
    const RecentSegment* first = half.recent.first_of(segment.offset, segment.length);
    if (arrival.end <= half.next() && first != nullptr && first->signature.comparable && arrival.comparable &&
        first->signature.payload_sum % 0xFFFF != payload_sum % 0xFFFF) {
      const FrameNumber earlier{unwrap(packet.frame.value, first->frame)};
      raise_conflict(call, earlier, arrival, payload_sum, first->signature.payload_sum);
    }
  }
  std::optional<std::uint32_t> acknowledged;
  if (half.acknowledged() != 0) acknowledged = static_cast<std::uint32_t>(half.acknowledged());
  half.recent.add(segment, acknowledged);
  return false;
}

void Connection::State::take_segment(const net::TcpPacket& packet, Half& half, Half& other, Call& call,
                                     Call& other_call) {
  Arrival arrival;
  std::uint16_t payload_sum = 0;
  if (!take_checksum(packet, half, other, arrival, payload_sum, call)) return;

  const auto duplicate = [&] {
    if (half.statistics.mirror_duplicates++ == 0) half.first.duplicate = call.frame;
  };
  if (packet.has(flag::rst)) {
    if (is_empty_copy(packet, half)) return duplicate();
    return take_reset(packet, half, other, call, other_call);
  }
  if (!begin(packet, half)) {
    ++half.statistics.ignored_segments;
    return;
  }
  const std::uint32_t sequence = packet.sequence + (packet.has(flag::syn) ? 1u : 0u);
  std::uint64_t offset = half.offset_of(sequence);
  if (!half.is_plausible(offset)) {
    if (packet.payload_length == 0 || !half.goes_on_at(sequence, packet.payload_length, call)) {
      ++half.statistics.ignored_segments;
      return;
    }
    offset = half.next();
  }
  const bool keep_alive = is_keep_alive(packet, half, offset);
  if (keep_alive || packet.payload_length == 0) {
    if (is_empty_copy(packet, half)) return duplicate();
  }
  arrival.begin = offset;
  arrival.end = offset + packet.payload_length;
  arrival.octets = packet.payload.first(std::min<std::size_t>(packet.payload.size(), packet.payload_length));
  arrival.frame = packet.frame;
  arrival.time = packet.time;
  arrival.has_timestamp = packet.timestamp.has_value();
  arrival.timestamp = packet.timestamp.value_or(0);
  arrival.ip_id = packet.ip_id;
  const bool payload = packet.payload_length > 0 && !keep_alive;
  if (payload && is_copy(packet, half, arrival, payload_sum, call)) return duplicate();

  if (keep_alive) ++half.statistics.keep_alives;
  half.window = packet.window;
  if (packet.window == 0 && packet.has(flag::ack) && !packet.has(flag::syn)) {
    if (half.statistics.zero_windows++ == 0) half.first.zero_window = call.frame;
  }
  acceptance.take(packet, offset, half, other, call, other_call);
  take_acknowledgment(packet, other, arrival, other_call);
  if (payload) {
    half.take(arrival, has_ended(other), call);
  } else if (!keep_alive && !packet.has(flag::fin)) {
    half.take_empty(offset, call);
  }
  if (!packet.has(flag::fin)) return;
  std::uint32_t& covered = fin_acknowledges[index(call.direction)];
  if (packet.has(flag::ack) && other.has_origin() && covered == 0) {
    covered = static_cast<std::uint32_t>(other.covered_by(packet.acknowledgment));
  }
  half.take_fin(arrival.end, arrival.comparable, call);
}

void Connection::feed(Direction d, const net::TcpPacket& packet, const std::array<StreamSink*, 2>& sinks,
                      findings::Reporter& reporter) {
  State& s = *state_;
  const Direction o = opposite(d);
  Call call{d, packet.frame, packet.time, sinks[index(d)], reporter, s.limits, s.budget};
  Call other_call{o, packet.frame, packet.time, sinks[index(o)], reporter, s.limits, s.budget};
  Half& half = s.half(d);
  Half& other = s.half(o);
  ++half.statistics.tcp_segments;
  if (s.sets_aside(packet, half, other, call)) return;
  if (packet.fragmented || (!packet.dont_fragment && packet.payload_length > 0)) {
    if (!half.fragments_raised) raise_fragments(call, packet);
    half.fragments_raised = true;
  }
  s.take_segment(packet, half, other, call, other_call);
  half.expire(call);
  other.expire(other_call);
}

std::optional<Direction> Connection::shows_unseen(Direction d, const net::TcpPacket& packet) const noexcept {
  if (packet.has(flag::syn)) return std::nullopt;
  const Half& half = state_->halves[index(d)];
  const Half& other = state_->halves[index(opposite(d))];
  if (packet.has(flag::rst) && half.has_origin()) {
    const std::uint64_t offset = half.offset_of(packet.sequence);
    const bool ahead = half.is_plausible(offset) && offset > half.next() + (half.fin() != 0 ? 1 : 0);
    if (ahead && !is_far(half, offset, far_reach(other, half))) return d;
  }
  if (!packet.has(flag::ack)) return std::nullopt;
  if (!other.has_origin()) return opposite(d);
  const auto offset = other.acknowledged_by(packet.acknowledgment);
  if (!offset || *offset <= other.next() || is_far(other, *offset, far_reach(half, other))) return std::nullopt;
  return opposite(d);
}

std::optional<StreamOffset> Connection::offset_of(Direction d, const net::TcpPacket& packet) const noexcept {
  const Half& half = state_->halves[index(d)];
  if (!half.has_origin()) return std::nullopt;
  const std::uint64_t offset = half.offset_of(packet.sequence + (packet.has(flag::syn) ? 1u : 0u));
  return half.is_plausible(offset) ? std::optional(StreamOffset{offset}) : std::nullopt;
}

void Connection::finish(FrameNumber frame, TimePoint time, const std::array<StreamSink*, 2>& sinks,
                        findings::Reporter& reporter) {
  State& s = *state_;
  Call a{Direction::a_to_b, frame, time, sinks[0], reporter, s.limits, s.budget};
  Call b{Direction::b_to_a, frame, time, sinks[1], reporter, s.limits, s.budget};
  s.take_late_resets({&a, &b});
  s.acceptance.finish(s.half(Direction::a_to_b), has_ended(s.half(Direction::b_to_a)), a);
  s.acceptance.finish(s.half(Direction::b_to_a), has_ended(s.half(Direction::a_to_b)), b);
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    Call call{d, frame, time, sinks[index(d)], reporter, s.limits, s.budget};
    s.half(d).flush(call);
    s.half(d).give_up_tail(s.half(d).acknowledged(), call);
    if (!s.finished) raise_counts(call, s.half(d));
  }
  Call call{Direction::a_to_b, frame, time, nullptr, reporter, s.limits, s.budget};
  if (!s.finished) raise_counts(call, s.halves);
  s.finished = true;
}

bool Connection::is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept {
  if (!packet.has(flag::syn) || packet.has(flag::rst)) return false;
  State& s = *state_;
  const Half& half = s.half(d);
  const Half& other = s.half(opposite(d));
  if (half.is_own_syn(packet.sequence)) return false;
  if (ChecksumPolicy policy = half.checksums; policy.judge(net::checksum(packet).verdict) == Trust::rejected) {
    return false;
  }
  if (half.has_origin()) {
    if (closed_by() != ClosedBy::open) return true;
    const std::uint64_t offset = half.offset_of(packet.sequence + 1);
    return !half.is_plausible(offset) || !half.is_in_window(offset, offered_window(other, half));
  }
  // Nothing of this half was seen. The other one belongs to the same connection if it acknowledged this SYN, or has
  // not said yet whom it talks to.
  const auto expected = half.remembered_acknowledgment();
  if (expected && *expected != packet.sequence + 1) {
    constexpr std::uint32_t kLate = 65535;  // the SYN came after what followed it
    return *expected - (packet.sequence + 1) > kLate;
  }
  return closed_by() != ClosedBy::open;
}

std::optional<StreamOffset> Connection::far_off(Direction d, const net::TcpPacket& packet) const noexcept {
  const State& s = *state_;
  const Half& half = s.halves[index(d)];
  const Half& other = s.halves[index(opposite(d))];
  if (!half.has_origin() || !packet.has(flag::ack)) return std::nullopt;
  const std::uint64_t offset = half.offset_of(packet.sequence);
  if (!is_far(half, offset, far_reach(other, half))) return std::nullopt;
  const std::uint64_t reach = far_reach(half, other);
  if (other.has_origin()) {
    if (!is_far(other, other.offset_of(packet.acknowledgment), reach)) return std::nullopt;
  } else {
    const auto expected = other.remembered_acknowledgment();
    const std::uint32_t ahead = expected ? packet.acknowledgment - *expected : 0;
    if (std::min(ahead, 0 - ahead) <= reach) return std::nullopt;
  }
  ChecksumPolicy policy = half.checksums;
  if (policy.judge(net::checksum(packet).verdict) == Trust::rejected) return std::nullopt;
  return StreamOffset{offset};
}

bool Connection::is_near(Direction d, const net::TcpPacket& packet) const noexcept {
  constexpr std::uint64_t kLeast = 4u << 20;  // ours: what gaps of a capture reach at most
  const State& s = *state_;
  const Half& half = s.halves[index(d)];
  const Half& other = s.halves[index(opposite(d))];
  if (half.has_origin()) {
    if (packet.has(flag::syn)) return half.may_be_own_syn(packet.sequence);
    if (is_far(half, half.offset_of(packet.sequence), std::max(far_reach(other, half), kLeast))) return false;
  }
  if (!packet.has(flag::ack) || !other.has_origin()) return half.has_origin();
  return !is_far(other, other.offset_of(packet.acknowledgment), std::max(far_reach(half, other), kLeast));
}

const DirectionStatistics& Connection::statistics(Direction d) const noexcept {
  return state_->half(d).statistics;
}

ClosedBy Connection::closed_by() const noexcept {
  if (state_->reset_by) return ClosedBy::rst;
  return state_->closed_by_fin() ? ClosedBy::fin : ClosedBy::open;
}

std::optional<StreamOffset> Connection::fin_offset(Direction d) const noexcept {
  const std::uint64_t fin = state_->half(d).fin();
  return fin != 0 ? std::optional{StreamOffset{fin}} : std::nullopt;
}

bool Connection::fin_delivered(Direction d) const noexcept {
  const Half& half = state_->half(d);
  return half.fin() != 0 && half.next() == half.fin();
}

bool Connection::refuses(Direction d, const net::TcpPacket& packet) const noexcept {
  return state_->refuses(d, packet);
}

bool Connection::answers_refused(Direction d, const net::TcpPacket& packet) const noexcept {
  return state_->acceptance.is_answer(d, packet, state_->halves[index(opposite(d))]);
}

ControlSeen Connection::reset_at() const noexcept {
  return state_->acceptance.reset_at();
}

std::optional<ControlSeen> Connection::last_reset(Direction d) const noexcept {
  return state_->acceptance.last_reset(d);
}

std::optional<Direction> Connection::reset_by() const noexcept {
  return state_->reset_by;
}

StreamOffset Connection::next_offset(Direction d) const noexcept {
  return StreamOffset{state_->half(d).next()};
}

std::optional<StreamOffset> Connection::acknowledged(Direction d) const noexcept {
  const std::uint64_t offset = state_->half(d).acknowledged();
  return offset != 0 ? std::optional{StreamOffset{offset}} : std::nullopt;
}

bool Connection::was_sent_again(Direction d) const noexcept {
  return state_->half(d).was_sent_again();
}

bool Connection::lacks_start(Direction d) const noexcept {
  return state_->half(d).lacks_start();
}

bool Connection::lacks_end(Direction d) const noexcept {
  return state_->half(d).lacks_end();
}

std::optional<Direction> Connection::closed_first() const noexcept {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const std::uint64_t fin = state_->half(d).fin();
    const std::uint32_t covered = state_->fin_acknowledges[index(opposite(d))];
    const auto beyond = static_cast<std::int32_t>(covered - static_cast<std::uint32_t>(fin));
    if (fin != 0 && covered != 0 && beyond > 0) return d;
  }
  return std::nullopt;
}

bool Connection::is_unseen(Direction d) const noexcept {
  return state_->half(d).is_unseen();
}

bool Connection::syn_seen(Direction d) const noexcept {
  return state_->half(d).syn_seen;
}

bool Connection::has_origin(Direction d) const noexcept {
  return state_->half(d).has_origin();
}

std::size_t Connection::held_octets(Direction d) const noexcept {
  return state_->half(d).held_octets();
}

std::uint16_t Connection::mss(Direction d) const noexcept {
  return state_->half(d).mss;
}

}  // namespace iwarpscope::tcp
