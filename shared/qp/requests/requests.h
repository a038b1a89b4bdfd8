// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The requests of one direction, and what the capture may lack of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "ddp/segment.h"
#include "qp/requests/credit.h"
#include "qp/requests/outstanding.h"
#include "qp/summary.h"

namespace iwarpscope::qp {

/// What the capture may lack of the responses to the requests of one direction.
struct UnseenResponses {
  StreamOffset lost_to;         ///< where missing octets of the direction of the responses end
  bool requests_whole = false;  ///< no request can have been missed
};

/// A response, or the rest of one, that answers no known request although some are outstanding.
struct StrayResponse {
  bool atomic = false;
  STag stag{};                   ///< read
  TaggedOffset to{};             ///< read: of its first octet that was seen
  std::uint32_t octets = 0;      ///< read: of its first DDP segment that was seen
  std::uint32_t request_id = 0;  ///< atomic

  /// `request` may be the one that it answers.
  [[nodiscard]] bool may_answer(const Request& request) const noexcept;
};

class Requests {
 public:
  static constexpr std::size_t kMostStrays = 16;

  Outstanding outstanding;

  /// Every request could be read and is remembered.
  [[nodiscard]] bool are_certain() const noexcept { return certain_; }
  /// A request may be unknown from now on: pairing is no longer certain.
  void doubt() noexcept { certain_ = false; }

  /// A request was read. `midstream`: the capture begins inside the queue pair.
  void note_first(MessageSequence msn, bool midstream) noexcept {
    if (midstream && msn.value == 1) first_seen_ = true;
  }
  /// Joined mid-stream: MSN 1 of queue 1 was seen, and no octet is missing since.
  [[nodiscard]] bool has_first() const noexcept { return first_seen_; }
  /// Octets of the direction of the requests are missing.
  void lost() noexcept;

  /// A response came before any request that it could answer. `acknowledged`: by its first DDP segment, where known.
  void answered_ahead(std::optional<StreamOffset> acknowledged) noexcept;
  /// The same, but it answers the next request: only the order of the merged capture ports is wrong.
  void merged_ahead() noexcept { ++merged_ahead_; }
  /// A response came that answers no known request: its own may come later. The oldest is dropped when there are
  /// already kMostStrays.
  void strayed(const StrayResponse& response);
  /// A request comes. True when its response was seen before it, as merged_ahead() said.
  bool take_merged() noexcept;
  /// A request comes whose first DDP segment is `first`: marks it where the capture may lack its response, or may have
  /// shown it earlier.
  void mark_unseen(Request& request, const ddp::Carrier& first, const UnseenResponses& unseen) noexcept;

  /// Null: no request came yet.
  [[nodiscard]] Credit* credit() noexcept { return credit_ ? &*credit_ : nullptr; }
  [[nodiscard]] const Credit* credit() const noexcept { return credit_ ? &*credit_ : nullptr; }
  [[nodiscard]] Credit& make_credit() { return credit_ ? *credit_ : credit_.emplace(); }

  /// The unanswered requests when they were settled. Empty: not settled, or none.
  [[nodiscard]] std::optional<UnansweredRequests> settled() const;
  void settle(const UnansweredRequests& waiting) { settled_ = std::make_unique<UnansweredRequests>(waiting); }
  void trim();

  template <class A>
  void archive(A& a) {
    a(outstanding, credit_, settled_, strays_, answered_to_, answered_ahead_, merged_ahead_, certain_, first_seen_);
  }

 private:
  std::optional<Credit> credit_;                 ///< from its first request on
  std::unique_ptr<UnansweredRequests> settled_;  ///< rare
  std::vector<StrayResponse> strays_;            ///< rare
  StreamOffset answered_to_;                     ///< a response without a known request acknowledged octets up to here
  std::uint32_t answered_ahead_ = 0;
  std::uint32_t merged_ahead_ = 0;
  bool certain_ = true;
  bool first_seen_ = false;
};

}  // namespace iwarpscope::qp
