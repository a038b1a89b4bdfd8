// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/shard.h"

#include <algorithm>
#include <utility>

#include "analysis/shard_sctp.h"
#include "analysis/shard_state.h"

namespace iwarpscope::analysis {
namespace {

constexpr std::size_t kLeastFlows = 16;             // of one shard
constexpr std::uint64_t kTrialOctets = 512u << 10;  // of one direction searched on trial

}  // namespace

ShardStatistics& ShardStatistics::operator+=(const ShardStatistics& other) noexcept {
  flows_evicted += other.flows_evicted;
  associations_evicted += other.associations_evicted;
  streams_refused += other.streams_refused;
  interleaved_chunks += other.interleaved_chunks;
  qps_refused += other.qps_refused;
  mirror_duplicates += other.mirror_duplicates;
  suppressed_findings += other.suppressed_findings;
  unconfirmed += other.unconfirmed;
  messages += other.messages;
  model_evictions += other.model_evictions;
  flows += other.flows;
  associations += other.associations;
  streams += other.streams;
  model_octets += other.model_octets;
  buffered_octets += other.buffered_octets;
  requests_discarded += other.requests_discarded;
  met.all_octets += other.met.all_octets;
  met.direction_octets += other.met.direction_octets;
  met.direction_chunks += other.met.direction_chunks;
  met.search += other.met.search;
  met.searched += other.met.searched;
  return *this;
}

Limits in_force(Limits limits) noexcept {
  const auto divided = [](std::size_t all, std::size_t least) { return std::max(all / kShards, least) * kShards; };
  limits.max_flows = divided(limits.max_flows, kLeastFlows);
  limits.max_associations = divided(limits.max_associations, 1);
  limits.max_streams = divided(limits.max_streams, 1);
  limits.max_qps = divided(limits.max_qps, 1);
  limits.buffer_octets = divided(limits.buffer_octets, 0);
  limits.model_octets = divided(limits.model_octets, 0);
  limits.mpa.max_searched_octets = std::min(limits.mpa.max_searched_octets, kTrialOctets);
  return limits;
}

std::size_t shard_of(const net::FlowKey& key) noexcept {
  return static_cast<std::size_t>(net::stable_hash(key) >> 60) % kShards;
}

std::uint64_t association_hash(std::uint16_t port, std::uint16_t other, std::uint32_t overlay) noexcept {
  net::FlowKey key{{{}, std::min(port, other)}, {{}, std::max(port, other)}, overlay};
  return net::stable_hash(key);
}

std::uint64_t association_hash(const net::SctpPacket& packet) noexcept {
  return association_hash(packet.source.port, packet.destination.port, packet.overlay);
}

std::uint64_t flow_hash_of(const net::Decoding& decoded) noexcept {
  if (const auto* const tcp = std::get_if<net::TcpPacket>(&decoded)) return net::stable_hash(tcp->flow());
  const auto* const sctp = std::get_if<net::SctpPacket>(&decoded);
  return sctp != nullptr ? association_hash(*sctp) : 0;
}

std::size_t shard_of(const net::SctpPacket& packet) noexcept {
  return static_cast<std::size_t>(association_hash(packet) >> 60) % kShards;
}

Shard::State::State(std::uint32_t n, const Options& o, Trace* t)
    : number(n),
      flows(in_force(o.limits).max_flows / kShards),
      limits(in_force(o.limits)),
      max_qps(in_force(o.limits).max_qps / kShards),
      environment(in_force(o.limits).buffer_octets / kShards),
      model_octets(in_force(o.limits).model_octets / kShards),
      emulates(o.emulation),
      trace(t) {
  environment.tcp = o.limits.tcp;
  environment.mpa = in_force(o.limits).mpa;
  environment.messages = o.messages;
  environment.atomic_results = o.atomic_results;
  environment.requests = o.requests;
  environment.digest = o.digest;
  environment.transport = o.transport;
  environment.outages = o.outages;
  environment.max_outstanding_requests = o.limits.max_outstanding_requests;
  environment.findings_per_rule = o.limits.findings_per_rule;
}

void Shard::State::begin(FrameNumber at_frame, TimePoint at_time) {
  frame = at_frame;
  time = at_time;
}

void Shard::State::decide(findings::Finding& finding) const {
  if (finding.frames.empty()) finding.frames = {finding.frame.value != 0 ? finding.frame : frame};
  std::sort(finding.frames.begin(), finding.frames.end());
  finding.frames.erase(std::unique(finding.frames.begin(), finding.frames.end()), finding.frames.end());
  if (finding.frame == frame) return;
  finding.frame = frame;
  finding.time = time;
}

void Shard::State::feed(const net::SctpPacket& packet) {
  begin(packet.frame, packet.time);
  if (associations == nullptr) associations = std::make_unique<Associations>(*this, limits);
  associations->feed(packet);
}

Shard::Shard(std::uint32_t number, const Options& options, Trace* trace)
    : state_(std::make_unique<State>(number, options, trace)) {}
Shard::~Shard() = default;

void Shard::feed(const net::TcpPacket& packet, Reports& reports) {
  state_->reports = &reports;
  state_->feed(packet);
}

void Shard::feed(const net::SctpPacket& packet, Reports& reports) {
  state_->reports = &reports;
  state_->feed(packet);
}

void Shard::pass_time(FrameNumber frame, TimePoint time, Reports& reports) {
  state_->reports = &reports;
  state_->begin(frame, time);
  state_->pass_time();
}

std::uint32_t Shard::qps() const noexcept {
  return static_cast<std::uint32_t>(state_->confirmed.size());
}

void Shard::finish_trials(FrameNumber frame, TimePoint time, Reports& reports) {
  state_->reports = &reports;
  state_->frame = frame;
  state_->time = time;
  state_->expire_doubles(true);
  state_->expire_early(true);
  if (state_->associations != nullptr) state_->associations->finish(frame, time);
  for (const auto& slot : state_->slots) {
    if (slot != nullptr && slot->pair != nullptr && !slot->pair->is_confirmed()) slot->pair->finish(frame, time);
  }
}

void Shard::finish(std::uint32_t index, FrameNumber frame, TimePoint time, Reports& reports) {
  state_->reports = &reports;
  state_->frame = frame;
  state_->time = time;
  Slot& slot = *state_->slots[state_->confirmed[index]];
  if (slot.pair == nullptr) return;
  slot.pair->finish(frame, time);
  if (!slot.had_models || slot.closed_listed) return;
  // What its close waited for does not come any more; and of a close the capture may have a part only.
  if (slot.pair->first_close().happened()) slot.tell_end();
}

qp::QpRecord Shard::record(std::uint32_t index) const {
  const Slot& slot = *state_->slots[state_->confirmed[index]];
  return slot.retired != nullptr ? slot.retired->record : slot.record();
}

std::uint64_t Shard::flow_hash(std::uint32_t index) const noexcept {
  return state_->slots[state_->confirmed[index]]->flow_hash;
}

TimePoint Shard::last_time(std::uint32_t index) const noexcept {
  const Slot& slot = *state_->slots[state_->confirmed[index]];
  return slot.pair != nullptr ? slot.pair->last_time() : slot.retired->record.last_time;
}

std::vector<std::uint32_t> Shard::take_fed() {
  std::vector<std::uint32_t> indices;
  std::vector<bool>& fed = state_->fed;
  for (auto it = std::find(fed.begin(), fed.end(), true); it != fed.end(); it = std::find(it, fed.end(), true)) {
    *it = false;
    const Slot* const slot = state_->slots[static_cast<std::size_t>(it - fed.begin())].get();
    const bool is_confirmed = slot != nullptr && (slot->retired != nullptr || slot->pair->is_confirmed());
    if (is_confirmed) indices.push_back(slot->index);
  }
  return indices;
}

std::vector<std::uint32_t> Shard::followed() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < state_->confirmed.size(); ++i) {
    if (state_->confirmed[i] != State::kNoSlot) all.push_back(i);
  }
  return all;
}

