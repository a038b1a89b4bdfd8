// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp/acceptance.h"

#include <algorithm>
#include <utility>

#include "tcp/notes.h"

namespace iwarpscope::tcp {
namespace {

namespace flag = net::tcp_flag;

/// Octets beyond what was offered that are not doubted: the capture may lack the last ACKs. Ours.
constexpr std::uint64_t kWindowSlack = 65535;
/// More than hosts offer unasked. Ours.
constexpr std::uint64_t kMostWindow = 1u << 20;
/// As many ACKs of octets that were not offered, one after another, are believed. Ours.
constexpr std::uint8_t kUnsentRun = 3;
/// Routes between two hosts do not differ by more hops than this. Ours.
constexpr unsigned kHopSlack = 16;
/// Octets by which what lies below TCP differs in length in one sender's frames: tags. Ours.
constexpr std::size_t kTagSlack = 16;
/// A TCP segment sent this long after an RST, or before an ACK, was not overtaken by it. Ours.
constexpr std::int64_t kOvertakenNs = 100'000'000;
/// What one set aside costs beside its octets.
constexpr std::size_t kAsideOverhead = 128;

/// TS.Recent is worth nothing after 24 days: the sender's clock may have wrapped. Source: RFC 7323 §5.5.
constexpr std::uint32_t kTimestampDays = 24, kDays = 512;
[[nodiscard]] std::uint32_t day_of(const net::TcpPacket& packet) noexcept {
  constexpr std::int64_t kDayNs = 24 * 3600'000'000'000;
  return static_cast<std::uint32_t>(packet.time.ns / kDayNs) % kDays;
}

/// Octets of TCP in the frame.
[[nodiscard]] std::size_t captured(const net::TcpPacket& packet) noexcept {
  return packet.tcp_header.size() + packet.payload.size();
}
[[nodiscard]] std::uint64_t end_of(const net::TcpPacket& packet, std::uint64_t offset) noexcept {
  return offset + packet.payload_length;
}

/// A receiver may take it all the same: the tap alone has cause to doubt it.
[[nodiscard]] bool is_unsure(Doubt doubt) noexcept {
  return doubt == Doubt::maybe_keep_alive || doubt == Doubt::other_hop_limit;
}

}  // namespace

Acceptance::~Acceptance() {
  if (doubts_ == nullptr) return;
  for (Doubted& its : doubts_->of) {
    while (!its.aside.empty()) (void)take_out(its, its.aside.size() - 1);
  }
}

void Acceptance::finish(Half& half, bool other_ended, Call& call) {
  while (has_aside(call.direction)) {
    Aside aside = take_out(doubted(call), 0);
    if (aside.unsure) put(std::move(aside), half, other_ended, call);
  }
}

void Acceptance::keep_reset(const ControlSeen& reset, const Call& call) {
  (void)doubted(call);
  doubts_->reset_at = reset;
}

Acceptance::Doubted& Acceptance::doubted(const Call& call) {
  if (doubts_ == nullptr) doubts_ = std::make_unique<Doubts>(call.budget);
  return doubts_->of[index(call.direction)];
}

Doubt Acceptance::judge(Direction d, const net::TcpPacket& packet, const Half& half, const Half& other) const noexcept {
  if (is_plain(d, packet, half, other)) return Doubt::none;
  const Doubt why = doubt(d, packet, half, other);
  if (why == Doubt::none || is_answer(d, packet, other)) return Doubt::none;
  // A damaged one is reported as such.
  ChecksumPolicy policy = half.checksums;
  return policy.judge(net::checksum(packet).verdict) == Trust::rejected ? Doubt::none : why;
}

/// The usual case in few steps: the octets that come next, or a bare ACK, with numbers within what was seen. Nothing
/// that doubt() looks for applies to it.
bool Acceptance::is_plain(Direction d, const net::TcpPacket& packet, const Half& half,
                          const Half& other) const noexcept {
  if ((packet.flags & (flag::ack | flag::syn | flag::rst)) != flag::ack) return false;
  if (packet.ip_checksum_wrong || packet.shortened || !half.has_origin() || !other.has_origin()) return false;
  if (half.offset_of(packet.sequence) != half.next()) return false;
  const auto acknowledged = other.acknowledged_by(packet.acknowledgment);
  if (!acknowledged || *acknowledged < other.acknowledged() || *acknowledged > other.highest()) return false;
  const std::uint64_t offered = of(d).offered;
  return (offered == 0 || half.next() <= offered) && doubt_of_new_octets(d, packet) == Doubt::none;
}

Doubt Acceptance::doubt(Direction d, const net::TcpPacket& packet, const Half& half, const Half& other) const noexcept {
  if (packet.has(flag::rst) || !half.has_origin()) return Doubt::none;
  if (packet.has(flag::syn)) return half.may_be_own_syn(packet.sequence) ? Doubt::none : Doubt::unfitting_syn;
  const Shown& shown = of(d);
  if (packet.ip_checksum_wrong && shown.ip_checksum_good) return Doubt::wrong_ip_checksum;
  if (!packet.has(flag::ack) && shown.ack_flag) return Doubt::no_ack_flag;
  const std::uint64_t offset = half.offset_of(packet.sequence);
  if (!half.is_plausible(offset)) return Doubt::none;
  constexpr std::uint8_t kFlags = flag::ack | flag::psh | flag::urg;
  const bool bare = packet.payload_length == 1 && (packet.flags & kFlags) == flag::ack;
  const bool may_probe = bare && offset > half.next() && half.fin() == 0;
  if (!other.has_origin()) return may_probe ? Doubt::maybe_keep_alive : Doubt::none;
  // A mirror cuts all frames alike, but for the length of their tags, and none was longer than its receiver takes.
  if (packet.shortened) {
    if (captured(packet) + kTagSlack < shown.longest * kTagSlack) return Doubt::cut_short;
    if (other.mss != 0 && packet.payload_length > other.mss) return Doubt::cut_short;
  }
  const Doubt numbers = doubt_of_numbers(d, packet, offset, other);
  if (numbers != Doubt::none) return numbers;
  const bool is_new = packet.payload_length > 0 ? end_of(packet, offset) > half.next() : packet.has(flag::fin);
  if (!is_new || half.fin() != 0) return Doubt::none;
  if (may_probe) return Doubt::maybe_keep_alive;
  return doubt_of_new_octets(d, packet);
}

bool Acceptance::acknowledges_unoffered(Direction d, const net::TcpPacket& packet, const Half& other) const noexcept {
  const std::uint64_t offered_by_it = of(opposite(d)).offered;
  const auto acknowledged = other.acknowledged_by(packet.acknowledgment);
  return offered_by_it != 0 && acknowledged && *acknowledged > std::max(offered_by_it, other.highest()) + kWindowSlack;
}

Doubt Acceptance::doubt_of_numbers(Direction d, const net::TcpPacket& packet, std::uint64_t offset,
                                   const Half& other) const noexcept {
  const std::uint64_t offered_by_it = of(opposite(d)).offered;
  if (offered_by_it != 0 && packet.has(flag::ack)) {
    const auto acknowledged = other.acknowledged_by(packet.acknowledgment);
    if (acknowledges_unoffered(d, packet, other)) {
      const int run = known(d) != nullptr ? known(d)->unsent_run + 1 : 1;
      if (run < kUnsentRun) return Doubt::acknowledges_unsent;
    }
    const std::uint64_t window = std::max(kMostWindow, offered_by_it - std::min(offered_by_it, other.acknowledged()));
    if (packet.payload_length > 0 && acknowledged && *acknowledged + window < other.acknowledged()) {
      return Doubt::acknowledges_too_old;
    }
  }
  const std::uint64_t offered = of(d).offered;
  return offered != 0 && offset > offered + kWindowSlack ? Doubt::beyond_window : Doubt::none;
}

Doubt Acceptance::doubt_of_new_octets(Direction d, const net::TcpPacket& packet) const noexcept {
  const Shown& shown = of(d);
  if (shown.timestamps && packet.timestamp && static_cast<std::int32_t>(*packet.timestamp - shown.timestamp) < 0 &&
      (day_of(packet) - shown.timestamp_day) % kDays <= kTimestampDays) {
    return Doubt::old_timestamp;
  }
  if (packet.payload_length > 0 && packet.ttl + kHopSlack < shown.hop_limit) return Doubt::other_hop_limit;
  return Doubt::none;
}

bool Acceptance::set_aside(Doubt doubt, const net::TcpPacket& packet, Half& half, bool other_ended, Call& call) {
  Doubted& shown = doubted(call);
  if (doubt == Doubt::acknowledges_unsent) ++shown.unsent_run;
  const bool carries = packet.payload_length > 0 || packet.has(flag::fin);
  if (doubt == Doubt::unfitting_syn || !half.has_origin() || !carries) {
    count_dropped(doubt, half, call);
    return false;
  }
  shown.run = shown.run > 0 && packet.sequence == shown.run_next ? static_cast<std::uint8_t>(shown.run + 1) : 1;
  shown.run_next = packet.sequence + packet.payload_length;
  if (shown.run < kDoubtedRun) {
    if (keep(doubt, packet, half, call)) count_dropped(doubt, half, call);
    return false;
  }
  put_all(half, other_ended, call);
  return true;
}

void Acceptance::count_dropped(Doubt doubt, Half& half, const Call& call) {
  ++half.statistics.ignored_segments;
  if (doubt == Doubt::unfitting_syn) return;  // what follows decides
  Doubted& its = doubted(call);
  ++its.dropped[static_cast<std::size_t>(doubt)];
  const bool is_sign = std::ranges::find(kForgedSigns, doubt, &ForgedSign::doubt) != kForgedSigns.end();
  if (is_sign && its.first_dropped.value == 0) its.first_dropped = call.frame;
}

void Acceptance::report_dropped(Call& call) const {
  const Doubted* const its = known(call.direction);
  if (its != nullptr) raise_forged(call, its->dropped, its->first_dropped);
}

/// What was known of the window is too old.
void Acceptance::put_all(Half& half, bool other_ended, Call& call) {
  Doubted& its = doubted(call);
  its.run = 0;
  of(call.direction).offered = 0;
  while (!its.aside.empty()) put(take_out(its, 0), half, other_ended, call);
}

bool Acceptance::is_answer(Direction d, const net::TcpPacket& packet, const Half& other) const noexcept {
  constexpr std::uint32_t kNear = 0xFFFF;  // octets on their way; ours
  if (!has_aside(opposite(d)) || !packet.has(flag::ack) || packet.has(flag::syn | flag::rst)) return false;
  const auto acknowledged = other.acknowledged_by(packet.acknowledgment);
  if (acknowledged && *acknowledged <= other.highest()) return false;
  return std::ranges::any_of(known(opposite(d))->aside, [&](const Aside& aside) {
    const std::uint32_t ahead = packet.sequence - aside.acknowledgment;
    return std::min(ahead, 0 - ahead) <= kNear && packet.acknowledgment != aside.sequence &&
           packet.acknowledgment - aside.sequence <= aside.arrival.end - aside.arrival.begin + kNear;
  });
}

/// False: the same octets are there already, as in a mirror's second copy.
bool Acceptance::keep(Doubt doubt, const net::TcpPacket& packet, const Half& half, const Call& call) {
  std::vector<Aside>& all = doubted(call).aside;
  const std::uint64_t offset = half.offset_of(packet.sequence);
  if (!half.is_plausible(offset)) return true;
  Aside aside;
  aside.arrival.begin = offset;
  aside.arrival.end = end_of(packet, offset);
  aside.arrival.frame = packet.frame;
  aside.arrival.time = packet.time;
  aside.sequence = packet.sequence;
  aside.acknowledgment = packet.acknowledgment;
  aside.fin = packet.has(flag::fin);
  aside.by_window = doubt == Doubt::beyond_window;
  aside.unsure = is_unsure(doubt);
  aside.doubt = doubt;
  const Octets octets = packet.payload.first(std::min<std::size_t>(packet.payload.size(), packet.payload_length));
  const auto is_there = [&](const Aside& a) {
    return a.arrival.begin == aside.arrival.begin && a.arrival.end == aside.arrival.end && a.fin == aside.fin;
  };
  if (std::ranges::any_of(all, is_there)) return false;
  if (all.size() >= kMostAside) (void)take_out(doubted(call), 0);
  if (!call.budget.take(octets.size() + kAsideOverhead)) return true;
  aside.octets.assign(octets.begin(), octets.end());
  all.push_back(std::move(aside));
  return true;
}

/// For what was read: the budget counts it from now.
bool Acceptance::pay_for_aside() noexcept {
  bool is_paid = true;
  for (const Doubted& its : doubts_->of) {
    for (const Aside& aside : its.aside) {
      is_paid = doubts_->budget.take(aside.octets.size() + kAsideOverhead) && is_paid;
    }
  }
  return is_paid;
}

Acceptance::Aside Acceptance::take_out(Doubted& its, std::size_t at) noexcept {
  const auto it = its.aside.begin() + static_cast<std::ptrdiff_t>(at);
  doubts_->budget.give_back(it->octets.size() + kAsideOverhead);
  Aside aside = std::move(*it);
  its.aside.erase(it);
  if (its.aside.empty()) its.aside.shrink_to_fit();
  return aside;
}

void Acceptance::put(Aside aside, Half& half, bool other_ended, Call& call) {
  // Where another TCP segment's octets were taken, this one was none that the receiver took.
  if (aside.unsure ? aside.arrival.end <= half.next() : aside.arrival.begin < half.next()) return;
  if (half.statistics.ignored_segments > 0) --half.statistics.ignored_segments;
  std::uint32_t& dropped = doubted(call).dropped[static_cast<std::size_t>(aside.doubt)];
  if (dropped > 0) --dropped;
  aside.arrival.octets = aside.octets;
  if (aside.arrival.end > aside.arrival.begin) half.take(aside.arrival, other_ended, call);
  if (aside.fin) half.take_fin(aside.arrival.end, false, call);
}

void Acceptance::release(std::uint64_t acknowledged, Half& half, bool other_ended, Call& call) {
  if (!has_aside(call.direction)) return;
  Doubted& its = doubted(call);
  for (std::size_t at = 0; at < its.aside.size();) {
    const Aside& aside = its.aside[at];
    const std::uint64_t due = aside.unsure ? aside.arrival.begin + 1 : aside.arrival.end + (aside.fin ? 1 : 0);
    const bool received = due <= acknowledged;
    // A tap may show the ACK that opens the window after what was sent into it, but not much later.
    const bool offered = aside.by_window && aside.arrival.end <= of(call.direction).offered &&
                         elapsed_ns(aside.arrival.time, call.time) <= kOvertakenNs;
    if (!received && !offered) {
      ++at;
      continue;
    }
    put(take_out(its, at), half, other_ended, call);
  }
}

void Acceptance::learn_window(Direction d, const net::TcpPacket& packet, const Half& half, const Half& other) noexcept {
  constexpr unsigned kMostScale = 14;  // RFC 7323 §2.3
  if (!packet.has(flag::ack) || packet.has(flag::syn) || !other.has_origin()) return;
  if (!half.syn_seen || !other.syn_seen) return;
  const auto acknowledged = other.acknowledged_by(packet.acknowledgment);
  if (!acknowledged) return;
  const bool scaled = half.window_scale != 0xFF && other.window_scale != 0xFF;
  const unsigned scale = scaled ? std::min<unsigned>(half.window_scale, kMostScale) : 0;
  std::uint64_t& offered = of(opposite(d)).offered;
  offered = std::max(offered, *acknowledged + (std::uint64_t{packet.window} << scale));
}

void Acceptance::take(const net::TcpPacket& packet, std::uint64_t offset, Side own, Side other) {
  Call& call = own.call;
  Shown& shown = of(call.direction);
  if (doubts_ != nullptr && doubted(call).control) go_on(packet, offset, own.half, other.half, call);
  if (packet.ip_checksum_good) shown.ip_checksum_good = true;
  if (packet.has(flag::syn)) return;
  if (doubts_ != nullptr) {
    Doubted& its = doubted(call);
    if (its.unsent_run != 0 && acknowledges_unoffered(call.direction, packet, other.half)) {
      std::uint32_t& dropped = its.dropped[static_cast<std::size_t>(Doubt::acknowledges_unsent)];
      dropped -= std::min<std::uint32_t>(dropped, its.unsent_run);  // they are believed now
    }
    its.run = its.unsent_run = 0;
    if (is_answer(call.direction, packet, other.half)) {
      of(call.direction).offered = 0;
      put_all(other.half, own.half.state() == HalfState::closed, other.call);
    }
  }
  if (packet.timestamp && offset <= own.half.next()) {
    if (!shown.timestamps || static_cast<std::int32_t>(*packet.timestamp - shown.timestamp) > 0) {
      shown.timestamp = *packet.timestamp;
      shown.timestamp_day = day_of(packet) % kDays;
    }
    shown.timestamps = true;
  }
  if (packet.payload_length > 0 || shown.hop_limit == 0) shown.hop_limit = packet.ttl;
  if (packet.payload_length > 0) {
    if (packet.has(flag::ack) && packet.payload_length > 1) shown.ack_flag = true;
    const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(captured(packet), 0xFFFF) / kTagSlack);
    if (length > shown.longest && !packet.truncated()) shown.longest = length & 0xFFFU;
  }
  learn_window(call.direction, packet, own.half, other.half);
  if (has_aside(opposite(call.direction))) release(0, other.half, own.half.state() == HalfState::closed, other.call);
}

