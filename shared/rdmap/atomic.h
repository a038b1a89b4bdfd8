// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What an atomic operation leaves in the 64-bit word it works on.
#pragma once

#include <cstdint>
#include <optional>

#include "rdmap/headers.h"

namespace iwarpscope::rdmap {

/// FetchAdd: `mask` cuts the word into fields, a one marking the most significant bit of each; a carry out of it is
/// dropped. Mask 0 is one 64-bit addition. Source: RFC 7306 §5.1.1.
[[nodiscard]] constexpr std::uint64_t fetch_add(std::uint64_t original, std::uint64_t data,
                                                std::uint64_t mask) noexcept {
  // Without the top bit of each field no carry leaves a field; the top bits are then added without their carry. The top
  // bit of the word drops its carry by itself.
  return ((original & ~mask) + (data & ~mask)) ^ ((original ^ data) & mask);
}

/// CmpSwap: where the bits under `compare_mask` are equal, the bits under `mask` are replaced. Source: RFC 7306 §5.1.2.
[[nodiscard]] constexpr std::uint64_t cmp_swap(std::uint64_t original, std::uint64_t data, std::uint64_t mask,
                                               std::uint64_t compare, std::uint64_t compare_mask) noexcept {
  if (((compare ^ original) & compare_mask) != 0) return original;
  return (original & ~mask) | (data & mask);
}

/// The fields of an Atomic Request that decide what it leaves. Source: RFC 7306 §5.2.1.
struct AtomicFunction {
  AOpCode operation = AOpCode::unknown;
  std::uint64_t data = 0;
  std::uint64_t mask = 0;
  std::uint64_t compare = 0;
  std::uint64_t compare_mask = 0;

  /// What it leaves in a word that held `original`; Swap (first draft of RFC 7306) leaves `data`. Empty for an unknown
  /// operation. Values are the numbers on the wire, whatever order the responder's memory has.
  [[nodiscard]] constexpr std::optional<std::uint64_t> result(std::uint64_t original) const noexcept {
    switch (operation) {
      case AOpCode::fetch_add: return fetch_add(original, data, mask);
      case AOpCode::cmp_swap: return cmp_swap(original, data, mask, compare, compare_mask);
      case AOpCode::swap: return data;
      case AOpCode::unknown: break;
    }
    return std::nullopt;
  }
};

}  // namespace iwarpscope::rdmap
