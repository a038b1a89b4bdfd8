// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers of upper layers that Windows and NVM Express write: little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/octets.h"

namespace iwarpscope::ulp {

/// Precondition of both: the octets are there.
[[nodiscard]] inline std::uint16_t le16(Octets octets, std::size_t at) noexcept {
  return load_le<std::uint16_t>(octets.subspan(at));
}
[[nodiscard]] inline std::uint32_t le32(Octets octets, std::size_t at) noexcept {
  return load_le<std::uint32_t>(octets.subspan(at));
}

}  // namespace iwarpscope::ulp
