// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One direction of a queue pair: its DDP segments become RDMA messages here.
#pragma once

#include <absl/container/inlined_vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ddp/reassembler.h"
#include "findings/finding.h"
#include "mpa/startup.h"
#include "qp/credit.h"
#include "qp/early_response.h"
#include "qp/history.h"
#include "qp/llp.h"
#include "qp/observation.h"
#include "qp/outstanding.h"
#include "qp/queue_pair.h"
#include "qp/recent_breaches.h"
#include "qp/state.h"
#include "rdmap/headers.h"
#include "rdmap/terminate.h"
#include "tcp/stream.h"

namespace iwarpscope::qp {

class Digest;

/// A message between its first DDP segment and its end.
struct OpenMessage {
  std::uint64_t message = 0;
  rdmap::Opcode opcode{};
  ddp::Carrier first;
  TimePoint placed_time, delivered_time;
  FrameNumber last_frame;
  bool tagged = false;
  bool intact = true;  ///< the header octets of its first DDP segment may be judged
  STag stag;
  TaggedOffset to;  ///< the lowest
  QueueNumber qn;
  MessageSequence msn;
  std::uint32_t invalidate_stag = 0;
  std::uint8_t rdmap_control = 0;
  std::uint32_t payload_length = 0;      ///< of its first DDP segment, as sent
  bool begins_inside = false;            ///< a Read Response that does not begin with the lowest offset of the sink
  std::optional<std::uint64_t> answers;  ///< index of the request that this response answers
  bool answer_certain = false;           ///< with `answers`: no request is unknown that it may answer instead
  bool answer_doubted = false;           ///< with `answers`: one may come that it answers instead
  std::uint32_t expected_size = 0;       ///< with `answers`, read: RDMARDSZ
  std::vector<std::byte> header;  ///< what follows the DDP header of its first DDP segment, at most kHeaderOctets
  static constexpr std::size_t kHeaderOctets = 128;
  std::unique_ptr<Digest> digest;
  std::uint64_t digested = 0;   ///< octets in it
  bool digest_in_order = true;  ///< they came in the order of their offsets

  [[nodiscard]] MessageFacts facts(Direction direction) const noexcept;
};

/// Messages of one opcode in one direction.
struct OpcodeCount {
  rdmap::Opcode opcode{};
  std::uint64_t messages = 0;
  std::uint64_t payload_octets = 0;
};

/// The first message of a direction that its receiver has to refuse, and what came of it.
struct Fault {
  findings::FindingId id{};
  std::uint64_t message = 0;
  FrameNumber frame;            ///< 0: there was none
  FrameNumber request, answer;  ///< a later request, and the response that it got all the same; 0: none
};

/// What both halves of a queue pair see and move.
struct Common : findings::Reporter {
  Common(Environment& environment, Events& sink) : env(environment), events(sink) {}

  Environment& env;
  Events& events;
  State state = State::unconfirmed;
  Roles roles{};
  bool confirmed = false;
  bool midstream = false;
  bool one_sided = true;                     ///< only one direction was captured so far
  std::optional<Direction> first_terminate;  ///< direction of the first Terminate
  std::array<bool, 2> marker_errors{};       ///< broken: a rule that receivers report as an error of markers
  std::array<bool, 2> no_crcs{};             ///< the CRC is not computed, by direction (MF-25)
  std::array<bool, 2> errors{};              ///< any rule about FPDUs and messages was, of severity error
  FrameNumber frame;                         ///< being processed
  TimePoint time;
  std::optional<mpa::Agreement> agreement;
  const mpa::StartupFrame *startup_request = nullptr, *startup_reply = nullptr;  ///< of the startup, once it is over
  std::unique_ptr<RtrRecord> rtr;
  Observation* observation = nullptr;  ///< null: nobody listens
  std::unique_ptr<std::array<Fault, 2>> faults;
  std::unique_ptr<RecentBreaches> breaches;  ///< null: none that a receiver refuses

  void raise(findings::Finding finding) override = 0;
  virtual void confirm() = 0;
  [[nodiscard]] bool knows_startup() const noexcept {
    return !midstream && startup_request != nullptr && startup_reply != nullptr;
  }
  void move(Event event) noexcept { state = next(state, event); }
  void note_error(const findings::Finding& finding);
  /// Null: none is known.
  [[nodiscard]] const Fault* fault(Direction d) const noexcept {
    return faults != nullptr && (*faults)[index(d)].frame.value != 0 ? &(*faults)[index(d)] : nullptr;
  }

 protected:
  ~Common() = default;
};

class Half final : public ddp::SegmentSink {
 public:
  Half(Direction direction, Common& common);
  ~Half();

