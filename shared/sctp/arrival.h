// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A whole user message as its DATA chunks carried it, before its turn in the order of DDP-SSNs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"
#include "sctp/tsn_line.h"

namespace iwarpscope::sctp {

/// Borrows its octets.
struct Arrival {
  bool control = false;      ///< PPID 17; else 16
  std::uint16_t ssn = 0;     ///< DDP-SSN
  Octets octets;             ///< after the DDP-SSN, as captured
  std::uint32_t length = 0;  ///< of them on the wire
  Tsn first_tsn = 0;
  Tsn last_tsn = 0;
  FrameNumber first_frame, last_frame;
  TimePoint first_time, placed_time;
  std::uint64_t acknowledged = 0;  ///< as in Message
  bool has_acknowledged = false;
  Tsn received_end = 0;  ///< its sender had received the other direction's TSNs below, and none from it on; 0: unknown
  bool is_ahead = false;
  bool late = false;          ///< came after higher TSNs, or its own acknowledgment: may have been sent before
  bool is_after_ack = false;  ///< came after its own acknowledgment: the capture's order is not the wire's
  bool ordered = false;       ///< its DATA chunks are, which DDP's must not be

  /// All but the octets, which it borrows.
  template <class A>
  void archive(A& a) {
    a(control, ssn, length, first_tsn, last_tsn, first_frame, last_frame, first_time, placed_time, acknowledged);
    a(has_acknowledged, received_end, is_ahead, late, is_after_ack, ordered);
  }
};

/// An arrival that waits, with its octets.
struct HeldArrival {
  Arrival arrival;  ///< its octets are empty
  std::vector<std::byte> octets;

  HeldArrival() = default;
  explicit HeldArrival(const Arrival& from) : arrival(from), octets(from.octets.begin(), from.octets.end()) {
    arrival.octets = {};
  }
  [[nodiscard]] Arrival borrowed() const noexcept {
    Arrival result = arrival;
    result.octets = octets;
    return result;
  }
  template <class A>
  void archive(A& a) {
    a(arrival, octets);
  }
  /// What it takes from the budget.
  [[nodiscard]] std::size_t cost() const noexcept { return octets.size() + kOverhead; }
  static constexpr std::size_t kOverhead = 192;  ///< of a map's node; ours
};

}  // namespace iwarpscope::sctp
