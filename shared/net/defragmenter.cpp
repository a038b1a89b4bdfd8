// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/defragmenter.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace iwarpscope::net {
namespace {

constexpr std::uint32_t kMaxDatagram = 65535;  // octets of payload: RFC 791 §3.1, RFC 8200 §4.5
constexpr std::uint16_t kIpv6 = 256;           // no IP protocol number

}  // namespace

Defragmenter::Key Defragmenter::key_of(const Walk& walk) noexcept {
  return {walk.ip.source, walk.ip.destination, walk.fragment.identification, walk.tenant,
          walk.ip.is_v4 ? std::uint16_t{walk.ip.protocol} : kIpv6};
}

std::size_t Defragmenter::cost(const Datagram& datagram) noexcept {
  return kDatagramCost + datagram.pieces.size() * kPieceCost + datagram.store.size();
}

/// For what was read: its pieces follow one another, and their octets are there.
bool Defragmenter::is_sound(const Datagram& datagram) noexcept {
  std::uint64_t covered = 0;
  std::uint32_t end = 0;
  for (const Piece& piece : datagram.pieces) {
    const bool is_there = piece.at <= datagram.store.size() && piece.captured <= datagram.store.size() - piece.at;
    if (piece.begin < end || piece.end <= piece.begin || piece.end > kMaxDatagram || !is_there) return false;
    if (piece.captured > piece.end - piece.begin) return false;
    end = piece.end;
    covered += piece.end - piece.begin;
  }
  switch (datagram.phase) {
    case Phase::collecting: return covered == datagram.covered && (!datagram.length || end <= *datagram.length);
    case Phase::complete: return datagram.pieces.size() == 1;
    case Phase::spoiled: break;
  }
  return datagram.pieces.empty();
}

void Defragmenter::clear(Datagram& datagram, Phase phase) noexcept {
  held_ -= cost(datagram);
  datagram.phase = phase;
  waiting_ -= datagram.fragments;
  datagram.fragments = 0;
  datagram.covered = 0;
  datagram.length.reset();
  datagram.pieces = std::vector<Piece>();  // gives the memory back, as clear() would not
  datagram.holes = std::vector<Hole>();
  datagram.store = std::vector<std::byte>();
  held_ += cost(datagram);
}

void Defragmenter::restart(Datagram& datagram) noexcept {
  dropped_ += datagram.fragments;
  clear(datagram, Phase::collecting);
}

void Defragmenter::forget(Table::iterator it) {
  dropped_ += it->second.fragments;
  waiting_ -= it->second.fragments;
  held_ -= cost(it->second);
  by_age_.erase(it->second.age);
  table_.erase(it);
}

void Defragmenter::expire(TimePoint now) {
  while (!by_age_.empty()) {
    const auto it = table_.find(by_age_.front());
    if (elapsed_ns(it->second.first, now) <= limits_.fragment_timeout_ns) return;
    forget(it);
  }
}

void Defragmenter::keep_limits() {
  while (!by_age_.empty() && (table_.size() > limits_.max_datagrams || held_ > limits_.max_fragment_octets)) {
    const auto oldest = table_.find(by_age_.front());
    over_limit_ += oldest->second.fragments;
    if (table_.size() > limits_.max_datagrams) over_datagrams_ += oldest->second.fragments;
    forget(oldest);
  }
}

/// Whether what is held of [begin, end) has the octets of the new fragment, and its length fits. Octets that the
/// capture cut agree with anything.
bool Defragmenter::agrees(const Datagram& datagram, const Walk& walk, std::uint32_t begin, std::uint32_t end) noexcept {
  if (datagram.length && (end > *datagram.length || (!walk.fragment.more && end != *datagram.length))) return false;
  if (!walk.fragment.more && !datagram.pieces.empty() && datagram.pieces.back().end > end) return false;
  auto piece = std::ranges::upper_bound(datagram.pieces, begin, {}, &Piece::end);
  // Where nothing was captured there is nothing to compare.
  const std::uint32_t compared = datagram.is_v4 ? begin + static_cast<std::uint32_t>(walk.rest.size()) : end;
  for (; piece != datagram.pieces.end() && piece->begin < compared; ++piece) {
    if (!datagram.is_v4 && (piece->begin != begin || piece->end != end)) return false;
    const std::uint32_t from = std::max(begin, piece->begin);
    const auto seen = static_cast<std::uint32_t>(walk.rest.size());
    const std::uint32_t to = std::min(begin + seen, piece->begin + piece->captured);
    if (from < to && std::memcmp(walk.rest.data() + (from - begin),
                                 datagram.store.data() + piece->at + (from - piece->begin), to - from) != 0) {
      return false;
    }
  }
  return true;
}

void Defragmenter::find_holes(Datagram& datagram) {
  std::uint32_t end = 0;
  for (const Piece& piece : datagram.pieces) {
    if (end < piece.begin) datagram.holes.push_back({end, piece.begin});
    end = piece.end;
  }
}

/// `filled` is not held yet. `octets` is what was captured from `begin` on.
void Defragmenter::add_piece(Datagram& datagram, Octets octets, std::uint32_t begin, Hole filled) {
  const std::size_t skipped = std::min<std::size_t>(filled.begin - begin, octets.size());
  const Octets part =
      octets.subspan(skipped, std::min<std::size_t>(octets.size() - skipped, filled.end - filled.begin));
  const Piece added{filled.begin, filled.end, static_cast<std::uint32_t>(part.size()),
                    static_cast<std::uint32_t>(datagram.store.size())};
  datagram.store.insert(datagram.store.end(), part.begin(), part.end());
  datagram.covered += filled.end - filled.begin;
  datagram.pieces.insert(std::ranges::upper_bound(datagram.pieces, filled.begin, {}, &Piece::begin), added);
}

