// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How the interface is used, counted.
#pragma once

#include <atomic>
#include <cstdint>

namespace iwarpscope::api {

/// All but `subscribers` only grow. Any thread.
struct Use {
  std::atomic<std::uint32_t> subscribers{0};  ///< now
  std::atomic<std::uint64_t> reported{0};     ///< events sent to subscribers
  std::atomic<std::uint64_t> lost{0};         ///< events that subscribers were too slow for
  std::atomic<std::uint64_t> questions{0};    ///< answered
  std::atomic<std::uint64_t> refused{0};      ///< a limit was reached; connections, too
  std::atomic<std::uint64_t> visited{0};      ///< octets of stored packets that were read to dissect frames
};

}  // namespace iwarpscope::api
