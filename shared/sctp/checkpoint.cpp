// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of associations as octets: what it is made of, and whether what was read belongs together.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "sctp/association_state.h"
#include "sctp/association_table_state.h"

namespace iwarpscope::sctp {

// ---- the TSNs of a direction ----

template <class A>
void TsnLine::archive(A& a) {
  a(begun_, missed_first_, lacks_end_, blocks_whole_, early_, first_, floor_, next_, highest_, highest_end_, runs_);
  a(hole_since_, overdue_since_, acked_, blocks_, lost_, discarded_, lost_count_, gap_count_, found_);
  a(abandoned_begin_, abandoned_end_);
  if (a.is_reading()) a.check(is_sound());
}

bool TsnLine::is_sound() const noexcept {
  if (runs_.size() > kMaxRuns || lost_.size() > kMaxLost || blocks_.size() > kMaxBlocks) return false;
  Tsn end = next_;
  for (const auto& [begin, its_end] : runs_) {
    if (begin < end || begin >= its_end) return false;
    end = its_end;
  }
  end = 0;
  return std::ranges::all_of(lost_, [&end](const Lost& one) {
    const bool follows = one.begin >= end && one.begin < one.end;
    end = one.end;
    return follows;
  });
}

// ---- what waits ----

template <class A>
void Lane::archive(A& a) {
  a(over, reported_outstanding, begun_, gap_, after_gap_, overflowed_, next_, last_tsn_, highest_tsn_, highest_frame_);
  a(begin_ssn_, begin_tsn_, hole_since_, placed_time_, terminate_ssn_, received_, unacknowledged_, head_, held_);
  // How much it holds without asking for more.
  std::uint32_t room_for = static_cast<std::uint32_t>(unacknowledged_.capacity());
  a(room_for);
  if (a.is_reading() && !a.has_failed()) a.check(is_sound_and_paid(room_for));
}

bool Lane::is_sound_and_paid(std::size_t room_for) {
  for (auto held = held_.begin(); held != held_.end(); ++held) {
    if (waiting_->take(held->second.cost())) continue;
    held_.erase(held, held_.end());
    return false;
  }
  if (room_for < unacknowledged_.size() || room_for > 2 * kMostUnacknowledged || head_ > unacknowledged_.size()) {
    return false;
  }
  const std::size_t cost = room_for * sizeof(Tsn);
  if (cost > kFreeOctets) {
    if (!waiting_->take_room(cost)) return false;
    room_ = cost;
  }
  unacknowledged_.reserve(room_for);
  for (std::size_t i = head_; i < unacknowledged_.size(); ++i) {
    if (messages(unacknowledged_[i]) > kMostUnacknowledged) return false;
    outstanding_ += messages(unacknowledged_[i]);
  }
  return true;
}

template <class A>
void Fragments::archive(A& a) {
  std::size_t count = a.count(held_.size(), ~std::size_t{0});
  for (auto one = held_.begin(); count != 0 && !a.has_failed(); --count) {
    Held held;
    if (!a.is_reading()) held = (one++)->second;
    a(held.fragment, held.octets);
    if (!a.is_reading() || a.has_failed()) continue;
    a.check(!held_.contains(held.fragment.tsn) && waiting_.take(cost(held)));
    if (a.has_failed()) return;
    const Fragment& fragment = held_.emplace(held.fragment.tsn, std::move(held)).first->second.fragment;
    const auto run = extend(fragment);
    a.check(!run->second.begins || !run->second.ends);  // a message that is whole does not wait
  }
  a(refused_);
}

template <class A>
void CausalOrder::archive(A& a) {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    Queue& queue = held_[index(d)];
    const std::size_t count = a.count(queue.size(), kMaxPackets);
    for (std::size_t k = 0; k < count && !a.has_failed(); ++k) {
      Held one;
      if (!a.is_reading()) one = queue[k];
      a(one.packet, one.octets, one.number, one.waits);
      if (!a.is_reading()) continue;
      one.packet.chunks = one.octets;
      Held copy = copy_of(one.packet);
      copy.number = one.number;
      copy.waits = one.waits;
      a.check(one.octets.size() <= one.packet.chunks_length && pay_for(d, copy));
      if (!a.has_failed()) queue.push_back(std::move(copy));
    }
  }
  a(count_, waived_, unseen_waived_, opening_waived_, opens_again_, shutdown_waived_, cut_short_);
}

// ---- streams and associations ----

