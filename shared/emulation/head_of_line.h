// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How long messages waited for octets before them.
#pragma once

#include <cstdint>

#include "qp/observation.h"

namespace iwarpscope::emulation {

/// Head-of-line wait of one direction: the time between a message's last octet being there, so that it could be Placed,
/// and all octets before it being there, so that it could be Delivered. As seen at the tap. Units: nanoseconds.
/// Source: RFC 5041 §5.3, §5.4.
struct HeadOfLine {
  std::int64_t largest_ns = 0;
  std::int64_t total_ns = 0;
  std::uint64_t waited = 0;           ///< messages that waited at all
  std::uint64_t largest_message = 0;  ///< index of the one that waited longest; the first of several

  /// How long a message that ended waited. 0 for one with octets missing: its receiver may have had them at any time.
  [[nodiscard]] static std::int64_t wait_ns(const qp::MessageFacts& facts, const ddp::MessageEnd& end) noexcept {
    return end.complete ? elapsed_ns(facts.placed_time, facts.delivered_time) : 0;
  }
  /// Takes a message that ended.
  void add(const qp::MessageFacts& facts, const ddp::MessageEnd& end) noexcept {
    const std::int64_t wait = wait_ns(facts, end);
    if (wait <= 0) return;
    ++waited;
    total_ns = total_ns > INT64_MAX - wait ? INT64_MAX : total_ns + wait;
    if (wait > largest_ns) {
      largest_ns = wait;
      largest_message = facts.message;
    }
  }
};

}  // namespace iwarpscope::emulation
