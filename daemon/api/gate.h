// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What gRPC's locks order, said to the thread sanitizer.
#pragma once

#include <atomic>

namespace iwarpscope::api {

/// Passed before something is handed to gRPC and after something came from it. gRPC waits by futexes that the thread
/// sanitizer does not see; in a build with it, whatever was done before one passage is done before what comes after a
/// later one. In other builds nothing.
inline void pass_gate() noexcept {
#if defined(IWARPSCOPE_THREAD_SANITIZER)
  static std::atomic<unsigned> gate{0};
  gate.fetch_add(1, std::memory_order_acq_rel);
#endif
}

}  // namespace iwarpscope::api
