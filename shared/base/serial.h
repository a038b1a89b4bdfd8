// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Serial numbers of 32 bits: TCP sequence numbers become stream offsets, MSNs are compared across their wrap.
#pragma once

#include <cstdint>

namespace iwarpscope {

/// The 64-bit number nearest to `near` whose low 32 bits are `seq`. Shape: |result - near| <= 2^31.
/// Source: RFC 9293 §3.4, RFC 1982 §3.2.
[[nodiscard]] constexpr std::uint64_t unwrap(std::uint64_t near, std::uint32_t seq) noexcept {
  return near +
         static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(seq - static_cast<std::uint32_t>(near))});
}

/// Signed distance from `a` to `b` on the 32-bit circle; negative when b is behind a.
[[nodiscard]] constexpr std::int32_t serial_distance(std::uint32_t a, std::uint32_t b) noexcept {
  return static_cast<std::int32_t>(b - a);
}

}  // namespace iwarpscope
