// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/shard_sctp.h"

#include <utility>

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
    return slot != nullptr && slot->pair != nullptr && slot->session == number_ ? slot : nullptr;
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

void Shard::Associations::OfNoSession::raise(findings::Finding finding) {
  owner.decide(finding);
  owner.reports->events.emplace_back(owner.frame, std::nullopt, std::move(finding));
}

}  // namespace iwarpscope::analysis
