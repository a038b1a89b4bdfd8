// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Joins user messages that SCTP split over several DATA chunks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sctp/context.h"
#include "sctp/tsn_line.h"

namespace iwarpscope::sctp {

/// One DATA chunk that is a part of a message.
struct Fragment {
  Tsn tsn = 0;
  std::uint16_t stream = 0;
  std::uint32_t ppid = 0;
  bool begins = false;
  bool ends = false;
  bool late = false, is_after_ack = false, ordered = false;  ///< as in Arrival
  Octets octets;                                             ///< as captured
  std::uint32_t length = 0;                                  ///< on the wire
  std::uint32_t packet_octets = 0;                           ///< of the SCTP packet that carried it
  FrameNumber frame;
  TimePoint time;

  /// All but the octets, which it borrows.
  template <class A>
  void archive(A& a) {
    a(tsn, stream, ppid, begins, ends, late, is_after_ack, ordered, length, packet_octets, frame, time);
  }
};

/// A message whose fragments are all here.
struct Joined {
  std::uint16_t stream = 0;
  std::uint32_t ppid = 0;
  std::vector<std::byte> octets;                             ///< up to the first that were not captured
  std::uint32_t length = 0;                                  ///< on the wire
  std::uint32_t largest_packet = 0;                          ///< of those that carried it
  bool late = false, is_after_ack = false, ordered = false;  ///< of any of them
  Tsn first_tsn = 0, last_tsn = 0;
  FrameNumber first_frame, last_frame;
  TimePoint first_time, placed_time;
};

/// The fragments of one direction of an association: those of a message have TSNs that follow one another. Whatever
/// their order, each costs O(log n) of those held. Source: RFC 9260 §6.9.
class Fragments {
 public:
  explicit Fragments(Waiting& waiting) noexcept : waiting_(waiting) {}
  ~Fragments();
  Fragments(const Fragments&) = delete;
  Fragments& operator=(const Fragments&) = delete;

  /// Returns the message that this fragment completes. A fragment for which there is no room is left out: its message
  /// never comes, was_refused() says so.
  [[nodiscard]] std::optional<Joined> add(const Fragment& fragment);
  /// Drops those whose message cannot become whole: neighbours below `next` are lost, or of another message.
  void prune(Tsn next);
  [[nodiscard]] bool empty() const noexcept { return held_.empty(); }
  [[nodiscard]] bool was_refused() const noexcept { return refused_; }

  template <class A>
  void archive(A& a);

 private:
  struct Held {
    Fragment fragment;
    std::vector<std::byte> octets;
  };
  /// Fragments of one message whose TSNs follow one another.
  struct Run {
    Tsn end = 0;  ///< one after the last
    std::uint16_t stream = 0;
    bool begins = false;  ///< with the first of the message
    bool ends = false;    ///< with the last
  };
  using Map = std::map<Tsn, Held>;
  using Runs = std::map<Tsn, Run>;  ///< by the first TSN
  /// Octets of the nodes of both maps and the vector, with what an allocator adds to each. Every fragment may be a run.
  static constexpr std::size_t kNode = 4 * sizeof(void*) + 16;
  static constexpr std::size_t kOverhead = sizeof(Map::value_type) + sizeof(Runs::value_type) + 2 * kNode + 16;
  [[nodiscard]] std::size_t cost(const Held& held) const noexcept { return held.octets.size() + kOverhead; }
  [[nodiscard]] Runs::iterator extend(const Fragment& fragment);
  [[nodiscard]] Joined join(Map::iterator first, Map::iterator last);

  Waiting& waiting_;
  Map held_;
  Runs runs_;
  bool refused_ = false;
};

}  // namespace iwarpscope::sctp
