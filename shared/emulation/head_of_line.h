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

  /// Takes a message that ended. One with octets missing is left out: its receiver may have had them at any time.
  void add(const qp::MessageFacts& facts, const ddp::MessageEnd& end) noexcept {
    const std::int64_t wait = elapsed_ns(facts.placed_time, facts.delivered_time);
    if (!end.complete || wait <= 0) return;
    ++waited;
    total_ns = total_ns > INT64_MAX - wait ? INT64_MAX : total_ns + wait;
    if (wait > largest_ns) {
      largest_ns = wait;
      largest_message = facts.message;
    }
  }
};

}  // namespace iwarpscope::emulation