ShardStatistics Shard::quick_statistics() const {
  ShardStatistics s = state_->released;
  s.flows_evicted = state_->flows.evicted();
  s.qps_refused = state_->refused;
  s.flows = state_->flows.size();
  s.model_octets = state_->models_held;
  s.buffered_octets = state_->environment.budget.held();
  s.requests_discarded = state_->environment.requests_discarded;
  if (state_->associations != nullptr) state_->associations->add_to(s);
  s.met = state_->environment.budget.met();
  for (std::uint32_t slot_index : state_->confirmed) {
    if (slot_index != State::kNoSlot) State::add(s, *state_->slots[slot_index]);
  }
  return s;
}

ShardStatistics Shard::statistics() const {
  ShardStatistics s = quick_statistics();
  s.unconfirmed = state_->unconfirmed;
  for (std::uint32_t i = 0; i < state_->flows.extent(); ++i) {
    const Flow& flow = state_->flows.at(i);
    if (flow.used && flow.plausible >= State::kSuspicious && !state_->is_followed(flow)) ++s.unconfirmed;
  }
  return s;
}

Shards make_shards(const Options& options, Trace* trace) {
  Shards shards;
  shards.reserve(kShards);
  for (std::uint32_t i = 0; i < kShards; ++i) shards.push_back(std::make_unique<Shard>(i, options, trace));
  return shards;
}

}  // namespace iwarpscope::analysis
