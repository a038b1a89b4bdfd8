// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which association a packet belongs to: by its tag, else by where it passes. What separates tenants on the path
// (VLANs, labels, tunnels) may differ between the two directions of one association, and a router's or a mirror's
// copies of one packet may have both.
#include <algorithm>
#include <utility>

#include "sctp/association_table_state.h"

namespace iwarpscope::sctp {

std::optional<AssociationTable::State::Found> AssociationTable::State::by_tag(const net::SctpPacket& packet,
                                                                              std::uint32_t tag) {
  const auto found = tags.find(key_of(packet, true, tag));
  if (found == tags.end()) return std::nullopt;
  const Direction d = found->second->tags[0] == tag ? Direction::a_to_b : Direction::b_to_a;
  return Found{found->second, d};
}

/// By addresses, ports and tenant: of this direction, and, where nothing of it was seen yet, of the other one.
std::array<std::optional<AssociationTable::State::Found>, 2> AssociationTable::State::by_passage(
    const net::SctpPacket& packet) {
  Passage passage = passage_of(packet);
  std::array<std::optional<Found>, 2> both;
  const auto direction = [&](const Entry& entry) {
    return packet.source == entry.first ? Direction::a_to_b : Direction::b_to_a;
  };
  if (const auto same = passages.find(passage); same != passages.end()) {
    both[0] = Found{same->second, direction(*same->second)};
    const Entry& entry = *same->second;
    if (!entry.is_over && entry.tags[index(both[0]->direction)] == packet.verification_tag) return both;
  }
  passage.from_low = !passage.from_low;
  const auto back = passages.find(passage);
  if (back == passages.end()) return both;
  const Found other{back->second, direction(*back->second)};
  if (other.entry->tenants[index(other.direction)]) return both;
  both[both[0] ? 1 : 0] = other;
  if (both[1] && both[0]->entry->number < both[1]->entry->number) std::swap(both[0], both[1]);  // the newer one first
  return both;
}

/// An INIT that a router or a mirror shows in a second network.
std::optional<AssociationTable::State::Found> AssociationTable::State::by_copy(const net::SctpPacket& packet,
                                                                               const Glance& seen) {
  const auto opening = seen.init ? read_opening(*seen.init, packet.frame, packet.time) : std::nullopt;
  if (!opening) return std::nullopt;
  const auto found = tags.find(key_of(packet, false, opening->place.initiate_tag));
  if (found == tags.end() || found->second->is_over) return std::nullopt;
  const Direction d = packet.source == found->second->first ? Direction::a_to_b : Direction::b_to_a;
  const std::optional<Opening>& known = found->second->openings[index(d)];
  if (!known || known->place.initiate_tag != opening->place.initiate_tag ||
      known->place.initial_tsn != opening->place.initial_tsn) {
    return std::nullopt;
  }
  return Found{found->second, d};
}

/// Directions of one association may be of different networks, and the capture may have begun after its INIT.
std::optional<AssociationTable::State::Found> AssociationTable::State::of_any_tenant(const net::SctpPacket& packet) {
  const auto found = newest.find(packet.path());
  if (found == newest.end()) return std::nullopt;
  return Found{found->second, packet.source == found->second->first ? Direction::a_to_b : Direction::b_to_a};
}

/// The packet is of this association, by whose addresses and ports it goes; or by its tag of another one.
std::optional<AssociationTable::State::Found> AssociationTable::State::accept(const Found& found,
                                                                              const net::SctpPacket& packet,
                                                                              const Glance& seen) {
  const auto [at, d] = found;
  const Entry& entry = *at;
  if (seen.is_init) {
    // An INIT has no tag. One with another Initiate Tag begins another association, and so does any after the end of
    // one; both ends may send one.
    const auto opening = seen.init ? read_opening(*seen.init, packet.frame, packet.time) : std::nullopt;
    if (!opening) return found;
    const auto& known = entry.openings[index(d)];
    const auto& answers = entry.tags[index(opposite(d))];
    const bool is_new = entry.is_over || (known && known->place.initiate_tag != opening->place.initiate_tag) ||
                        (answers && *answers != opening->place.initiate_tag);
    return is_new ? std::nullopt : std::optional(found);
  }
  const auto& known = entry.tags[index(d)];
  if (seen.reflected) {
    // Where both ends chose one tag, the address identifies it; the tag does where they have several addresses.
    if (entry.tags[0] == packet.verification_tag && entry.tags[1] == entry.tags[0]) return found;
    if (const auto by = reflected_by(entry, packet.verification_tag)) return Found{at, *by};
  }
  if (known && (*known == packet.verification_tag || is_offered(entry, d, packet.verification_tag))) return found;
  // Which end sent it the addresses do not tell where there are several of each.
  if (!seen.reflected) {
    if (auto by = by_tag(packet, packet.verification_tag)) return by;
  }
  if (!known && !entry.is_over) return found;
  return std::nullopt;
}

std::optional<AssociationTable::State::Found> AssociationTable::State::find(const net::SctpPacket& packet,
                                                                            const Glance& seen) {
  for (const std::optional<Found>& known : by_passage(packet)) {
    if (!known) break;
    if (auto found = accept(*known, packet, seen)) return found;
  }
  if (seen.is_init) return by_copy(packet, seen);
  if (seen.reflected) {
    const auto found = tags.find(key_of(packet, false, packet.verification_tag));
    if (found == tags.end()) return std::nullopt;
    const auto by = reflected_by(*found->second, packet.verification_tag);
    return by ? std::optional(Found{found->second, *by}) : std::nullopt;
  }
  if (auto found = by_tag(packet, packet.verification_tag)) return found;
  const auto other = of_any_tenant(packet);
  return other && fits(*other->entry, other->direction, packet) ? other : std::nullopt;
}

}  // namespace iwarpscope::sctp