template <class A>
void Stream::archive(A& a) {
  a(number_, losses_at_end_, missed_, suspicions_, splits_, pending_, pending_since_, tally_);
  for (auto one = pending_.begin(); a.is_reading() && one != pending_.end(); ++one) {
    a.check(pending_.size() <= kMaxPending && context_.waiting(one->direction).take(one->held.cost()));
    if (!a.has_failed()) continue;
    pending_.erase(one, pending_.end());
    return;
  }
  a.owned(session_, [this] { return std::make_unique<Session>(context_); });
  if (session_ == nullptr || !a.has(session_->sink != nullptr)) return;
  std::uint32_t name = a.is_reading() ? 0 : context_.sink.name_of(*session_->sink);
  a(name);
  if (!a.is_reading() || a.has_failed()) return;
  a.check(!session_->whole);
  session_->sink = context_.sink.resume(name, *this);
  a.check(session_->sink != nullptr);
}

template <class A>
void Association::State::archive(A& a) {
  a(context, order, fragments);
  std::size_t count = a.count(streams.size(), kMaxStreams);
  for (auto it = streams.begin(); count != 0 && !a.has_failed(); --count) {
    std::uint16_t id = a.is_reading() ? std::uint16_t{0} : it->first;
    a(id);
    a.check(!streams.contains(id));
    Stream* const stream = a.has_failed() ? nullptr : stream_of(id);
    a.check(stream != nullptr);
    if (a.has_failed()) return;
    a(*stream);
    if (!a.is_reading()) ++it;
  }
  a(waiting, settled, settles, looks, openings, chosen, recent, sizes, damaged, offloaded, closed_windows);
  a(dropped, reported_other, path, plausible, confirmed, statistics);  // one that ended is not kept
  const auto is_there = [this](std::uint16_t id) { return streams.contains(id); };
  a.check(std::ranges::all_of(waiting, is_there));
  for (const auto& suspects : context.suspects) a.check(std::ranges::all_of(suspects, is_there));
}

template <class A>
void Association::archive(A& a) {
  state_->archive(a);
}

// ---- the table ----

namespace {

using Places = std::vector<Entries::iterator>;

/// What leads to an entry; entries are known by their places.
template <class A, class Map, class Leads>
void archive_finder(A& a, Map& map, const Places& all, Leads leads) {
  absl::flat_hash_map<const Entry*, std::uint32_t> places;
  for (std::uint32_t place = 0; !a.is_reading() && place < all.size(); ++place) places[&*all[place]] = place;
  std::size_t count = a.count(map.size(), ~std::size_t{0});
  for (auto it = map.begin(); count != 0 && !a.has_failed(); --count) {
    typename Map::key_type key{};
    std::uint32_t place = 0;
    if (!a.is_reading()) {
      key = it->first;
      place = places.at(&*it->second);
      ++it;
    }
    a(key, place);
    a.check(place < all.size() && leads(key, *all[place]));
    if (a.is_reading() && !a.has_failed()) a.check(map.try_emplace(key, all[place]).second);
  }
}

}  // namespace

template <class A>
void AssociationTable::State::archive_entries(A& a, Entries& all, bool are_followed) {
  std::size_t count = a.count(all.size(), table_limits.max_associations);
  for (auto at = all.begin(); count != 0 && !a.has_failed(); --count) {
    if (a.is_reading()) at = all.emplace(all.end());
    a(*at);
    a.check(at->passages.size() <= kMaxPaths && at->offers.size() <= kMaxOffers);
    if (are_followed && !a.has_failed()) {
      if (a.is_reading()) at->association = make_association({});
      at->association->archive(a);
      if (a.is_reading() && at->association->is_waiting()) waiting.emplace(at->number, at);
    }
    ++at;
  }
}

template <class A>
void AssociationTable::State::archive(A& a) {
  archive_entries(a, entries, false);
  archive_entries(a, following, true);
  Places all;
  for (Entries* const list : {&entries, &following}) {
    for (auto at = list->begin(); at != list->end(); ++at) all.push_back(at);
  }
  const auto contains = [](const auto& keys, const auto& key) { return std::ranges::find(keys, key) != keys.end(); };
  archive_finder(a, passages, all, [&](const Passage& key, const Entry& one) { return contains(one.passages, key); });
  archive_finder(a, newest, all, [](const net::SctpPath& key, const Entry& one) {
    return std::ranges::find(one.passages, key, &Passage::path) != one.passages.end();
  });
  archive_finder(a, tags, all, [&](const TagKey& key, const Entry& one) { return contains(one.keys, key); });
  a(looked, statistics);
}

template <class A>
void AssociationTable::archive(A& a) {
  state_->archive(a);
}
template void AssociationTable::archive(Archive& a);

}  // namespace iwarpscope::sctp
