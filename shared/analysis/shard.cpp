#include "analysis/shard.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "analysis/shard_sctp.h"
#include "analysis/shard_state.h"
#include "mpa/resync.h"
#include "mpa/startup.h"
#include "mpa/startup_frame_view.h"
#include "mpa/ulpdu_header.h"

namespace iwarpscope::analysis {
namespace {

// How much an ordinary connection may cost before it is left alone.
constexpr std::uint16_t kLookedAt = 64;  // TCP segments with payload whose start is tested, both directions together
constexpr std::uint16_t kSearched = 6;   // of these, searched at every octet when the SYN was not seen
constexpr std::uint64_t kSearchCrcOctets = 16u << 10;
constexpr std::uint8_t kMostAttempts = 3;
constexpr std::uint8_t kSuspicious = 2;     // TCP segments that begin like an FPDU until a connection looks like iWARP
constexpr std::size_t kMostTentative = 32;  // queue pairs on trial at one time
constexpr std::uint64_t kTrialOctets = 512u << 10;  // of one direction searched on trial
constexpr std::size_t kClosedKept = 512;            // closed queue pairs that may still see late TCP segments
constexpr std::uint64_t kTrimEvery = 64;            // TCP segments between looks at one queue pair
constexpr std::int64_t kIdleNs = 5'000'000'000;
constexpr std::size_t kLeastFlows = 16;  // of one shard

/// Of octets that may be a startup frame. The keys differ in one octet. Source: RFC 5044 §7.1.1.
bool is_reply(Octets payload) noexcept {
  constexpr std::size_t kDiffers = 9;
  return payload.size() > kDiffers && payload[kDiffers] == mpa::kReplyKey[kDiffers];
}

/// Of a TCP segment on the addresses and ports of a queue pair that was closed and is no longer followed.
bool begins_connection(const net::TcpPacket& packet) noexcept {
  if (packet.has(net::tcp_flag::syn)) return !packet.has(net::tcp_flag::ack);
  return qp::begins_with_request(packet);
}

}  // namespace

ShardStatistics& ShardStatistics::operator+=(const ShardStatistics& other) noexcept {
  flows_evicted += other.flows_evicted;
  qps_refused += other.qps_refused;
  mirror_duplicates += other.mirror_duplicates;
  suppressed_findings += other.suppressed_findings;
  unconfirmed += other.unconfirmed;
  messages += other.messages;
  model_evictions += other.model_evictions;
  flows += other.flows;
  model_octets += other.model_octets;
  buffered_octets += other.buffered_octets;
  requests_forgotten += other.requests_forgotten;
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
  environment.digest = o.digest;
  environment.transport = o.transport;
  environment.deaf = o.deaf;
  environment.max_outstanding_requests = o.limits.max_outstanding_requests;
  environment.findings_per_rule = o.limits.findings_per_rule;
}

void Shard::State::feed(const net::TcpPacket& packet) {
  frame = packet.frame;
  time = packet.time;
  const net::FlowKey key = packet.flow();
  bool fresh = false;
  const std::uint32_t index = flows.find_or_add(key, fresh);
  if (index == FlowTable::kNone) return;
  if (fresh) {
    flows.at(index).first_frame = packet.frame;
    flows.at(index).first_time = packet.time;
  }
  flows.at(index).recent = true;
  feed_flow(index, packet);
  if (++fed % kTrimEvery == 0) trim_one();
}

void Shard::State::feed_flow(std::uint32_t flow_index, const net::TcpPacket& packet) {
  Flow& flow = flows.at(flow_index);
  const bool from_low = packet.source == flow.key.low;
  if (flow.qp != Flow::kNoQp && feed_followed(flow, packet, from_low)) return;
  if (flow.is_reopened_by(packet, from_low)) {
    count_unconfirmed(flow);
    flow.begin_anew(packet);
  }
  flow.note_opening(packet, from_low);
  bool midstream = false;
  if (!packet.payload.empty() && wants_promotion(flow, packet, from_low, midstream)) {
    promote(flow_index, packet, from_low, midstream);
    return;
  }
  flow.note(packet, from_low);
  if (packet.has(net::tcp_flag::rst) || (flow.fin_low && flow.fin_high)) {
    count_unconfirmed(flow);
    flows.remove(flow_index);
  }
}

/// A TCP segment on the addresses and ports of a queue pair. Fails (false) when it begins another connection: the flow
/// is then that one's. Precondition: the flow has a queue pair.
bool Shard::State::feed_followed(Flow& flow, const net::TcpPacket& packet, bool from_low) {
  Slot& slot = *slots[flow.qp];
  const Direction d = from_low == slot.a_is_low ? Direction::a_to_b : Direction::b_to_a;
  const bool reused = slot.pair != nullptr ? slot.tcp().is_reused_by(d, packet) : begins_connection(packet);
  if (reused) {
    count_unconfirmed(flow);
    slot.flow = FlowTable::kNone;
    if (slot.had_models && !slot.closed_listed) slot.tell(emulation::StreamEnded{});
    if (slot.pair != nullptr && !slot.pair->is_confirmed()) drop(flow.qp);
    flow.begin_anew(packet);
    return false;
  }
  if (slot.tentative && !packet.payload.empty() && flow.payloads < kLookedAt) {
    ++flow.payloads;
    const bool plausible = mpa::plausible_fpdu(packet.payload).kind == mpa::Plausible::Kind::header;
    if (plausible && flow.plausible < 255) ++flow.plausible;
  }
  feed_slot(flow.qp, packet, from_low);
  return true;
}

bool Shard::State::wants_promotion(Flow& flow, const net::TcpPacket& packet, bool, bool& midstream) {
  if (mpa::may_be_startup_frame(packet.payload)) {
    midstream = false;
    return flow.attempts < kMostAttempts + 2;
  }
  if (flow.payloads >= kLookedAt || flow.attempts >= kMostAttempts) return false;
  ++flow.payloads;
  midstream = true;
  return is_midstream(flow, packet);
}

bool Shard::State::is_midstream(Flow& flow, const net::TcpPacket& packet) const {
  const mpa::Plausible start = mpa::plausible_fpdu(packet.payload);
  if (start.kind == mpa::Plausible::Kind::confirmed) return true;
  if (start.kind == mpa::Plausible::Kind::header && flow.plausible < 255) ++flow.plausible;
  if (tentative >= kMostTentative) return false;
  if (start.kind == mpa::Plausible::Kind::header) return true;
  if (flow.origins[0].syn_seen || flow.origins[1].syn_seen || flow.payloads > kSearched) return false;
  static constexpr std::uint32_t kStart = 0;
  mpa::SearchWindow window;
  window.octets = packet.payload;
  window.offset = kStreamOrigin;
  window.tcp_segment_starts = std::span(&kStart, 1);
  window.crc_allowance = kSearchCrcOctets;
  const mpa::SearchResult result = mpa::find_fpdu(window, {});
  return result.outcome == mpa::SearchOutcome::found || (result.outcome == mpa::SearchOutcome::need_more &&
                                                         packet.payload.size() >= result.at + mpa::kHeaderProbeOctets);
}

void Shard::State::promote(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low, bool midstream) {
  Flow& flow = flows.at(flow_index);
  Slot* const slot = take_slot();
  if (slot == nullptr) {
    flow.attempts = 255;
    return;
  }
  qp::Beginning b;
  bool a_is_low = true;
  if (!midstream) {
    a_is_low = from_low != is_reply(packet.payload);
    b.roles = qp::Roles::mpa;
    flow.plausible = std::max(flow.plausible, kSuspicious);  // unless it is confirmed
  } else if (flow.opened_by_low != flow.opened_by_high) {
    a_is_low = flow.opened_by_low;
    b.roles = qp::Roles::tcp;
  } else {
    b.roles = qp::Roles::address;
  }
  b.a = a_is_low ? flow.key.low : flow.key.high;
  b.b = a_is_low ? flow.key.high : flow.key.low;
  b.origins = {flow.origins[a_is_low ? 0 : 1], flow.origins[a_is_low ? 1 : 0]};
  b.first_frame = flow.first_frame;
  b.first_time = flow.first_time;
  b.midstream = midstream;
  slot->overlay = flow.key.overlay;
  slot->flow = flow_index;
  slot->flow_hash = net::stable_hash(flow.key);
  slot->a_is_low = a_is_low;
  slot->tentative = true;
  ++tentative;
  flow.qp = slot->place;
  slot->gaps = {midstream, midstream};
  if (trace != nullptr) slot->watcher = trace->follow(b);
  const bool observes = emulates || slot->watcher != nullptr;
  slot->pair = std::make_unique<qp::TcpQueuePair>(environment, b, *slot, observes ? slot : nullptr);
  feed_slot(slot->place, packet, from_low);
}

void Shard::State::feed_slot(std::uint32_t slot_index, const net::TcpPacket& packet, bool from_low) {
  Slot& slot = *slots[slot_index];
  if (slot.pair == nullptr) return;
  slot.tcp().feed(from_low == slot.a_is_low ? Direction::a_to_b : Direction::b_to_a, packet);
  account(slot);
  if (!slot.pair->is_confirmed()) {
    if (slot.tcp().is_given_up() || slot.pair->is_closed()) drop(slot_index);
    return;
  }
  if (slot.pair->is_closed()) list_closed(slot);
}

void Shard::State::list_closed(Slot& slot) {
  if (slot.closed_listed) return;
  slot.closed_listed = true;
  if (slot.had_models) slot.tell(emulation::StreamEnded{});
  closed.push_back(slot.place);
  retire_closed();
}

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
  }
  slots[place] = std::make_unique<Slot>(*this, place);
  return slots[place].get();
}

