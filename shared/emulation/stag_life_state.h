// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What StagLife remembers. Included by stag_life*.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "emulation/lru_table.h"
#include "emulation/stag_life.h"

namespace iwarpscope::emulation {

/// A message, and what its sender had received from the other end when it sent it.
struct Moment {
  std::uint64_t message = 0;
  FrameNumber frame;
  StreamOffset acknowledged{};
  std::uint32_t gaps = 0;  ///< how many gaps there had been
  bool known = false;
  bool has_acknowledged = false;
};

/// Octets that were accessed, as one range.
struct Range {
  std::uint64_t begin = 0, end = 0;
  Moment last;
  bool scattered = false;  ///< there are holes in it
  void add(TaggedOffset to, std::uint64_t octets, const Moment& at) noexcept;
};

/// A message of `owner`'s direction (its peer's) accesses [to, to + octets) of its STag.
struct Use {
  Direction owner{};
  STag stag;
  TaggedOffset to;
  std::uint64_t octets = 0;
  Access access{};
};

struct StagState {
  FrameNumber first_frame, announced_frame;
  std::uint64_t begin = 0, end = 0;
  Access seen = Access::none;       ///< ever
  Access kinds = Access::none;      ///< since it was announced or invalidated
  Access granted = Access::none;    ///< as announced
  bool from_start = false;          ///< every access since the start of the stream was seen
  std::uint32_t fact_reported = 0;  ///< that it is in use: gaps there had been then, plus one; 0: not reported
  bool reported = false;            ///< RM-35, since it was invalidated
  Moment invalidated;               ///< known: and not announced since
  StreamOffset invalidated_at;      ///< in the invalidating direction
  bool used_since = false;          ///< since it was invalidated
  std::uint64_t used_message = 0;   ///< with used_since: the first
  FrameNumber used_frame;
  TaggedOffset used_to;
  Moment requested;  ///< the latest Read Request with it as its sink; by the owner
  Range written, read;
  StreamOffset read_answered;  ///< last DDP segment of the response to read.last, with is_read_answered
  std::uint64_t announced_begin = 0, announced_end = 0;
  bool is_read_answered = false;

  /// What was known of its validity and its use is so no more.
  void renew() noexcept;
  void reach(TaggedOffset to, std::uint64_t octets) noexcept;
};

struct StagLife::State {
  State(Notes& note_sink, StagFacts& fact_sink, std::size_t most) : notes(note_sink), facts(fact_sink), stags(most) {}

  [[nodiscard]] static std::uint64_t key(Direction owner, STag stag) noexcept {
    return std::uint64_t{stag.value} << 1 | index(owner);
  }
  template <class A>
  void archive(A& a) {
    a(stags, requests, sends, gaps, facts_hold);
  }
  StagState& take(Direction owner, STag stag, FrameNumber frame, bool from_start);
  [[nodiscard]] Moment moment(const ddp::Carrier& carrier, std::uint64_t message) const noexcept;
  /// Nothing of the other end reached the sender between the two, as far as its ACK numbers tell; and no gap.
  [[nodiscard]] bool received_nothing(const Moment& before, const Moment& now) const noexcept;

  void used(const Use& use, const Moment& now, bool from_start);
  void judge_use(const Use& use, StagState& s, const Moment& now);
  [[nodiscard]] bool is_again(const Use& use, const StagState& s, const Moment& now) const noexcept;
  void named_as_sink(Direction owner, STag stag, const qp::Request& request, const Moment& now, bool from_start);
  void response_placed(const Use& use, const Moment& now, bool from_start);
  void invalidate(Direction owner, STag stag, const Moment& now, StreamOffset at, bool from_start);
  void tell_use(Direction owner, STag stag, StagState& s, Access access, const Moment& now);

  Notes& notes;
  StagFacts& facts;
  LruTable<std::uint64_t, StagState> stags;
  std::array<Moment, 2> requests{};  ///< the latest request, by direction
  std::array<Moment, 2> sends{};     ///< the latest Send or Immediate Data that ended, by direction
  std::uint32_t gaps = 0;
  bool facts_hold = false;  ///< a fact was reported since the last gap
};

}  // namespace iwarpscope::emulation
