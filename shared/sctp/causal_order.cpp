// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/causal_order.h"

#include <algorithm>
#include <utility>

#include "sctp/chunk.h"

namespace iwarpscope::sctp {

namespace {

void take(Claims& claims, const Chunk& chunk) noexcept {
  switch (chunk.type) {
    case chunk_type::sack: {
      const auto parsed = SackHeader::parse(chunk.octets);
      const auto* const sack = std::get_if<SackHeader>(&parsed);
      if (sack == nullptr) return;
      claims.received = sack->cumulative_tsn();
      const Octets blocks = chunk.octets.subspan(SackHeader::kOctets);
      claims.blocks = blocks.first(std::min(blocks.size(), sack->blocks() * SackHeader::kBlockOctets));
      return;
    }
    case chunk_type::init:
    case chunk_type::init_ack: claims.opens = true; return;
    case chunk_type::shutdown: {
      const auto parsed = CumulativeTsn::parse(chunk.octets);
      const auto* const tsn = std::get_if<CumulativeTsn>(&parsed);
      if (tsn != nullptr && !claims.received) claims.received = tsn->value();
      claims.shuts_down = true;
      return;
    }
    case chunk_type::forward_tsn:
    case chunk_type::i_forward_tsn: {
      const auto parsed = CumulativeTsn::parse(chunk.octets);
      const auto* const tsn = std::get_if<CumulativeTsn>(&parsed);
      if (tsn != nullptr) claims.abandoned = tsn->value();
      return;
    }
    case chunk_type::shutdown_ack: claims.acknowledges_shutdown = claims.ends = true; return;
    case chunk_type::shutdown_complete: claims.completes = claims.ends = true; return;
    case chunk_type::abort: claims.ends = true; return;
    default: return;
  }
}

/// DATA and I-DATA have their TSNs at one place. Source: RFC 9260 §3.3.1, RFC 8260 §2.1.
[[nodiscard]] std::optional<std::uint32_t> tsn_of(const Chunk& chunk) noexcept {
  if (chunk.type != chunk_type::data && chunk.type != chunk_type::i_data) return std::nullopt;
  const auto parsed = DataHeader::parse(chunk.octets);
  const auto* const data = std::get_if<DataHeader>(&parsed);
  return data != nullptr ? std::optional(data->tsn()) : std::nullopt;
}

/// In serial number arithmetic. Source: RFC 9260 §2.6.
[[nodiscard]] bool is_before(std::uint32_t one, std::uint32_t other) noexcept {
  return static_cast<std::int32_t>(one - other) < 0;
}

/// The highest TSN that the claims say was received. Precondition: they say so of one.
[[nodiscard]] std::uint32_t raw_end_of(const Claims& claims) noexcept {
  std::uint32_t offset = 0;
  for (Octets rest = claims.blocks; rest.size() >= SackHeader::kBlockOctets;
       rest = rest.subspan(SackHeader::kBlockOctets)) {
    offset = std::max<std::uint32_t>(offset, load_be<std::uint16_t>(rest.subspan(2)));
  }
  return *claims.received + offset;
}

}  // namespace

Claims claims_of(const net::SctpPacket& packet) noexcept {
  Claims claims;
  ChunkWalk walk(packet.chunks, packet.chunks_length);
  while (const auto chunk = walk.next()) {
    // Control chunks come before DATA. Source: RFC 9260 §6.10.
    if ((claims.first_tsn = tsn_of(*chunk))) break;
    take(claims, *chunk);
  }
  return claims;
}

bool CausalOrder::has_received(Direction from, const Claims& claims) const noexcept {
  const TsnLine& line = context_.line(from);
  if (!claims.received) return true;
  if (!line.has_begun()) return unseen_waived_[index(from)] || begins_after(from, claims);
  const Tsn waived = waived_[index(from)];
  const Tsn upto = line.unwrapped(*claims.received);
  if (!line.is_plausible(upto)) return true;
  if (upto > waived && line.next() <= upto) return false;
  for (Octets rest = claims.blocks; rest.size() >= SackHeader::kBlockOctets;
       rest = rest.subspan(SackHeader::kBlockOctets)) {
    const Tsn first = upto + load_be<std::uint16_t>(rest), last = upto + load_be<std::uint16_t>(rest.subspan(2));
    if (first <= last && last > waived && !line.has_seen(first, last)) return false;
  }
  return true;
}

bool CausalOrder::begins_after(Direction from, const Claims& claims) const noexcept {
  const Queue& queue = held_[index(from)];
  const auto with_data = std::find_if(queue.begin(), queue.end(), [](const Held& one) { return !one.tsns.empty(); });
  return with_data != queue.end() && is_before(raw_end_of(claims), *with_data->claims.first_tsn);
}

bool CausalOrder::is_due(Direction d, const Claims& claims) const noexcept {
  if (claims.opens) return true;
  if (!opening_waived_ && context_.openings[0].has_value() != context_.openings[1].has_value()) return false;
  const TsnLine& mine = context_.line(d);
  const TsnLine& other = context_.line(opposite(d));
  if (!has_received(opposite(d), claims)) return false;
  // The end that sends the last packet has sent all others. So has the end that learns that it is the last one.
  if (claims.ends && !held_[index(opposite(d))].empty()) return false;
  if (shutdown_waived_) return true;
  // All of its sender was acknowledged by then. Source: RFC 9260 §9.2.
  if (claims.shuts_down && !mine.is_whole()) return false;
  if (claims.acknowledges_shutdown) {
    return context_.shutdown && mine.is_whole() && other.is_whole() && !mine.is_overdue() && !other.is_overdue();
  }
  return !claims.completes;
}

void CausalOrder::note_opening(Direction d, const Claims& claims) noexcept {
  if (!claims.opens || !context_.openings[index(d)]) return;
  const Queue& queue = held_[index(d)];
  const auto is_end = [](const Held& one) { return one.claims.shuts_down || one.claims.ends; };
  opens_again_ = opens_again_ || context_.shutdown || std::any_of(queue.begin(), queue.end(), is_end);
}

std::optional<bool> CausalOrder::surely_precedes(const Held& held, const Held& than, Direction d) const noexcept {
  const Claims &one = held.claims, &other = than.claims;
  if (one.opens || other.opens) return !other.opens;
  if (one.ends != other.ends) return other.ends;
  if (one.received && other.received && *one.received != *other.received) {
    return is_before(*one.received, *other.received);
  }
  if (one.first_tsn && other.first_tsn) return is_before(*one.first_tsn, *other.first_tsn);
  // After SHUTDOWN there is no DATA, and what is awaited was sent before all that waits.
  if (one.first_tsn && other.shuts_down) return true;
  if (one.first_tsn && !held_[index(opposite(d))].empty() && is_awaited(d, one)) return true;
  return std::nullopt;
}

/// Where it belongs among those that wait: where nothing that they say settles it, their times do.
CausalOrder::Queue::iterator CausalOrder::place_of(const Held& one, Direction d) noexcept {
  Queue& queue = held_[index(d)];
  auto at = queue.end();
  if (opens_again_) return at;
  for (auto each = queue.end(); each != queue.begin();) {
    --each;
    const std::optional<bool> sure = surely_precedes(one, *each, d);
    if (sure == false) break;
    const bool is_next = std::next(each) == at;
    if (sure == true || (is_next && one.packet.time < each->packet.time)) at = each;
  }
  return at;
}

CausalOrder::Held CausalOrder::copy_of(const net::SctpPacket& packet) {
  Held one{packet, {packet.chunks.begin(), packet.chunks.end()}, {}, {}, 0, false};
  one.packet.common_header = {};
  one.packet.chunks = one.octets;
  one.claims = claims_of(one.packet);
  ChunkWalk walk(one.packet.chunks, one.packet.chunks_length);
  while (const auto chunk = walk.next()) {
    if (const auto tsn = tsn_of(*chunk)) one.tsns.push_back(*tsn);
  }
  return one;
}

bool CausalOrder::pay_for(Direction d, const Held& one) noexcept {
  const std::size_t cost = one.cost();
  const bool is_full = held_[0].size() + held_[1].size() >= kMaxPackets || octets_ + cost > kMaxOctets;
  if (is_full || !context_.waiting(d).take_room(cost)) return false;
  octets_ += cost;
  return true;
}

bool CausalOrder::hold(Direction d, const net::SctpPacket& packet) {
  Held one = copy_of(packet);
  one.number = count_;
  one.waits = !is_due(d, one.claims);
  if (!pay_for(d, one)) {
    ++cut_short_;
    return false;
  }
  ++count_;
  const auto at = place_of(one, d);
  held_[index(d)].insert(at, std::move(one));
  return true;
}

CausalOrder::Released CausalOrder::take_first(Direction d) {
  Queue& queue = held_[index(d)];
  Held& first = queue.front();
  octets_ -= first.cost();
  context_.waiting(d).give_room_back(first.cost());
  Released released{d, first.packet, std::move(first.octets)};
  released.packet.chunks = released.octets;
  queue.erase(queue.begin());
  return released;
}

Tsn CausalOrder::end_of(const TsnLine& line, const Claims& claims) const noexcept {
  const Tsn cumulative = line.unwrapped(*claims.received);
  if (!line.is_plausible(cumulative)) return 0;
  return cumulative + (raw_end_of(claims) - *claims.received);
}

bool CausalOrder::is_awaited(Direction d, const Claims& claims) const noexcept {
  const Claims& other = held_[index(opposite(d))].front().claims;
  if (claims.opens || other.shuts_down || other.ends) return true;
  if (!claims.first_tsn || !other.received) return false;
  const TsnLine& line = context_.line(d);
  if (!line.has_begun()) return !is_before(raw_end_of(other), *claims.first_tsn);
  return line.unwrapped(*claims.first_tsn) <= end_of(line, other);
}

bool CausalOrder::holds_awaited(Direction d) const noexcept {
  if (held_[index(opposite(d))].empty()) return false;
  const Queue& mine = held_[index(d)];
  return std::any_of(mine.begin(), mine.end(), [&](const Held& one) { return is_awaited(d, one.claims); });
}

std::optional<CausalOrder::Released> CausalOrder::release_due() {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const Queue& mine = held_[index(d)];
    const Queue& other = held_[index(opposite(d))];
    if (mine.empty() || !is_due(d, mine.front().claims)) continue;
    const bool is_next = other.empty() || mine.front().packet.frame < other.front().packet.frame;
    // What is awaited may be after others that its sender sent before it.
    if (!is_next && !holds_awaited(d)) continue;
    note_skew(d, mine.front());
    return take_first(d);
  }
  return std::nullopt;
}

