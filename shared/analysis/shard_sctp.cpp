// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/shard_sctp.h"

#include <algorithm>
#include <utility>

#include "base/archive.h"
#include "qp/sctp_queue_pair.h"

namespace iwarpscope::analysis {

/// Hands a session's messages to the queue pair of a slot, as long as that is there.
class Shard::Associations::Session final : public sctp::SessionSink {
 public:
  Session(Associations& all, std::uint32_t number, std::uint32_t slot) : all_(all), number_(number), slot_(slot) {}

  void control(Direction d, const sctp::ControlMessage& message) override {
    tell([&](sctp::SessionSink& to) { to.control(d, message); });
  }
  void segment(Direction d, const sctp::Message& message) override {
    tell([&](sctp::SessionSink& to) { to.segment(d, message); });
  }
  void missing(Direction d, const sctp::MissingMessages& messages, FrameNumber frame, TimePoint time) override {
    tell([&](sctp::SessionSink& to) { to.missing(d, messages, frame, time); });
  }
  void chunk(Direction d, sctp::ChunkEvent what, std::uint32_t octets, FrameNumber frame, TimePoint time) override {
    tell([&](sctp::SessionSink& to) { to.chunk(d, what, octets, frame, time); });
  }
  void ended(sctp::Ending how, std::optional<Direction> by, bool whole, FrameNumber frame, TimePoint time) override {
    tell([&](sctp::SessionSink& to) { to.ended(how, by, whole, frame, time); });
    if (!whole) return;
    if (Slot* const slot = live(); slot != nullptr) {
      slot->session = Slot::kNoSession;
      if (slot->pair->is_closed()) all_.owner_.list_closed(*slot);
    }
    all_.ended_.push_back(number_);
  }
  [[nodiscard]] std::uint32_t number() const noexcept { return number_; }
  [[nodiscard]] std::uint32_t slot() const noexcept { return slot_; }
  /// Fails where it goes on already.
  [[nodiscard]] bool resume(const sctp::SessionView& view) {
    if (std::exchange(goes_on_, true)) return false;
    if (Slot* const slot = live(); slot != nullptr) pair_of(*slot).resume(view);
    return true;
  }
  [[nodiscard]] bool goes_on() const noexcept { return goes_on_; }

  findings::Reporter& reporter(FrameNumber frame, TimePoint time) override {
    Slot* const slot = live();
    return slot != nullptr ? pair_of(*slot).session().reporter(frame, time) : nowhere_;
  }

 private:
  struct Nowhere final : findings::Reporter {
    void raise(findings::Finding) override {}
  };

  static qp::SctpQueuePair& pair_of(Slot& slot) noexcept { return static_cast<qp::SctpQueuePair&>(*slot.pair); }
  /// Null: the queue pair was given up, and its slot may be another's.
  [[nodiscard]] Slot* live() const noexcept {
    Slot* const slot = all_.owner_.slots[slot_].get();
    return slot != nullptr && slot->pair != nullptr && slot->is_session && slot->session == number_ ? slot : nullptr;
  }
  template <class Call>
  void tell(Call call) {
    Slot* const slot = live();
    if (slot == nullptr) return;
    call(pair_of(*slot).session());
    all_.owner_.account(*slot);
  }