void Shard::State::feed(const net::SctpPacket& packet) {
  frame = packet.frame;
  time = packet.time;
  if (associations == nullptr) associations = std::make_unique<Associations>(*this, limits);
  associations->feed(packet);
  if (++fed % kTrimEvery == 0) trim_one();
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

bool Shard::State::is_followed(const Flow& flow) const noexcept {
  if (flow.qp == Flow::kNoQp) return false;
  const Slot& slot = *slots[flow.qp];
  return slot.retired != nullptr || (slot.pair != nullptr && slot.pair->is_confirmed());
}

/// The flow is gone, or its addresses and ports belong to a new connection.
void Shard::State::count_unconfirmed(const Flow& flow) noexcept {
  if (flow.plausible >= kSuspicious && !is_followed(flow)) ++unconfirmed;
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
  if (slot.models == nullptr) return;
  models_held += slot.models->held_more();
  // Of the others, one after another; at last its own.
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

void Shard::State::trim_one() {
  if (slots.empty()) return;
  trim_hand = trim_hand + 1 < slots.size() ? trim_hand + 1 : 0;
  const auto& slot = slots[trim_hand];
  if (slot != nullptr && slot->pair != nullptr && elapsed_ns(slot->pair->last_time(), time) > kIdleNs) {
    slot->pair->trim();
    if (slot->models == nullptr) return;
    slot->models->trim();
    models_held += slot->models->held_more();
    if (!slot->models->is_empty()) return;
    drop_models(*slot);
    slot->gaps = {true, true};  // what came before is not known any more
  }
}

Shard::Shard(std::uint32_t number, const Options& options, Trace* trace)
    : state_(std::make_unique<State>(number, options, trace)) {}
Shard::~Shard() = default;

void Shard::feed(const net::TcpPacket& packet, Telling& telling) {
  state_->telling = &telling;
  state_->feed(packet);
}

void Shard::feed(const net::SctpPacket& packet, Telling& telling) {
  state_->telling = &telling;
  state_->feed(packet);
}

std::uint32_t Shard::qps() const noexcept {
  return static_cast<std::uint32_t>(state_->confirmed.size());
}

void Shard::finish_trials(FrameNumber frame, TimePoint time, Telling& telling) {
  state_->telling = &telling;
  state_->frame = frame;
  if (state_->associations != nullptr) state_->associations->finish(frame, time);
  for (const auto& slot : state_->slots) {
    if (slot != nullptr && slot->pair != nullptr && !slot->pair->is_confirmed()) slot->pair->finish(frame, time);
  }
}

void Shard::finish(std::uint32_t index, FrameNumber frame, TimePoint time, Telling& telling) {
  state_->telling = &telling;
  state_->frame = frame;
  Slot& slot = *state_->slots[state_->confirmed[index]];
  if (slot.pair != nullptr) slot.pair->finish(frame, time);
}

qp::QpRecord Shard::record(std::uint32_t index) const {
  const Slot& slot = *state_->slots[state_->confirmed[index]];
  return slot.retired != nullptr ? slot.retired->record : slot.record();
}

std::vector<std::uint32_t> Shard::retire(FrameNumber frame, TimePoint time, const RetireLimits& limits,
                                         Telling& telling) {
  state_->telling = &telling;
  state_->frame = frame;
  std::vector<std::uint32_t> gone;
  for (const std::uint32_t slot_index : state_->confirmed) {
    if (slot_index == State::kNoSlot) continue;
    Slot& slot = *state_->slots[slot_index];
    // Far behind the capture's time, or far ahead: its clock was set back.
    const std::int64_t apart = std::abs(elapsed_ns(last_time(slot.index), time));
    if (apart <= (slot.closed_listed ? limits.closed_ns : limits.idle_ns)) continue;
    if (slot.pair != nullptr) {
      if (slot.had_models && !slot.closed_listed) slot.tell(emulation::StreamEnded{});
      state_->retire(slot);
    }
    gone.push_back(slot.index);
  }
  std::erase_if(state_->closed, [this](std::uint32_t s) { return state_->slots[s]->pair == nullptr; });
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
    if (slot.closed_listed) flow.attempts = kMostAttempts;
  }
  State::add(state_->released, slot);
  state_->slots[slot_index].reset();
  state_->free_slots.push_back(slot_index);
  state_->free_indices.push_back(index);
}

std::uint64_t Shard::flow_hash(std::uint32_t index) const noexcept {
  return state_->slots[state_->confirmed[index]]->flow_hash;
}

TimePoint Shard::last_time(std::uint32_t index) const noexcept {
  const Slot& slot = *state_->slots[state_->confirmed[index]];
  return slot.pair != nullptr ? slot.pair->last_time() : slot.retired->record.last_time;
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
  s.requests_forgotten = state_->environment.requests_forgotten;
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
    if (flow.used && flow.plausible >= kSuspicious && !state_->is_followed(flow)) ++s.unconfirmed;
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
