// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The hostile loads by name.
#pragma once

#include <span>
#include <string_view>

#include "attack/load.h"

namespace iwarpscope::attack {

/// One kind of load. `run` writes frames until the load is full.
struct Mode {
  std::string_view name;
  std::string_view what;
  void (*run)(Load& load);
};

/// TCP segments: order, cuts, holes. Their first is `small-segments`, which all others are compared with.
[[nodiscard]] std::span<const Mode> segment_modes();
/// IP fragments, headers in headers, and packets that are not iWARP.
[[nodiscard]] std::span<const Mode> network_modes();
/// Octets that look like FPDUs or startup frames.
[[nodiscard]] std::span<const Mode> framing_modes();
/// RDMA Reads, Writes, STags, Terminates.
[[nodiscard]] std::span<const Mode> operation_modes();
/// Atomic operations.
[[nodiscard]] std::span<const Mode> atomic_modes();
/// Many queue pairs, and many findings.
[[nodiscard]] std::span<const Mode> queue_pair_modes();
/// Upper layers: announcements and commands without end.
[[nodiscard]] std::span<const Mode> ulp_modes();
/// SCTP associations, chunks and streams.
[[nodiscard]] std::span<const Mode> sctp_modes();

}  // namespace iwarpscope::attack
