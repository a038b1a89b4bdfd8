// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a table knows of an association without following it, and what one look at a packet shows. Inside of
// association_table.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "net/sctp_packet.h"
#include "sctp/association.h"
#include "sctp/chunk.h"

namespace iwarpscope::sctp {

/// Packets to one end of an association: the port of that end, and the tag that it chose. Source: RFC 9260 §8.5.
struct TagKey {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t overlay = 0;
  std::uint32_t tap_group = 0;
  std::uint32_t tag = 0;
  friend bool operator==(const TagKey&, const TagKey&) = default;
  template <class H>
  friend H AbslHashValue(H h, const TagKey& k) {
    return H::combine(std::move(h), k.source_port, k.destination_port, k.overlay, k.tap_group, k.tag);
  }
};

/// Where the packets of one direction pass: between which addresses and ports, and in whose network. Tenants may use
/// the same addresses and ports.
struct Passage {
  net::SctpPath path;
  std::uint32_t tenant = 0;  ///< as in net::SctpPacket
  bool from_low = false;     ///< the lower of the path's ends sent them
  friend bool operator==(const Passage&, const Passage&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Passage& p) {
    return H::combine(std::move(h), p.path, p.tenant, p.from_low);
  }
};
[[nodiscard]] inline Passage passage_of(const net::SctpPacket& packet) noexcept {
  return {packet.path(), packet.tenant, packet.source < packet.destination};
}

/// What is known of an association before, or without, an Association.
struct Entry {
  net::Endpoint first;  ///< who sends a_to_b, as of its first packet
  std::uint64_t number = 0;
  std::array<std::optional<std::uint32_t>, 2> tags;  ///< in the packets of that direction
  std::array<std::optional<Opening>, 2> openings;
  /// INIT ACKs that answered one INIT that was sent again, where none was chosen yet: each has a tag of its own.
  std::vector<Opening> offers;
  Direction offerer{};                ///< whose they are
  std::optional<Direction> asked_by;  ///< who sent the INIT
  std::optional<TagKey> replaced;     ///< a key of the association that this one takes the place of
  std::uint64_t replaced_number = 0;
  std::vector<Passage> passages;                           ///< under which it is found
  std::vector<TagKey> keys;                                ///< and these
  std::array<std::optional<std::uint32_t>, 2> tenants;     ///< by direction, of its first packet
  std::array<std::optional<std::uint32_t>, 2> tsn, acked;  ///< by direction: newest of DATA and of its SACKs, while a
                                                           ///< tag is not known
  std::array<bool, 2> ip_checksum_good{};                  ///< by direction: a right one was seen
  std::unique_ptr<Association> association;
  TimePoint last;  ///< of its packets
  bool is_over = false;

  /// All but the association, and what finds it.
  template <class A>
  void archive(A& a) {
    a(first, number, tags, openings, offers, offerer, asked_by, replaced, replaced_number, passages, keys, tenants,
      tsn);
    a(acked, ip_checksum_good, last, is_over);
  }
};

/// The tag is one of those that INIT ACKs gave to what d's sender sends, and none was taken yet.
[[nodiscard]] bool is_offered(const Entry& entry, Direction d, std::uint32_t tag) noexcept;
/// The packet may be the first of direction `d`, although its tenant is not that of the other direction: it speaks of
/// DATA that the other end sent, or the other end spoke of its own.
[[nodiscard]] bool fits(const Entry& entry, Direction d, const net::SctpPacket& packet) noexcept;
/// The packet opens an association, or speaks of DATA: else, alone, it shows next to nothing.
[[nodiscard]] bool shows_association(const net::SctpPacket& packet) noexcept;
/// Remembers what fits() compares.
void note_numbers(Entry& entry, Direction d, const net::SctpPacket& packet) noexcept;
/// Who sent a packet with this tag, which is the receiver's own: an ABORT or SHUTDOWN COMPLETE with the T bit. Nothing
/// where the tag is neither's or both's. Source: RFC 9260 §8.5.1.
[[nodiscard]] std::optional<Direction> reflected_by(const Entry& entry, std::uint32_t tag) noexcept;

/// What a packet says that matters before an Association is made of it.
struct Glance {
  std::optional<Chunk> init;  ///< INIT or INIT ACK, alone in its packet
  bool is_init = false;
  bool reflected = false;  ///< ABORT or SHUTDOWN COMPLETE with the sender's own tag
  bool ends = false;
  bool carries_ddp = false;
  bool carries_data = false;
  bool malformed = false;
};
/// `looks_for_ddp`: reads DATA too.
[[nodiscard]] Glance glance(const net::SctpPacket& packet, bool looks_for_ddp) noexcept;

}  // namespace iwarpscope::sctp
