// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Who wrote which octets of a memory last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/ids.h"

namespace iwarpscope::emulation {

/// What put octets into a memory.
enum class PlacedBy : std::uint8_t { write, read_response, atomic };

/// The message that put octets into a memory.
struct Placer {
  std::uint64_t message = 0;  ///< index in its direction
  FrameNumber frame;          ///< of its first octet
  PlacedBy by = PlacedBy::write;

  friend bool operator==(const Placer&, const Placer&) = default;
};

/// Octets [begin, end) of the buffer that `stag` names, all last written by one message. The octet at TO 2^64 - 1 is
/// left out: `end` could not say it.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Placer placer;
  STag stag;
  std::uint32_t serial = 0;  ///< when it was written: later ones have a higher one, modulo 2^32
};

/// The extents of one memory, sorted by STag and TO, disjoint; what one message wrote without a break is one extent.
/// Holds at most `most` of them: when it is full it gives up the half that was written longest ago, and counts them.
/// Not thread-safe; allocates as it grows, nothing before the first write. Source: ours.
class Extents {
 public:
  /// `most`: at least 4.
  explicit Extents(std::size_t most) : most_(most < 4 ? 4 : most) {}

  /// `placer` writes `octets` octets at `to`; what lies past the end of 64 bits is ignored. Before that calls
  /// `overwritten(const Extent&)` for each extent that loses octets, in the order of TO.
  template <class Overwritten>
  void write(STag stag, TaggedOffset to, std::uint64_t octets, const Placer& placer, Overwritten overwritten);

  /// True when all of [begin, end) was last written by `message`.
  [[nodiscard]] bool is_written_by(STag stag, std::uint64_t begin, std::uint64_t end,
                                   std::uint64_t message) const noexcept;

  [[nodiscard]] std::span<const Extent> all() const noexcept { return extents_; }
  /// Extents given up to stay within the bound.
  [[nodiscard]] std::uint64_t evicted() const noexcept { return evicted_; }
  /// Octets of memory held.
  [[nodiscard]] std::size_t held() const noexcept { return extents_.capacity() * sizeof(Extent); }
  /// Forgets everything and gives the memory back; what was evicted stays counted.
  void clear() noexcept;

  template <class A>
  void archive(A& a) {
    a(extents_, latest_, evicted_, serial_);
    a.check(extents_.size() <= most_ && (latest_ == kNone || latest_ < extents_.size()) && are_in_order());
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  [[nodiscard]] static constexpr std::uint64_t end_of(TaggedOffset to, std::uint64_t octets) noexcept {
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - to.value;
    return to.value + (octets < room ? octets : room);
  }
  /// The first extent that ends after (stag, begin).
  [[nodiscard]] bool are_in_order() const noexcept;
  [[nodiscard]] std::size_t first_after(STag stag, std::uint64_t begin) const noexcept;
  /// Puts `fresh` in the place of what it covers of [first, last), all of which it overlaps.
  void splice(std::size_t first, std::size_t last, Extent fresh);
  void evict();

  std::vector<Extent> extents_;
  std::size_t most_;
  std::size_t latest_ = kNone;  ///< the extent written last
  std::uint64_t evicted_ = 0;
  std::uint32_t serial_ = 0;
};

template <class Overwritten>
void Extents::write(STag stag, TaggedOffset to, std::uint64_t octets, const Placer& placer, Overwritten overwritten) {
  const std::uint64_t begin = to.value;
  const std::uint64_t end = end_of(to, octets);
  if (begin == end) return;
  std::size_t first = kNone;
  if (latest_ != kNone) {
    // The next DDP segment of the same message: the common cases need no search.
    Extent& latest = extents_[latest_];
    if (latest.end == begin && latest.placer == placer && latest.stag == stag) {
      first = latest_ + 1;
      const bool is_last = first == extents_.size() || extents_[first].stag != stag;
      if (is_last || extents_[first].begin > end) {
        latest.end = end;
        return;
      }
      Extent& next = extents_[first];
      if (next.begin < end && next.end > end && next.placer != placer) {
        overwritten(static_cast<const Extent&>(next));
        latest.end = next.begin = end;
        return;
      }
    }
  }
  if (extents_.size() + 2 > most_) {
    evict();
    first = kNone;
  }
  if (first == kNone) first = first_after(stag, begin);
  std::size_t last = first;
  for (; last < extents_.size() && extents_[last].stag == stag && extents_[last].begin < end; ++last) {
    overwritten(static_cast<const Extent&>(extents_[last]));
  }
  splice(first, last, Extent{.begin = begin, .end = end, .placer = placer, .stag = stag, .serial = ++serial_});
}

}  // namespace iwarpscope::emulation