  /// Both must outlive it.
  void join(Half& other, const Llp& llp) noexcept;
  /// DDP segments come from now on. `version`: of DDP, when it was negotiated. `whole`: nothing of this direction is
  /// missing before the first of them.
  void begin(std::optional<std::uint8_t> version, bool whole);
  /// As Llp's.
  [[nodiscard]] bool is_framed_to_its_end() const noexcept { return llp_->is_framed_to_its_end(); }
  [[nodiscard]] bool has_terminated() const noexcept { return terminate_seen_; }
  [[nodiscard]] bool is_captured() const noexcept { return llp_->is_captured(); }

  // From the LLP.
  /// What lies before `end` is there, or will never come.
  void delivered(StreamOffset end) noexcept { stream_end_ = end; }
  void missing(StreamOffset end, tcp::Missing reason);
  /// Octets or messages are not known, for whatever reason: anything may have been in them.
  void lost_octets();
  /// An FPDU or message ends here. Before its bad_crc() and its ulpdu().
  void framed(StreamOffset end) noexcept { framed_end_ = end; }
  void bad_crc(FrameNumber frame, StreamOffset offset);
  void ulpdu(const ddp::Carrier& carrier, Octets ulpdu, std::uint32_t length) { ddp_->ulpdu(carrier, ulpdu, length); }
  /// The direction ends. Fails (false) when it did before.
  bool ending();
  /// Whatever was begun is at its end. `orderly`: at the end of what its sender sent.
  void finish(bool orderly) { ddp_->finish(orderly && gapless_, common_.frame, common_.time); }

  // From DDP.
  void segment(const ddp::Segment& segment) override;
  void message_ended(const ddp::MessageEnd& end) override;
  void undecodable(const ddp::Carrier& carrier, Octets ulpdu) override;

  /// Nothing more comes that could explain responses without a request: RM-09, AT-11.
  void settle_early();
  /// Nor is there one that a response kept in doubt may answer: RM-09 to RM-13, AT-11. Nothing where octets are
  /// missing.
  void settle_doubted();
  /// Requests still waiting get their records; without `closed` nobody is blamed for them.
  void settle_requests(bool closed);
  /// Requests that wait for their response, or waited when they were settled. Nothing where responses may have been
  /// missed.
  [[nodiscard]] std::optional<WaitingStory> waiting() const;
  /// RM-32.
  void judge_ignored_error() const;
  void trim();
  /// A message of the other half broke a rule: this half's Terminate, which came first in the capture, may name it.
  void note_named_breach(const MessageBreach& breach);

  [[nodiscard]] DirectionRecord record() const;
  /// What a verdict needs of this direction and only the half knows.
  void tell(DirectionStory& story) const;
  [[nodiscard]] std::optional<std::uint8_t> ddp_version() const noexcept;
  [[nodiscard]] std::optional<std::uint8_t> rdmap_version() const noexcept { return rdmap_version_; }
  [[nodiscard]] std::uint64_t messages() const noexcept;
  [[nodiscard]] Moment last_message() const noexcept { return last_message_; }
  [[nodiscard]] bool is_gapless() const noexcept { return gapless_; }
  /// No octet of this direction is missing, for whatever reason.
  [[nodiscard]] bool has_all_octets() const noexcept { return !octets_missing_; }
  /// What was begun in this direction and is not at its end, in words; empty: nothing.
  [[nodiscard]] std::string unfinished() const;
  [[nodiscard]] bool has_octets() const noexcept { return stream_end_ != StreamOffset{}; }
  [[nodiscard]] StreamOffset stream_end() const noexcept { return stream_end_; }
  [[nodiscard]] StreamOffset framed_end() const noexcept { return framed_end_; }
  /// Behind what a receiver needs of the FPDU or message that came last.
  [[nodiscard]] StreamOffset needed_end() const noexcept;
  [[nodiscard]] Common& common() const noexcept { return common_; }
  [[nodiscard]] Direction direction() const noexcept { return direction_; }
  /// True when every FPDU of this direction was told that the other end may have had when it sent `at`: it is a first
  /// transmission, and nothing that it acknowledges is unseen or waits behind a hole.
  [[nodiscard]] bool was_known_before(const ddp::Carrier& at) const noexcept;

 private:
  friend class TerminateJudge;
  friend class TerminateHistoryJudge;
  friend class FirstMessageJudge;

