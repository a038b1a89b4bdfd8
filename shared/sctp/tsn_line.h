// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The TSNs of one direction: which were seen, which were acknowledged, which the capture lost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/octets.h"
#include "base/serial.h"
#include "base/time_point.h"
#include "tcp/stream.h"

namespace iwarpscope::sctp {

/// A TSN, counted on beyond 32 bits. The first one of an association lies far above 0, so that older ones do not
/// underflow.
using Tsn = std::uint64_t;

/// What a DATA chunk's TSN is to those before it.
enum class Sight : std::uint8_t {
  next,      ///< the one after the highest
  ahead,     ///< above the highest, with a hole before it
  late,      ///< below the highest, not seen before
  again,     ///< seen before, or older than what is remembered
  far_away,  ///< too far from all others to belong here: what follows may go unseen, too (RFC 6525 §5.2.4)
};

/// What is known of one direction's TSNs. Bounded by kMaxRuns and kMaxLost. Source: RFC 9260 §6.2, §6.3.
class TsnLine {
 public:
  static constexpr std::size_t kMaxRuns = 4096;          ///< runs of TSNs after holes; ours
  static constexpr std::size_t kMaxLost = 1024;          ///< runs of lost TSNs remembered; ours
  static constexpr std::size_t kMaxBlocks = 64;          ///< Gap Ack Blocks kept of the newest SACK; ours
  static constexpr std::uint64_t kPlausible = 1u << 30;  ///< further away a TSN is not believed; ours

  /// The Initial TSN of an INIT or INIT ACK: the newest counts. Nothing once a TSN of DATA is known.
  void begin(std::uint32_t initial_tsn) noexcept;
  /// An INIT or a DATA chunk was seen.
  [[nodiscard]] bool has_begun() const noexcept { return begun_; }
  /// Its Initial TSN is known, and neither DATA nor a SACK of any was seen.
  [[nodiscard]] bool is_untouched() const noexcept { return begun_ && highest_end_ == 0 && !acked_ && !early_; }
  /// Neither was, but a SACK of DATA.
  [[nodiscard]] bool was_missed() const noexcept { return !begun_ && early_; }
  /// DATA with TSNs above `after` was sent while the capture ran, before the first that was seen.
  [[nodiscard]] bool missed_first(Tsn after) const noexcept { return missed_first_ && after < first_; }
  [[nodiscard]] Tsn unwrapped(std::uint32_t tsn) const noexcept { return unwrap(highest_, tsn); }

  /// Near enough to all others to belong here.
  [[nodiscard]] bool is_plausible(Tsn tsn) const noexcept {
    return tsn + kPlausible >= next_ && tsn <= highest_ + kPlausible;
  }
  /// All of these were seen, or are lost.
  [[nodiscard]] bool has_seen(Tsn first, Tsn last) const noexcept;

  /// This one was seen: see() would say Sight::again.
  [[nodiscard]] bool was_seen(Tsn tsn) const noexcept;

  /// Takes the TSN of a DATA chunk. A hole that it fills is no hole any more. What becomes too much gives the oldest
  /// hole up.
  Sight see(std::uint32_t tsn, TimePoint time);
  /// A cumulative TSN ack, with the Gap Ack Blocks after it (as captured; 4 octets each). What was acknowledged and
  /// never seen is lost; where nothing after it was seen it may still come, from another port of the mirror. Fails
  /// (false) when it says nothing new: another one overtook it. `whole`: all of its blocks are here.
  bool acknowledge(std::uint32_t cumulative, Octets blocks, bool whole, TimePoint time);
  /// All that was sent was received: so its sender's SHUTDOWN or SHUTDOWN ACK says. Source: RFC 9260 §9.2. Which TSN
  /// was the last one it does not say: where the capture lacks what acknowledged the highest one seen, it may lack DATA
  /// after that as well.
  void acknowledge_all(TimePoint time);
  /// The capture lacks a packet that showed where it ends.
  void lose_end() noexcept { lacks_end_ = begun_; }
  [[nodiscard]] bool lacks_end() const noexcept { return lacks_end_; }
  /// The sender gave all TSNs up to this one up. Source: RFC 3758 §3.5.
  void skip(std::uint32_t cumulative, TimePoint time);
  /// Gives up holes older than `timeout_ns`.
  void expire(TimePoint now, std::int64_t timeout_ns);
  /// What the capture has of this chunk is too little to use: it is lost as well.
  void unread(Tsn tsn);
  /// Gives up every hole.
  void flush(TimePoint now);

