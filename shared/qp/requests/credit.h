// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How many requests of one direction were outstanding at their sender, compared with the negotiated limit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "qp/records.h"

namespace iwarpscope::qp {

/// Outstanding requests: Read Requests alone, and Read Requests and Atomic Requests together.
struct Waiting {
  std::uint32_t reads = 0;
  std::uint32_t all = 0;
};

/// Counts outstanding requests at the moments when one is sent. The ACK number of the request's first
/// transmission shows which responses its sender had received: a response that it does not fully acknowledge counts as
/// outstanding. Bounded: kMost responses are remembered, older ones count as received. Source: RFC 6581 §9.1, RFC 5040
/// §6.1.
class Credit {
 public:
  static constexpr std::size_t kMost = 4096;

  /// A request was sent. `unanswered`: requests whose response has not been seen whole, this one included.
  /// `acknowledged`: of its first transmission. Returns how many were outstanding for its sender.
  Waiting sent(Waiting unanswered, StreamOffset acknowledged, std::optional<std::uint16_t> limit, TimePoint time);
  /// A response was seen completely; it ends at `end`.
  void answered(bool atomic, StreamOffset end, TimePoint time);
  /// A request was sent, and it is unknown which responses its sender had received.
  void forget_responses() noexcept;
  /// No request is outstanding any more.
  void ended(TimePoint time) noexcept;
  /// Which response answers which request is no longer certain.
  void doubt() noexcept { doubtful_ = true; }
  [[nodiscard]] bool is_doubtful() const noexcept { return doubtful_; }

  /// Requests that were unanswered at the tap at one time, at most.
  void seen_at_tap(std::uint32_t reads) noexcept { most_at_tap_ = reads > most_at_tap_ ? reads : most_at_tap_; }
  [[nodiscard]] std::uint32_t most_at_tap() const noexcept { return most_at_tap_; }
  /// `now`: what still is at its limit has been there until then. Nothing when no request could be counted.
  [[nodiscard]] std::optional<ReadCreditRecord> record(std::optional<std::uint16_t> limit, TimePoint now) const;
  /// Gives back memory that a queue pair without requests does not need.
  void trim();

  bool flood_reported = false;  ///< SX-07

  template <class A>
  void archive(A& a) {
    a(flood_reported, responses_, first_, counted_reads_, most_at_tap_, doubtful_, counted_, reads_, all_);
    a.check(first_ <= responses_.size());
  }

 private:
  struct Level {
    CreditUse use;
    std::uint32_t now = 0;
    std::uint32_t limit = 0;  ///< 0: none is known
    TimePoint since;          ///< with `at_limit`
    bool at_limit = false;

    void sent(std::uint32_t outstanding, std::optional<std::uint16_t> most, TimePoint time) noexcept;
    void received(TimePoint time) noexcept;
    void leave(TimePoint time) noexcept;
    [[nodiscard]] CreditUse until(TimePoint time) const noexcept;
  };
  /// A response that was seen whole and may not have been received yet.
  struct Response {
    StreamOffset end;
    bool atomic = false;
  };

  void drop_oldest();

  std::vector<Response> responses_;  ///< [first_, end) count; their ends ascend
  std::uint32_t first_ = 0;
  std::uint32_t counted_reads_ = 0;  ///< Read Responses among them
  std::uint32_t most_at_tap_ = 0;
  bool doubtful_ = false;
  bool counted_ = false;
  Level reads_, all_;
};

}  // namespace iwarpscope::qp