ResetFit Acceptance::fit(const net::TcpPacket& packet, const Half& half, bool believable) noexcept {
  if (!believable) return ResetFit::impossible;
  if (!half.has_origin()) return ResetFit::exact;
  const std::uint64_t offset = half.offset_of(packet.sequence);
  // After a FIN nothing that the sender could still say is lost by an RST.
  if (half.fin() != 0) return half.is_after_fin(offset) ? ResetFit::impossible : ResetFit::exact;
  const bool exact = offset == half.next() || offset == half.highest() || offset == half.acknowledged();
  return exact ? ResetFit::exact : ResetFit::in_window;
}

void Acceptance::wait_for_more(const net::TcpPacket& packet, ResetFit fit, const Half& half, const Half& other,
                               Call& call) {
  Doubted& shown = doubted(call);
  if (shown.control && shown.control->is_reset && !packet.has(flag::rst)) return;
  Control control;
  const std::uint64_t offset = half.has_origin() ? half.offset_of(packet.sequence) : 0;
  const bool is_placed = half.has_origin() && half.is_plausible(offset);
  control.seen = {packet.frame, packet.time, is_placed ? std::optional(StreamOffset{offset}) : std::nullopt};
  control.other_highest = other.highest();
  control.is_reset = packet.has(flag::rst);
  control.in_window = fit == ResetFit::in_window;
  shown.control = control;
}

