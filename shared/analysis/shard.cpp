#include "analysis/shard.h"

#include <algorithm>
#include <optional>

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

std::size_t shard_of(const net::FlowKey& key) noexcept {
  return static_cast<std::size_t>(net::stable_hash(key) >> 60) % kShards;
}

/// A connection followed as a queue pair, and what it tells.
struct Shard::Slot final : qp::Events {
  Slot(State& s, std::uint32_t p) : owner(s), place(p) {}

  void confirmed(FrameNumber frame) override;
  void message(qp::MessageRecord record) override;
  void finding(findings::Finding finding) override;

  State& owner;
  const std::uint32_t place;  ///< its own index in State::slots
  std::unique_ptr<qp::QueuePair> pair;
  /// What is left of it, once it was closed and others needed the room.
  struct Retired {
    qp::QpRecord record;
    std::uint64_t mirror_duplicates = 0, suppressed = 0, messages = 0;
  };
  std::unique_ptr<Retired> retired;
  std::uint32_t flow = FlowTable::kNone;
  std::uint32_t index = 0;  ///< among the confirmed
  bool a_is_low = true;
  bool tentative = false;
  bool closed_listed = false;
};

struct Shard::State {
  State(std::uint32_t n, const Options& o)
      : number(n),
        flows(std::max<std::size_t>(o.limits.max_flows / kShards, 16)),
        max_qps(std::max<std::size_t>(o.limits.max_qps / kShards, 1)),
        environment(o.limits.buffer_octets / kShards) {
    environment.tcp = o.limits.tcp;
    environment.mpa = o.limits.mpa;
    environment.mpa.max_searched_octets = std::min(environment.mpa.max_searched_octets, kTrialOctets);
    environment.messages = o.messages;
    environment.digest = o.digest;
    environment.max_outstanding_requests = o.limits.max_outstanding_requests;
    environment.findings_per_rule = o.limits.findings_per_rule;
  }

  void feed(const net::TcpPacket& packet);
  void feed_flow(std::uint32_t flow_index, const net::TcpPacket& packet);
  bool feed_followed(Flow& flow, const net::TcpPacket& packet, bool from_low);
  bool wants_promotion(Flow& flow, const net::TcpPacket& packet, bool from_low, bool& midstream);
  bool is_midstream(Flow& flow, const net::TcpPacket& packet) const;
  void promote(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low, bool midstream);
  void feed_slot(std::uint32_t slot_index, const net::TcpPacket& packet, bool from_low);
  void drop(std::uint32_t slot_index);
  [[nodiscard]] bool is_followed(const Flow& flow) const noexcept;
  void count_unconfirmed(const Flow& flow) noexcept;
  void retire_closed();
  void trim_one();

  std::uint32_t number;
  FlowTable flows;
  std::size_t max_qps;
  qp::Environment environment;
  std::vector<std::unique_ptr<Slot>> slots;  ///< by Flow::qp; empty where a trial failed
  std::vector<std::uint32_t> free_slots;
  std::vector<std::uint32_t> confirmed;  ///< slot by index of the confirmed
  std::deque<std::uint32_t> closed;      ///< slots, oldest first
  std::size_t tentative = 0;
  std::uint64_t refused = 0;
  std::uint64_t unconfirmed = 0;  ///< of flows that are gone
  std::uint64_t fed = 0;
  std::size_t trim_hand = 0;
  FrameNumber frame;
  TimePoint time;
  std::vector<Event>* events = nullptr;
};