  Associations& all_;
  const std::uint32_t number_;
  const std::uint32_t slot_;
  bool goes_on_ = false;  ///< it was archived, and its association knows it again
  Nowhere nowhere_;
};

namespace {

sctp::TableLimits table_limits(const Limits& limits) noexcept {
  const Limits all = in_force(limits);
  return {.max_associations = all.max_associations / kShards, .max_streams = all.max_streams / kShards};
}

}  // namespace

Shard::Associations::Associations(State& owner, const Limits& limits)
    : owner_(owner),
      limits_(limits.tcp),
      of_no_session_(owner),
      table_(table_limits(limits), limits_, owner.environment.budget, *this) {}
Shard::Associations::~Associations() = default;

void Shard::Associations::feed(const net::SctpPacket& packet) {
  table_.feed(packet);
  forget_ended();
}

void Shard::Associations::pass_time(TimePoint now) {
  table_.pass_time(now);
  forget_ended();
}

void Shard::Associations::age(TimePoint now) {
  constexpr std::int64_t kMinuteNs = 60'000'000'000;
  table_.age(now, kMinuteNs, 15 * kMinuteNs);
}

void Shard::Associations::finish(FrameNumber frame, TimePoint time) {
  table_.finish(frame, time);
  forget_ended();
}

void Shard::Associations::forget_ended() {
  for (const std::uint32_t number : ended_) {
    sessions_[number].reset();
    free_.push_back(number);
  }
  ended_.clear();
}

void Shard::Associations::add_to(ShardStatistics& statistics) const noexcept {
  const sctp::TableStatistics t = table_.statistics();
  statistics.associations = table_.size();
  statistics.streams = table_.streams();
  statistics.streams_refused = t.streams_refused;
  statistics.interleaved_chunks = t.interleaved_chunks;
  statistics.associations_evicted = t.discarded + t.cut_short;
}

void Shard::Associations::data(const sctp::DataSeen& chunk) {
  if (owner_.trace != nullptr) owner_.trace->data(number_of(chunk.association), chunk);
}

sctp::SessionSink* Shard::Associations::begin(const sctp::SessionStart& session) {
  Slot* const slot = owner_.take_slot();
  if (slot == nullptr) return nullptr;
  slot->overlay = session.tenant;
  slot->tap_group = session.tap_group;
  slot->flow_hash = association_hash(session.endpoints[0].port, session.endpoints[1].port, session.overlay);
  slot->gaps = {session.joined, session.joined};
  std::uint32_t number = static_cast<std::uint32_t>(sessions_.size());
  if (!free_.empty()) {
    number = free_.back();
    free_.pop_back();
  } else {
    sessions_.emplace_back();
  }
  slot->session = number;
  slot->is_session = true;
  if (owner_.trace != nullptr) slot->watcher = owner_.trace->follow(number_of(session.association), session);
  const bool observes = owner_.emulates || slot->watcher != nullptr;
  slot->pair = std::make_unique<qp::SctpQueuePair>(owner_.environment, session, *slot, observes ? slot : nullptr);
  sessions_[number] = std::make_unique<Session>(*this, number, slot->place);
  return sessions_[number].get();
}

std::uint32_t Shard::Associations::name_of(const sctp::SessionSink& sink) const {
  return static_cast<const Session&>(sink).number();
}

sctp::SessionSink* Shard::Associations::resume(std::uint32_t name, const sctp::SessionView& view) {
  if (name >= sessions_.size() || sessions_[name] == nullptr || !sessions_[name]->resume(view)) return nullptr;
  return sessions_[name].get();
}

bool Shard::Associations::is_sound() const {
  std::vector<bool> is_free(sessions_.size());
  for (const std::uint32_t number : free_) {
    if (number >= sessions_.size() || sessions_[number] != nullptr || is_free[number]) return false;
    is_free[number] = true;
  }
  const auto is_one = [](const auto& session) { return session == nullptr || session->goes_on(); };
  if (!std::ranges::all_of(sessions_, is_one)) return false;
  return std::ranges::all_of(owner_.slots, [this](const auto& slot) {
    if (slot == nullptr || slot->session == Slot::kNoSession) return true;
    const bool is_there = slot->session < sessions_.size() && sessions_[slot->session] != nullptr;
    return is_there && sessions_[slot->session]->slot() == slot->place;
  });
}

template <class A>
void Shard::Associations::archive(A& a) {
  for (std::size_t number = 0, count = a.count(sessions_.size(), ~std::size_t{0}); number < count; ++number) {
    if (a.is_reading()) sessions_.emplace_back();
    auto& session = sessions_[number];
    if (!a.has(session != nullptr)) continue;
    std::uint32_t slot = session != nullptr ? session->slot() : 0;
    a(slot);
    a.check(slot < owner_.slots.size());
    if (a.has_failed()) return;
    if (a.is_reading()) session = std::make_unique<Session>(*this, static_cast<std::uint32_t>(number), slot);
  }
  a(free_, table_);
  if (a.is_reading() && !a.has_failed()) a.check(is_sound());
}
template void Shard::Associations::archive(Archive& a);

void Shard::Associations::OfNoSession::raise(findings::Finding finding) {
  owner.decide(finding);
  owner.reports->events.emplace_back(owner.frame, std::nullopt, std::move(finding));
}

}  // namespace iwarpscope::analysis
