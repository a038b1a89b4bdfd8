// One direction of a queue pair: its octets become FPDUs, DDP segments and RDMA messages here.
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
#include "mpa/framer.h"
#include "mpa/startup.h"
#include "qp/credit.h"
#include "qp/history.h"
#include "qp/observation.h"
#include "qp/outstanding.h"
#include "qp/queue_pair.h"
#include "qp/state.h"
#include "rdmap/headers.h"
#include "rdmap/terminate.h"

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
  TaggedOffset to;
  QueueNumber qn;
  MessageSequence msn;
  std::uint32_t invalidate_stag = 0;
  std::uint8_t rdmap_control = 0;
  std::uint32_t payload_length = 0;      ///< of its first DDP segment, as sent
  std::optional<std::uint64_t> answers;  ///< index of the request that this response answers
  bool answer_certain = false;           ///< with `answers`: no request is unknown that it may answer instead
  std::uint32_t expected_size = 0;       ///< with `answers`, read: RDMARDSZ
  std::vector<std::byte> header;  ///< what follows the DDP header of its first DDP segment, at most kHeaderOctets
  static constexpr std::size_t kHeaderOctets = 128;
  std::unique_ptr<Digest> digest;

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
  bool confirmed = false;
  bool midstream = false;
  FrameNumber frame;  ///< being processed
  TimePoint time;
  std::optional<mpa::Agreement> agreement;
  std::optional<Direction> first_terminate;  ///< direction of the first Terminate
  std::unique_ptr<RtrRecord> rtr;
  bool one_sided = true;                ///< only one direction was captured so far
  Observation* observation = nullptr;   ///< null: nobody listens
  std::array<bool, 2> marker_errors{};  ///< a marker rule was broken, by direction
  std::array<bool, 2> errors{};         ///< any rule about FPDUs and messages was, of severity error
  std::unique_ptr<std::array<Fault, 2>> faults;

  void raise(findings::Finding finding) override = 0;
  virtual void confirm() = 0;
  /// The startup machine took octets: its phase may have changed.
  virtual void startup_moved() = 0;
  void move(Event event) noexcept { state = next(state, event); }
  void note_error(const findings::Finding& finding);
  /// Null: none is known.
  [[nodiscard]] const Fault* fault(Direction d) const noexcept {
    return faults != nullptr && (*faults)[index(d)].frame.value != 0 ? &(*faults)[index(d)] : nullptr;
  }

 protected:
  ~Common() = default;
};

class Half final : public tcp::StreamSink, public mpa::FpduSink, public ddp::SegmentSink {
 public:
  Half(Direction direction, Common& common);
  ~Half();

  void join(Half& other, const tcp::Connection& connection, mpa::Startup* startup) noexcept;
  /// Full Operation: octets from now on are FPDUs.
  void begin_framing(const mpa::FramingSettings& settings);
  /// The startup frames, for the rules about the first message; they outlive this half.
  void set_startup_frames(const mpa::StartupFrame* request, const mpa::StartupFrame* reply) noexcept;
  [[nodiscard]] bool is_framing() const noexcept { return framer_ != nullptr; }
  /// False while the FPDU boundary is lost: what came since is unknown, a response or a Terminate perhaps.
  [[nodiscard]] bool is_framed_to_its_end() const noexcept {
    return framer_ != nullptr && framer_->state() == mpa::FramerState::framing;
  }

  // From below, in this order of layers.
  void octets(const tcp::Chunk& chunk) override;
  void missing(StreamOffset offset, std::uint64_t length, tcp::Missing reason, FrameNumber frame,
               TimePoint time) override;
  void fpdu(const mpa::Fpdu& fpdu) override;
  void marker(StreamOffset at, std::uint32_t value) override;
  void segment(const ddp::Segment& segment) override;
  void message_ended(const ddp::MessageEnd& end) override;
  void undecodable(const ddp::Carrier& carrier, Octets ulpdu) override;

