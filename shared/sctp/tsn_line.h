// The TSNs of one direction: which were seen, which were acknowledged, which the capture lost.
#pragma once

#include <cstdint>
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
  again,     ///< seen before, or older than what can be told
  far_away,  ///< too far from all others to belong here
};

/// What is known of one direction's TSNs. Bounded by kMaxRuns and kMaxLost. Source: RFC 9260 §6.2, §6.3.
class TsnLine {
 public:
  static constexpr std::size_t kMaxRuns = 4096;          ///< runs of TSNs behind holes; ours
  static constexpr std::size_t kMaxLost = 1024;          ///< runs of lost TSNs remembered; ours
  static constexpr std::size_t kMaxBlocks = 64;          ///< Gap Ack Blocks kept of the newest SACK; ours
  static constexpr std::uint64_t kPlausible = 1u << 30;  ///< further away a TSN is not believed; ours

  /// The Initial TSN of an INIT. Nothing once a TSN is known.
  void begin(std::uint32_t initial_tsn) noexcept;
  /// The first DATA chunk when no INIT was seen.
  [[nodiscard]] bool has_begun() const noexcept { return begun_; }
  [[nodiscard]] Tsn unwrapped(std::uint32_t tsn) const noexcept { return unwrap(highest_, tsn); }

  /// Takes the TSN of a DATA chunk. A hole that it fills is no hole any more. What becomes too much gives the oldest
  /// hole up.
  Sight see(std::uint32_t tsn, TimePoint time);
  /// A cumulative TSN ack, with the Gap Ack Blocks behind it (as captured; 4 octets each). What was acknowledged and
  /// never seen is lost; where nothing behind it was seen it may still come, from another port of the mirror.
  void acknowledge(std::uint32_t cumulative, Octets blocks, TimePoint time);
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
  /// Acknowledged, and neither it nor anything behind it was seen.
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
  /// Whether TSNs after `after` and before `before` were lost, or may have been: what is too old to be remembered.
  [[nodiscard]] std::optional<tcp::Missing> lost_between(Tsn after, Tsn before) const noexcept;
  /// Of the same: whether some are awaited.
  [[nodiscard]] bool awaited_between(Tsn after, Tsn before) const noexcept;
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_count_; }

 private:
  struct Lost {
    Tsn begin, end;
    tcp::Missing reason;
  };
  void lose(Tsn begin, Tsn end, tcp::Missing reason);
  /// The first lost run that ends behind `tsn`.
  [[nodiscard]] std::vector<Lost>::const_iterator first_lost_after(Tsn tsn) const noexcept;
  /// Everything below `end` is seen or lost from now on.
  void advance(Tsn end, tcp::Missing reason, TimePoint time);
  void join_front() noexcept;

  bool begun_ = false;
  Tsn next_ = 0;
  Tsn highest_ = Tsn{1} << 32;
  Tsn highest_end_ = 0;      ///< one after the highest seen; 0: none was
  std::map<Tsn, Tsn> runs_;  ///< seen TSNs above next_: begin to end
  TimePoint hole_since_;
  std::optional<TimePoint> overdue_since_;
  std::optional<Tsn> acked_;
  std::vector<std::pair<Tsn, Tsn>> blocks_;  ///< acknowledged above it: begin to end
  std::vector<Lost> lost_;                   ///< in order, none overlaps another
  Tsn forgotten_ = 0;                        ///< losses below it are not remembered
  std::uint64_t lost_count_ = 0;
};

}  // namespace iwarpscope::sctp
