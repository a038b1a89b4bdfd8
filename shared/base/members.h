// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The members of plain structs and the names of enumerations, found by the compiler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace iwarpscope {
namespace detail {

/// Stands for any member of a struct that is only counted.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): that it converts to everything is its purpose
};

template <class T, std::size_t... kIndices>
consteval bool takes_members(std::index_sequence<kIndices...>) {
  return requires {
    T{(static_cast<void>(kIndices), AnyMember{})...};
  };
}

template <class T, std::size_t kMost>
consteval std::size_t count_members() {
  if constexpr (kMost == 0 || takes_members<T>(std::make_index_sequence<kMost>{})) {
    return kMost;
  } else {
    return count_members<T, kMost - 1>();
  }
}

/// A hash of the value and its name; 0: it has no name. The compiler writes a value that has a name as that name, and
/// any other as a cast of its number.
template <auto kValue>
consteval std::uint64_t hash_of_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.rfind("kValue = ") + 9);
  const std::size_t cast = text.rfind(')');
  if (cast != std::string_view::npos && cast + 1 < text.size()) {
    const char next = text[cast + 1];
    if (next == '-' || (next >= '0' && next <= '9')) return 0;
  }
  text = text.substr(0, text.find_first_of(";]"));
  if (const std::size_t scope = text.rfind("::"); scope != std::string_view::npos) text.remove_prefix(scope + 2);
  std::uint64_t hash = 1 + static_cast<std::uint64_t>(kValue);
  for (const char c : text) hash = hash * 1099511628211U + static_cast<unsigned char>(c);
  return hash | 1;
}

template <class E, std::size_t... kIndices>
consteval auto hashes_of_names(std::index_sequence<kIndices...>) {
  return std::array<std::uint64_t, sizeof...(kIndices)>{hash_of_name<static_cast<E>(kIndices)>()...};
}

/// Values below 512 have their hashes here; of an enumeration in one octet, those below 256.
template <class E>
inline constexpr auto kHashesOfNames =
    hashes_of_names<E>(std::make_index_sequence<sizeof(E) == 1 ? std::size_t{256} : std::size_t{512}>{});

template <class E>
consteval std::uint64_t hash_of_names() {
  std::uint64_t hash = sizeof(E);
  for (const std::uint64_t name : kHashesOfNames<E>) hash = hash * 31 + name;
  return hash;
}

}  // namespace detail

/// The most members that a struct may have for with_members().
inline constexpr std::size_t kMostMembers = 40;

/// How many members an aggregate without base classes has.
template <class T>
inline constexpr std::size_t kMembers = detail::count_members<T, kMostMembers + 1>();

/// Differs where the values or names of enumerators do.
template <class E>
inline constexpr std::uint64_t kEnumeratorsHash = detail::hash_of_names<E>();

/// The value is an enumerator of its type, and below 512.
template <class E>
[[nodiscard]] constexpr bool is_enumerator(E value) noexcept {
  const auto number = static_cast<std::size_t>(value);
  return number < detail::kHashesOfNames<E>.size() && detail::kHashesOfNames<E>[number] != 0;
}

// clang-format off
/// Calls `take` with all members of an aggregate, in order. One with bit-fields does not compile.
template <class T, class Take>
constexpr void with_members(T& of, Take take) {
  constexpr std::size_t kCount = kMembers<T>;
  static_assert(kCount <= kMostMembers, "too many members");
  if constexpr (kCount == 0) { static_cast<void>(of); take(); }
  else if constexpr (kCount == 1) { auto& [m1] = of; take(m1); }
  else if constexpr (kCount == 2) { auto& [m1, m2] = of; take(m1, m2); }
  else if constexpr (kCount == 3) { auto& [m1, m2, m3] = of; take(m1, m2, m3); }
  else if constexpr (kCount == 4) { auto& [m1, m2, m3, m4] = of; take(m1, m2, m3, m4); }
  else if constexpr (kCount == 5) { auto& [m1, m2, m3, m4, m5] = of; take(m1, m2, m3, m4, m5); }
  else if constexpr (kCount == 6) { auto& [m1, m2, m3, m4, m5, m6] = of; take(m1, m2, m3, m4, m5, m6); }
  else if constexpr (kCount == 7) { auto& [m1, m2, m3, m4, m5, m6, m7] = of; take(m1, m2, m3, m4, m5, m6, m7); }
  else if constexpr (kCount == 8) { auto& [m1, m2, m3, m4, m5, m6, m7, m8] = of; take(m1, m2, m3, m4, m5, m6, m7, m8); }
  else if constexpr (kCount == 9) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9); }
  else if constexpr (kCount == 10) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10); }
  else if constexpr (kCount == 11) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11); }
  else if constexpr (kCount == 12) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12); }
  else if constexpr (kCount == 13) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13); }
  else if constexpr (kCount == 14) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14); }
  else if constexpr (kCount == 15) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15); }
  else if constexpr (kCount == 16) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16); }
  else if constexpr (kCount == 17) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17); }
  else if constexpr (kCount == 18) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18); }
  else if constexpr (kCount == 19) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19); }
  else if constexpr (kCount == 20) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20); }
  else if constexpr (kCount == 21) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21); }
  else if constexpr (kCount == 22) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22); }
  else if constexpr (kCount == 23) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23); }
  else if constexpr (kCount == 24) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24); }
  else if constexpr (kCount == 25) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25); }
  else if constexpr (kCount == 26) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26); }
  else if constexpr (kCount == 27) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27); }
  else if constexpr (kCount == 28) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28); }
  else if constexpr (kCount == 29) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29); }
  else if constexpr (kCount == 30) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30); }
  else if constexpr (kCount == 31) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31); }
  else if constexpr (kCount == 32) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32); }
  else if constexpr (kCount == 33) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33); }
  else if constexpr (kCount == 34) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34); }
  else if constexpr (kCount == 35) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35); }
  else if constexpr (kCount == 36) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36); }
  else if constexpr (kCount == 37) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37); }
  else if constexpr (kCount == 38) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38); }
  else if constexpr (kCount == 39) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39); }
  else if constexpr (kCount == 40) { auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40] = of; take(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40); }
}
// clang-format on

}  // namespace iwarpscope