  /// The half connection ended. `orderly`: FIN in order.
  void ended(bool orderly);
  /// Requests still waiting get their records; without `closed` nobody is blamed for them.
  void settle_requests(bool closed);
  /// Requests that wait for their response, or waited when they were settled. Nothing where responses may have been
  /// missed.
  [[nodiscard]] std::optional<WaitingStory> waiting() const;
  /// RM-32.
  void judge_ignored_error() const;
  void trim();

  [[nodiscard]] DirectionRecord record() const;
  /// What a verdict needs of this direction and only the half knows.
  void tell(DirectionStory& story) const;
  [[nodiscard]] const mpa::Framer* framer() const noexcept { return framer_.get(); }
  [[nodiscard]] mpa::Framer* framer() noexcept { return framer_.get(); }
  [[nodiscard]] std::optional<std::uint8_t> ddp_version() const noexcept;
  [[nodiscard]] std::optional<std::uint8_t> rdmap_version() const noexcept { return rdmap_version_; }
  [[nodiscard]] std::uint64_t fpdus() const noexcept;
  [[nodiscard]] std::uint64_t messages() const noexcept;
  [[nodiscard]] bool is_gapless() const noexcept { return gapless_; }
  /// False: what this direction sent is not in the capture, of which the other direction is a part.
  [[nodiscard]] bool is_captured() const noexcept;
  [[nodiscard]] bool has_lost_framing_to_a_cut() const noexcept { return cut_framing_; }
  /// No octet of this direction is missing, for whatever reason.
  [[nodiscard]] bool has_all_octets() const noexcept { return !octets_missing_; }
  /// What was begun in this direction and is not at its end, in words; empty: nothing.
  [[nodiscard]] std::string unfinished() const;
  [[nodiscard]] bool has_octets() const noexcept { return stream_end_ != 0; }
  /// True when every FPDU of this direction was told that the other end may have had when it sent `at`: it is a first
  /// transmission, and nothing that it acknowledges is unseen or waits behind a hole.
  [[nodiscard]] bool was_told_before(const ddp::Carrier& at) const noexcept;

 private:
  friend class TerminateJudge;
  friend class TerminateHistoryJudge;
  friend class FirstMessageJudge;

  /// Returns how many of its octets belonged to the startup.
  std::size_t feed_startup(const tcp::Chunk& chunk);
  void lost_octets();
  void judge_stream_end();
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
  void answers_nothing(const OpenMessage& open, bool certain, findings::FindingId id, std::string seen,
                       std::string text);
  template <class Find>
  [[nodiscard]] Answer choose_request(const OpenMessage& open, bool certain, std::size_t oldest, Find find);
  void begin_answer(OpenMessage& open, Request& request, bool certain);
  void judge_read_sink(const OpenMessage& open, const ddp::Segment& segment, const Request& request);
  void judge_atomic_answer(const OpenMessage& open, std::uint32_t identifier, const Request& request);
  void read_response_begins(OpenMessage& open, const ddp::Segment& segment);
  void atomic_response_begins(OpenMessage& open, const ddp::Segment& segment);
  // half_first_fpdu.cpp
  /// When and where the first octet of this half's first FPDU was sent.
  struct FirstSent {
    StreamOffset acknowledged;
    StreamOffset offset;
    FrameNumber frame;
  };
  [[nodiscard]] bool is_judgeable_first(const mpa::Fpdu& fpdu) const noexcept;
  void first_fpdu(const mpa::Fpdu& fpdu);
  void initiator_begins(const mpa::Fpdu& fpdu);
  void responder_begins(const FirstSent& sent);
  // half_credit.cpp
  [[nodiscard]] StreamOffset needed_end() const noexcept;
  [[nodiscard]] std::optional<std::uint16_t> read_limit() const noexcept;
  void count_request(const OpenMessage& open, TimePoint time);
  void judge_credit(const OpenMessage& open, Waiting outstanding, std::uint16_t negotiated);
  void count_response(const OpenMessage& open, const Request& request);
  void judge_cause(const OpenMessage& open, const Request& request);
  // terminate_history.cpp
  void note_answer_after_fault(const OpenMessage& open, const Request& request);
  // half_messages.cpp
  void begin_message(const ddp::Segment& segment);
  [[nodiscard]] std::unique_ptr<OpenMessage> open_message(const ddp::Segment& segment);
  void judge_headers(const OpenMessage& open, const ddp::Segment& segment);
  void judge_ddp_versions(const OpenMessage& open, const ddp::Segment& segment);
  void request_ended(OpenMessage& open, const ddp::MessageEnd& end, std::unique_ptr<MessageRecord> record);
  void judge_identifier(const OpenMessage& open, const Request& request);
  void response_ended(OpenMessage& open, const ddp::MessageEnd& end, MessageRecord* record);
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