std::optional<CausalOrder::Released> CausalOrder::release(TimePoint now) {
  if (is_empty()) return std::nullopt;
  if (auto due = release_due()) return due;
  return is_over(first(), now) ? release_oldest() : std::nullopt;
}

bool CausalOrder::is_over(const Held& one, TimePoint now) const noexcept {
  const std::int64_t patience = context_.origin.patience_ns;
  const std::int64_t waited = elapsed_ns(one.packet.time, now);
  // A clock that went back would keep it for ever.
  if (waited >= patience || waited <= -patience) return true;
  return waited >= patience / 10 && count_ - one.number >= kEnough;
}

/// What it waited for came: the capture's order of directions is not the wire's.
void CausalOrder::note_skew(Direction d, const Held& one) noexcept {
  if (!one.waits || !one.claims.received) return;
  const Tsn end = end_of(context_.line(opposite(d)), one.claims);
  if (end > waived_[index(opposite(d))]) context_.is_skewed = true;
}

Direction CausalOrder::first_to_come() const noexcept {
  std::array<FrameNumber, 2> first{};
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    for (const Held& one : held_[index(d)]) {
      FrameNumber& so_far = first[index(d)];
      if (so_far.value == 0 || one.packet.frame < so_far) so_far = one.packet.frame;
    }
  }
  const bool is_back = held_[0].empty() || (!held_[1].empty() && first[1] < first[0]);
  return is_back ? Direction::b_to_a : Direction::a_to_b;
}