  void tell_crc_reaction();
  // half_responses.cpp
  void forget_answered_in_gap(std::size_t position);
  void judge_answer_after_error(const OpenMessage& open, const Request& request);
  void judge_order(const OpenMessage& open, std::size_t position);
  /// The request that a response answers.
  struct Answer {
    std::size_t position = 0;  ///< as Outstanding::at() takes it
    bool fits = false;         ///< it names what the response carries; else it is only the oldest
    bool judged = false;       ///< it is certain which one has to be answered
  };
  [[nodiscard]] bool is_ahead_of_cause(const OpenMessage& open) const noexcept;
  void answers_nothing(const OpenMessage& open, bool certain, EarlyResponse early);
  [[nodiscard]] findings::Finding unrequested(const OpenMessage& open, const EarlyResponse& early) const;
  template <class Find>
  [[nodiscard]] Answer choose_request(const OpenMessage& open, bool certain, std::size_t oldest, Find find);
  void begin_answer(OpenMessage& open, Request& request, bool certain);
  [[nodiscard]] findings::Finding wrong_sink_to(const OpenMessage& open, const Request& request) const;
  [[nodiscard]] findings::Finding wrong_sink(const OpenMessage& open, const ddp::Segment& segment,
                                             const Request& request) const;
  void note_unfit(const OpenMessage& open);
  void doubt_sink(const OpenMessage& open, const ddp::Segment& segment, std::size_t position);
  void judge_length(const OpenMessage& open, const ddp::MessageEnd& end, const Request& request);
  void judge_atomic_answer(const OpenMessage& open, std::uint32_t identifier, const Request& request);
  void read_response_begins(OpenMessage& open, const ddp::Segment& segment);
  void atomic_response_begins(OpenMessage& open, const ddp::Segment& segment);
  // half_early.cpp
  void keep_early(const OpenMessage& open, EarlyResponse early);
  [[nodiscard]] bool early_ended(const OpenMessage& open, const ddp::MessageEnd& end,
                                 std::unique_ptr<MessageRecord>& record);
  [[nodiscard]] std::optional<EarlyResponse> take_early(const Request& request, const ddp::Carrier& sent);
  [[nodiscard]] bool was_answered_early(const OpenMessage& open, Request& request,
                                        std::unique_ptr<MessageRecord>& record);
  void tell_unrequested(EarlyResponse& early);
  [[nodiscard]] bool can_be_settled(const OpenMessage& open) const noexcept;
  void keep_doubted(findings::Finding finding);
  void forget_doubted(const ddp::Carrier& request);
  /// Those that waited long enough have no request.
  void expire_early() {
    if (rare_ != nullptr && !rare_->early.empty()) tell_expired();
  }
  void tell_expired();
  // half_credit.cpp
  [[nodiscard]] std::optional<std::uint16_t> read_limit() const noexcept;
  void count_request(const OpenMessage& open, TimePoint time);
  void judge_credit(const OpenMessage& open, Waiting outstanding, std::uint16_t negotiated);
  void count_response(const OpenMessage& open, const Request& request);
  void judge_cause(const OpenMessage& open, const Request& request);
  static void describe_cause(findings::Finding& f, const ddp::Carrier& response, const Request& request);
  // terminate_history.cpp
  void note_answer_after_fault(const OpenMessage& open, const Request& request);
  // half_messages.cpp
  void begin_message(const ddp::Segment& segment);
  [[nodiscard]] std::unique_ptr<OpenMessage> open_message(const ddp::Segment& segment);
  void judge_headers(const OpenMessage& open, const ddp::Segment& segment);
  void judge_ddp_versions(const OpenMessage& open, const ddp::Segment& segment);
  void note_unseen_answers(const OpenMessage& open, Request& request);
  void request_ended(OpenMessage& open, const ddp::MessageEnd& end, std::unique_ptr<MessageRecord> record);
  void judge_identifier(const OpenMessage& open, const Request& request);
  void response_ended(OpenMessage& open, const ddp::MessageEnd& end, std::unique_ptr<MessageRecord>& record);
  void terminate_ended(OpenMessage& open, MessageRecord* record);
  void remember_terminate(const OpenMessage& open, const rdmap::Terminate& terminate,
                          std::optional<std::uint64_t> names);
  void tell_unreadable_terminate(const OpenMessage& open);
  void tell_terminate(const OpenMessage& open, const rdmap::Terminate& terminate, std::optional<std::uint64_t> names);
  std::unique_ptr<MessageRecord> make_record(const OpenMessage& open, const ddp::MessageEnd& end) const;
  void fill_response_detail(const OpenMessage& open, const Request* request, MessageRecord* record) const;
  OpcodeCount& count_of(rdmap::Opcode opcode);
  OpenMessage* find_open(std::uint64_t message) noexcept;
  /// The message of this half that the other half's Terminate names.
  [[nodiscard]] std::optional<std::uint64_t> find_terminated(const rdmap::Terminate& terminate) const;

