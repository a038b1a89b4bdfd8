// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/association_table.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "sctp/association_table_state.h"
#include "sctp/causal_order.h"

namespace iwarpscope::sctp {

namespace {

[[nodiscard]] bool has_ddp_indication(const std::optional<Opening>& opening) noexcept {
  return opening && opening->adaptation.is_ddp();
}

/// What an association could not read.
void add_counts(const Association& association, TableStatistics& to) noexcept {
  const AssociationStatistics& its = association.statistics();
  to.streams_refused += its.streams_refused;
  to.interleaved_chunks += its.interleaved_chunks;
}

}  // namespace

void AssociationTable::State::make_room(const net::SctpPacket& packet) {
  if (size() < table_limits.max_associations) return;
  // The one seen longest ago that is not followed; where all are, the oldest of them.
  Entries& from = entries.empty() ? following : entries;
  if (!from.back().is_over) ++(entries.empty() ? statistics.cut_short : statistics.discarded);
  forget(std::prev(from.end()), Ending::capture_end, packet.frame, packet.time);
}

AssociationTable::State::Found AssociationTable::State::add(const net::SctpPacket& packet) {
  make_room(packet);
  entries.emplace_front();
  const auto at = entries.begin();
  at->number = statistics.associations++;
  at->first = packet.source;
  // The place of another tenant is not taken.
  const auto before = by_passage(packet)[0];
  if (before && !before->entry->keys.empty() && !before->entry->is_over) {
    at->replaced = before->entry->keys.front();
    at->replaced_number = before->entry->number;
  }
  learn_passage(at, passage_of(packet));
  return {at, Direction::a_to_b};
}

void AssociationTable::State::learn_passage(Entries::iterator at, const Passage& passage) {
  std::vector<Passage>& its = at->passages;
  if (std::find(its.begin(), its.end(), passage) != its.end()) return;
  newest.insert_or_assign(passage.path, at);
  const auto [found, is_new] = passages.try_emplace(passage, at);
  if (!is_new) {
    std::erase(found->second->passages, passage);
    found->second = at;
  }
  if (its.size() == kMaxPaths) {
    const Passage oldest = its.front();
    passages.erase(oldest);
    its.erase(its.begin());
    forget_path(at, oldest.path);
  }
  its.push_back(passage);
}

/// Unless it passes there in another way.
void AssociationTable::State::forget_path(Entries::iterator at, const net::SctpPath& path) {
  const auto found = newest.find(path);
  if (found == newest.end() || found->second != at) return;
  if (std::ranges::find(at->passages, path, &Passage::path) == at->passages.end()) newest.erase(found);
}

void AssociationTable::State::learn_tag(Entries::iterator at, Direction d, const TagKey& key) {
  auto& known = at->tags[index(d)];
  if (known || key.tag == 0) return;
  known = key.tag;
  at->keys.push_back(key);
  tags.insert_or_assign(at->keys.back(), at);
}

/// What the packet teaches: the tags of both directions, and what INIT and INIT ACK say.
void AssociationTable::State::learn(Entry& entry, Entries::iterator at, Direction d, const net::SctpPacket& packet,
                                    const Glance& seen) {
  if (seen.init) {
    const auto opening = read_opening(*seen.init, packet.frame, packet.time);
    if (opening && !entry.openings[index(d)]) {
      entry.openings[index(d)] = *opening;
      learn_tag(at, opposite(d), key_of(packet, false, opening->place.initiate_tag));
    }
    if (seen.is_init && !entry.asked_by) entry.asked_by = d;
    if (opening && !seen.is_init) keep_offer(entry, d, *opening);
  }
  if (seen.is_init || seen.reflected) return;
  if (!seen.init) choose_offer(at, d, packet);
  learn_tag(at, d, key_of(packet, true, packet.verification_tag));
}

/// An INIT ACK. Source: RFC 9260 §5.1, §5.2.3: the end that answers an INIT keeps nothing of it, and chooses a new tag.
void AssociationTable::State::keep_offer(Entry& entry, Direction d, const Opening& opening) {
  if (entry.is_over || (!entry.offers.empty() && entry.offerer != d) || entry.offers.size() == kMaxOffers) return;
  entry.offerer = d;
  const bool known = std::any_of(entry.offers.begin(), entry.offers.end(), [&](const Opening& one) {
    return one.place.initiate_tag == opening.place.initiate_tag;
  });
  if (!known) entry.offers.push_back(opening);
}

/// The first packet with one of the tags offered shows which was taken: of several, or in place of one that was stale.
/// Source: RFC 9260 §5.2.6.
void AssociationTable::State::choose_offer(Entries::iterator at, Direction d, const net::SctpPacket& packet) {
  Entry& entry = *at;
  if (entry.offers.empty() || entry.offerer == d) return;
  const std::vector<Opening> offers = std::exchange(entry.offers, {});
  const auto taken = std::find_if(offers.begin(), offers.end(), [&](const Opening& one) {
    return one.place.initiate_tag == packet.verification_tag;
  });
  const Direction from = opposite(d);
  auto& opening = entry.openings[index(from)];
  if (taken == offers.end()) return;
  if (offers.size() == 1 && opening && opening->place.initiate_tag == taken->place.initiate_tag) return;
  opening = *taken;
  if (entry.association) entry.association->open(from, *taken, packet.frame, packet.time);
  if (const auto& first = entry.tags[index(d)]; first && *first != packet.verification_tag) {
    const TagKey key = key_of(packet, true, *first);
    std::erase(entry.keys, key);
    tags.erase(key);
  }
  entry.tags[index(d)].reset();
  learn_tag(at, d, key_of(packet, true, packet.verification_tag));
}

/// Both ends use the new association: what was open in the one before is over. An INIT alone is not enough, for it may
/// be refused, or forged. Source: RFC 9260 §5.2.
void AssociationTable::State::end_replaced(Entry& entry, Direction d, const net::SctpPacket& packet,
                                           const Glance& seen) {
  if (!entry.replaced || seen.init || seen.reflected) return;
  if (!entry.tags[0] || !entry.tags[1]) return;
  if (!seen.carries_data && (!entry.asked_by || *entry.asked_by == d)) return;
  const auto found = tags.find(*entry.replaced);
  const bool is_known = found != tags.end() && found->second->number == entry.replaced_number;
  // The capture may show its last packets late: its patience ends it.
  if (is_known && found->second->association && found->second->association->is_waiting()) return;
  entry.replaced.reset();
  if (!is_known) return;
  const auto old = found->second;
  old->is_over = true;
  if (!old->association) return;
  old->association->finish(Ending::restarted, packet.frame, packet.time);
  close(old);
}

std::unique_ptr<Association> AssociationTable::State::make_association(AssociationOrigin origin) {
  origin.streams_left = &streams_left;
  return std::make_unique<Association>(origin, limits, budget, sink);
}

/// Precondition: it is not followed.
void AssociationTable::State::follow(Entries::iterator at, Direction d, const net::SctpPacket& packet) {
  ++statistics.followed;
  following.splice(following.begin(), entries, at);
  Entry& entry = *at;
  AssociationOrigin origin;
  origin.number = entry.number;
  origin.init_seen = entry.openings[0].has_value() && entry.openings[1].has_value();
  origin.ends[index(d)] = packet.source;
  origin.ends[index(opposite(d))] = packet.destination;
  entry.association = make_association(origin);
  for (const Direction each : {Direction::a_to_b, Direction::b_to_a}) {
    const std::optional<Opening>& opening = entry.openings[index(each)];
    if (opening) entry.association->open(each, *opening, packet.frame, packet.time);
  }
}

/// After its association took something, or time passed for it.
void AssociationTable::State::note(Entries::iterator at) {
  if (at->association->end() != AssociationEnd::open) {
    // What comes late finds the entry, and is left alone.
    at->is_over = true;
    close(at);
  } else if (at->association->is_waiting()) {
    waiting.emplace(at->number, at);
  } else if (!waiting.empty()) {
    waiting.erase(at->number);
  }
}

void AssociationTable::State::pass_time(TimePoint now) {
  constexpr std::int64_t kEveryNs = kOrderPatienceNs / 10;
  if (waiting.empty() || std::abs(elapsed_ns(looked, now)) < kEveryNs) return;
  looked = now;
  for (auto next = waiting.begin(); next != waiting.end();) {
    const Entries::iterator at = (next++)->second;
    at->association->pass_time(now);
    note(at);
  }
}

/// Gives the memory of an association that is over back.
void AssociationTable::State::close(Entries::iterator at) {
  waiting.erase(at->number);
  add_counts(*at->association, statistics);
  at->association.reset();
  entries.splice(entries.begin(), following, at);
}

void AssociationTable::State::forget(Entries::iterator at, Ending how, FrameNumber frame, TimePoint time) {
  if (at->association) {
    at->association->finish(how, frame, time);
    close(at);
  }
  for (const Passage& passage : at->passages) {
    passages.erase(passage);
    const auto found = newest.find(passage.path);
    if (found != newest.end() && found->second == at) newest.erase(found);
  }
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
  // Where right ones are never seen, as on a sending host, a wrong one says nothing. Source: RFC 1122 §3.2.1.2.
  if (found && packet.ip_checksum_wrong && found->entry->ip_checksum_good[index(found->direction)]) {
    ++statistics.damaged;
    if (found->entry->association) found->entry->association->drop(found->direction, packet);
    return;
  }
  // A damaged packet teaches nothing: its ports and tag may be anybody's.
  const bool teaches = !found || seen.init || !found->entry->tags[0] || !found->entry->tags[1];
  if (teaches && net::checksum(packet) == net::Checksum::bad) {
    ++statistics.damaged;
    return;
  }
  if (!found) {
    if (seen.ends || !shows_association(packet)) return;  // out of the blue
    found = add(packet);
  }
  const auto at = found->entry;
  Entry& entry = *at;
  entry.last = packet.time;
  Entries& all = entry.association ? following : entries;
  if (at != all.begin()) all.splice(all.begin(), all, at);
  const Direction d = found->direction;
  learn_passage(at, passage_of(packet));
  if (packet.ip_checksum_good) entry.ip_checksum_good[index(d)] = true;
  if (!entry.tenants[index(d)]) entry.tenants[index(d)] = packet.tenant;
  if (!entry.tags[0] || !entry.tags[1]) note_numbers(entry, d, packet);
  learn(entry, at, d, packet, seen);
  end_replaced(entry, d, packet, seen);
  if (!entry.association && !entry.is_over) {
    const bool announced = entry.openings[0] && entry.openings[1] &&
                           (has_ddp_indication(entry.openings[0]) || has_ddp_indication(entry.openings[1]));
    const bool carries_ddp = announced || glance(packet, true).carries_ddp;
    if (carries_ddp && net::checksum(packet) != net::Checksum::bad) follow(at, d, packet);
  }
  if (entry.association) {
    entry.association->feed(d, packet);
    note(at);
  } else if (seen.ends) {
    entry.is_over = true;
  }
}

AssociationTable::AssociationTable(const TableLimits& table_limits, const tcp::Limits& limits, BufferBudget& budget,
                                   AssociationSink& sink)
    : state_(std::make_unique<State>(table_limits, limits, budget, sink)) {}
AssociationTable::~AssociationTable() = default;

void AssociationTable::feed(const net::SctpPacket& packet) {
  state_->feed(packet);
}

void AssociationTable::pass_time(TimePoint now) {
  state_->pass_time(now);
}

void AssociationTable::age(TimePoint now, std::int64_t over_ns, std::int64_t silent_ns) {
  Entries& all = state_->entries;
  // The last ones were seen longest ago, but for times that go back.
  for (auto next = all.end(); next != all.begin();) {
    const auto at = std::prev(next);
    const std::int64_t silent = std::abs(elapsed_ns(at->last, now));
    if (silent <= over_ns) break;
    if (at->is_over || silent > silent_ns) {
      state_->forget(at, Ending::capture_end, {}, now);
    } else {
      next = at;
    }
  }
}

void AssociationTable::forget_others() {
  while (!state_->entries.empty()) state_->forget(state_->entries.begin(), Ending::capture_end, {}, {});
}

void AssociationTable::finish(FrameNumber frame, TimePoint time) {
  // In the order in which they began.
  Entries& all = state_->following;
  all.sort([](const Entry& a, const Entry& b) { return a.number < b.number; });
  while (!all.empty()) {
    const auto at = all.begin();
    at->association->finish(Ending::capture_end, frame, time);
    at->is_over = true;
    state_->close(at);
  }
}

TableStatistics AssociationTable::statistics() const noexcept {
  TableStatistics all = state_->statistics;
  for (const Entry& entry : state_->following) add_counts(*entry.association, all);
  return all;
}

std::size_t AssociationTable::size() const noexcept {
  return state_->size();
}

std::size_t AssociationTable::streams() const noexcept {
  return state_->table_limits.max_streams - state_->streams_left;
}

}  // namespace iwarpscope::sctp
