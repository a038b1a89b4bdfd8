// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One connection as several taps saw it. Plain values; directions and ends are those of the connection, whatever a tap
// calls A. Taps are named by their numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "join/match.h"
#include "join/view.h"

namespace iwarpscope::join {

/// What one tap contributes.
struct JoinedView {
  std::size_t tap = 0;
  std::uint64_t qp = 0;  ///< its number there
  bool swapped = false;  ///< its A is the connection's B
  net::Endpoint a, b;    ///< the connection's A and B as this tap sees their addresses
  bool whole = false;    ///< nothing of the connection that another tap saw is missing here
  std::optional<qp::VerdictRecord> verdict;
};

/// In which order packets of one direction pass the taps.
struct Order {
  enum class Knowledge : std::uint8_t {
    unknown,
    known,
    contradictory,  ///< the evidence is for several orders: packets take several paths
  };
  Knowledge knowledge = Knowledge::unknown;
  std::vector<std::size_t> taps;  ///< all of them, if the order is known
};

/// Where octets were lost or damaged, in the direction of travel: after each tap of `after` and before each of
/// `before`.
struct Place {
  enum class Kind : std::uint8_t { loss, damage };
  Kind kind{};
  Direction direction{};
  std::vector<std::size_t> after, before;
  std::vector<std::size_t> undecided;  ///< other taps of the connection: on which side of them is not known
  std::int64_t offset = 0;             ///< of the first such octets, as the first view of the connection counts it
  std::uint64_t octets = 0;            ///< of those; 0: one FPDU
  std::uint64_t count = 0;             ///< how often
  qp::Confidence confidence = qp::Confidence::likely;

  [[nodiscard]] bool is_between_taps() const noexcept { return !after.empty() && !before.empty(); }
};

struct JoinedFinding {
  findings::Finding finding;      ///< as its first tap has it, but for the direction, which is the connection's
  std::vector<std::size_t> taps;  ///< that have it; none: only the frames of all taps together show it
};

struct JoinedVerdict {
  qp::VerdictRecord verdict;         ///< as the best view has it, but for blame and confidence
  std::optional<std::size_t> tap{};  ///< whose it is; empty: of the frames of all taps together
  bool taps_agree = true;            ///< each whole view has the same
  bool blame_withdrawn = false;      ///< it blamed an end, but a place between the taps may be the cause
};

struct JoinedConnection {
  std::optional<std::uint16_t> sctp_stream;
  net::Endpoint a, b;
  Basis basis = Basis::one_view;
  std::vector<JoinedView> views;
  std::optional<JoinedVerdict> verdict;  ///< empty: no tap has one
  std::array<Order, 2> order;            ///< by direction
  std::vector<Place> places;
  std::vector<JoinedFinding> findings;
  std::uint64_t explained = 0;                 ///< findings about what one capture lacks and another one has
  std::optional<std::int64_t> clock_bound_ns;  ///< largest bound between two of its taps; empty: unknown
  std::optional<std::size_t> may_be;           ///< number of another connection that may be this one
  std::vector<std::string> sentences;          ///< all of this for people, but for the verdict's own text
};

}  // namespace iwarpscope::join
