// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of an AssociationTable.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <list>
#include <map>
#include <optional>

#include "sctp/association_entry.h"
#include "sctp/association_table.h"

namespace iwarpscope::sctp {

inline constexpr std::size_t kMaxPaths = 32;  ///< ours: of one association, both directions
inline constexpr std::size_t kMaxOffers = 8;  ///< ours: INIT ACKs with tags of their own

using Entries = std::list<Entry>;  ///< the one seen last comes first

/// The key of the tag in packets of direction `d`, whose ports are those of this packet of direction `of`.
[[nodiscard]] inline TagKey key_of(const net::SctpPacket& packet, bool same_direction, std::uint32_t tag) noexcept {
  if (same_direction) return {packet.source.port, packet.destination.port, packet.overlay, packet.tap_group, tag};
  return {packet.destination.port, packet.source.port, packet.overlay, packet.tap_group, tag};
}

struct AssociationTable::State {
  State(const TableLimits& t, const tcp::Limits& l, BufferBudget& b, AssociationSink& s)
      : table_limits(t), limits(l), budget(b), sink(s), streams_left(t.max_streams) {}

  struct Found {
    Entries::iterator entry;
    Direction direction;
  };

  template <class A>
  void archive(A& a);
  template <class A>
  void archive_entries(A& a, Entries& all, bool are_followed);
  [[nodiscard]] std::unique_ptr<Association> make_association(AssociationOrigin origin);
  void feed(const net::SctpPacket& packet);
  [[nodiscard]] std::optional<Found> find(const net::SctpPacket& packet, const Glance& seen);
  [[nodiscard]] std::optional<Found> by_tag(const net::SctpPacket& packet, std::uint32_t tag);
  [[nodiscard]] Found add(const net::SctpPacket& packet);
  void learn(Entry& entry, Entries::iterator at, Direction d, const net::SctpPacket& packet, const Glance& seen);
  void learn_tag(Entries::iterator at, Direction d, const TagKey& key);
  [[nodiscard]] std::array<std::optional<Found>, 2> by_passage(const net::SctpPacket& packet);
  [[nodiscard]] std::optional<Found> accept(const Found& known, const net::SctpPacket& packet, const Glance& seen);
  [[nodiscard]] std::optional<Found> by_copy(const net::SctpPacket& packet, const Glance& seen);
  [[nodiscard]] std::optional<Found> of_any_tenant(const net::SctpPacket& packet);
  void forget_path(Entries::iterator at, const net::SctpPath& path);
  void learn_passage(Entries::iterator at, const Passage& passage);
  void keep_offer(Entry& entry, Direction d, const Opening& opening);
  void choose_offer(Entries::iterator at, Direction d, const net::SctpPacket& packet);
  void end_replaced(Entry& entry, Direction d, const net::SctpPacket& packet, const Glance& seen);
  void follow(Entries::iterator at, Direction d, const net::SctpPacket& packet);
  void close(Entries::iterator at);
  void note(Entries::iterator at);
  void pass_time(TimePoint now);
  void forget(Entries::iterator at, Ending how, FrameNumber frame, TimePoint time);
  void make_room(const net::SctpPacket& packet);
  [[nodiscard]] std::size_t size() const noexcept { return entries.size() + following.size(); }

  TableLimits table_limits;
  const tcp::Limits& limits;
  BufferBudget& budget;
  AssociationSink& sink;
  std::size_t streams_left;
  Entries entries;                                               ///< those that are not followed
  Entries following;                                             ///< those that are
  absl::flat_hash_map<Passage, Entries::iterator> passages;      ///< the newest association that passes there
  absl::flat_hash_map<net::SctpPath, Entries::iterator> newest;  ///< and the newest of all tenants
  absl::flat_hash_map<TagKey, Entries::iterator> tags;
  std::map<std::uint64_t, Entries::iterator> waiting;  ///< by number: those where packets wait for others
  TimePoint looked;                                    ///< when they were looked at
  TableStatistics statistics;
};

}  // namespace iwarpscope::sctp
