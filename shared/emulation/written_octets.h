// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Samples of what RDMA Writes put into a memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/octets.h"

namespace iwarpscope::emulation {

/// The first octets of one DDP segment of an RDMA Write.
struct WrittenSample {
  static constexpr std::size_t kOctets = 64;

  std::uint64_t message = 0;
  FrameNumber frame;
  std::array<std::byte, kOctets> octets{};
};

/// The latest samples, at most `most` of them; an older one makes room for a newer one. Allocates as it grows, nothing
/// before the first. Each sample has a number, from 0 in the order kept, never used again.
class WrittenOctets {
 public:
  /// `most`: rounded down to a power of two, at least 1.
  explicit WrittenOctets(std::size_t most) : most_(std::bit_floor(most < 1 ? 1 : most)) {}

  /// Keeps the first octets of `payload`, which `message` writes to (stag, to). Nothing when it is empty.
  void keep(STag stag, TaggedOffset to, std::uint64_t message, FrameNumber frame, Octets payload);

  /// Where a sample lies, and how long it is.
  struct Place {
    std::uint64_t to = 0;
    STag stag;
    std::uint8_t octets = 0;
  };
  /// Calls `take(number, place)` for the samples with octets in [begin, end) of `stag`, newest first, while it returns
  /// true.
  template <class Take>
  void find(STag stag, std::uint64_t begin, std::uint64_t end, Take take) const {
    for (std::uint64_t number = next_; number-- != oldest();) {
      const Place& place = places_[slot(number)];
      if (place.stag == stag && place.to < end && place.to + place.octets > begin && !take(number, place)) return;
    }
  }
  [[nodiscard]] bool has(std::uint64_t number) const noexcept { return number < next_ && number >= oldest(); }
  /// Precondition: has(number).
  [[nodiscard]] const Place& place(std::uint64_t number) const noexcept { return places_[slot(number)]; }
  [[nodiscard]] const WrittenSample& sample(std::uint64_t number) const noexcept { return samples_[slot(number)]; }

  [[nodiscard]] bool empty() const noexcept { return next_ == base_; }
  /// Octets of memory held.
  [[nodiscard]] std::size_t held() const noexcept {
    return places_.capacity() * sizeof(Place) + samples_.capacity() * sizeof(WrittenSample);
  }
  /// Forgets the samples, but keeps the room for others.
  void forget() noexcept { base_ = next_; }

  template <class A>
  void archive(A& a) {
    a(next_, base_, places_, samples_);
    a.check(places_.size() == samples_.size() && places_.size() <= most_ && base_ <= next_);
    a.check(next_ - base_ <= places_.size() || places_.size() == most_);
    for (const Place& place : places_) a.check(place.octets <= WrittenSample::kOctets);
  }

 private:
  [[nodiscard]] std::uint64_t oldest() const noexcept { return next_ - base_ <= most_ ? base_ : next_ - most_; }
  [[nodiscard]] std::size_t slot(std::uint64_t number) const noexcept { return (number - base_) & (most_ - 1); }

  std::size_t most_;
  std::uint64_t next_ = 0;  ///< number of the next sample
  std::uint64_t base_ = 0;  ///< samples below it are discarded; this one has slot 0
  std::vector<Place> places_;
  std::vector<WrittenSample> samples_;
};

}  // namespace iwarpscope::emulation
