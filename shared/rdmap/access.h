// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What an STag is used for.
#pragma once

#include <cstdint>

namespace iwarpscope::rdmap {

/// What an STag is used for, or may be used for. Bits of a set. Source: RFC 5040 §4.1, RFC 7306 §4.
enum class Access : std::uint8_t {
  none = 0,
  write = 1,   ///< target of an RDMA Write
  read = 2,    ///< source of an RDMA Read
  atomic = 4,  ///< target of an Atomic Operation
  sink = 8,    ///< sink of an RDMA Read
};
[[nodiscard]] constexpr Access operator|(Access a, Access b) noexcept {
  return static_cast<Access>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
/// Nothing else is in it.
[[nodiscard]] constexpr bool is_set_of(Access access) noexcept {
  return static_cast<std::uint8_t>(access) < 16;
}
[[nodiscard]] constexpr bool has(Access set, Access kind) noexcept {
  return (static_cast<std::uint8_t>(set) & static_cast<std::uint8_t>(kind)) != 0;
}

}  // namespace iwarpscope::rdmap
