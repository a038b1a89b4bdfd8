// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/history.h"

#include <algorithm>

namespace iwarpscope::qp {
namespace {

std::uint64_t untagged_position(std::uint32_t qn, std::uint32_t msn) noexcept {
  return (std::uint64_t{qn} << 32) | msn;
}

}  // namespace

void History::add(const ddp::Segment& segment) {
  if (!segment.first_of_message) {
    // The message's own entry is among the newest; messages that interleave are few.
    for (std::size_t back = 1; back <= std::min<std::size_t>(ring_.size(), 6); ++back) {
      Entry& e = ring_[(next_ + ring_.size() - back) % ring_.size()];
      if (e.message == segment.message) {
        e.length += segment.payload_length;
        return;
      }
    }
    return;
  }
  const Entry entry{segment.message,
                    segment.tagged ? segment.to.value : untagged_position(segment.qn.value, segment.msn.value),
                    segment.carrier.first_frame,
                    segment.payload_length,
                    segment.stag.value,
                    segment.rdmap_control,
                    segment.tagged,
                    segment.carrier.intact,
                    static_cast<std::uint16_t>(std::min<std::uint32_t>(segment.payload_length, 0xFFFF))};
  if (ring_.size() < kMost) {
    ring_.push_back(entry);
    next_ = 0;  // the newest is the last: (0 + size - 1) % size
    return;
  }
  forgot_ = true;
  ring_[next_] = entry;
  next_ = static_cast<std::uint32_t>((next_ + 1) % ring_.size());
}

std::optional<std::uint64_t> History::find(Octets ddp) const noexcept {
  if (ddp.size() < 14) return std::nullopt;
  const bool tagged = (to_u8(ddp[0]) & 0x80) != 0;
  if (!tagged && ddp.size() < 18) return std::nullopt;
  const std::uint8_t control = to_u8(ddp[1]);
  for (std::size_t back = 1; back <= ring_.size(); ++back) {
    const Entry& e = ring_[(next_ + ring_.size() - back) % ring_.size()];
    if (e.tagged != tagged || e.rdmap_control != control) continue;
    if (tagged) {
      const auto stag = load_be<std::uint32_t>(ddp.subspan(2));
      const auto to = load_be<std::uint64_t>(ddp.subspan(6));
      // Every DDP segment of the message starts within it; an empty message only at its own TO.
      if (e.stag == stag && (to == e.position || to - e.position < e.length)) return e.message;
    } else if (e.position ==
               untagged_position(load_be<std::uint32_t>(ddp.subspan(6)), load_be<std::uint32_t>(ddp.subspan(10)))) {
      return e.message;
    }
  }
  return std::nullopt;
}

std::optional<FrameNumber> History::frame_of(std::uint64_t message) const noexcept {
  for (const Entry& e : ring_) {
    if (e.message == message) return e.frame;
  }
  return std::nullopt;
}

const History::Entry* History::entry_of(std::uint64_t message) const noexcept {
  const auto it = std::find_if(ring_.begin(), ring_.end(), [&](const Entry& e) { return e.message == message; });
  return it == ring_.end() ? nullptr : &*it;
}

bool History::is_after_newest(Octets ddp) const noexcept {
  if (ddp.size() < 18 || (to_u8(ddp[0]) & 0x80) != 0) return false;
  const auto qn = load_be<std::uint32_t>(ddp.subspan(6));
  const auto msn = load_be<std::uint32_t>(ddp.subspan(10));
  for (std::size_t back = 1; back <= ring_.size(); ++back) {
    const Entry& e = ring_[(next_ + ring_.size() - back) % ring_.size()];
    if (e.tagged || (e.position >> 32) != qn) continue;
    return static_cast<std::int32_t>(msn - static_cast<std::uint32_t>(e.position)) > 0;
  }
  return false;
}

namespace {

/// Both are untagged, of one queue.
bool is_before(const History::Entry& one, const History::Entry& other) noexcept {
  return !one.tagged && (one.position >> 32) == (other.position >> 32) && one.message < other.message;
}

}  // namespace

std::uint64_t History::as_long_before(const Entry& e) const noexcept {
  return static_cast<std::uint64_t>(std::count_if(ring_.begin(), ring_.end(), [&e](const Entry& other) {
    return is_before(other, e) && other.length >= e.length;
  }));
}

bool History::has_before(const Entry& e) const noexcept {
  return std::any_of(ring_.begin(), ring_.end(), [&e](const Entry& other) { return is_before(other, e); });
}

void History::trim() {
  if (ring_.size() <= kIdle) return;
  forgot_ = true;
  std::vector<Entry> kept;
  kept.reserve(kIdle);
  for (std::size_t back = kIdle; back >= 1; --back) kept.push_back(ring_[(next_ + ring_.size() - back) % ring_.size()]);
  ring_ = std::move(kept);
  next_ = 0;
}

}  // namespace iwarpscope::qp
