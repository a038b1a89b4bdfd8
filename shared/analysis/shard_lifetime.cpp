// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Slots of queue pairs: taken, closed, retired and released, and what their models hold.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "analysis/shard_sctp.h"
#include "analysis/shard_state.h"

namespace iwarpscope::analysis {
namespace {

constexpr std::size_t kClosedKept = 512;  // closed queue pairs that may still see late packets
constexpr std::int64_t kIdleNs = 5'000'000'000;

}  // namespace

Shard::Slot* Shard::State::take_slot() {
  if (slots.size() - free_slots.size() >= max_qps) {
    ++refused;
    return nullptr;
  }
  std::uint32_t place = static_cast<std::uint32_t>(slots.size());
  if (!free_slots.empty()) {
    place = free_slots.back();
    free_slots.pop_back();
  } else {
    slots.emplace_back();
    fed.push_back(false);
  }
  slots[place] = std::make_unique<Slot>(*this, place);
  return slots[place].get();
}

void Shard::State::drop(std::uint32_t slot_index) {
  Slot& slot = *slots[slot_index];
  if (slot.tentative) --tentative;
  if (slot.flow != FlowTable::kNone) {
    Flow& flow = flows.at(slot.flow);
    flow.qp = Flow::kNoQp;
    flow.attempts = static_cast<std::uint8_t>(std::min(255, flow.attempts + 1));
  }
  drop_models(slot);
  if (slot.watcher != nullptr) slot.watcher->dropped();
  slots[slot_index].reset();
  free_slots.push_back(slot_index);
}

void Shard::State::list_closed(Slot& slot) {
  if (slot.closed_listed) return;
  slot.closed_listed = true;
  if (slot.had_models) slot.tell_end();
  closed.push_back(slot.place);
  retire_closed();
}

void Shard::State::retire_closed() {
  while (closed.size() > kClosedKept) {
    Slot& slot = *slots[closed.front()];
    closed.pop_front();
    retire(slot);
  }
}

void Shard::State::retire(Slot& slot) {
  slot.pair->finish(frame, slot.pair->last_time());
  slot.retired = std::make_unique<Slot::Retired>(Slot::Retired{slot.record(), slot.pair->mirror_duplicates(),
                                                               slot.pair->suppressed_findings(), slot.pair->messages(),
                                                               slot.models != nullptr ? slot.models->evicted() : 0});
  drop_models(slot);
  slot.pair.reset();
}

void Shard::State::add(ShardStatistics& to, const Slot& slot) {
  const bool live = slot.pair != nullptr;
  to.mirror_duplicates += live ? slot.pair->mirror_duplicates() : slot.retired->mirror_duplicates;
  to.suppressed_findings += live ? slot.pair->suppressed_findings() : slot.retired->suppressed;
  to.messages += live ? slot.pair->messages() : slot.retired->messages;
  if (!live) to.model_evictions += slot.retired->model_evictions;
  if (slot.models != nullptr) to.model_evictions += slot.models->evicted();
}

void Shard::State::account(Slot& slot) {
  fed[slot.place] = true;
  if (!slot.busy) busy.push_back(slot.place);
  slot.busy = true;
  if (slot.models == nullptr) return;
  models_held += slot.models->held_more();
  // The others, one after another; its own last.
  for (std::size_t looked = 0; models_held > model_octets && looked <= slots.size(); ++looked) {
    model_hand = model_hand + 1 < slots.size() ? model_hand + 1 : 0;
    Slot* const other = slots[model_hand].get();
    if (other == nullptr || other->models == nullptr || (other == &slot && looked < slots.size())) continue;
    other->models->give_up();
    models_held += other->models->held_more();
  }
}

void Shard::State::drop_models(Slot& slot) {
  if (slot.models == nullptr) return;
  models_held += slot.models->held_more();
  models_held -= slot.models->held();
  slot.models.reset();
}

/// Forgets silent connections without a queue pair: after a minute what is over, after a quarter of an hour the others.
void Shard::State::age(TimePoint now) {
  constexpr std::uint32_t kParts = 60;  // one each second; ours
  flows.age(kParts, [this](std::uint32_t index) {
    const Flow& flow = flows.at(index);
    if (flow.holds_early) return;
    count_unconfirmed(flow);
    reopenings.forget(index);
    flows.remove(index);
  });
  if (associations != nullptr) associations->age(now);
}

/// All of them at the same time of the capture, whatever else is in this shard.
void Shard::State::trim_idle() {
  std::erase_if(busy, [this](std::uint32_t place) {
    Slot* const slot = slots[place].get();
    if (slot == nullptr || !slot->busy) return true;  // it is gone, and its place may be another's
    if (slot->pair != nullptr && elapsed_ns(slot->pair->last_time(), time) <= kIdleNs) return false;
    slot->busy = false;
    if (slot->pair != nullptr) trim(*slot);
    return true;
  });
}

void Shard::State::trim(Slot& slot) {
  slot.pair->trim();
  if (slot.models == nullptr) return;
  if (slot.models->stags().size() != 0) slot.known_stags = std::make_unique<Slot::KnownStags>(slot.stags());
  slot.models->trim();
  models_held += slot.models->held_more();
  if (!slot.models->is_empty()) return;
  drop_models(slot);
  slot.gaps = {true, true};  // what came before is not known any more
}

std::vector<std::uint32_t> Shard::retire(FrameNumber frame, TimePoint time, const RetireLimits& limits,
                                         Reports& reports) {
  state_->reports = &reports;
  state_->frame = frame;
  std::vector<std::uint32_t> gone;
  for (const std::uint32_t slot_index : state_->confirmed) {
    if (slot_index == State::kNoSlot) continue;
    Slot& slot = *state_->slots[slot_index];
    if (slot.wait_listed && slot.pair != nullptr) continue;  // the next step of time reports more of it
    // Far behind the capture's time, or far ahead: its clock was set back.
    const std::int64_t apart = std::abs(elapsed_ns(last_time(slot.index), time));
    if (apart <= (slot.closed_listed ? limits.closed_ns : limits.idle_ns)) continue;
    if (slot.pair != nullptr) {
      if (slot.had_models && !slot.closed_listed) slot.tell_end();
      state_->retire(slot);
    }
    gone.push_back(slot.index);
  }
  std::erase_if(state_->closed, [this](std::uint32_t s) { return state_->slots[s]->pair == nullptr; });
  state_->age(time);
  return gone;
}

void Shard::release(std::uint32_t index) {
  const std::uint32_t slot_index = std::exchange(state_->confirmed[index], State::kNoSlot);
  Slot& slot = *state_->slots[slot_index];
  if (slot.flow != FlowTable::kNone) {
    Flow& flow = state_->flows.at(slot.flow);
    flow.qp = Flow::kNoQp;
    flow.plausible = 0;
    // What comes late of a connection that was closed is no new one.
    if (slot.closed_listed) flow.attempts = State::kMostAttempts;
    flow.ended = slot.closed_listed;
    flow.recent = true;
  }
  State::add(state_->released, slot);
  state_->slots[slot_index].reset();
  state_->free_slots.push_back(slot_index);
  state_->free_indices.push_back(index);
}

}  // namespace iwarpscope::analysis
