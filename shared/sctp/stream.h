// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One SCTP stream identifier of an association, both directions: the DDP stream sessions on it, one after another.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sctp/context.h"
#include "sctp/control.h"
#include "sctp/lane.h"
#include "sctp/notes.h"
#include "sctp/packet_sizes.h"
#include "sctp/session.h"
#include "sctp/session_machine.h"

namespace iwarpscope::sctp {

/// A session and what is known of it. Directions of arrays are the association's unless said otherwise.
struct Session {
  explicit Session(Context& context)
      : lanes{{Lane(context.waiting(Direction::a_to_b)), Lane(context.waiting(Direction::b_to_a))}} {}

  /// The association's direction as the session's, and the other way round.
  [[nodiscard]] Direction reported(Direction d) const noexcept { return active == Direction::a_to_b ? d : opposite(d); }
  [[nodiscard]] Lane& lane(Direction d) noexcept { return lanes[index(d)]; }

  /// All but the sink.
  template <class A>
  void archive(A& a) {
    a(active, phase, joined, doubtful, whole, answered, continues, replaces, reported_before, reported_early, initiate);
    a(request, initiate_tsn, answer_received, initiate_frame, losses, first_tsn, lanes, lost_end, statistics);
    a(rdmap_terminate, last_time);
  }

  SessionSink* sink = nullptr;
  Direction active = Direction::a_to_b;  ///< what the active side sends
  SessionPhase phase = SessionPhase::idle;
  bool joined = false;
  bool doubtful = false;  ///< messages came that are of the session before, or may be of the next one
  bool whole = false;     ///< reported to have ended as a whole
  bool answered = false;
  bool continues = false;        ///< Stream::continues() of the message that is handed up
  bool replaces = false;         ///< one before it was not over, or may not have been: messages of that may still come
  bool reported_before = false;  ///< SC-09
  bool reported_early = false;   ///< SC-10
  std::uint16_t initiate = 0;    ///< code of the Initiate, 0 when it was not seen
  std::optional<mpa::StartupFrame> request;
  Tsn initiate_tsn = 0;
  Tsn answer_received = 0;  ///< Arrival::received_end of the answer by which it was met
  FrameNumber initiate_frame;
  std::uint64_t losses = 0;        ///< of the context when it began
  std::array<Tsn, 2> first_tsn{};  ///< older ones are of the session before
  std::array<Lane, 2> lanes;
  std::array<bool, 2> lost_end{};  ///< its last messages were reported as missing; once it ended, or may be
  std::array<DirectionStatistics, 2> statistics;            ///< by the session's directions
  std::array<std::optional<TimePoint>, 2> rdmap_terminate;  ///< when one was sent
  TimePoint last_time;                                      ///< of the newest message
};

/// One DATA chunk, for the counters.
struct ChunkCount {
  Tsn tsn = 0;
  std::uint32_t octets = 0;  ///< of user data on the wire
  std::uint32_t cut = 0;     ///< of them not captured
  bool again = false;
  bool out_of_order = false;
};

/// A rule seems broken because a chunk was not acknowledged in time. A SACK that the capture lacks may have done that:
/// the next one shows it.
struct Suspicion {
  findings::FindingId id{};
  Direction direction{};  ///< of the chunk
  Tsn tsn = 0;            ///< must have been acknowledged before the chunk was sent
  Tsn sent = 0;           ///< of the chunk
  Spot spot;
  std::string seen, expected, text;
};

/// The sessions of one stream. Directions are the association's.
class Stream final : public SessionView {
 public:
  Stream(std::uint16_t id, Context& context) : context_(context), id_(id) {}
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void count(Direction d, const ChunkCount& chunk);
  /// A chunk of an identical copy of a packet.
  void count_copy(Direction d);
  /// A whole message, in any order.
  void arrive(Direction d, Arrival message);
  /// Something waits for messages that may come no more.
  [[nodiscard]] bool is_waiting() const noexcept;
  /// Looks again whether what is waited for can still come.
  void settle();
  /// A SACK of what `d` sent came that no other one overtook.
  void acknowledged(Direction d);
  /// A message of `d` was split without need.
  void tell_split(Direction d, const Split& split);
  // At the end of the association, in this order.
  void give_up_holes();
  /// Chunks of `d` after the last message of a live session, or of one that is still to be met in its middle, that
  /// were acknowledged and not seen. They may be of any other stream as well.
  [[nodiscard]] std::uint64_t acknowledged_unseen(Direction d) const noexcept;
  /// Its session lacks the last `count` messages.
  void lose_end(Direction d, std::uint64_t count);
  /// Nothing more comes on this stream.
  void finish(Ending how, std::optional<Direction> by);

  // SessionView, of a session that lives.
  [[nodiscard]] const DirectionStatistics& statistics(Direction d) const noexcept override {
    return session_->statistics[index(d)];
  }
  [[nodiscard]] bool is_seen(Direction d) const noexcept override {
    return context_.seen[index(session_->reported(d))];
  }
  [[nodiscard]] std::uint64_t unacknowledged(Direction d) const noexcept override {
    const Direction ours = session_->reported(d);
    if (!context_.line(ours).has_acknowledgments() && !context_.sees_both()) return 0;
    return session_->lane(ours).unacknowledged(context_.line(ours));
  }
  [[nodiscard]] std::optional<WindowClosed> window_closed(Direction d) const noexcept override {
    return context_.closed[index(session_->reported(d))];
  }
  [[nodiscard]] bool may_lack_end(Direction d) const noexcept override { return lacks_end(session_->reported(d)); }
  [[nodiscard]] bool may_pass_elsewhere() const noexcept override { return context_.may_pass_elsewhere(); }
  [[nodiscard]] bool is_cut_off() const noexcept override {
    constexpr std::int64_t kSoonNs = 1'000'000'000;  // ours
    return context_.capture_ends && elapsed_ns(session_->last_time, context_.time) < kSoonNs;
  }
  [[nodiscard]] std::optional<Shutdown> shutdown() const noexcept override {
    std::optional<Shutdown> first = context_.shutdown;
    if (first) first->by = session_->reported(first->by);
    return first;
  }

