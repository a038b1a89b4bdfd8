// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How the interface is used, counted.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "api/methods.h"

namespace iwarpscope::api {

/// The calls of one method. Both only grow. Any thread.
struct CallCounts {
  static constexpr std::size_t kCodes = 17;                ///< gRPC's status codes
  std::array<std::atomic<std::uint64_t>, kCodes> ended{};  ///< by code
  std::atomic<std::uint64_t> ns{0};                        ///< sum of their durations
};

/// All but `subscribers` and `held` only grow. Any thread.
struct Use {
  std::atomic<std::uint32_t> subscribers{0};        ///< now
  std::atomic<std::uint64_t> held{0};               ///< octets of replies and pages that subscribers wait for, now
  std::atomic<std::uint64_t> reported{0};           ///< events sent to subscribers
  std::atomic<std::uint64_t> lost{0};               ///< events that subscribers were too slow for
  std::atomic<std::uint64_t> questions{0};          ///< answered
  std::atomic<std::uint64_t> refused{0};            ///< a limit was reached; connections, too
  std::atomic<std::uint64_t> handshakes{0};         ///< TLS handshakes that failed
  std::atomic<std::uint64_t> visited{0};            ///< octets of stored packets that were read to dissect frames
  std::array<CallCounts, kMethods.size()> calls{};  ///< in the order of kMethods
};

}  // namespace iwarpscope::api
