// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/openings.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <tuple>

#include "base/wording.h"
#include "sctp/association.h"
#include "sctp/chunk.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;

/// So many within so long are many. Ours: a program that tries again by itself makes fewer.
constexpr std::size_t kManyOpenings = 5;
constexpr std::int64_t kShortNs = 10'000'000'000;
/// A Request without a Reply is left unanswered after this.
constexpr std::int64_t kSilentNs = 5'000'000'000;

Listener listener_of(const net::FlowKey& flow, bool low_opened) noexcept {
  return {low_opened ? flow.high : flow.low, flow.tap_group};
}

net::IpAddress opener_of(const net::FlowKey& flow, bool low_opened) noexcept {
  return (low_opened ? flow.low : flow.high).address;
}

}  // namespace

/// Failures of one listener, in order of time, all within kShortNs.
struct Openings::Burst {
  std::span<const Failure> failures;
};

void Openings::see(const net::TcpPacket& packet) {
  Key key{{packet.flow()}};
  key.path.flow.overlay = 0;
  const bool from_low = packet.source == key.path.flow.low;
  if (packet.has(net::tcp_flag::syn) && !packet.has(net::tcp_flag::ack)) {
    ask(key, {packet.frame, packet.time, packet.sequence, 0, from_low});
  } else {
    // An RST that answers a SYN acknowledges it; others end what is there. Source: RFC 9293 §3.10.7.1.
    const bool acknowledges = packet.has(net::tcp_flag::ack);
    answer(key, from_low, packet.has(net::tcp_flag::rst),
           acknowledges ? std::optional(packet.acknowledgment - 1) : std::nullopt);
  }
}

void Openings::see(const net::SctpPacket& packet) {
  sctp::ChunkWalk walk(packet.chunks, packet.chunks_length);
  const auto chunk = walk.next();
  if (!chunk) return;
  const bool asks = chunk->type == sctp::chunk_type::init, refuses = chunk->type == sctp::chunk_type::abort;
  if (!asks && !refuses && chunk->type != sctp::chunk_type::init_ack) return;
  if (net::checksum(packet) == net::Checksum::bad) return;
  const Key key{packet.path(), true};
  const bool from_low = packet.source == key.path.flow.low;
  if (!asks) return answer(key, from_low, refuses, packet.verification_tag);
  const auto opening = sctp::read_opening(*chunk, packet.frame, packet.time);
  if (!opening || !opening->adaptation.is_ddp()) return;
  note_listener({packet.destination, packet.tap_group});
  ask(key, {packet.frame, packet.time, opening->place.initiate_tag, 0, from_low});
}

/// A SYN or an INIT. The same one again is a repetition.
void Openings::ask(const Key& key, const Pending& asked) {
  const auto it = pending_.find(key);
  if (it != pending_.end() && it->second.low_opened == asked.low_opened && it->second.mark == asked.mark) {
    // A mirror's second copy is no repetition: hosts wait longer. Source: RFC 6298 §2.1, RFC 9260 §16.
    constexpr std::int64_t kCopiedNs = 100'000'000;
    if (elapsed_ns(it->second.time, asked.time) > kCopiedNs) ++it->second.repeats;
    return;
  }
  if (it == pending_.end() && pending_.size() >= most_) {
    ++discarded_;
    return;
  }
  pending_[key] = asked;
}

/// A SYN-ACK or INIT ACK, or with `refuses` an RST or ABORT: of the listener, or of the side that opened, which gives
/// up.
void Openings::answer(const Key& key, bool from_low, bool refuses, std::optional<std::uint32_t> answers) {
  const auto it = pending_.find(key);
  if (it == pending_.end()) return;
  const Pending& asked = it->second;
  const bool of_listener = asked.low_opened != from_low;
  // Another tenant's, or of an older connection.
  if (of_listener && !refuses && answers && *answers != asked.mark && !key.over_sctp) return;
  if (refuses && of_listener && answers == asked.mark) {
    const Listener listener = listener_of(key.path.flow, asked.low_opened);
    if (refused_.count++ == 0) {
      refused_.listener = listener.its;
      refused_.frame = asked.frame;
    }
    add({listener, opener_of(key.path.flow, asked.low_opened), asked.time, asked.frame, Kind::reset});
  }
  pending_.erase(it);
}

void Openings::add(const Failure& failure) {
  if (failures_.size() < most_) {
    failures_.push_back(failure);
  } else {
    ++discarded_;
  }
}

void Openings::note_listener(const Listener& listener) {
  if (listeners_.size() < most_) listeners_.try_emplace(listener, 0);
}