/// Whether its sender's TCP segment shows that the connection goes on after an RST or SYN of that direction.
void Acceptance::go_on(const net::TcpPacket& packet, std::uint64_t offset, const Half& half, const Half& other,
                       Call& call) {
  Doubted& shown = doubted(call);
  const Control& control = *shown.control;
  const auto acknowledged = packet.has(flag::ack) ? other.acknowledged_by(packet.acknowledgment) : std::nullopt;
  const std::uint64_t end = end_of(packet, offset) + (packet.has(flag::fin) ? 1 : 0);
  const bool sent_more = control.seen.offset && end > control.seen.offset->value;
  const bool got_more = acknowledged && *acknowledged > control.other_highest;
  // An RST beyond the FIN of its sender is not its sender's.
  const std::uint64_t at = control.is_reset && control.seen.offset ? control.seen.offset->value : 0;
  const bool forged = half.is_after_fin(at) || (packet.has(flag::fin) && at > end);
  if (!sent_more && !got_more && !forged && elapsed_ns(control.seen.time, packet.time) <= kOvertakenNs) return;
  ++shown.dropped[static_cast<std::size_t>(control.is_reset ? Doubt::unfitting_reset : Doubt::unfitting_syn)];
  raise_ignored_control(call, control.seen, control.is_reset);
  shown.control.reset();
}

std::optional<ControlSeen> Acceptance::unanswered_reset(Direction d) const noexcept {
  const Doubted* const its = known(d);
  const Control* const control = its != nullptr && its->control ? &*its->control : nullptr;
  return control != nullptr && control->is_reset && control->in_window ? std::optional(control->seen) : std::nullopt;
}

std::optional<ControlSeen> Acceptance::last_reset(Direction d) const noexcept {
  const Doubted* const its = known(d);
  const Control* const control = its != nullptr && its->control ? &*its->control : nullptr;
  return control != nullptr && control->is_reset ? std::optional(control->seen) : std::nullopt;
}

}  // namespace iwarpscope::tcp
