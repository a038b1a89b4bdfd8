// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Responses that were sent before their sender had received a matching request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ddp/segment.h"
#include "findings/finding.h"
#include "qp/observation.h"
#include "qp/records.h"
#include "qp/requests/outstanding.h"

namespace iwarpscope::qp {

struct OpenMessage;

/// Kept until its request comes (RM-15), or until it is certain that none comes (RM-09, AT-11). Source:
/// RFC 5040 §5.5 rules 12 and 17; RFC 7306 §5.4 rule 3.
struct EarlyResponse {
  static constexpr std::size_t kMost = 16;                ///< of one direction
  static constexpr std::int64_t kWaitNs = 3'000'000'000;  ///< as long as TCP waits for a hole to be filled

  bool atomic = false;
  std::uint64_t message = 0;
  STag stag;                      ///< read
  TaggedOffset to;                ///< read
  bool zero_length = false;       ///< read
  std::uint32_t request_id = 0;   ///< atomic
  ddp::Carrier first;             ///< of its first DDP segment
  StreamOffset end;               ///< after its first DDP segment
  findings::Finding unrequested;  ///< what is raised when no request comes
  OpenMessage* open = nullptr;    ///< the response; null: it is at its end
  /// Set when the response is at its end.
  struct Ended {
    MessageFacts facts;
    ddp::MessageEnd end;
    std::optional<std::uint64_t> original;  ///< atomic
  };
  std::optional<Ended> ended;
  std::unique_ptr<MessageRecord> record;  ///< with `ended`, if records are made: waits for the request's index

  /// `sent`: of the request's first DDP segment. It cannot answer a request that was sent after this response was
  /// received.
  [[nodiscard]] bool answers(const Request& request, const ddp::Carrier& sent) const noexcept;

  /// All but `open`, see EarlyResponses::find_open().
  template <class A>
  void archive(A& a) {
    a(atomic, message, stag, to, zero_length, request_id, first, end, unrequested, ended, record);
  }
};

/// A response that matches no earlier request, while it is unknown which requests its sender had received: over SCTP
/// few packets carry a SACK. Kept until a request comes that it may answer, or until it is certain that none comes.
/// Source: RFC 9260 §6.2.
struct DoubtedResponse {
  static constexpr std::size_t kMost = 16;  ///< of one direction

  StreamOffset end;           ///< after its first DDP segment
  findings::Finding finding;  ///< raised when no request comes

  /// `sent`: of the request's first DDP segment.
  [[nodiscard]] bool may_answer(const ddp::Carrier& sent) const noexcept {
    return !sent.has_acknowledged || sent.acknowledged < end;
  }
};

/// The early and the doubted responses of one direction, each in stream order. Raises nothing: the caller reports what
/// it takes out.
class EarlyResponses {
 public:
  /// If there is no room, removes and returns the oldest early response.
  std::optional<EarlyResponse> keep(EarlyResponse early);
  /// The early response with this message index. Null: it is not one. Valid until the next call.
  [[nodiscard]] EarlyResponse* find(std::uint64_t message) noexcept;
  /// A request comes. Removes and returns the oldest early response that answers it.
  std::optional<EarlyResponse> take(const Request& request, const ddp::Carrier& sent);
  /// Removes and returns those that waited longer than EarlyResponse::kWaitNs, up to the first that did not.
  std::vector<EarlyResponse> take_expired(TimePoint now);
  /// Removes and returns all.
  std::vector<EarlyResponse> take_all();
  [[nodiscard]] bool has_early() const noexcept { return !early_.empty(); }

  /// Not kept if there are already DoubtedResponse::kMost.
  void doubt(DoubtedResponse response);
  /// A request comes: those that may answer it are no longer in doubt.
  void forget_doubted(const ddp::Carrier& request);
  std::vector<DoubtedResponse> take_doubted();
  [[nodiscard]] bool has_doubted() const noexcept { return !doubted_.empty(); }

  template <class A>
  void archive(A& a) {
    a(early_, doubted_);
    a.check(early_.size() <= EarlyResponse::kMost && doubted_.size() <= DoubtedResponse::kMost);
  }
  /// After archive(): finds again the message in progress of each response that did not end. False: one is missing.
  template <class Find>
  [[nodiscard]] bool find_open(Find find) {
    for (EarlyResponse& early : early_) {
      if (early.ended) continue;
      early.open = find(early.message);
      if (early.open == nullptr) return false;
    }
    return true;
  }

 private:
  std::vector<EarlyResponse> early_;
  std::vector<DoubtedResponse> doubted_;
};

}  // namespace iwarpscope::qp