  /// What an Atomic Response says the word held; nothing where it cannot be read.
  [[nodiscard]] static std::optional<std::uint64_t> original_of(const OpenMessage& open) noexcept;
  [[nodiscard]] rdmap::TerminateContext terminate_context() const noexcept;
  /// A finding of this direction about `open`.
  [[nodiscard]] findings::Finding about(findings::FindingId id, const OpenMessage& open) const;
  /// True when every request this half sent before now was seen, whatever order the capture's ports were merged in.
  [[nodiscard]] bool knows_requests_before(const ddp::Carrier& response) const noexcept;
  /// Likewise of this half's own requests, where the capture begins before the first of them.
  [[nodiscard]] bool has_all_requests(const ddp::Carrier& response) const noexcept;

  Common& common_;
  Half* other_ = nullptr;
  const Llp* llp_ = nullptr;
  std::optional<ddp::Reassembler> ddp_;
  absl::InlinedVector<std::unique_ptr<OpenMessage>, 2> open_;  ///< at most one a queue and one tagged

  Outstanding outstanding_;         ///< requests this half sent
  std::unique_ptr<Credit> credit_;  ///< from its first request on
  History history_;
  std::vector<OpcodeCount> counts_;  ///< of the few opcodes that a direction really uses
  std::uint64_t ddp_segments_ = 0;
  StreamOffset stream_end_;  ///< up to which all was delivered or given up
  StreamOffset framed_end_;  ///< behind the latest FPDU or message
  Moment last_message_;
  /// Rare in the life of a queue pair.
  struct Rare {
    std::optional<TerminateStory> terminate;  ///< the first of this direction that could be read
    std::optional<WaitingStory> waiting;      ///< requests that were never answered: since they were settled
    FrameNumber first_bad_crc_frame;          ///< 0: none
    StreamOffset first_bad_crc_offset;
    std::vector<EarlyResponse> early;       ///< at most EarlyResponse::kMost, in stream order
    std::vector<DoubtedResponse> doubted;   ///< at most DoubtedResponse::kMost, in stream order
    std::optional<std::uint64_t> reported;  ///< message of the other half that this one's first Terminate names
    StreamOffset answered_to;               ///< a response without a known request acknowledged octets up to here
    StreamOffset lost_to;                   ///< where the latest missing octets end
    /// The latest Read Response that no request seen asks for as it is.
    std::optional<std::uint64_t> unfit;
    FrameNumber unfit_frame;  ///< with `unfit`
  };
  [[nodiscard]] const Rare& rare() const noexcept;
  [[nodiscard]] Rare& make_rare();
  std::unique_ptr<Rare> rare_;
  // Small ones together: there are two halves in each of very many idle queue pairs.
  std::uint32_t incomplete_ = 0;
  std::uint32_t answered_ahead_ = 0;  ///< responses of the other half that came before any request they could answer
  std::uint32_t merged_ahead_ = 0;    ///< likewise, but the next requests are those that they answer
  const Direction direction_;
  std::optional<std::uint8_t> rdmap_version_;
  bool gapless_ : 1 = true;  ///< no octet of this half is missing since startup
  bool first_message_seen_ : 1 = false;
  bool requests_certain_ : 1 = true;     ///< every request of this half could be read and is remembered
  bool first_request_seen_ : 1 = false;  ///< joined mid-stream: MSN 1 of queue 1, and no octet is missing since
  bool octets_missing_ : 1 = false;      ///< for whatever reason
  bool terminate_seen_ : 1 = false;
  bool bad_crc_explained_ : 1 = false;
  bool ended_ : 1 = false;
  bool ended_inside_fpdu_ : 1 = false;
  bool ended_inside_message_ : 1 = false;
  rdmap::Opcode last_opcode_{};
};

/// Rules that a Terminate decides with what both halves know: RM-29, RM-31, MF-19, MF-20. `half` sent it.
void judge_terminate(Half& half, const OpenMessage& open, const rdmap::Terminate& terminate);
/// The same for what it names and what went before: RM-27, RM-28, RM-30, AT-18. `names`: the message it speaks of.
void judge_terminate_history(Half& half, const OpenMessage& open, const rdmap::Terminate& terminate,
                             std::optional<std::uint64_t> names);
/// Rules about the Initiator's first message: MS-28, MS-29, MS-35, MS-39; notes the RTR. `half` sent it.
void judge_first_message(Half& half, const OpenMessage& open, const ddp::Segment& segment);

}  // namespace iwarpscope::qp
