// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The RDMAP headers of fixed size: Read Request, Atomic Request and Response, Immediate Data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "base/octets.h"

namespace iwarpscope::rdmap {

/// RDMA Read Request header: 28 octets, big-endian. Source: RFC 5040 §4.4.
/// Borrows the octets it was parsed from (those after the DDP header) and must not outlive them.
class ReadRequestHeader {
 public:
  static constexpr std::size_t kOctets = 28;

  /// The header at the start of `octets`; fails with Short.
  [[nodiscard]] static constexpr Decoded<ReadRequestHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return ReadRequestHeader{octets.first<kOctets>()};
  }

  /// For the requester's buffer: the Response carries it.
  [[nodiscard]] STag sink_stag() const noexcept { return STag{load_be<std::uint32_t, 0>(octets_)}; }
  [[nodiscard]] TaggedOffset sink_to() const noexcept { return TaggedOffset{load_be<std::uint64_t, 4>(octets_)}; }
  /// RDMARDSZ, octets, 0..2^32-1.
  [[nodiscard]] std::uint32_t size() const noexcept { return load_be<std::uint32_t, 12>(octets_); }
  /// For the responder's buffer; meaningless when size() is 0.
  [[nodiscard]] STag source_stag() const noexcept { return STag{load_be<std::uint32_t, 16>(octets_)}; }
  [[nodiscard]] TaggedOffset source_to() const noexcept { return TaggedOffset{load_be<std::uint64_t, 20>(octets_)}; }
  [[nodiscard]] std::span<const std::byte, kOctets> octets() const noexcept { return octets_; }

 private:
  constexpr explicit ReadRequestHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Atomic operations. Source: RFC 7306 §5.2.1, §10.1; swap: its first draft only, now reserved.
enum class AOpCode : std::uint8_t { fetch_add = 0, swap = 1, cmp_swap = 2, unknown = 3 };

/// As reports print it: "fetch_add", "swap", "cmp_swap", "unknown".
[[nodiscard]] constexpr std::string_view name(AOpCode operation) noexcept {
  switch (operation) {
    case AOpCode::fetch_add: return "fetch_add";
    case AOpCode::swap: return "swap";
    case AOpCode::cmp_swap: return "cmp_swap";
    case AOpCode::unknown: break;
  }
  return "unknown";
}
/// In words: "FetchAdd", "Swap", "CmpSwap", "unknown operation".
[[nodiscard]] constexpr std::string_view title(AOpCode operation) noexcept {
  switch (operation) {
    case AOpCode::fetch_add: return "FetchAdd";
    case AOpCode::swap: return "Swap";
    case AOpCode::cmp_swap: return "CmpSwap";
    case AOpCode::unknown: break;
  }
  return "unknown operation";
}

/// Atomic Request header: 52 octets, big-endian. Source: RFC 7306 §5.2.1 Figure 4.
/// Borrows the octets it was parsed from (those after the DDP header) and must not outlive them.
class AtomicRequestHeader {
 public:
  static constexpr std::size_t kOctets = 52;

  /// The header at the start of `octets`; fails with Short.
  [[nodiscard]] static constexpr Decoded<AtomicRequestHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return AtomicRequestHeader{octets.first<kOctets>()};
  }

  /// The 28 reserved bits as a number.
  [[nodiscard]] std::uint32_t reserved() const noexcept { return load_be<std::uint32_t, 0>(octets_) >> 4; }
  /// AOpCode as a number, 0..15.
  [[nodiscard]] std::uint8_t operation_code() const noexcept {
    return static_cast<std::uint8_t>(load_be<std::uint8_t, 3>(octets_) & 0x0F);
  }
  [[nodiscard]] AOpCode operation() const noexcept {
    return operation_code() < 3 ? static_cast<AOpCode>(operation_code()) : AOpCode::unknown;
  }
  [[nodiscard]] std::uint32_t request_id() const noexcept { return load_be<std::uint32_t, 4>(octets_); }
  [[nodiscard]] STag remote_stag() const noexcept { return STag{load_be<std::uint32_t, 8>(octets_)}; }
  [[nodiscard]] TaggedOffset remote_to() const noexcept { return TaggedOffset{load_be<std::uint64_t, 12>(octets_)}; }
  /// Add or Swap Data.
  [[nodiscard]] std::uint64_t data() const noexcept { return load_be<std::uint64_t, 20>(octets_); }
  /// Add or Swap Mask.
  [[nodiscard]] std::uint64_t mask() const noexcept { return load_be<std::uint64_t, 28>(octets_); }
  [[nodiscard]] std::uint64_t compare() const noexcept { return load_be<std::uint64_t, 36>(octets_); }
  [[nodiscard]] std::uint64_t compare_mask() const noexcept { return load_be<std::uint64_t, 44>(octets_); }

 private:
  constexpr explicit AtomicRequestHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Atomic Response header: 12 octets, big-endian; not the 32 that RFC 7306 §4 speaks of. Source: RFC 7306 §5.2.2
/// Figure 6. Borrows the octets it was parsed from (those after the DDP header) and must not outlive them.
class AtomicResponseHeader {
 public:
  static constexpr std::size_t kOctets = 12;

  /// The header at the start of `octets`; fails with Short.
  [[nodiscard]] static constexpr Decoded<AtomicResponseHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return AtomicResponseHeader{octets.first<kOctets>()};
  }

  /// Original Request Identifier.
  [[nodiscard]] std::uint32_t request_id() const noexcept { return load_be<std::uint32_t, 0>(octets_); }
  /// Original Remote Data Value.
  [[nodiscard]] std::uint64_t original() const noexcept { return load_be<std::uint64_t, 4>(octets_); }

 private:
  constexpr explicit AtomicResponseHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Immediate Data: 8 octets. Source: RFC 7306 §6.3.
/// Borrows the octets it was parsed from (those after the DDP header) and must not outlive them.
class ImmediateData {
 public:
  static constexpr std::size_t kOctets = 8;

  /// The value at the start of `octets`; fails with Short.
  [[nodiscard]] static constexpr Decoded<ImmediateData> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return ImmediateData{octets.first<kOctets>()};
  }

  /// The 8 octets read big-endian.
  [[nodiscard]] std::uint64_t value() const noexcept { return load_be<std::uint64_t, 0>(octets_); }
  [[nodiscard]] std::span<const std::byte, kOctets> octets() const noexcept { return octets_; }

 private:
  constexpr explicit ImmediateData(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::rdmap
