// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Counts what the test program allocates; link support/allocations.cpp. For programs of one thread.
#pragma once

#include <cstddef>

namespace iwarpscope::test {

/// Counts the global operators new and delete, in all their forms, since the program's start.
struct Allocations {
  std::size_t calls = 0;  ///< of operator new
  std::size_t live = 0;   ///< octets allocated and not yet given back, as malloc rounds them up
  std::size_t most = 0;   ///< the most that were live at one time; a test may set it back to `live`
};

[[nodiscard]] Allocations& allocations() noexcept;

}  // namespace iwarpscope::test
