// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tcp/recent_segments.h"

#include <algorithm>
#include <cstdlib>

#include "base/serial.h"

namespace iwarpscope::tcp {

Signature Signature::of(const net::TcpPacket& packet) noexcept {
  const std::uint64_t first =
      std::uint64_t{packet.acknowledgment} << 32 | std::uint64_t{packet.window} << 16 | packet.ip_id;
  const std::uint64_t second = std::uint64_t{packet.timestamp.value_or(0)} << 16 |
                               std::uint64_t{packet.timestamp.has_value()} << 8 | packet.flags;
  const std::uint64_t third = packet.payload_length;
  // Two odd constants spread every bit over the high half: multiplicative hashing.
  const std::uint64_t mixed =
      first * 0x9E3779B97F4A7C15u ^ (second + third * 0x632BE59BD9B4E019u) * 0xD6E8FEB86659FD93u;
  Signature signature;
  signature.fields = static_cast<std::uint32_t>(mixed >> 32) ^ static_cast<std::uint32_t>(mixed);
  signature.ticks = static_cast<std::uint32_t>(static_cast<std::uint64_t>(packet.time.ns) >> 14);
  signature.ttl = packet.ttl;
  signature.cut = packet.truncated();
  signature.dated = packet.ip_id != 0 || packet.timestamp.has_value();
  return signature;
}

bool Signature::has_fields_of(const Signature& other) const noexcept {
  if (fields != other.fields || std::abs(int{ttl} - int{other.ttl}) > kTtlSlack) return false;
  return dated || ticks - other.ticks <= kUndatedTicks;
}

bool Signature::is_copy_of(const Signature& other) const noexcept {
  return payload_sum == other.payload_sum && has_fields_of(other);
}

bool Signature::may_be_copy_of(const Signature& other) const noexcept {
  return (cut || other.cut) && has_fields_of(other);
}

const RecentSegment& RecentSegments::nth_newest(std::size_t n) const noexcept {
  return ring_[(next_ + std::size_t{capacity_} - 1 - n) % capacity_];
}

void RecentSegments::grow() {
  const std::size_t larger = capacity_ == 0 ? kFirst : std::size_t{capacity_} * 2;
  auto ring = std::make_unique<RecentSegment[]>(larger);
  for (std::size_t n = 0; n < size_; ++n) ring[n] = nth_newest(size_ - 1u - n);
  ring_ = std::move(ring);
  capacity_ = static_cast<std::uint8_t>(larger);
  next_ = size_;
}

void RecentSegments::add(const RecentSegment& segment, std::optional<std::uint32_t> acknowledged) {
  if (size_ == capacity_) {
    bool larger = capacity_ == 0;
    if (!larger && capacity_ < kMost) {
      const RecentSegment& oldest = nth_newest(size_ - 1u);
      larger = !acknowledged || serial_distance(*acknowledged, oldest.offset + oldest.length) > 0;
    }
    if (larger) grow();
  }
  ring_[next_] = segment;
  next_ = static_cast<std::uint8_t>(next_ + 1u == capacity_ ? 0 : next_ + 1);
  if (size_ < capacity_) ++size_;
}

bool RecentSegments::has_copy(const RecentSegment& segment) const noexcept {
  for (std::size_t n = 0; n < size_; ++n) {
    const RecentSegment& other = nth_newest(n);
    if (segment.offset == other.offset && segment.length == other.length &&
        segment.signature.is_copy_of(other.signature)) {
      return true;
    }
  }
  return false;
}

bool RecentSegments::may_have_copy(const RecentSegment& segment) const noexcept {
  for (std::size_t n = 0; n < size_; ++n) {
    const RecentSegment& other = nth_newest(n);
    if (segment.offset == other.offset && segment.length == other.length &&
        segment.signature.may_be_copy_of(other.signature)) {
      return true;
    }
  }
  return false;
}

const RecentSegment* RecentSegments::first_of(std::uint32_t offset, std::uint32_t length) const noexcept {
  for (std::size_t n = size_; n > 0; --n) {
    const RecentSegment& other = nth_newest(n - 1);
    if (offset == other.offset && length == other.length) return &other;
  }
  return nullptr;
}

bool RecentControls::is_copy(std::uint32_t sequence, const Signature& signature) noexcept {
  for (std::size_t n = 0; n < size_; ++n) {
    if (ring_[n].sequence == sequence && signature.is_copy_of(ring_[n].signature)) return true;
  }
  ring_[next_] = {sequence, signature};
  next_ = static_cast<std::uint8_t>((next_ + 1u) % ring_.size());
  if (size_ < ring_.size()) ++size_;
  return false;
}

}  // namespace iwarpscope::tcp
