// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets borrowed from a frame, and how they are read.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <variant>

namespace iwarpscope {

/// Octets with another owner. A view built on them must not outlive them.
using Octets = std::span<const std::byte>;

/// Too few octets for a decoder. A framer on a stream reads it as "wait", the decoder of a whole unit as "truncated".
/// Units: octets. Source: ours.
struct Short {
  std::size_t need = 0;
  std::size_t have = 0;
  friend constexpr bool operator==(const Short&, const Short&) = default;
};

/// What a decoder gives: the view, or how many octets it lacked. Never throws, never allocates.
template <class T>
using Decoded = std::variant<T, Short>;

/// Reverses the octets of an unsigned integer.
template <class T>
[[nodiscard]] constexpr T swap_octets(T value) noexcept {
  static_assert(std::is_unsigned_v<T>);
  if constexpr (sizeof(T) == 1) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<T>(__builtin_bswap16(value));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bswap32(value);
  } else {
    static_assert(sizeof(T) == 8);
    return __builtin_bswap64(value);
  }
}

/// Big-endian load of an unsigned T at `Offset` of a header of fixed extent. An offset outside it does not compile.
template <class T, std::size_t Offset, std::size_t Extent>
[[nodiscard]] T load_be(std::span<const std::byte, Extent> header) noexcept {
  static_assert(Extent != std::dynamic_extent && Offset + sizeof(T) <= Extent);
  T value;
  std::memcpy(&value, header.data() + Offset, sizeof(T));
  if constexpr (std::endian::native == std::endian::little) value = swap_octets(value);
  return value;
}

/// Big-endian load of an unsigned T at the start of `octets`. Precondition: octets.size() >= sizeof(T).
template <class T>
[[nodiscard]] T load_be(Octets octets) noexcept {
  T value;
  std::memcpy(&value, octets.data(), sizeof(T));
  if constexpr (std::endian::native == std::endian::little) value = swap_octets(value);
  return value;
}

/// Little-endian load of an unsigned T at the start of `octets`. Precondition: octets.size() >= sizeof(T).
template <class T>
[[nodiscard]] T load_le(Octets octets) noexcept {
  T value;
  std::memcpy(&value, octets.data(), sizeof(T));
  if constexpr (std::endian::native == std::endian::big) value = swap_octets(value);
  return value;
}

/// One octet as a number.
[[nodiscard]] constexpr std::uint8_t to_u8(std::byte octet) noexcept {
  return std::to_integer<std::uint8_t>(octet);
}

}  // namespace iwarpscope
