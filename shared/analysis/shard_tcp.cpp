// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which TCP connections are followed as queue pairs, and from when on.
#include <algorithm>
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
constexpr std::uint8_t kMostOlder = 8;      // of an older connection, late in the file; more: the SYN was forged
constexpr std::size_t kMostTentative = 32;  // queue pairs on trial at one time

/// Octets that may be a startup frame. The keys differ in one octet. Source: RFC 5044 §7.1.1.
bool is_reply(Octets payload) noexcept {
  constexpr std::size_t kDiffers = 9;
  return payload.size() > kDiffers && payload[kDiffers] == mpa::kReplyKey[kDiffers];
}

/// For a TCP segment on the addresses and ports of a queue pair that was closed and is no longer followed.
bool begins_connection(const net::TcpPacket& packet) noexcept {
  if (packet.has(net::tcp_flag::syn)) return !packet.has(net::tcp_flag::ack);
  return qp::begins_with_request(packet);
}

}  // namespace

void Shard::State::feed(const net::TcpPacket& packet) {
  begin(packet.frame, packet.time);
  const std::uint32_t index = flow_of(packet);
  if (index == FlowTable::kNone) return;
  Flow& flow = flows.at(index);
  flow.recent = true;
  const bool from_low = packet.source == flow.key.low;
  if (flow.overlay(from_low) != packet.overlay) {
    if (hold_double(index, packet, from_low)) return;
  } else if (packet.has(net::tcp_flag::syn) ||
             (flow.noted != 0 && (flow.noted < Beginnings::kOfFlow || !doubles.empty()))) {
    see_own(index, packet, from_low);
  }
  feed_one(index, packet, from_low);
}

void Shard::State::feed_one(std::uint32_t index, const net::TcpPacket& packet, bool from_low) {
  Flow& flow = flows.at(index);
  if (flow.qp == Flow::kNoQp && hold_early(index, packet, from_low)) return;
  if (flow.holds_early && packet.has(net::tcp_flag::fin | net::tcp_flag::rst)) release_early(index, true);
  feed_flow(index, packet);
  if (flow.holds_early) release_early(index, false);
}

void Shard::State::feed_flow(std::uint32_t flow_index, const net::TcpPacket& packet) {
  Flow& flow = flows.at(flow_index);
  const bool from_low = packet.source == flow.key.low;
  const bool syn = packet.has(net::tcp_flag::syn);
  if (!reopenings.is_empty() && (syn || !fits(flow, packet, from_low))) {
    if (const auto opening = reopenings.take_answered(flow_index, packet)) {
      restart(flow, opening->packet);
      flow.note_opening(opening->packet, opening->from_low);
      flow.note(opening->packet, opening->from_low);
    }
  }
  if (flow.qp != Flow::kNoQp && feed_followed(flow_index, packet, from_low)) return;
  if (flow.origins[from_low ? 0 : 1].is_dropped(packet)) return;
  if (flow.answers_other_syn(packet, from_low)) return;
  if (flow.is_live() && flow.has_other_syn(packet, from_low)) return reopenings.wait(flow_index, packet, from_low);
  if (flow.is_reopened_by(packet, from_low)) restart(flow, packet);
  flow.note_opening(packet, from_low);
  if (is_late(flow, packet, from_low)) return;
  bool midstream = false;
  if (!packet.payload.empty() && wants_promotion(flow, packet, from_low, midstream)) {
    promote(flow_index, packet, from_low, midstream);
    return;
  }
  banners.note(flow_index, flow, packet, from_low);
  flow.note(packet, from_low);
  if (packet.has(net::tcp_flag::rst) || (flow.fin_low && flow.fin_high)) {
    count_unconfirmed(flow);
    flow.holds_early = false;
    reopenings.forget(flow_index);
    flows.remove(flow_index);
  }
}

/// A TCP segment on the addresses and ports of a queue pair. Fails (false) when it begins another connection: the flow
/// is then that one's. Precondition: the flow has a queue pair.
bool Shard::State::feed_followed(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low) {
  Flow& flow = flows.at(flow_index);
  Slot& slot = *slots[flow.qp];
  const Direction d = from_low == slot.a_is_low ? Direction::a_to_b : Direction::b_to_a;
  const auto is_reused = [&] {
    return slot.pair != nullptr ? slot.tcp().is_reused_by(d, packet) : begins_connection(packet);
  };
  bool reused = is_reused();
  const bool syn = packet.has(net::tcp_flag::syn);
  if (slot.pair != nullptr && (reused || (syn && slot.tcp().is_other_syn(d, packet)))) {
    slot.tcp().stop_waiting(frame, time);  // its end may be among what waits
    reused = is_reused();
  }
  if (reused && slot.pair != nullptr && slot.tcp().ignores_syn(d, packet)) {
    reopenings.wait(flow_index, packet, from_low);
  } else if (reused) {
    restart(flow, packet);
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

/// The packet belongs to an older connection on the same ports: both SYNs of the new one were seen, or one after a
/// queue pair. If many follow, those were forged.
bool Shard::State::is_late(Flow& flow, const net::TcpPacket& packet, bool from_low) {
  if (packet.payload.empty() || !flow.is_before_start(packet, from_low)) return false;
  const bool opened = flow.follows_pair || (flow.origins[0].syn_seen && flow.origins[1].syn_seen);
  if (opened && ++flow.older < kMostOlder) return true;
  flow.begin_at(packet, from_low);
  return false;
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
    flow.begin_at(packet, from_low);
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
  b.banner = banners.of(flow_index, flow, !a_is_low);
  slot->overlay = flow.tenant();
  slot->tap_group = flow.key.tap_group;
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
  if (slot.watcher != nullptr && packet.frame == frame) slot.watcher->available();
  slot.tcp().feed(from_low == slot.a_is_low ? Direction::a_to_b : Direction::b_to_a, packet, frame, time);
  after_feeding(slot);
}

void Shard::State::after_feeding(Slot& slot) {
  account(slot);
  if (slot.tcp().is_waiting()) {
    if (!std::exchange(slot.wait_listed, true)) waiting.push_back(slot.place);
    return;
  }
  if (!slot.pair->is_confirmed()) {
    if (slot.tcp().is_given_up() || slot.pair->is_closed()) drop(slot.place);
    return;
  }
  if (slot.pair->is_closed()) list_closed(slot);
}

void Shard::State::pass_time() {
  if (idle.is_due(time)) trim_idle();
  if (associations != nullptr) associations->pass_time(time);
  expire_early(false);
  expire_doubles(false);
  if (waiting.empty()) return;
  for (const std::uint32_t place : std::exchange(waiting, {})) {
    Slot* const slot = slots[place].get();
    if (slot == nullptr || !std::exchange(slot->wait_listed, false) || slot->pair == nullptr) continue;
    slot->tcp().pass_time(frame, time);
    after_feeding(*slot);
  }
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

}  // namespace iwarpscope::analysis