  [[nodiscard]] rdmap::TerminateContext terminate_context() const noexcept;
  /// A finding of this direction about `open`.
  [[nodiscard]] findings::Finding about(findings::FindingId id, const OpenMessage& open) const;
  /// True when every request this half sent before now was seen, whatever order the capture's ports were merged in.
  [[nodiscard]] bool knows_requests_before(const ddp::Carrier& response) const noexcept;

  Common& common_;
  Half* other_ = nullptr;
  const tcp::Connection* connection_ = nullptr;
  mpa::Startup* startup_ = nullptr;
  const mpa::StartupFrame* startup_request_ = nullptr;
  const mpa::StartupFrame* startup_reply_ = nullptr;
  std::unique_ptr<mpa::Framer> framer_;
  std::unique_ptr<ddp::Reassembler> ddp_;
  absl::InlinedVector<std::unique_ptr<OpenMessage>, 2> open_;  ///< at most one a queue and one tagged

  Outstanding outstanding_;         ///< requests this half sent
  std::unique_ptr<Credit> credit_;  ///< from its first request on
  History history_;
  std::vector<OpcodeCount> counts_;  ///< of the few opcodes that a direction really uses
  std::uint64_t ddp_segments_ = 0;
  std::uint32_t incomplete_ = 0;
  std::uint32_t first_fpdu_octets_ = 0;  ///< of the Initiator: what its receiver needs of its first FPDU; 0 unknown
  std::uint64_t stream_end_ = 0;         ///< offset up to which octets were delivered or given up
  std::uint64_t framed_end_ = 0;         ///< offset behind the latest FPDU
  Moment last_message_;
  /// Rare in the life of a queue pair.
  struct Rare {
    std::optional<TerminateStory> terminate;  ///< the first of this direction that could be read
    std::optional<WaitingStory> waiting;      ///< requests that were never answered: since they were settled
    FrameNumber first_bad_crc_frame;          ///< 0: none
    StreamOffset first_bad_crc_offset;
    std::optional<FirstSent> first_sent;    ///< of the Responder, before the Initiator's first FPDU was seen
    std::optional<std::uint64_t> reported;  ///< message of the other half that this one's first Terminate names
  };
  [[nodiscard]] const Rare& rare() const noexcept;
  [[nodiscard]] Rare& make_rare();
  std::unique_ptr<Rare> rare_;
  // Small ones together: there are two halves in each of very many idle queue pairs.
  std::uint32_t answered_ahead_ = 0;  ///< responses of the other half that came before any request they could answer
  std::uint32_t merged_ahead_ = 0;    ///< likewise, but the next requests are those that they answer
  const Direction direction_;
  std::optional<std::uint8_t> rdmap_version_;
  bool gapless_ = true;  ///< no octet of this half is missing since startup
  bool first_message_seen_ = false;
  bool requests_certain_ = true;  ///< every request of this half could be read and is remembered
  bool octets_missing_ = false;   ///< for whatever reason
  bool cut_framing_ = false;      ///< framing was lost where the capture cut a frame
  bool last_crc_bad_ = false;     ///< of the latest FPDU
  bool last_unlike_ = false;      ///< its header has reserved bits that DDP and RDMAP never set
  bool terminate_seen_ = false;
  bool bad_crc_explained_ = false;
  bool ended_ = false;
  bool ended_inside_fpdu_ = false;
  bool ended_inside_message_ = false;
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
