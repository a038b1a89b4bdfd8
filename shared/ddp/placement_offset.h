// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The offset of a DDP segment, MO or TO. Private to the folder.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "ddp/segment.h"

namespace iwarpscope::ddp {

/// TO or MO.
[[nodiscard]] inline std::uint64_t offset_of(const Segment& s) noexcept {
  return s.tagged ? s.to.value : s.mo.value;
}
/// As reports show it.
[[nodiscard]] inline std::string print_offset(const Segment& s, std::uint64_t offset) {
  return s.tagged ? fmt::format("0x{:016x}", offset) : fmt::format("{}", offset);
}

}  // namespace iwarpscope::ddp
