// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A zip file.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/time_point.h"

namespace iwarpscope::bundle {

struct ZipMember {
  std::string name;  ///< in the zip file
  std::string path;  ///< of the file that it is a copy of
};

/// Writes a zip file with these members, in this order and all of this date (to two seconds, UTC). It appears under its
/// name when it is complete. Fails with a sentence; empty: written.
[[nodiscard]] std::string write_zip(const std::string& path, const std::vector<ZipMember>& members, TimePoint date,
                                    const std::atomic<bool>* stop);

}  // namespace iwarpscope::bundle
