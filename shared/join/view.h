// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is joined: the records of one connection at one tap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "findings/finding.h"
#include "qp/records.h"

namespace iwarpscope::join {

/// A place of the network where packets are captured.
struct Tap {
  std::string position;  ///< a name for people
  std::optional<std::int64_t>
      clock_bound_ns{};    ///< its clock differs from the true time by at most this; empty: unknown
  bool has_drops = false;  ///< the capture reports lost frames
};

/// What one tap knows of one connection.
struct View {
  std::size_t tap = 0;  ///< its number among the taps
  qp::QpRecord record;
  std::vector<findings::Finding> findings;  ///< of this queue pair
};

/// What identifies the connection of a view: little enough to keep it of millions.
struct Mark {
  std::size_t tap = 0;
  net::Endpoint a, b;
  std::optional<std::uint16_t> sctp_stream;
  std::array<std::optional<qp::SequenceRecord>, 2> sequence;  ///< by direction
  TimePoint first_time, last_time;
  bool has_ended = false;  ///< the connection was closed
};
[[nodiscard]] inline Mark mark_of(std::size_t tap, const qp::QpRecord& r) {
  return {tap,
          r.a,
          r.b,
          r.sctp_stream,
          {r.directions[0].sequence, r.directions[1].sequence},
          r.first_time,
          r.last_time,
          r.closed_by.has_value()};
}

/// How far the times of two taps may differ at the same moment. Empty: any difference is possible.
[[nodiscard]] inline std::optional<std::int64_t> bound_between(const Tap& x, const Tap& y) noexcept {
  if (!x.clock_bound_ns || !y.clock_bound_ns) return std::nullopt;
  return *x.clock_bound_ns + *y.clock_bound_ns;
}

/// The ends of a view, and its directions, as seen by another view of which A may be this one's B.
[[nodiscard]] inline Direction turned(Direction d, bool swapped) noexcept {
  return swapped ? opposite(d) : d;
}

}  // namespace iwarpscope::join
