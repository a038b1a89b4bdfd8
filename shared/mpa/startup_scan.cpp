// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Startup frames among the octets of a direction: found, collected, distinguished from text.
#include <algorithm>
#include <cstring>

#include "mpa/startup_frame_view.h"
#include "mpa/startup_rules.h"
#include "mpa/startup_state.h"

namespace iwarpscope::mpa {

namespace {

constexpr unsigned kMaxKeyDamage = 4;

/// The octets are the beginning of a key, or begin with it.
bool begins_exactly(Octets octets) noexcept {
  const std::size_t n = std::min(octets.size(), kKeyOctets);
  return std::equal(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(n), kRequestKey.begin()) ||
         std::equal(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(n), kReplyKey.begin());
}

/// Would a startup frame look like this? The weaker the place and the key, the stricter the fields are taken. Text
/// fails for its "revision", which is a printable character.
bool is_sane(const StartupFrameView& view, bool exact, bool at_segment_start) noexcept {
  const bool known_revision = view.revision() <= 2;
  const bool usual_bits = view.reserved() == 0 || view.reserved() == kSiwGsoBit;
  const bool length_fits = view.private_data_length() <= kMaxPrivateData;
  if (!exact || !at_segment_start) return known_revision && usual_bits && length_fits;
  const unsigned odd = (known_revision ? 0U : 1U) + (usual_bits ? 0U : 1U) + (length_fits ? 0U : 1U);
  return odd <= 1 && view.revision() < 16;
}

/// A PD_Length beyond all bounds that reads as text, like the octets after it: prose that quotes a startup frame.
bool is_prose(Octets held) noexcept {
  constexpr std::size_t kLengthAt = 18, kEnough = StartupFrameView::kOctets + 4;
  if (held.size() < kEnough || load_be<std::uint16_t>(held.subspan(kLengthAt)) <= kMaxPrivateData) return false;
  const Octets rest = held.subspan(kLengthAt);
  return std::all_of(rest.begin(), rest.end(), [](std::byte o) {
    const std::uint8_t c = to_u8(o);
    return (c >= 0x20 && c < 0x7F) || c == '\r' || c == '\n' || c == '\t';
  });
}

}  // namespace

bool is_usual_request(Octets octets) noexcept {
  const auto parsed = StartupFrameView::parse(octets);
  const auto* const view = std::get_if<StartupFrameView>(&parsed);
  return view != nullptr && key_damage(octets, false) == 0 && is_sane(*view, true, false);
}

bool may_be_startup_frame(Octets octets) noexcept {
  if (octets.empty()) return false;
  const std::size_t n = std::min(octets.size(), kKeyOctets);
  if (n < kKeyOctets) {
    if (n < 8) return begins_exactly(octets);
    unsigned damage = 0;
    for (std::size_t i = 0; i < n; ++i) damage += octets[i] != kRequestKey[i] && octets[i] != kReplyKey[i] ? 1U : 0U;
    return damage <= n / 4;
  }
  return key_damage(octets, false) <= kMaxKeyDamage || key_damage(octets, true) <= kMaxKeyDamage;
}

/// Takes octets until the chunk is used up, or what follows belongs to Full Operation; returns how many.
std::size_t Startup::State::look(Direction d, const tcp::Chunk& chunk, bool opposite_seen) {
  const std::size_t size = chunk.octets.size();
  Side& side = sides[index(d)];
  std::size_t at = 0;
  while (at < size) {
    if (!side.collecting) {
      const std::size_t found = find_candidate(side, chunk, at);
      if (found > at && other_octets(d, chunk, at, found)) return at;
      if (found == size) return size;
      at = found;
      side.collecting = true;
      side.held_start = chunk.offset + at;
      side.at_segment_start = at == 0 && chunk.starts_tcp_segment;
      side.held_acknowledged.reset();
      if (chunk.has_acknowledged && !chunk.retransmitted) side.held_acknowledged = chunk.acknowledged;
    }
    bool dropped = false;
    at += collect(d, chunk, at, dropped);
    if (dropped || side.collecting) continue;
    // A frame is complete.
    if (phase == StartupPhase::full_operation) return at;
    if (at < size && side.complete) {
      tcp::Chunk rest = chunk;
      rest.offset = chunk.offset + at;
      rest.octets = chunk.octets.subspan(at);
      rest.starts_tcp_segment = false;
      return at + octets(d, rest, opposite_seen);
    }
  }
  return size;
}

/// Index of the first octet from `from` on that may begin a startup frame; without one, the chunk's size.
std::size_t Startup::State::find_candidate(Side& side, const tcp::Chunk& chunk, std::size_t from) const {
  const std::size_t size = chunk.octets.size();
  if (const StreamOffset at = chunk.offset + from; at < side.hidden_to) {
    if (!side.hides_starts && from == 0 && chunk.starts_tcp_segment && may_be_startup_frame(chunk.octets)) return 0;
    const std::uint64_t hidden = distance(at, side.hidden_to);
    return hidden >= size - from ? size : find_candidate(side, chunk, from + static_cast<std::size_t>(hidden));
  }
  if (from == 0 && chunk.starts_tcp_segment && may_be_startup_frame(chunk.octets)) return 0;
  if (side.scanned >= kMaxScannedOctets) return size;
  const std::size_t end = std::min<std::size_t>(size, from + (kMaxScannedOctets - side.scanned));
  std::size_t at = from;
  // What starts a TCP segment was tested above, and more leniently.
  if (at == 0 && chunk.starts_tcp_segment) ++at;
  while (at < end) {
    const void* m = std::memchr(chunk.octets.data() + at, 'M', end - at);
    if (m == nullptr) break;
    at = static_cast<std::size_t>(static_cast<const std::byte*>(m) - chunk.octets.data());
    if (begins_exactly(chunk.octets.subspan(at))) {
      side.scanned += at - from;
      return at;
    }
    ++at;
  }
  side.scanned += end - from;
  return size;
}

/// Adds octets from `at` on to the candidate; returns how many were taken.
std::size_t Startup::State::collect(Direction d, const tcp::Chunk& chunk, std::size_t at, bool& dropped) {
  Side& side = sides[index(d)];
  const Octets rest = chunk.octets.subspan(at);
  const std::size_t wanted = (side.whole != 0 ? side.whole : StartupFrameView::kOctets) - side.passed;
  const std::size_t take = std::min(rest.size(), wanted);
  const std::size_t room = StartupFrameView::kOctets + kMaxPrivateData - side.held.size();
  // Octets after missing ones are not kept: the private data ends at the first hole.
  const std::size_t keep = side.cut ? 0 : std::min(take, room);
  side.held.insert(side.held.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(keep));
  side.passed += take;
  const bool damaged_allowed = side.at_segment_start;
  if (side.whole == 0) {
    if (damaged_allowed ? !may_be_startup_frame(side.held) : !begins_exactly(side.held)) {
      drop_candidate(side);
      dropped = true;
      return take;
    }
    if (side.held.size() < StartupFrameView::kOctets) return take;
    if (!read_header(d, chunk)) {
      drop_candidate(side);
      dropped = true;
      return take;
    }
    if (side.whole > StartupFrameView::kOctets && take < rest.size()) {
      return take + collect(d, chunk, at + take, dropped);
    }
  }
  if (is_prose(side.held)) {
    drop_candidate(side);
    dropped = true;
    return take;
  }
  if (side.passed == side.whole) {
    const bool believed = frame_complete(d, chunk.frame, chunk.arrival, rest.subspan(take), chunk.ends_tcp_segment);
    dropped = !believed;
  }
  return take;
}

/// Reads the 20 octets that are held; fails (false) when they are no startup frame.
bool Startup::State::read_header(Direction d, const tcp::Chunk& chunk) {
  Side& side = sides[index(d)];
  const auto view = std::get<StartupFrameView>(StartupFrameView::parse(side.held));
  const unsigned as_request = key_damage(side.held, false);
  const unsigned as_reply = key_damage(side.held, true);
  const bool awaited = (phase == StartupPhase::await_reply || phase == StartupPhase::failed) && d != initiator;
  side.reply_key = as_request == as_reply ? awaited : as_reply < as_request;
  const bool exact = std::min(as_request, as_reply) == 0;
  if (!is_sane(view, exact, side.at_segment_start)) return false;
  side.whole = static_cast<std::uint32_t>(StartupFrameView::kOctets) + view.private_data_length();
  side.header_frame = chunk.frame;
  side.header_time = chunk.arrival;
  return true;
}

/// Octets are missing up to `end`, and with them a startup frame's header, or a part of it.
void Startup::State::hide_private_data(Side& side, StreamOffset end) {
  constexpr std::uint64_t kLongest = StartupFrameView::kOctets + kMaxPrivateData;
  side.hides_starts = side.collecting;
  side.hidden_to = side.collecting ? side.held_start + kLongest : end + kMaxPrivateData;
}

void Startup::State::drop_candidate(Side& side) {
  std::vector<std::byte>().swap(side.held);
  side.collecting = false;
  side.cut = false;
  side.passed = 0;
  side.whole = 0;
}

}  // namespace iwarpscope::mpa
