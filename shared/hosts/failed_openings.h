// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How many connections were never opened, and the first of them.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "net/address.h"

namespace iwarpscope::hosts {

/// TCP connections, and SCTP associations for DDP, that were never opened.
struct FailedOpenings {
  std::uint64_t count = 0;
  std::optional<net::Endpoint> listener;  ///< of the first of them
  FrameNumber frame;                      ///< its first SYN or INIT
};

}  // namespace iwarpscope::hosts
