// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the parts of one association share.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/buffer_budget.h"
#include "base/ids.h"
#include "base/time_point.h"
#include "net/address.h"
#include "sctp/association.h"
#include "sctp/tsn_line.h"
#include "tcp/connection.h"

namespace iwarpscope::sctp {

/// Octets that wait in one direction of an association: within its limit and the budget of all.
class Waiting {
 public:
  Waiting(const tcp::Limits& limits, BufferBudget& budget) noexcept : limits_(limits), budget_(budget) {}
  ~Waiting() { budget_.give_back(held_); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  [[nodiscard]] bool take(std::size_t octets) noexcept {
    if (held_ + octets > limits_.max_buffered_octets) {
      ++budget_.met().direction_octets;
      return false;
    }
    if (chunks_ == limits_.max_buffered_chunks) {
      ++budget_.met().direction_chunks;
      return false;
    }
    if (!budget_.take(octets)) {
      ++budget_.met().all_octets;
      return false;
    }
    held_ += octets;
    ++chunks_;
    return true;
  }
  /// Room for what is no message.
  [[nodiscard]] bool take_room(std::size_t octets) noexcept {
    if (held_ + octets > limits_.max_buffered_octets || !budget_.take(octets)) return false;
    held_ += octets;
    return true;
  }
  void give_room_back(std::size_t octets) noexcept {
    held_ -= octets;
    budget_.give_back(octets);
  }
  /// Something was left out for another limit of this layer.
  void refuse() noexcept { ++budget_.met().direction_chunks; }
  /// Precondition: as many are taken.
  void give_back(std::size_t octets) noexcept {
    held_ -= octets;
    --chunks_;
    budget_.give_back(octets);
  }

 private:
  const tcp::Limits& limits_;
  BufferBudget& budget_;
  std::size_t held_ = 0;
  std::size_t chunks_ = 0;
};

/// What a SACK says that its sender had received. Borrows the packet.
struct SackView {
  Tsn cumulative = 0;
  Octets blocks;       ///< Gap Ack Blocks
  bool whole = false;  ///< all of them are here

  /// It had not received this TSN when it sent the packet.
  [[nodiscard]] bool lacks(Tsn tsn) const noexcept {
    if (tsn <= cumulative || !whole) return false;
    for (Octets rest = blocks; rest.size() >= 4; rest = rest.subspan(4)) {
      if (tsn >= cumulative + load_be<std::uint16_t>(rest) &&
          tsn <= cumulative + load_be<std::uint16_t>(rest.subspan(2))) {
        return false;
      }
    }
    return true;
  }
};

/// The packet being processed, and what all streams of an association look at. Directions are the association's.
struct Context {
  Context(const AssociationOrigin& o, const tcp::Limits& l, BufferBudget& budget, AssociationSink& s) noexcept
      : origin(o), limits(l), sink(s), ends(o.ends), a(l, budget), b(l, budget) {}

  [[nodiscard]] Waiting& waiting(Direction d) noexcept { return d == Direction::a_to_b ? a : b; }
  [[nodiscard]] TsnLine& line(Direction d) noexcept { return lines[index(d)]; }
  [[nodiscard]] const TsnLine& line(Direction d) const noexcept { return lines[index(d)]; }
  /// Both directions pass the tap, by one path, and there is no other.
  [[nodiscard]] bool sees_both() const noexcept {
    return seen[0] && seen[1] && !several_paths && !may_pass_elsewhere();
  }
  /// An end has more addresses than packets came from: those between others may not pass the tap.
  [[nodiscard]] bool may_pass_elsewhere() const noexcept {
    return sources[0].size() < announced[0] || sources[1].size() < announced[1];
  }
  /// No TSN is awaited, and none was acknowledged that was not seen: nothing of what was sent till now can be missing.
  [[nodiscard]] bool misses_nothing() const noexcept {
    return lines[0].is_whole() && lines[1].is_whole() && !lines[0].is_overdue() && !lines[1].is_overdue();
  }
  /// Chunks of direction `d` that are lost and were not yet reported to a session.
  [[nodiscard]] std::uint64_t untold(Direction d) const noexcept {
    const std::uint64_t lost = lines[index(d)].lost();
    return lost - std::min(lost, reported_lost[index(d)] + lines[index(d)].found());
  }
  /// TSNs that are lost to this analyser, of both directions: what could explain that something was not seen.
  [[nodiscard]] std::uint64_t losses() const noexcept { return lines[0].lost() + lines[1].lost(); }

  /// All but what is of the packet being processed.
  template <class A>
  void archive(A& to) {
    to(origin.number, origin.init_seen, lines, ends, overlay, tap_group, tenants, seen, openings, several_paths,
       announced);
    to(sources, capture_ends, aborted_by, others_wait, is_skewed, shows_received, frame, time, sessions, reported_lost);
    to(suspects, closed, shutdown);
    for (const auto& its : sources) to.check(its.size() <= kMaxAddresses);
    if (to.is_reading()) sack.reset();
  }

  AssociationOrigin origin;
  const tcp::Limits& limits;
  AssociationSink& sink;
  std::array<TsnLine, 2> lines;
  std::array<net::Endpoint, 2> ends;  ///< who sends each direction, as of the packet being processed
  std::uint32_t overlay = 0;
  std::uint32_t tap_group = 0;
  std::array<std::uint32_t, 2> tenants{};  ///< net::SctpPacket::tenant of the newest packet of each direction
  [[nodiscard]] std::uint32_t tenant() const noexcept {
    if (!seen[0] || !seen[1]) return tenants[seen[0] ? 0 : 1];
    const auto [least, most] = std::minmax(tenants[0], tenants[1]);
    return least == most ? least : least * 31 + most;  // as of a TCP connection
  }
  std::array<bool, 2> seen{};                             ///< packets of that direction
  std::array<std::optional<OpeningPlace>, 2> openings{};  ///< of its INIT or INIT ACK
  bool several_paths = false;
  static constexpr std::size_t kMaxAddresses = 16;     ///< of an end; ours
  std::array<std::size_t, 2> announced{};              ///< addresses that its INIT or INIT ACK lists, up to so many
  std::array<std::vector<net::IpAddress>, 2> sources;  ///< those that packets came from, up to so many
  bool capture_ends = false;
  std::optional<Direction> aborted_by;
  bool others_wait = false;      ///< packets wait for others that the capture shows later, while this one is processed
  bool is_skewed = false;        ///< a chunk came after its acknowledgment: one direction comes later than the other
  bool shows_received = false;   ///< the packet being processed carries a SACK that no newer one overtook
  std::optional<SackView> sack;  ///< of the packet being processed
  FrameNumber frame;
  TimePoint time;
  std::uint64_t sessions = 0;
  std::array<std::uint64_t, 2> reported_lost{};       ///< messages reported to sessions as missing, for lost TSNs
  std::array<std::set<std::uint16_t>, 2> suspects;    ///< streams for which the next SACK of that direction decides
  std::array<std::optional<WindowClosed>, 2> closed;  ///< by the direction of what has to wait
  std::optional<Shutdown> shutdown;                   ///< by the association's direction
  Waiting a, b;
};

}  // namespace iwarpscope::sctp
