// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MPLS label stack entries and the pseudowire control word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/octets.h"

namespace iwarpscope::net {

/// An MPLS label stack entry: 4 octets, big-endian. Source: RFC 3032 §2.1. Borrows the frame.
class MplsEntry {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<MplsEntry> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return MplsEntry{octets.first<kOctets>()};
  }
  /// 20 bits.
  [[nodiscard]] std::uint32_t label() const noexcept { return load_be<std::uint32_t, 0>(octets_) >> 12; }
  [[nodiscard]] bool bottom_of_stack() const noexcept { return (to_u8(octets_[2]) & 0x01u) != 0; }

 private:
  explicit MplsEntry(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// The control word of an Ethernet pseudowire has this size and starts with a zero nibble. Source: RFC 4385 §3,
/// RFC 4448 §4.6.
inline constexpr std::size_t kControlWordOctets = 4;

}  // namespace iwarpscope::net
