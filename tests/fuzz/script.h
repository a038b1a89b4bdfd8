// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Fuzz input read as a script: small integers and runs of octets until it ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "base/octets.h"

namespace iwarpscope::fuzz {

/// Takes values from the front; zeros after the input is used up.
class Script {
 public:
  Script(const std::uint8_t* data, std::size_t size) : left_(std::as_bytes(std::span(data, size))) {}

  [[nodiscard]] bool is_at_end() const { return left_.empty(); }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  /// At most `count` octets.
  Octets octets(std::size_t count) {
    const Octets taken = left_.first(std::min(count, left_.size()));
    left_ = left_.subspan(taken.size());
    return taken;
  }

 private:
  std::uint64_t number(std::size_t count) {
    std::uint64_t value = 0;
    for (const std::byte o : octets(count)) value = value << 8 | to_u8(o);
    return value;
  }
  Octets left_;
};

/// Aborts with the condition that is false: the fuzzer and the replay treat an abort as a fault.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace iwarpscope::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
