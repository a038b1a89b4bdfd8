// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of an engine as octets: what it is made of, and whether what was read belongs together.
#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/engine.h"
#include "analysis/shard_sctp.h"
#include "analysis/shard_state.h"
#include "base/archive.h"
#include "qp/sctp_queue_pair.h"

namespace iwarpscope::analysis {

template <class A>
void Shard::Slot::archive_connection(A& a) {
  qp::Beginning beginning;
  if (!a.is_reading()) beginning = tcp().beginning();
  a(beginning.a, beginning.b, beginning.first_frame, beginning.first_time);
  if (a.is_reading()) {
    pair = std::make_unique<qp::TcpQueuePair>(owner.environment, beginning, *this, owner.emulates ? this : nullptr);
  }
  tcp().archive(a);
}

template <class A>
void Shard::Slot::archive_session(A& a) {
  sctp::SessionStart start;
  if (!a.is_reading()) start = sctp().start();
  a(start.stream, start.endpoints, start.frame, start.time, start.openings);
  if (a.is_reading()) {
    pair = std::make_unique<qp::SctpQueuePair>(owner.environment, start, *this, owner.emulates ? this : nullptr);
  }
  sctp().archive(a);
}

template <class A>
void Shard::Slot::archive(A& a) {
  a(flow, retired, known_stags, flow_hash, index, is_session, session, overlay, tap_group, ulp, in_a_row, gaps);
  a_is_low = a.value(a_is_low);
  tentative = a.value(tentative);
  closed_listed = a.value(closed_listed);
  busy = a.value(busy);
  ulp_known = a.value(ulp_known);
  had_models = a.value(had_models);
  a(wait_listed);
  if (a.has(pair != nullptr)) {
    if (is_session || a.is_describing()) archive_session(a);
    if (!is_session) archive_connection(a);
  }
  if (!a.has(models != nullptr)) return;
  a.check(pair != nullptr);
  if (a.has_failed()) return;
  bool begin_seen = true;
  if (!a.is_reading()) begin_seen = models->was_begin_seen();
  a(begin_seen);
  if (a.is_reading()) {
    models = std::make_unique<emulation::QueuePairModels>(
        emulation::Ends{pair->end_a().address, pair->end_b().address, overlay, begin_seen}, gaps, ulp, *this);
  }
  a(*models);
  if (a.is_reading()) owner.models_held += models->held_more();
}

/// Connections, and what waits for them.
template <class A>
void Shard::State::archive_flows(A& a) {
  a(flows, latest, reopenings, banners, beginnings);
  std::size_t count = a.count(doubles.size(), flows.size());
  for (auto it = doubles.begin(); count != 0 && !a.has_failed(); --count) {
    std::uint32_t flow = a.is_reading() ? 0 : it->first;
    a(flow);
    if (a.is_reading()) {
      it = doubles
               .try_emplace(flow, std::make_unique<Double>(FrameNumber{}, std::vector<SegmentFacts>{}, 0, TimePoint{},
                                                           environment.budget))
               .first;
    }
    a(*it->second);
    if (!a.is_reading()) ++it;
  }
  count = a.count(early.size(), flows.size());
  for (auto it = early.begin(); count != 0 && !a.has_failed(); --count) {
    std::uint32_t flow = a.is_reading() ? 0 : it->first;
    a(flow);
    if (a.is_reading()) it = early.try_emplace(flow, make_early()).first;
    a(*it->second);
    if (!a.is_reading()) ++it;
  }
}

template <class A>
void Shard::State::archive_slots(A& a) {
  std::size_t count = a.count(slots.size(), max_qps);
  for (std::uint32_t place = 0; place < count && !a.has_failed(); ++place) {
    if (a.is_reading()) {
      slots.emplace_back();
      fed.push_back(false);
    }
    if (!a.has(slots[place] != nullptr)) continue;
    if (a.is_reading()) slots[place] = std::make_unique<Slot>(*this, place);
    a(*slots[place]);
  }
  a(free_slots, confirmed, free_indices, released, closed, waiting, refused, unconfirmed, idle, busy, frame, time);
  a(model_hand, environment.budget.met(), environment.requests_discarded);
}

template <class A>
void Shard::State::archive(A& a) {
  archive_flows(a);
  archive_slots(a);
  if (a.has(associations != nullptr)) {
    if (a.is_reading()) associations = std::make_unique<Associations>(*this, limits);
    associations->archive(a);
  }
  if (a.is_reading() && !a.has_failed()) a.check(is_sound());
}

bool Shard::State::is_sound(const Slot& slot) const {
  if (slot.pair == nullptr && (slot.retired == nullptr || slot.wait_listed || slot.tentative)) return false;
  if (slot.flow != FlowTable::kNone && slot.flow >= flows.extent()) return false;
  if (slot.is_session ? slot.flow != FlowTable::kNone || slot.wait_listed || slot.tentative
                      : slot.session != Slot::kNoSession) {
    return false;
  }
  if (slot.session != Slot::kNoSession && associations == nullptr) return false;
  if (slot.pair != nullptr && !slot.pair->is_confirmed()) return !slot.closed_listed;
  return !slot.tentative && slot.index < confirmed.size() && confirmed[slot.index] == slot.place;
}

bool Shard::State::are_slots_sound() const {
  std::vector<bool> is_free(slots.size());
  for (const std::uint32_t place : free_slots) {
    if (place >= slots.size() || slots[place] != nullptr || is_free[place]) return false;
    is_free[place] = true;
  }
  for (std::uint32_t place = 0; place < slots.size(); ++place) {
    if (slots[place] != nullptr ? !is_sound(*slots[place]) : !is_free[place]) return false;
  }
  const auto is_there = [this](std::uint32_t place) { return place < slots.size() && slots[place] != nullptr; };
  for (std::uint32_t index = 0; index < confirmed.size(); ++index) {
    if (confirmed[index] == kNoSlot) continue;
    if (!is_there(confirmed[index]) || slots[confirmed[index]]->index != index) return false;
    const Slot& slot = *slots[confirmed[index]];
    if (slot.pair != nullptr && !slot.pair->is_confirmed()) return false;
  }
  std::vector<bool> is_free_index(confirmed.size());
  for (const std::uint32_t index : free_indices) {
    if (index >= confirmed.size() || confirmed[index] != kNoSlot || is_free_index[index]) return false;
    is_free_index[index] = true;
  }
  const auto waits_for_end = [&](std::uint32_t place) {
    return is_there(place) && slots[place]->pair != nullptr && slots[place]->closed_listed;
  };
  const auto is_place = [this](std::uint32_t place) { return place < slots.size(); };
  return std::ranges::all_of(closed, waits_for_end) && std::ranges::all_of(waiting, is_place) &&
         std::ranges::all_of(busy, is_place);
}

bool Shard::State::is_sound() {
  for (const auto& slot : slots) tentative += slot != nullptr && slot->tentative ? 1 : 0;
  if (!are_slots_sound() || (latest != FlowTable::kNone && latest >= flows.extent())) return false;
  for (std::uint32_t index = 0; index < flows.extent(); ++index) {
    const Flow& flow = flows.at(index);
    if (!flow.used) continue;
    if (flow.holds_early && (!early.contains(index) || early.at(index)->empty())) return false;
    if (flow.qp == Flow::kNoQp) continue;
    if (flow.qp >= slots.size() || slots[flow.qp] == nullptr || slots[flow.qp]->is_session) return false;
  }
  bool is_there = true;
  const auto see = [&](std::uint32_t flow) { is_there = is_there && flow < flows.extent(); };
  reopenings.for_each_flow(see);
  for (const auto& [flow, both] : doubles) see(flow);
  for (const auto& [flow, held] : early) see(flow);
  return is_there;
}

template <class A>
void Shard::archive(A& a) {
  state_->archive(a);
}

bool Shard::has(std::uint32_t index) const noexcept {
  return index < state_->confirmed.size() && state_->confirmed[index] != State::kNoSlot;
}

void Shard::forget_other_flows() {
  for (std::uint32_t index = 0; index < state_->flows.extent(); ++index) {
    const Flow& flow = state_->flows.at(index);
    if (!flow.used || flow.qp != Flow::kNoQp || flow.holds_early || state_->doubles.contains(index)) continue;
    state_->reopenings.forget(index);
    state_->flows.remove(index);
  }
  if (state_->associations != nullptr) state_->associations->forget_others();
}

std::size_t Shard::archived_octets(std::uint32_t index) const {
  Archive archive(~std::size_t{0});
  state_->slots[state_->confirmed[index]]->archive(archive);
  return archive.size();
}

void Shard::forget(std::uint32_t index) {
  const std::uint32_t place = state_->confirmed[index];
  state_->drop_models(*state_->slots[place]);
  std::erase(state_->closed, place);
  release(index);
}

void Engine::forget_other_flows() {
  for (const auto& shard : shards_) shard->forget_other_flows();
}

std::size_t Engine::archived_octets(std::uint64_t number) const {
  const QpPlace place = merger_.place(number);
  return shards_[place.shard]->archived_octets(place.index);
}

void Engine::forget(std::uint64_t number) {
  const QpPlace place = merger_.place(number);
  merger_.forget(number);
  shards_[place.shard]->forget(place.index);
}

void Engine::archive(Archive& a) {
  a(clock_, decoder_, merger_, judge_, surroundings_);
  for (const auto& shard : shards_) {
    if (!a.has_failed()) a(*shard);
  }
  if (!a.is_reading() || a.has_failed()) return;
  std::uint64_t followed = 0;
  for (const auto& shard : shards_) followed += shard->followed().size();
  a.check(followed == merger_.followed());
  for (const std::uint64_t number : merger_.numbers()) {
    const QpPlace place = merger_.place(number);
    a.check(shards_[place.shard]->has(place.index));
  }
}

}  // namespace iwarpscope::analysis
