// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The last few TCP segments of one direction: is this one a second copy, a retransmission, or neither?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/ids.h"
#include "net/tcp_packet.h"

namespace iwarpscope::tcp {

/// What distinguishes a mirror's copy from a TCP segment that was sent again: everything a sender changes, or would
/// change if time had passed. TTL and time are compared apart.
struct Signature {
  std::uint32_t fields = 0;       ///< flags, ACK, window, IP ID, TSval and length, mixed
  std::uint32_t ticks = 0;        ///< time of the frame in units of 16 384 ns, modulo 2^32
  std::uint16_t payload_sum = 0;  ///< ones-complement; 0 where it was not computed
  std::uint8_t ttl = 0;
  bool dated : 1 = false;        ///< IP ID or TSval is there to tell copies apart
  bool cut : 1 = false;          ///< the capture lacks octets of it
  bool options_cut : 1 = false;  ///< the capture lacks TCP options of it: `fields` lacks the TSval
  bool comparable : 1 = false;   ///< whole, and its checksum is right: the sum is that of what was sent

  template <class A>
  void archive(A& a) {
    a(fields, ticks, payload_sum, ttl);
    dated = a.value(dated);
    cut = a.value(cut);
    options_cut = a.value(options_cut);
    comparable = a.value(comparable);
  }

  [[nodiscard]] static Signature of(const net::TcpPacket& packet) noexcept;
  /// A copy: all fields and the sum equal, the TTL within kTtlSlack, and within kUndatedTicks when nothing else
  /// distinguishes them.
  [[nodiscard]] bool is_copy_of(const Signature& other) const noexcept;
  /// The same, but one of the two was cut: their sums say nothing, and their fields neither if it was cut within the
  /// TCP options.
  [[nodiscard]] bool may_be_copy_of(const Signature& other) const noexcept;
  /// The same TTL, or routers lie between.
  [[nodiscard]] bool has_ttl_of(const Signature& other) const noexcept;
  /// All fields equal, apart from the sum.
  [[nodiscard]] bool has_fields_of(const Signature& other) const noexcept;

  static constexpr int kTtlSlack = 4;                 ///< routers between two mirrored ports; ours
  static constexpr std::uint32_t kUndatedTicks = 61;  ///< 1 ms; ours
};

/// A TCP segment with payload as it is remembered: 24 octets.
struct RecentSegment {
  std::uint32_t offset = 0;  ///< low 32 bits
  std::uint32_t length = 0;
  std::uint32_t frame = 0;  ///< low 32 bits
  Signature signature;
};
static_assert(sizeof(RecentSegment) == 24);

/// A ring of TCP segments with payload. Nothing is allocated before the first; then room for kFirst, which doubles up
/// to kMost while older ones are not acknowledged yet (they are the ones that may come again).
class RecentSegments {
 public:
  static constexpr std::size_t kFirst = 4;
  static constexpr std::size_t kMost = 32;

  /// `acknowledged`: the low 32 bits of what the receiver acknowledged, if it ever did.
  void add(const RecentSegment& segment, std::optional<std::uint32_t> acknowledged);
  /// Whether `segment` is a copy of one of them: the same bounds and signature.
  [[nodiscard]] bool has_copy(const RecentSegment& segment) const noexcept;
  /// The same as far as the captured octets show: one of the two was cut.
  [[nodiscard]] bool may_have_copy(const RecentSegment& segment) const noexcept;
  /// The oldest one of the same bounds: the first transmission.
  [[nodiscard]] const RecentSegment* first_of(std::uint32_t offset, std::uint32_t length) const noexcept;
  void clear() noexcept { size_ = 0; }
  template <class A>
  void archive(A& a) {
    a(capacity_, size_, next_);
    a.check(capacity_ <= kMost && capacity_ % kFirst == 0 && size_ <= capacity_ && next_ <= capacity_);
    a.check(next_ < capacity_ || capacity_ == 0);
    if (a.has_failed()) return;
    if (a.is_reading()) ring_ = capacity_ != 0 ? std::make_unique<RecentSegment[]>(capacity_) : nullptr;
    for (std::size_t k = 0; k < capacity_; ++k) a(ring_[k]);
    a.template describe<RecentSegment>();
  }

 private:
  [[nodiscard]] const RecentSegment& nth_newest(std::size_t n) const noexcept;
  void grow();

  std::unique_ptr<RecentSegment[]> ring_;
  std::uint8_t capacity_ = 0;
  std::uint8_t size_ = 0;
  std::uint8_t next_ = 0;  ///< where the next one goes
};

/// A ring of TCP segments without payload: pure ACKs, SYN, FIN, keep-alives.
class RecentControls {
 public:
  /// Whether the same one is among the last few; if not it is remembered.
  [[nodiscard]] bool is_copy(std::uint32_t sequence, const Signature& signature) noexcept;
  template <class A>
  void archive(A& a) {
    a(ring_, size_, next_);
    a.check(size_ <= ring_.size() && next_ < ring_.size());
  }

 private:
  struct Entry {
    std::uint32_t sequence = 0;
    Signature signature;
  };
  std::array<Entry, 4> ring_{};
  std::uint8_t size_ = 0;
  std::uint8_t next_ = 0;
};

}  // namespace iwarpscope::tcp