  /// A SACK of these TSNs was seen.
  [[nodiscard]] bool has_acknowledgments() const noexcept { return acked_.has_value(); }
  [[nodiscard]] bool is_acknowledged(Tsn tsn) const noexcept;
  /// All TSNs below it were.
  [[nodiscard]] std::optional<Tsn> acknowledged_end() const noexcept {
    return acked_ ? std::optional<Tsn>{*acked_ + 1} : std::nullopt;
  }
  /// The newest SACK does not acknowledge it, as far as all that it says is known. What follows its cumulative TSN was
  /// not received.
  [[nodiscard]] bool is_surely_unacknowledged(Tsn tsn) const noexcept {
    return acked_ && tsn > *acked_ && (blocks_whole_ || tsn == *acked_ + 1) && !is_acknowledged(tsn);
  }
  /// The newest SACK was sent after this one was received, or one that was sent after it.
  [[nodiscard]] bool is_acknowledged_from(Tsn tsn) const noexcept {
    return acked_ && (*acked_ >= tsn || std::any_of(blocks_.begin(), blocks_.end(),
                                                    [tsn](const auto& block) { return block.second > tsn; }));
  }
  /// Acknowledged, and neither it nor anything after it was seen.
  [[nodiscard]] bool is_overdue() const noexcept { return acked_ && *acked_ >= next_ && *acked_ > highest_; }
  /// The newest SACK acknowledges nothing that was not seen, and no TSN is awaited.
  [[nodiscard]] bool has_seen_all_acknowledged() const noexcept;
  /// Everything that was seen was acknowledged.
  [[nodiscard]] bool all_acknowledged() const noexcept { return acked_ && *acked_ + 1 >= highest_end_; }
  /// No TSN below the highest is awaited.
  [[nodiscard]] bool is_whole() const noexcept { return runs_.empty(); }
  /// Below it every TSN was seen or is lost.
  [[nodiscard]] Tsn next() const noexcept { return next_; }
  [[nodiscard]] Tsn highest() const noexcept { return highest_; }
  /// The same of those that were seen or acknowledged.
  [[nodiscard]] Tsn highest_known() const noexcept { return acked_ && *acked_ > highest_ ? *acked_ : highest_; }
  /// Whether TSNs after `after` and before `before` were lost, or may have been: what is too old to be remembered.
  [[nodiscard]] std::optional<tcp::Missing> lost_between(Tsn after, Tsn before) const noexcept;
  /// Whether the sender of the same gave some of them up. Source: RFC 3758 §3.5.
  [[nodiscard]] bool abandoned_between(Tsn after, Tsn before) const noexcept {
    return after < abandoned_end_ && abandoned_begin_ < before;
  }
  /// How many after `after`, and before `before`, are known to be lost.
  [[nodiscard]] std::uint64_t lost_after(Tsn after, Tsn before = std::numeric_limits<Tsn>::max()) const noexcept;
  /// How many between the two were not seen, `before` having been.
  [[nodiscard]] std::uint64_t unseen_between(Tsn after, Tsn before) const noexcept;
  /// Some after `after`, up to the highest that was seen or acknowledged, were not seen.
  [[nodiscard]] bool misses_some_after(Tsn after) const noexcept;
  /// Whether some of the same are awaited.
  [[nodiscard]] bool awaited_between(Tsn after, Tsn before) const noexcept;
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_count_; }
  /// Those of them that were acknowledged and never seen.
  [[nodiscard]] std::uint64_t lost_by_capture() const noexcept { return gap_count_ - std::min(gap_count_, found_); }
  /// And those that came all the same.
  [[nodiscard]] std::uint64_t found() const noexcept { return found_; }

  template <class A>
  void archive(A& a);

 private:
  struct Lost {
    Tsn begin, end;
    tcp::Missing reason;
  };
  /// TSNs that are awaited after some TSN, and the run of seen ones that ends them; none does: the line is at its end.
  struct Hole {
    Tsn begin;
    std::map<Tsn, Tsn>::const_iterator run;
  };
  /// For what was read: runs and losses are in order, and none is empty.
  [[nodiscard]] bool is_sound() const noexcept;
  [[nodiscard]] Hole hole_after(Tsn after) const noexcept;
  void lose(Tsn begin, Tsn end, tcp::Missing reason);
  void note_early(std::uint32_t cumulative) noexcept;
  /// Half of them, where there are more than kMaxLost.
  void forget_oldest_lost();
  /// TSNs from `to` on may still come, although the line began after them.
  void lower(Tsn to, TimePoint time);
  [[nodiscard]] bool may_lower(Tsn to) const noexcept {
    return first_ != 0 && !acked_ && to < floor_ && floor_ - to <= kMostBefore;
  }
  /// One that was lost came all the same. Fails (false) when it was not lost.
  [[nodiscard]] bool find(Tsn tsn);
  /// The first lost run that ends after `tsn`.
  [[nodiscard]] std::vector<Lost>::const_iterator first_lost_after(Tsn tsn) const noexcept;
  /// Everything below `end` is seen or lost from now on.
  void advance(Tsn end, tcp::Missing reason, TimePoint time);
  void join_front() noexcept;

  static constexpr Tsn kMostBefore = 4096;  ///< TSNs before the first one seen that are waited for; ours

  bool begun_ = false;
  bool missed_first_ = false;
  bool lacks_end_ = false;
  bool blocks_whole_ = false;           ///< blocks_ are all that the newest SACK has
  std::optional<std::uint32_t> early_;  ///< cumulative TSN of the newest SACK of what is below first_
  Tsn first_ = 0;  ///< the first one seen where no INIT was; what is not seen before it is not lost
  Tsn floor_ = 0;  ///< where the line begins by now: first_, or before it
  Tsn next_ = 0;
  Tsn highest_ = Tsn{1} << 32;
  Tsn highest_end_ = 0;      ///< one after the highest seen; 0: none was
  std::map<Tsn, Tsn> runs_;  ///< seen TSNs above next_: begin to end
  TimePoint hole_since_;
  std::optional<TimePoint> overdue_since_;
  std::optional<Tsn> acked_;
  std::vector<std::pair<Tsn, Tsn>> blocks_;  ///< acknowledged above it: begin to end
  std::vector<Lost> lost_;                   ///< in order, none overlaps another
  Tsn discarded_ = 0;                        ///< losses below it are not remembered
  std::uint64_t lost_count_ = 0;
  std::uint64_t gap_count_ = 0;
  std::uint64_t found_ = 0;
  Tsn abandoned_begin_ = 0, abandoned_end_ = 0;  ///< what its sender gave up the last time
};

}  // namespace iwarpscope::sctp
