// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/association_entry.h"

#include <algorithm>

#include "sctp/association_state.h"
#include "sctp/causal_order.h"

namespace iwarpscope::sctp {

namespace {

/// One message alone, before it has a place.
[[nodiscard]] bool is_ddp_chunk(const Chunk& chunk) noexcept {
  const auto parsed = DataHeader::parse(chunk.octets);
  const auto* data = std::get_if<DataHeader>(&parsed);
  if (data == nullptr || !data->begins()) return false;
  if (data->ppid() != kSegmentPpid && data->ppid() != kControlPpid) return false;
  const Octets user_data = chunk.octets.subspan(DataHeader::kOctets);
  if (user_data.size() < UserMessage::kOctets) return false;
  Arrival arrival;
  arrival.control = data->ppid() == kControlPpid;
  arrival.octets = user_data.subspan(UserMessage::kOctets);
  arrival.length = static_cast<std::uint32_t>(chunk.length - DataHeader::kOctets - UserMessage::kOctets);
  return looks_like_ddp(arrival);
}

}  // namespace

bool is_offered(const Entry& entry, Direction d, std::uint32_t tag) noexcept {
  return entry.offerer != d && std::any_of(entry.offers.begin(), entry.offers.end(),
                                           [tag](const Opening& one) { return one.place.initiate_tag == tag; });
}

bool fits(const Entry& entry, Direction d, const net::SctpPacket& packet) noexcept {
  // Ours: further than an association's numbers move before it is looked at; 1 in 4000 is near by chance.
  constexpr std::uint32_t kNear = 1u << 20;
  const auto is_near = [](std::optional<std::uint32_t> one, std::optional<std::uint32_t> other) {
    return one && other && (*one - *other < kNear || *other - *one < kNear);
  };
  if (entry.is_over || entry.tags[index(d)] || entry.tenants[index(d)]) return false;
  const Claims claims = claims_of(packet);
  const Direction other = opposite(d);
  return is_near(claims.received, entry.tsn[index(other)]) || is_near(claims.first_tsn, entry.acked[index(other)]);
}

bool shows_association(const net::SctpPacket& packet) noexcept {
  const Claims claims = claims_of(packet);
  return claims.opens || claims.received || claims.first_tsn;
}

void note_numbers(Entry& entry, Direction d, const net::SctpPacket& packet) noexcept {
  const Claims claims = claims_of(packet);
  if (claims.first_tsn) entry.tsn[index(d)] = claims.first_tsn;
  if (claims.received) entry.acked[index(d)] = claims.received;
}

std::optional<Direction> reflected_by(const Entry& entry, std::uint32_t tag) noexcept {
  const bool to_b = entry.tags[index(Direction::a_to_b)] == tag, to_a = entry.tags[index(Direction::b_to_a)] == tag;
  if (to_a == to_b) return std::nullopt;
  return to_b ? Direction::b_to_a : Direction::a_to_b;
}

Glance glance(const net::SctpPacket& packet, bool looks_for_ddp) noexcept {
  Glance seen;
  ChunkWalk walk(packet.chunks, packet.chunks_length);
  while (const auto chunk = walk.next()) {
    switch (chunk->type) {
      case chunk_type::init: seen.is_init = true; [[fallthrough]];
      case chunk_type::init_ack: seen.init = chunk; break;
      case chunk_type::abort:
      case chunk_type::shutdown_complete:
        seen.ends = true;
        seen.reflected = (chunk->flags & 1u) != 0;
        break;
      case chunk_type::data:
        seen.carries_data = true;
        seen.carries_ddp = seen.carries_ddp || (looks_for_ddp && is_ddp_chunk(*chunk));
        break;
      default: break;
    }
    if (!looks_for_ddp && chunk->type == chunk_type::data) break;  // control chunks come first
  }
  seen.malformed = walk.is_malformed();
  return seen;
}

}  // namespace iwarpscope::sctp