const CausalOrder::Held& CausalOrder::first() const noexcept {
  const Queue& queue = held_[index(first_to_come())];
  return *std::min_element(queue.begin(), queue.end(),
                           [](const Held& x, const Held& y) { return x.number < y.number; });
}

std::optional<CausalOrder::Released> CausalOrder::release_oldest() {
  if (is_empty()) return std::nullopt;
  // Without INIT and INIT ACK there is still an order.
  if (!std::exchange(opening_waived_, true)) {
    if (auto due = release_due()) return due;
  }
  Direction d = first_to_come();
  // What it waits for is here, after a packet that waits for what is not: that is given up first. The last packet
  // comes last.
  const bool is_here = holds_awaited(opposite(d)) && !holds_awaited(d);
  const bool is_last = held_[index(d)].front().claims.ends && !held_[index(opposite(d))].empty();
  if (is_here || is_last) d = opposite(d);
  waive(d, held_[index(d)].front().claims);
  return take_first(d);
}

void CausalOrder::waive(Direction d, const Claims& claims) noexcept {
  shutdown_waived_ = shutdown_waived_ || claims.shuts_down || claims.ends;
  const TsnLine& line = context_.line(opposite(d));
  if (!claims.received) return;
  if (!line.has_begun()) {
    unseen_waived_[index(opposite(d))] = true;
    return;
  }
  Tsn& waived = waived_[index(opposite(d))];
  waived = std::max(waived, end_of(line, claims));
}

bool CausalOrder::holds(Direction d, std::uint32_t tsn) const noexcept {
  const Queue& queue = held_[index(d)];
  return std::any_of(queue.begin(), queue.end(), [tsn](const Held& one) {
    return std::find(one.tsns.begin(), one.tsns.end(), tsn) != one.tsns.end();
  });
}

void CausalOrder::clear() noexcept {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    for (const Held& one : held_[index(d)]) context_.waiting(d).give_room_back(one.cost());
    held_[index(d)].clear();
  }
  octets_ = 0;
}

}  // namespace iwarpscope::sctp
