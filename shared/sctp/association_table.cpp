#include "sctp/association_table.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "sctp/association_state.h"
#include "sctp/chunk.h"

namespace iwarpscope::sctp {

namespace {

/// Packets to one end of an association: to whom by port, and the tag that end chose. Source: RFC 9260 §8.5.
struct TagKey {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t overlay = 0;
  std::uint32_t tag = 0;
  friend bool operator==(const TagKey&, const TagKey&) = default;
  template <class H>
  friend H AbslHashValue(H h, const TagKey& k) {
    return H::combine(std::move(h), k.source_port, k.destination_port, k.overlay, k.tag);
  }
};

/// What is known of an association before, or without, an Association.
struct Entry {
  net::Endpoint first;  ///< who sends a_to_b, as of its first packet
  std::uint64_t number = 0;
  std::array<std::optional<std::uint32_t>, 2> tags;  ///< in the packets of that direction
  std::array<std::optional<Opening>, 2> openings;
  std::vector<net::FlowKey> flows;  ///< under which it is found
  std::vector<TagKey> keys;         ///< and these
  std::unique_ptr<Association> association;
  bool is_over = false;
};
using Entries = std::list<Entry>;  ///< the one seen last comes first

constexpr std::size_t kMaxPaths = 16;  // ours: of one association

[[nodiscard]] bool has_ddp_indication(const std::optional<Opening>& opening) noexcept {
  return opening && opening->adaptation.is_ddp();
}

/// What a packet says that matters before an Association is made of it.
struct Glance {
  std::optional<Chunk> init;  ///< INIT or INIT ACK, alone in its packet
  bool is_init = false;
  bool reflected = false;  ///< ABORT or SHUTDOWN COMPLETE with the sender's own tag
  bool ends = false;
  bool carries_ddp = false;
  bool malformed = false;
};

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

[[nodiscard]] Glance glance(const net::SctpPacket& packet, bool looks_for_ddp) noexcept {
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
      case chunk_type::data: seen.carries_ddp = seen.carries_ddp || (looks_for_ddp && is_ddp_chunk(*chunk)); break;
      default: break;
    }
    if (!looks_for_ddp && chunk->type == chunk_type::data) break;  // control chunks come first
  }
  seen.malformed = walk.is_malformed();
  return seen;
}

}  // namespace

struct AssociationTable::State {
  State(const TableLimits& t, const tcp::Limits& l, tcp::BufferBudget& b, AssociationSink& s)
      : table_limits(t), limits(l), budget(b), sink(s), streams_left(t.max_streams) {}

  struct Found {
    Entries::iterator entry;
    Direction direction;
  };

  void feed(const net::SctpPacket& packet);
  [[nodiscard]] std::optional<Found> find(const net::SctpPacket& packet, const Glance& seen);
  [[nodiscard]] std::optional<Found> by_tag(const net::SctpPacket& packet, std::uint32_t tag);
  [[nodiscard]] Found add(const net::SctpPacket& packet);
  void learn(Entry& entry, Entries::iterator at, Direction d, const net::SctpPacket& packet, const Glance& seen);
  void learn_tag(Entries::iterator at, Direction d, const net::SctpPacket& packet, std::uint32_t tag);
  void learn_flow(Entries::iterator at, const net::FlowKey& flow);
  void follow(Entry& entry, const net::SctpPacket& packet);
  void close(Entry& entry);
  void forget(Entries::iterator at, Ending how, FrameNumber frame, TimePoint time);
  void make_room(const net::SctpPacket& packet);

  TableLimits table_limits;
  const tcp::Limits& limits;
  tcp::BufferBudget& budget;
  AssociationSink& sink;
  std::size_t streams_left;
  Entries entries;
  absl::flat_hash_map<net::FlowKey, Entries::iterator> flows;  ///< the newest association between two addresses
  absl::flat_hash_map<TagKey, Entries::iterator> tags;
  std::size_t followed = 0;
  TableStatistics statistics;
};

namespace {

/// The key of the tag in packets of direction `d`, whose ports are those of this packet of direction `of`.
[[nodiscard]] TagKey key_of(const net::SctpPacket& packet, bool same_direction, std::uint32_t tag) noexcept {
  if (same_direction) return {packet.source.port, packet.destination.port, packet.overlay, tag};
  return {packet.destination.port, packet.source.port, packet.overlay, tag};
}

}  // namespace