/// Adds those parts of [begin, end) that are not held. `octets` is what was captured of it. Looks at holes only: one
/// frame may claim many octets of which pieces are held.
void Defragmenter::insert(Datagram& datagram, Octets octets, std::uint32_t begin, std::uint32_t end) {
  held_ -= cost(datagram);
  std::vector<Hole>& holes = datagram.holes;
  const std::uint32_t held_end = datagram.pieces.empty() ? 0 : datagram.pieces.back().end;
  const auto first = std::ranges::upper_bound(holes, begin, {}, &Hole::end);
  auto last = first;
  std::array<Hole, 2> left{};
  std::size_t parts = 0;
  for (; last != holes.end() && last->begin < end; ++last) {
    if (last->begin < begin) left[parts++] = {last->begin, begin};
    if (end < last->end) left[parts++] = {end, last->end};
    add_piece(datagram, octets, begin, {std::max(begin, last->begin), std::min(end, last->end)});
  }
  const auto kept = std::min(static_cast<std::size_t>(last - first), parts);
  const auto rest = std::copy_n(left.begin(), kept, first);
  if (kept == parts) {
    holes.erase(rest, last);
  } else {
    holes.insert(rest, left[kept]);  // one hole became two
  }
  if (held_end < end) {
    if (held_end < begin) holes.push_back({held_end, begin});
    add_piece(datagram, octets, begin, {std::max(begin, held_end), end});
  }
  held_ += cost(datagram);
}

/// Puts the pieces together as far as they were captured, and the walk in front of them.
Layer Defragmenter::join(Datagram& datagram, Walk& walk, std::uint32_t begin, std::uint32_t end) {
  auto& whole = joined_.emplace_back();
  whole.reserve(datagram.store.size());
  for (const Piece& piece : datagram.pieces) {
    const auto from = datagram.store.begin() + piece.at;
    whole.insert(whole.end(), from, from + piece.captured);
    if (piece.captured < piece.end - piece.begin) break;
  }
  walk.rest = whole;
  walk.cut = *datagram.length - whole.size();
  walk.ip.protocol = datagram.protocol;
  walk.ip.ttl = datagram.ttl;
  walk.ip.fragmented = true;
  clear(datagram, Phase::complete);
  datagram.pieces.push_back({begin, end, 0, 0});
  held_ += kPieceCost;
  return Layer::ip_payload;
}

/// Whether a fragment may join its datagram, or instead spoils it or starts a new one.
bool Defragmenter::admits(Datagram& datagram, const Walk& walk, std::uint32_t begin, std::uint32_t end,
                          bool is_stale) noexcept {
  if (datagram.phase == Phase::complete) {
    const Piece& completing = datagram.pieces.front();
    // A mirror's second copy of the fragment that completed it.
    if (!is_stale && completing.begin == begin && completing.end == end) return false;
    restart(datagram);
  }
  if (datagram.phase == Phase::spoiled && is_stale) restart(datagram);
  if (datagram.phase == Phase::collecting && !agrees(datagram, walk, begin, end)) {
    restart(datagram);
    if (!is_stale) datagram.phase = Phase::spoiled;
  }
  if (datagram.phase == Phase::collecting) return true;
  ++dropped_;
  return false;
}

Defragmenter::Datagram& Defragmenter::find(const Walk& walk, TimePoint time) {
  const auto [it, is_new] = table_.try_emplace(key_of(walk));
  Datagram& datagram = it->second;
  if (is_new) {
    datagram.is_v4 = walk.ip.is_v4;
    datagram.first = datagram.last = time;
    datagram.age = by_age_.insert(by_age_.end(), it->first);
    held_ += cost(datagram);
  }
  return datagram;
}

Layer Defragmenter::add(Walk& walk, TimePoint time) {
  const std::size_t wire = walk.wire_length();
  const std::uint32_t begin = walk.fragment.offset;
  if (wire == 0 || wire > kMaxDatagram - begin || (walk.fragment.more && wire % 8 != 0)) {
    ++dropped_;
    return walk.stop(NoPacket::malformed);
  }
  const auto end = begin + static_cast<std::uint32_t>(wire);
  expire(time);

  Datagram& datagram = find(walk, time);
  const bool is_stale = datagram.is_v4 && elapsed_ns(datagram.last, time) > kIdentificationReuse_ns;
  datagram.last = time;
  if (!admits(datagram, walk, begin, end, is_stale)) return walk.stop(NoPacket::fragment_held);

  const std::uint32_t covered_before = datagram.covered;
  insert(datagram, walk.rest, begin, end);
  if (datagram.covered != covered_before) {
    ++datagram.fragments;
    ++waiting_;
  }
  if (begin == 0) {
    datagram.protocol = walk.ip.protocol;
    datagram.ttl = walk.ip.ttl;
  }
  if (!walk.fragment.more) datagram.length = end;
  const bool is_complete = datagram.length && datagram.covered == *datagram.length;
  const Layer next = is_complete ? join(datagram, walk, begin, end) : walk.stop(NoPacket::fragment_held);
  keep_limits();
  return next;
}

}  // namespace iwarpscope::net
