// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <climits>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace iwarpscope {
namespace {

#if defined(__x86_64__)
// ISA-L's AVX-512 code returns with the upper halves of the vector registers in use, which slows all SSE code that
// follows until they are cleared: on such a machine an FPDU of 64 octets took five times as long.
__attribute__((target("avx"), noinline)) void clear_upper_halves() noexcept {
  _mm256_zeroupper();
}

// For so few octets, the instruction is faster than the way to the vector code of ISA-L and back.
constexpr std::size_t kShortOctets = 256;

bool has_crc_instruction() noexcept {
  static const bool has = __builtin_cpu_supports("sse4.2") != 0;
  return has;
}

__attribute__((target("sse4.2"))) std::uint32_t add_short(Octets octets, std::uint32_t state) noexcept {
  std::uint64_t wide = state;
  const std::byte* at = octets.data();
  std::size_t left = octets.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    wide = _mm_crc32_u64(wide, word);
  }
  auto narrow = static_cast<std::uint32_t>(wide);
  if ((left & 4U) != 0) {
    std::uint32_t word;
    std::memcpy(&word, at, sizeof word);
    narrow = _mm_crc32_u32(narrow, word);
    at += 4;
  }
  for (left &= 3U; left > 0; --left, ++at) narrow = _mm_crc32_u8(narrow, std::to_integer<std::uint8_t>(*at));
  return narrow;
}

void leave_vector_code() noexcept {
  static const bool has_avx = __builtin_cpu_supports("avx") != 0;
  if (has_avx) clear_upper_halves();
}
#else
constexpr std::size_t kShortOctets = 0;
bool has_crc_instruction() noexcept {
  return false;
}
std::uint32_t add_short(Octets, std::uint32_t state) noexcept {
  return state;
}
void leave_vector_code() noexcept {}
#endif

}  // namespace

void Crc32c::add(Octets octets) noexcept {
  if (octets.size() <= kShortOctets && has_crc_instruction()) {
    state_ = add_short(octets, state_);
    return;
  }
  while (!octets.empty()) {
    const std::size_t n = std::min<std::size_t>(octets.size(), INT_MAX);
    // ISA-L takes a pointer to non-const but only reads.
    auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(octets.data()));
    state_ = crc32_iscsi(data, static_cast<int>(n), state_);
    octets = octets.subspan(n);
  }
  leave_vector_code();
}

std::uint32_t crc32c(Octets octets) noexcept {
  Crc32c crc;
  crc.add(octets);
  return crc.value();
}

}  // namespace iwarpscope