  /// The reporter of the session that the stream has now, and that session's name for direction `d`.
  [[nodiscard]] findings::Reporter& reporter() const;
  [[nodiscard]] Direction reported(Direction d) const noexcept { return is_live() ? session_->reported(d) : d; }
  [[nodiscard]] bool is_live() const noexcept { return session_ && !session_->whole; }
  [[nodiscard]] std::uint16_t id() const noexcept { return id_; }
  /// The newest session, ended or not.
  [[nodiscard]] const Session* session() const noexcept { return session_.get(); }

  template <class A>
  void archive(A& a);

 private:
  struct Pending {
    Direction direction;
    HeldArrival held;
  };
  /// How long is waited for a message that is missing.
  enum class Patience : std::uint8_t { usual, none };
  static constexpr std::size_t kMaxPending = 64;  ///< messages before a session; ours
  static constexpr Tsn kNone = std::numeric_limits<Tsn>::max();

  // stream.cpp: messages find their session and their place in it.
  [[nodiscard]] bool opens(Direction d, const Arrival& message) const;
  void outside(Direction d, const Arrival& message);
  void place(Direction d, const Arrival& message);
  void place_pending();
  void hold(Direction d, std::uint64_t ssn, const Arrival& message);
  void deliver(Direction d, const Arrival& message);
  void resolve(Direction d, Patience patience);
  void note_reported(Direction d, std::uint64_t to, Tsn before);
  void give_up(Direction d, std::uint64_t to, tcp::Missing reason, bool was_sent = true);
  void wrong_ssn(Direction d, const Arrival& message, std::string text);
  void doubt(Direction d);
  void doubt_both(Direction d);
  void tell_too_late(Direction d);
  void tell_unknown(Direction d);
  [[nodiscard]] bool may_have_missed() const noexcept;
  [[nodiscard]] bool judges() const noexcept;

  // stream_session.cpp: a session begins, goes on and ends.
  void begin(Direction d, const Arrival& message, std::uint16_t code);
  void start(const Arrival& message, bool joined);
  void hand_up(Direction d, const Arrival& message);
  void control(Direction d, const Message& message);
  void step(Direction d, SessionEvent event, const Message& message);
  void illegal(Direction d, SessionEvent event, const Message& message);
  void end(Ending how, std::optional<Direction> by);
  void end_whole(Ending how, std::optional<Direction> by);

  // stream_join.cpp: a session is met in its middle.
  void join_before(Direction d, const Arrival& initiate);
  void join_older(Direction d, const Arrival& initiate);
  void join();
  void join_one();
  [[nodiscard]] Tsn next_session_of(Direction d) const;
  [[nodiscard]] std::vector<Pending> take_next_session();
  [[nodiscard]] Tsn answer_to(Direction d, const Arrival& initiate) const;
  [[nodiscard]] std::vector<Pending> take_answer_to(Direction d, const Arrival& initiate);

  // stream_evidence.cpp: what is certain, and what only seems so.
  [[nodiscard]] bool lacks_end(Direction d) const noexcept;
  [[nodiscard]] bool lost_since_last() const noexcept;
  [[nodiscard]] bool knows_start() const noexcept;
  [[nodiscard]] bool is_of_before(Direction d, const Arrival& message) const noexcept;
  [[nodiscard]] bool is_out_of_turn(Direction d, const Arrival& message);
  [[nodiscard]] bool is_surely_one() const noexcept;
  [[nodiscard]] bool shows_another(Direction d, const Arrival& message) const noexcept;
  [[nodiscard]] bool may_be_of_another(Direction d, const Arrival& message) const noexcept;
  [[nodiscard]] bool may_answer_another(Direction d, const Arrival& message) const noexcept;
  [[nodiscard]] bool is_refused(Direction d) const noexcept;
  [[nodiscard]] bool continues(Direction d, Tsn tsn) const noexcept;
  [[nodiscard]] std::array<bool, 2> unasked() const noexcept;
  void raise_split(Direction d, const Split& split);
  void tell_splits();
  void tell(Suspicion proven);
  /// Reported now if it is proven, or when the next SACK proves it.
  void suspect(Suspicion suspicion, bool is_proven);
  void check_early(Direction d, const Arrival& message);
  void check_reused(Direction d, const Arrival& message, Tsn outstanding, bool same_packet);
  void check_outstanding(Direction d, const Message& message);

  Context& context_;
  std::uint16_t id_;
  std::uint32_t number_ = 0;  ///< sessions so far
  std::unique_ptr<Session> session_;
  std::uint64_t losses_at_end_ = 0;                  ///< of the context when the newest session ended
  bool missed_ = false;                              ///< the Initiate of the next session was not captured
  std::vector<Suspicion> suspicions_;                ///< about the newest session, at most one of each rule
  std::vector<std::pair<Direction, Split>> splits_;  ///< while no session is known
  std::vector<Pending> pending_;
  bool places_pending_ = false;
  bool waits_in_vain_ = false;  ///< what is handed up waited for a message that was never sent
  TimePoint pending_since_;
  std::array<DirectionStatistics, 2> tally_;  ///< of chunks of a session that has not begun
};

}  // namespace iwarpscope::sctp
