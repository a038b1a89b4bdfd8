// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <climits>

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

void leave_vector_code() noexcept {
  static const bool has_avx = __builtin_cpu_supports("avx") != 0;
  if (has_avx) clear_upper_halves();
}
#else
void leave_vector_code() noexcept {}
#endif

}  // namespace

void Crc32c::add(Octets octets) noexcept {
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
