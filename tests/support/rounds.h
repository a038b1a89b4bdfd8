// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How often a test with random input repeats.
#pragma once

namespace iwarpscope::test {

/// `all` rounds, or an eighth of them where the compiler checks every access to memory: that takes ten times as long,
/// and finds no more in the last round than in the first. At least one.
template <typename Count>
[[nodiscard]] constexpr Count rounds(Count all) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr bool kSanitized = true;
#elif defined(__has_feature)
  constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  constexpr bool kSanitized = false;
#endif
  return !kSanitized ? all : all < 8 ? Count{1} : static_cast<Count>(all / 8);
}

}  // namespace iwarpscope::test
