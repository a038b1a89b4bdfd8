// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Requests of both directions of a queue pair, and their responses.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "ddp/segment.h"
#include "qp/direction/common.h"
#include "qp/direction/open_message.h"
#include "qp/requests/early_responses.h"
#include "qp/requests/outstanding.h"
#include "qp/requests/requests.h"
#include "qp/summary.h"

namespace iwarpscope::qp {

/// Pairs each response with its request, and raises the rules that either breaks: RM-09 to RM-17, AT-08 to AT-13,
/// AT-20, DD-23, SX-07. Reports the records of requests, and of responses that came early, when their pair is known. If
/// the capture may lack a request or a response, or has them in another order than the wire, neither end is blamed.
/// `d` is the direction of the message of the call. `common`, with its coverage, must outlive it. Source:
/// RFC 5040 §5.2, §5.5; RFC 7306 §5.
class Exchange {
 public:
  explicit Exchange(Common& common) noexcept : common_(common) {}

  /// A message of any kind begins: responses that waited long enough for their request have none.
  void message_begins(Direction d);
  /// A request begins with `segment`.
  void request_begins(Direction d, const ddp::Segment& segment);
  /// A Read Response or Atomic Response begins with `segment`. Sets what `open` answers.
  void response_begins(Direction d, OpenMessage& open, const ddp::Segment& segment);
  /// `record`: null where none is made.
  void request_ended(Direction d, const OpenMessage& open, const ddp::MessageEnd& end,
                     std::unique_ptr<MessageRecord> record);
  /// Keeps `record` where its request is still to come; otherwise it is filled in and stays the caller's.
  void response_ended(Direction d, const OpenMessage& open, const ddp::MessageEnd& end,
                      std::unique_ptr<MessageRecord>& record);

  /// Octets or messages of `d` are unknown: they may have contained anything.
  void lost(Direction d) noexcept;
  /// `d` may have contained a response that could not be recognised.
  void doubt_responses(Direction d) noexcept;
  /// The first Terminate of `d` names this message of the other direction. Empty: it names no known message.
  void terminated(Direction d, std::optional<std::uint64_t> named);

  /// Reports responses of `d` for which no request can come any more: RM-09, AT-11.
  void settle_early(Direction d);
  /// The same for responses kept in doubt: RM-09 to RM-13, AT-11. Reports nothing if octets are missing.
  void settle_doubted(Direction d);
  /// Makes the records of unanswered requests of `d`. Without `closed` neither end is blamed for them.
  void settle_requests(Direction d, bool closed);
  void trim();

  /// Unanswered requests of `d`, now or when they were settled. Empty if responses may have been missed.
  [[nodiscard]] std::optional<UnansweredRequests> waiting(Direction d) const;
  [[nodiscard]] const Outstanding& outstanding(Direction d) const noexcept { return requests(d).outstanding; }
  /// Every request of `d` could be read and is remembered.
  [[nodiscard]] bool has_certain_requests(Direction d) const noexcept { return requests(d).are_certain(); }
  /// The latest Read Response of `d` that matches no request. Shape: frame 0: none.
  struct Unfit {
    std::uint64_t message = 0;
    FrameNumber frame;
  };
  [[nodiscard]] Unfit unfit(Direction d) const noexcept;
  /// Adds the counters of the requests of `d`.
  void fill(Direction d, DirectionRecord& record) const;

  template <class A>
  void archive(A& a) {
    a(requests_, rare_);
  }
  /// After archive() of this and of the messages; see EarlyResponses::find_open().
  template <class Find>
  [[nodiscard]] bool find_open(Direction d, Find find) {
    return rare(d) == nullptr || rare(d)->early.find_open(find);
  }

 private:
  /// The request that a response answers.
  struct Answer {
    std::uint64_t message = 0;  ///< its index
    bool fits = false;          ///< it asks for what the response carries; otherwise it is only the oldest
    bool judged = false;        ///< it is certain which request has to be answered
  };
  /// Data of the responses of one direction that is rarely needed.
  struct Rare {
    EarlyResponses early;
    std::optional<std::uint64_t> refused;  ///< message of the other direction that its first Terminate names
    Unfit unfit;
  };

  /// Empty where no request came.
  [[nodiscard]] const Requests& requests(Direction d) const noexcept;
  [[nodiscard]] Requests& make_requests(Direction d);
  /// Null: not needed so far.
  [[nodiscard]] Rare* rare(Direction d) noexcept { return rare_ != nullptr ? &(*rare_)[index(d)] : nullptr; }
  [[nodiscard]] Rare& make_rare(Direction d);
  void hand_out(std::unique_ptr<MessageRecord> record) {
    if (record != nullptr) common_.events.message(std::move(*record));
  }

  // exchange.cpp: requests
  [[nodiscard]] std::optional<EarlyResponse> take_early(Direction d, const Request& request, const ddp::Carrier& sent);
  [[nodiscard]] bool was_answered_early(Direction d, Request& request, const ddp::Carrier& sent,
                                        std::unique_ptr<MessageRecord>& record);
  void judge_identifier(Direction d, const OpenMessage& open, const Request& request);
  void keep_request(Direction d, Request request);
  void count_request(Direction d, const OpenMessage& open);
  void raise_unrequested(EarlyResponse& early);

  // exchange_responses.cpp
  [[nodiscard]] bool knows_requests_before(Direction d, const ddp::Carrier& response) const noexcept;
  [[nodiscard]] bool is_ahead_of_cause(Direction d, const OpenMessage& open) const noexcept;
  [[nodiscard]] bool can_be_settled(Direction d, const OpenMessage& open) const noexcept;
  void read_response_begins(Direction d, OpenMessage& open, const ddp::Segment& segment);
  void atomic_response_begins(Direction d, OpenMessage& open, const ddp::Segment& segment);
  template <class Find>
  [[nodiscard]] Answer choose_request(Direction d, const OpenMessage& open, bool certain, std::uint64_t oldest,
                                      Find find);
  void forget_answered_in_gap(Outstanding& outstanding, std::uint64_t message);
  void begin_answer(Direction d, OpenMessage& open, const Answer& answer);
  void answers_nothing(Direction d, OpenMessage& open, bool certain, EarlyResponse early);
  void keep_early(Direction d, OpenMessage& open, EarlyResponse early);
  void early_ended(Direction d, const OpenMessage& open, const ddp::MessageEnd& end,
                   std::unique_ptr<MessageRecord>& record);
  void judge_order(Direction d, const OpenMessage& open, std::uint64_t message);
  void judge_cause(Direction d, const OpenMessage& open, const Request& request);
  void judge_length(Direction d, const OpenMessage& open, const ddp::MessageEnd& end, const Request& request);
  void doubt_sink(Direction d, const OpenMessage& open, const ddp::Segment& segment, std::uint64_t message);
  void keep_doubted(Direction d, findings::Finding finding);
  void note_unfit(Direction d, const OpenMessage& open);

  Common& common_;
  // Allocated when needed: most idle queue pairs need neither.
  std::array<std::unique_ptr<Requests>, 2> requests_;  ///< by direction of the requests
  std::unique_ptr<std::array<Rare, 2>> rare_;          ///< by direction of the responses
};

}  // namespace iwarpscope::qp
