// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames that prove something.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ids.h"

namespace iwarpscope {

inline constexpr std::size_t kMostEvidence = 8;  ///< of one finding or verdict

/// Ascending, each once, the first `kMostEvidence` of them.
inline void put_in_order(std::vector<FrameNumber>& evidence) {
  std::sort(evidence.begin(), evidence.end());
  evidence.erase(std::unique(evidence.begin(), evidence.end()), evidence.end());
  if (evidence.size() > kMostEvidence) evidence.resize(kMostEvidence);
}

}  // namespace iwarpscope