void Openings::see(const qp::QpRecord& record, const verdict::CaptureSpan& capture) {
  if (record.roles == qp::Roles::address) return;
  const Listener listener{record.b, record.tap_group};
  note_listener(listener);
  forget_answered(record);
  if (const auto it = listeners_.find(listener); it != listeners_.end()) ++it->second;
  const auto& [a, b] = record.directions;
  if (!record.startup || a.fpdus + b.fpdus != 0 || record.summary.one_sided) return;
  if (a.has_capture_gap() || b.has_capture_gap() || record.summary.reset_beyond_seen) return;
  if (a.unframed_octets + b.unframed_octets != 0) return;  // they may be FPDUs that were cut
  const auto& [from_a, from_b] = record.summary.directions;
  const auto& reply = record.startup->reply;
  const auto first_end = [](const qp::DirectionSummary& s) { return s.rst.happened() ? s.rst : s.fin; };
  const qp::Moment end_a = first_end(from_a), end_b = first_end(from_b);
  Failure failure{listener, record.a.address, record.first_time, record.first_frame, Kind::silent, record.interfaces};
  if (reply) {
    const bool reset = from_a.rst.happened() || from_b.rst.happened();
    if (!reply->rejected && !reset) return;
    failure.kind = reply->rejected ? Kind::rejected : Kind::reset;
  } else if (end_b.happened() && record.summary.ended_first == Direction::b_to_a) {
    failure.kind = Kind::reset;
  } else if (!end_a.happened() &&
             capture.on(record.interfaces).covered_ns(from_a.last_octets.time, capture.end) < kSilentNs) {
    return;  // it may yet be answered
  }
  add(failure);
}

void Openings::forget_answered(const qp::QpRecord& record) {
  Key key;
  key.path.flow = record.a < record.b ? net::FlowKey{record.a, record.b, 0, record.tap_group}
                                      : net::FlowKey{record.b, record.a, 0, record.tap_group};
  const auto it = pending_.find(key);
  if (it == pending_.end() || record.sctp_stream) return;
  const FrameNumber asked = it->second.frame;
  if (record.first_frame <= asked && asked <= record.last_frame) pending_.erase(it);
}

FailedOpenings Openings::unanswered() const {
  FailedOpenings result;
  const Pending* first = nullptr;
  for (const auto& [key, pending] : pending_) {
    if (pending.repeats == 0) continue;
    ++result.count;
    if (first != nullptr && first->frame <= pending.frame) continue;
    first = &pending;
    result.listener = listener_of(key.path.flow, pending.low_opened).its;
    result.frame = pending.frame;
  }
  return result;
}

std::uint64_t Openings::failures(const net::IpAddress& host, const Listener& listener) const {
  return static_cast<std::uint64_t>(std::count_if(failures_.begin(), failures_.end(), [&](const Failure& f) {
    return f.source == host && f.listener == listener;
  }));
}

void Openings::tell(findings::CaptureFindings& to, bool one_sided, const verdict::CaptureSpan& capture) {
  for (const auto& [key, pending] : pending_) {
    if (pending.repeats == 0) continue;
    const net::FlowKey& flow = key.path.flow;
    add({listener_of(flow, pending.low_opened), opener_of(flow, pending.low_opened), pending.time, pending.frame,
         Kind::silent});
  }
  std::erase_if(failures_, [&](const Failure& f) {
    if (!listeners_.contains(f.listener)) return true;
    return f.kind == Kind::silent && (one_sided || capture.on(f.interfaces).may_lack(f.time));
  });
  std::sort(failures_.begin(), failures_.end(), [](const Failure& l, const Failure& r) {
    return std::tuple(l.listener, l.time.ns, l.frame) < std::tuple(r.listener, r.time.ns, r.frame);
  });
  auto from = failures_.begin();
  while (from != failures_.end()) {
    const auto to_next =
        std::find_if(from, failures_.end(), [&](const Failure& f) { return f.listener != from->listener; });
    // The longest stretch of this listener's that lies within the short time.
    auto best_from = from, best_to = from, window = from;
    for (auto it = from; it != to_next; ++it) {
      while (elapsed_ns(window->time, it->time) > kShortNs) ++window;
      if (it + 1 - window > best_to - best_from) {
        best_from = window;
        best_to = it + 1;
      }
    }
    if (static_cast<std::size_t>(best_to - best_from) >= kManyOpenings) tell(to, Burst{{best_from, best_to}});
    from = to_next;
  }
}

void Openings::tell(findings::CaptureFindings& to, const Burst& burst) const {
  const std::span<const Failure> all = burst.failures;
  std::array<std::uint64_t, 3> kinds{};
  absl::flat_hash_set<net::IpAddress> sources;
  std::vector<FrameNumber> frames;
  for (const Failure& f : all) {
    ++kinds[static_cast<std::size_t>(f.kind)];
    sources.insert(f.source);
    frames.push_back(f.frame);
  }
  constexpr std::array<std::string_view, 3> kWords{"refused by an answer", "reset, aborted or closed",
                                                   "never answered"};
  std::string how;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != 0) how += fmt::format("{}{} {}", how.empty() ? "" : ", ", kinds[i], kWords[i]);
  }
  const Listener& listener = all.front().listener;
  const auto known = listeners_.find(listener);
  to.tell(FindingId::mpa_many_startups, all.size(),
          fmt::format("{} connections to {} that began within {} ms failed: {}. They came from {}; the "
                      "capture has {} to this listener.",
                      all.size(), listener.its.text(), elapsed_ns(all.front().time, all.back().time) / 1'000'000 + 1,
                      how, counted(sources.size(), "host"), counted(known->second, "queue pair")),
          std::move(frames));
}

}  // namespace iwarpscope::hosts