std::optional<AssociationTable::State::Found> AssociationTable::State::by_tag(const net::SctpPacket& packet,
                                                                              std::uint32_t tag) {
  const auto found = tags.find(key_of(packet, true, tag));
  if (found == tags.end()) return std::nullopt;
  const Direction d = found->second->tags[0] == tag ? Direction::a_to_b : Direction::b_to_a;
  return Found{found->second, d};
}

std::optional<AssociationTable::State::Found> AssociationTable::State::find(const net::SctpPacket& packet,
                                                                            const Glance& seen) {
  const auto flow = flows.find(packet.flow());
  if (flow != flows.end()) {
    Entry& entry = *flow->second;
    const Direction d = packet.source == entry.first ? Direction::a_to_b : Direction::b_to_a;
    if (seen.is_init) {
      // An INIT has no tag. One with another Initiate Tag begins another association; both ends may send one.
      const auto opening = seen.init ? read_opening(*seen.init) : std::nullopt;
      const auto& known = entry.openings[index(d)];
      if (!opening || (known && known->initiate_tag == opening->initiate_tag)) return Found{flow->second, d};
      const auto& answers = entry.tags[index(opposite(d))];
      const bool is_new = entry.is_over || known || (answers && *answers != opening->initiate_tag);
      if (!is_new) return Found{flow->second, d};
      return std::nullopt;
    }
    const auto& known = entry.tags[index(d)];
    if (seen.reflected && entry.tags[index(opposite(d))] == packet.verification_tag) return Found{flow->second, d};
    if (!known ? !entry.is_over : *known == packet.verification_tag) return Found{flow->second, d};
  }
  if (seen.is_init) return std::nullopt;
  if (auto found = by_tag(packet, packet.verification_tag)) return found;
  if (seen.reflected) {
    const auto found = tags.find(key_of(packet, false, packet.verification_tag));
    if (found != tags.end()) {
      const Direction of_tag =
          found->second->tags[0] == packet.verification_tag ? Direction::a_to_b : Direction::b_to_a;
      return Found{found->second, opposite(of_tag)};
    }
  }
  return std::nullopt;
}

void AssociationTable::State::make_room(const net::SctpPacket& packet) {
  if (entries.size() < table_limits.max_associations) return;
  // The one seen longest ago that is not followed; among very many live ones that are, the oldest of all.
  constexpr std::size_t kLook = 64;  // ours
  auto at = std::prev(entries.end());
  for (std::size_t n = 0; n < kLook && at != entries.begin(); ++n, --at) {
    if (!at->association) break;
  }
  if (at->association) at = std::prev(entries.end());
  ++(at->association ? statistics.cut_short : statistics.forgotten);
  forget(at, Ending::capture_end, packet.frame, packet.time);
}

AssociationTable::State::Found AssociationTable::State::add(const net::SctpPacket& packet) {
  make_room(packet);
  entries.emplace_front();
  const auto at = entries.begin();
  at->number = statistics.associations++;
  at->first = packet.source;
  learn_flow(at, packet.flow());
  return {at, Direction::a_to_b};
}

void AssociationTable::State::learn_flow(Entries::iterator at, const net::FlowKey& flow) {
  const auto [found, is_new] = flows.try_emplace(flow, at);
  if (!is_new && found->second == at) return;
  if (!is_new) {
    std::erase(found->second->flows, flow);
    found->second = at;
  }
  if (at->flows.size() == kMaxPaths) {
    flows.erase(at->flows.front());
    at->flows.erase(at->flows.begin());
  }
  at->flows.push_back(flow);
}

void AssociationTable::State::learn_tag(Entries::iterator at, Direction d, const net::SctpPacket& packet,
                                        std::uint32_t tag) {
  auto& known = at->tags[index(d)];
  if (known || tag == 0) return;
  known = tag;
  const bool same = (packet.source == at->first) == (d == Direction::a_to_b);
  at->keys.push_back(key_of(packet, same, tag));
  tags.insert_or_assign(at->keys.back(), at);
}

