// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/doubles.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/octets.h"
#include "net/checksum.h"

namespace iwarpscope::analysis {
namespace {

namespace flag = net::tcp_flag;

// Ours. So many TCP segments with payload that are equal to the last bit of their headers are no chance.
constexpr unsigned kEnoughCopies = 24;
constexpr unsigned kEnoughRepeats = 4;
constexpr std::size_t kMostOwn = 256;
constexpr std::uint32_t kNear = 1u << 20;

const tcp::Limits& held_limits() {
  static const tcp::Limits limits = [] {
    tcp::Limits few;
    few.max_waiting = 128;
    few.max_waiting_octets = 256u << 10;
    return few;
  }();
  return limits;
}

/// `later` comes after `earlier` in the stream, and near it.
bool is_after(std::uint32_t later, std::uint32_t earlier) noexcept {
  return later - earlier - 1 < kNear;
}

/// Both have octets at the same place that differ, as far as they were kept.
bool starts_differ(const SegmentFacts& one, const SegmentFacts& other) noexcept {
  const SegmentFacts& first = is_after(other.sequence, one.sequence) ? one : other;
  const SegmentFacts& second = &first == &one ? other : one;
  const std::uint32_t skipped = second.sequence - first.sequence;
  if (skipped >= first.kept) return false;
  const std::size_t common = std::min<std::size_t>(first.kept - skipped, second.kept);
  return std::memcmp(first.start.data() + skipped, second.start.data(), common) != 0;
}

/// What a sender changes with each packet is equal.
bool is_packet(const SegmentFacts& one, const SegmentFacts& other) noexcept {
  return one.sequence == other.sequence && one.length == other.length && one.acknowledgment == other.acknowledgment &&
         one.timestamp == other.timestamp && one.window == other.window && one.ip_id == other.ip_id &&
         one.flags == other.flags;
}

/// One ends the stream where the other goes on.
bool ends_before(const SegmentFacts& one, const SegmentFacts& other) noexcept {
  return (one.flags & flag::fin) != 0 && other.length != 0 &&
         is_after(other.sequence + other.length, one.sequence + one.length);
}

}  // namespace

SegmentFacts SegmentFacts::of(const net::TcpPacket& packet, bool from_low) noexcept {
  SegmentFacts facts;
  facts.take(packet, from_low);
  facts.damaged = net::checksum(packet).verdict == net::Checksum::bad;
  return facts;
}

void SegmentFacts::take(const net::TcpPacket& packet, bool is_from_low) noexcept {
  constexpr std::size_t kChecksum = 16;
  sequence = packet.sequence;
  length = packet.payload_length;
  acknowledgment = packet.acknowledgment;
  timestamp = packet.timestamp.value_or(0);
  window = packet.window;
  ip_id = packet.ip_id;
  checksum = load_be<std::uint16_t>(packet.tcp_header.subspan(kChecksum));
  flags = packet.flags;
  from_low = is_from_low;
  damaged = false;
  const std::size_t most = std::min(kStart, packet.payload.size());
  kept = most & 0x3F;
  std::copy_n(packet.payload.begin(), most, start.begin());
  if (!packet.has(flag::syn)) return;
  const std::uint16_t mss = packet.mss.value_or(0);
  start[0] = static_cast<std::byte>(mss >> 8);
  start[1] = static_cast<std::byte>(mss);
  start[2] = static_cast<std::byte>(packet.window_scale.value_or(0xFF));
  kept = 3;
}

bool SegmentFacts::is_needed(const net::TcpPacket& packet) noexcept {
  return packet.payload_length != 0 || packet.has(flag::syn | flag::fin | flag::rst);
}

std::uint32_t SegmentFacts::end() const noexcept {
  return sequence + length + ((flags & (flag::syn | flag::fin)) != 0 ? 1 : 0);
}

Relation relation(const SegmentFacts& one, const SegmentFacts& other) noexcept {
  const bool syn = (one.flags & flag::syn) != 0;
  if (one.from_low != other.from_low || syn != ((other.flags & flag::syn) != 0)) return Relation::unrelated;
  const bool differ = starts_differ(one, other);
  const bool is_at = one.sequence == other.sequence;
  if (is_packet(one, other)) {
    // A wrong octet in one of them, and the same checksum: it was damaged at a port. The other way round, the checksum
    // of one may not be filled in.
    if (one.checksum == other.checksum || !differ) return Relation::copy;
    return Relation::differs;
  }
  if (one.damaged || other.damaged) return Relation::unrelated;
  if (syn) return is_at && !differ ? Relation::same : Relation::differs;
  if (ends_before(one, other) || ends_before(other, one)) return Relation::differs;
  if (one.length == 0 || other.length == 0) return Relation::unrelated;
  if (differ) return Relation::differs;
  return is_at ? Relation::same : Relation::unrelated;
}

void Beginnings::note(std::uint32_t flow, FrameNumber first, const net::TcpPacket& packet, bool from_low) {
  if (ring_.empty()) ring_.reserve(kMost);
  const bool has_room = ring_.size() < kMost;
  Entry& entry = has_room ? ring_.emplace_back() : ring_[next_];
  if (!has_room) next_ = (next_ + 1) % kMost;
  entry.flow = flow;
  entry.first = static_cast<std::uint32_t>(first.value);
  entry.facts.take(packet, from_low);
}

std::vector<SegmentFacts> Beginnings::of(std::uint32_t flow, FrameNumber first) const {
  std::vector<SegmentFacts> all;
  for (std::size_t i = 0; i < ring_.size(); ++i) {
    const Entry& entry = ring_[(next_ + i) % ring_.size()];
    if (entry.flow == flow && entry.first == static_cast<std::uint32_t>(first.value)) all.push_back(entry.facts);
  }
  return all;
}

Double::Double(FrameNumber first, const std::vector<SegmentFacts>& own, std::uint32_t overlay, TimePoint time,
               BufferBudget& budget)
    : first_(first), time_(time), overlay_(overlay), segments_(held_limits(), budget) {
  for (const SegmentFacts& facts : own) own_.push_back({facts});
}

/// Looks for `one` among what the other network showed.
Double::Verdict Double::compare(Seen& one, std::vector<Seen>& others) {
  bool is_same = false, differs = false;
  for (Seen& other : others) {
    switch (relation(one.facts, other.facts)) {
      case Relation::unrelated: break;
      case Relation::same: is_same = true; break;
      case Relation::differs: differs = differs || !other.copied; break;
      case Relation::copy: one.copied = other.copied = true; break;
    }
  }
  // What both networks showed says nothing, whatever else they showed: a sender may send other octets again.
  if (!one.copied && differs) return Verdict::two;
  if (!one.copied && is_same) ++repeats_;
  if (!one.copied) return Verdict::open;
  any_copied_ = true;
  if (one.facts.length != 0) ++copies_;
  return copies_ >= kEnoughCopies ? Verdict::one : Verdict::open;
}

Double::Added Double::add(const net::TcpPacket& packet, const SegmentFacts& facts) {
  Seen held{facts};
  const bool is_needed = SegmentFacts::is_needed(packet);
  Added result{is_needed ? compare(held, own_) : Verdict::open, held.copied, false};
  held.copied = held.copied || !is_needed;  // if they are one, it is not missed
  const Direction d = facts.from_low ? Direction::a_to_b : Direction::b_to_a;
  result.is_held = segments_.add(d, packet);
  if (result.is_held) held_.push_back(held);
  if (!result.is_held && result.verdict == Verdict::open) result.verdict = by_now();
  return result;
}

Double::Verdict Double::see(const SegmentFacts& facts, std::uint32_t acknowledgment) {
  Seen own{facts};
  const bool is_needed = facts.end() != facts.sequence || (facts.flags & flag::rst) != 0;
  Verdict verdict = is_needed ? compare(own, held_) : Verdict::open;
  if (verdict == Verdict::open && is_passed(facts, acknowledgment)) verdict = Verdict::one;
  if (!is_needed) return verdict;
  if (own_.size() >= kMostOwn) return verdict == Verdict::open ? by_now() : verdict;
  own_.push_back(own);
  return verdict;
}

/// The own network speaks of octets that only the second one showed: it lacks them, and they are of the connection.
bool Double::is_passed(const SegmentFacts& facts, std::uint32_t acknowledgment) const noexcept {
  const bool acknowledges = (facts.flags & flag::ack) != 0;
  return std::any_of(held_.begin(), held_.end(), [&](const Seen& held) {
    if (held.copied || held.facts.damaged || held.facts.end() == held.facts.sequence) return false;
    const std::uint32_t reached = held.facts.from_low == facts.from_low ? facts.sequence : acknowledgment;
    if (held.facts.from_low != facts.from_low && !acknowledges) return false;
    if (reached - held.facts.end() >= kNear) return false;
    return !is_own(held.facts);
  });
}

/// The own network showed octets at the same place.
bool Double::is_own(const SegmentFacts& facts) const noexcept {
  return std::any_of(own_.begin(), own_.end(), [&](const Seen& seen) {
    const SegmentFacts& own = seen.facts;
    return own.from_low == facts.from_low && own.end() != own.sequence && is_after(own.end(), facts.sequence) &&
           is_after(facts.end(), own.sequence);
  });
}

Double::Verdict Double::by_now() const noexcept {
  return !any_copied_ && repeats_ >= kEnoughRepeats ? Verdict::two : Verdict::one;
}

tcp::WaitingSegments::List Double::take(bool all) {
  tcp::WaitingSegments::List taken, left;
  auto at = segments_.begin();
  for (std::size_t i = 0; i < held_.size(); ++i) at = segments_.take(at, all || !held_[i].copied ? taken : left);
  held_.clear();
  return taken;
}

}  // namespace iwarpscope::analysis