void Shard::Slot::confirmed(FrameNumber frame) {
  if (tentative) {
    tentative = false;
    --owner.tentative;
  }
  index = static_cast<std::uint32_t>(owner.confirmed.size());
  owner.confirmed.push_back(place);
  owner.events->push_back({frame, QpPlace{owner.number, index}, Event::Confirmed{}});
}
void Shard::Slot::message(qp::MessageRecord record) {
  owner.events->push_back({owner.frame, QpPlace{owner.number, index}, std::move(record)});
}
void Shard::Slot::finding(findings::Finding finding) {
  owner.events->push_back({owner.frame, QpPlace{owner.number, index}, std::move(finding)});
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
  const bool reused = slot.pair != nullptr ? slot.pair->is_reused_by(d, packet) : begins_connection(packet);
  if (reused) {
    count_unconfirmed(flow);
    slot.flow = FlowTable::kNone;
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
  if (slots.size() - free_slots.size() >= max_qps) {
    ++refused;
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
  std::uint32_t slot_index = static_cast<std::uint32_t>(slots.size());
  if (!free_slots.empty()) {
    slot_index = free_slots.back();
    free_slots.pop_back();
  } else {
    slots.emplace_back();
  }
  slots[slot_index] = std::make_unique<Slot>(*this, slot_index);
  Slot& slot = *slots[slot_index];
  slot.flow = flow_index;
  slot.a_is_low = a_is_low;
  slot.tentative = true;
  ++tentative;
  flow.qp = slot_index;
  slot.pair = std::make_unique<qp::QueuePair>(environment, b, slot);
  feed_slot(slot_index, packet, from_low);
}

void Shard::State::feed_slot(std::uint32_t slot_index, const net::TcpPacket& packet, bool from_low) {
  Slot& slot = *slots[slot_index];
  if (slot.pair == nullptr) return;
  slot.pair->feed(from_low == slot.a_is_low ? Direction::a_to_b : Direction::b_to_a, packet);
  if (!slot.pair->is_confirmed()) {
    if (slot.pair->is_given_up() || slot.pair->is_closed()) drop(slot_index);
    return;
  }
  if (!slot.closed_listed && slot.pair->is_closed()) {
    slot.closed_listed = true;
    closed.push_back(slot_index);
    retire_closed();
  }
}

void Shard::State::drop(std::uint32_t slot_index) {
  Slot& slot = *slots[slot_index];
  if (slot.tentative) --tentative;
  if (slot.flow != FlowTable::kNone) {
    Flow& flow = flows.at(slot.flow);
    flow.qp = Flow::kNoQp;
    flow.attempts = static_cast<std::uint8_t>(std::min(255, flow.attempts + 1));
  }
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
    slot.pair->finish(frame, slot.pair->last_time());
    slot.retired = std::make_unique<Slot::Retired>(Slot::Retired{
        slot.pair->record(), slot.pair->mirror_duplicates(), slot.pair->suppressed_findings(), slot.pair->messages()});
    slot.pair.reset();
  }
}

void Shard::State::trim_one() {
  if (slots.empty()) return;
  trim_hand = trim_hand + 1 < slots.size() ? trim_hand + 1 : 0;
  const auto& slot = slots[trim_hand];
  if (slot != nullptr && slot->pair != nullptr && elapsed_ns(slot->pair->last_time(), time) > kIdleNs) {
    slot->pair->trim();
  }
}

Shard::Shard(std::uint32_t number, const Options& options) : state_(std::make_unique<State>(number, options)) {}
Shard::~Shard() = default;

void Shard::feed(const net::TcpPacket& packet, std::vector<Event>& events) {
  state_->events = &events;
  state_->feed(packet);
}

std::uint32_t Shard::qps() const noexcept {
  return static_cast<std::uint32_t>(state_->confirmed.size());
}

void Shard::finish_trials(FrameNumber frame, TimePoint time, std::vector<Event>& events) {
  state_->events = &events;
  state_->frame = frame;
  for (const auto& slot : state_->slots) {
    if (slot != nullptr && slot->pair != nullptr && !slot->pair->is_confirmed()) slot->pair->finish(frame, time);
  }
}

void Shard::finish(std::uint32_t index, FrameNumber frame, TimePoint time, std::vector<Event>& events) {
  state_->events = &events;
  state_->frame = frame;
  Slot& slot = *state_->slots[state_->confirmed[index]];
  if (slot.pair != nullptr) slot.pair->finish(frame, time);
}

qp::QpRecord Shard::record(std::uint32_t index) const {
  const Slot& slot = *state_->slots[state_->confirmed[index]];
  return slot.retired != nullptr ? slot.retired->record : slot.pair->record();
}

ShardStatistics Shard::statistics() const {
  ShardStatistics s;
  s.flows_evicted = state_->flows.evicted();
  s.qps_refused = state_->refused;
  s.unconfirmed = state_->unconfirmed;
  for (std::uint32_t slot_index : state_->confirmed) {
    const Slot& slot = *state_->slots[slot_index];
    const bool live = slot.pair != nullptr;
    s.mirror_duplicates += live ? slot.pair->mirror_duplicates() : slot.retired->mirror_duplicates;
    s.suppressed_findings += live ? slot.pair->suppressed_findings() : slot.retired->suppressed;
    s.messages += live ? slot.pair->messages() : slot.retired->messages;
  }
  for (std::uint32_t i = 0; i < state_->flows.extent(); ++i) {
    const Flow& flow = state_->flows.at(i);
    if (flow.used && flow.plausible >= kSuspicious && !state_->is_followed(flow)) ++s.unconfirmed;
  }
  return s;
}

Shards make_shards(const Options& options) {
  Shards shards;
  shards.reserve(kShards);
  for (std::uint32_t i = 0; i < kShards; ++i) shards.push_back(std::make_unique<Shard>(i, options));
  return shards;
}

}  // namespace iwarpscope::analysis