/// What the packet teaches: the tags of both directions, and what INIT and INIT ACK say.
void AssociationTable::State::learn(Entry& entry, Entries::iterator at, Direction d, const net::SctpPacket& packet,
                                    const Glance& seen) {
  if (seen.init) {
    const auto opening = read_opening(*seen.init);
    if (opening && !entry.openings[index(d)]) {
      entry.openings[index(d)] = *opening;
      learn_tag(at, opposite(d), packet, opening->initiate_tag);
    }
  }
  if (!seen.is_init && !seen.reflected) learn_tag(at, d, packet, packet.verification_tag);
}

void AssociationTable::State::follow(Entry& entry, const net::SctpPacket& packet) {
  if (followed == table_limits.max_ddp_associations) {
    // The one seen longest ago makes room; the list has at least one.
    const auto oldest = std::find_if(entries.rbegin(), entries.rend(),
                                     [&entry](const Entry& each) { return each.association && &each != &entry; });
    if (oldest == entries.rend()) return;
    ++statistics.cut_short;
    forget(std::prev(oldest.base()), Ending::capture_end, packet.frame, packet.time);
  }
  ++followed;
  ++statistics.followed;
  AssociationOrigin origin;
  origin.number = entry.number;
  origin.init_seen = entry.openings[0].has_value() && entry.openings[1].has_value();
  origin.streams_left = &streams_left;
  entry.association = std::make_unique<Association>(origin, limits, budget, sink);
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (entry.openings[index(d)]) entry.association->open(d, *entry.openings[index(d)], packet.frame, packet.time);
  }
}

/// Gives the memory of an association that is over back.
void AssociationTable::State::close(Entry& entry) {
  statistics.streams_refused += entry.association->statistics().streams_refused;
  entry.association.reset();
  --followed;
}

void AssociationTable::State::forget(Entries::iterator at, Ending how, FrameNumber frame, TimePoint time) {
  if (at->association) {
    at->association->finish(how, frame, time);
    close(*at);
  }
  for (const net::FlowKey& flow : at->flows) flows.erase(flow);
  for (const TagKey& key : at->keys) {
    const auto found = tags.find(key);
    if (found != tags.end() && found->second == at) tags.erase(found);
  }
  entries.erase(at);
}

void AssociationTable::State::feed(const net::SctpPacket& packet) {
  ++statistics.packets;
  Glance seen = glance(packet, false);
  if (seen.malformed) ++statistics.unread;
  auto found = find(packet, seen);
  if (!found) {
    if (seen.ends) return;  // out of the blue
    found = add(packet);
  }
  const auto at = found->entry;
  if (at != entries.begin()) entries.splice(entries.begin(), entries, at);
  Entry& entry = *at;
  const Direction d = found->direction;
  if (entry.flows.empty() || entry.flows.back() != packet.flow()) learn_flow(at, packet.flow());
  learn(entry, at, d, packet, seen);
  if (!entry.association && !entry.is_over) {
    const bool announced = entry.openings[0] && entry.openings[1] &&
                           (has_ddp_indication(entry.openings[0]) || has_ddp_indication(entry.openings[1]));
    if (announced || glance(packet, true).carries_ddp) follow(entry, packet);
  }
  if (entry.association) {
    entry.association->feed(d, packet);
    if (entry.association->end() != AssociationEnd::open) {
      // What comes late finds the entry, and is left alone.
      entry.is_over = true;
      close(entry);
    }
  } else if (seen.ends) {
    entry.is_over = true;
  }
}

AssociationTable::AssociationTable(const TableLimits& table_limits, const tcp::Limits& limits,
                                   tcp::BufferBudget& budget, AssociationSink& sink)
    : state_(std::make_unique<State>(table_limits, limits, budget, sink)) {}
AssociationTable::~AssociationTable() = default;

void AssociationTable::feed(const net::SctpPacket& packet) {
  state_->feed(packet);
}

void AssociationTable::finish(FrameNumber frame, TimePoint time) {
  // In the order in which they began.
  std::vector<Entry*> all;
  for (Entry& entry : state_->entries) {
    if (entry.association) all.push_back(&entry);
  }
  std::sort(all.begin(), all.end(), [](const Entry* a, const Entry* b) { return a->number < b->number; });
  for (Entry* entry : all) {
    entry->association->finish(Ending::capture_end, frame, time);
    entry->is_over = true;
    state_->close(*entry);
  }
}

const TableStatistics& AssociationTable::statistics() const noexcept {
  return state_->statistics;
}

std::size_t AssociationTable::size() const noexcept {
  return state_->entries.size();
}

}  // namespace iwarpscope::sctp
