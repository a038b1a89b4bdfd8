// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state that one run leaves to the next one, compressed: most of what an idle queue pair keeps is like that of
// others.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/octets.h"

namespace iwarpscope::live {

/// State takes less than that many times the octets that it takes packed, or is not handed over. Bounds the memory.
inline constexpr std::size_t kMostUnpacked = 8;

/// Nothing: it would take more than `most` octets.
[[nodiscard]] std::optional<std::vector<std::byte>> packed(Octets state, std::size_t most);
/// Nothing: it is damaged, or `most` octets are too few.
[[nodiscard]] std::optional<std::vector<std::byte>> unpacked(Octets from, std::size_t most);

}  // namespace iwarpscope::live
