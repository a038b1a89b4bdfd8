// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One direction of a DDP stream session: messages wait here until their DDP-SSN is next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sctp/arrival.h"
#include "sctp/context.h"

namespace iwarpscope::sctp {

/// What a DDP-SSN is to those before it.
enum class Place : std::uint8_t { next, ahead, repeated, far_away };

/// The order of one sender's messages in one session. Gives its memory back when it goes.
class Lane {
 public:
  explicit Lane(Waiting& waiting) noexcept : waiting_(&waiting) {}
  ~Lane() { forget(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Where the order begins: at `ssn`, after all that was sent up to `tsn`. `joined`: messages before it were not seen.
  void begin(std::uint64_t ssn, Tsn tsn, bool joined = false) noexcept {
    begun_ = true;
    gap_ = after_gap_ = joined;
    next_ = received_ = begin_ssn_ = ssn;
    last_tsn_ = begin_tsn_ = tsn;
  }
  [[nodiscard]] bool has_begun() const noexcept { return begun_; }
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
  /// Nearest to what is next.
  [[nodiscard]] std::uint64_t unwrapped(std::uint16_t ssn) const noexcept {
    return next_ +
           static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(ssn - static_cast<std::uint16_t>(next_))});
  }
  [[nodiscard]] Place place(std::uint16_t ssn) const noexcept;

  /// Keeps a message that is not next. Fails when there is no room.
  [[nodiscard]] bool hold(std::uint64_t ssn, const Arrival& arrival);
  [[nodiscard]] bool has_hole() const noexcept { return !held_.empty(); }
  /// The message that waits and is next; nothing while one is missing before it.
  [[nodiscard]] std::optional<HeldArrival> take_next();
  /// The first that waits. Precondition: has_hole().
  [[nodiscard]] std::uint64_t first_waiting() const noexcept { return held_.begin()->first; }
  [[nodiscard]] const Arrival& first_held() const noexcept { return held_.begin()->second.arrival; }
  [[nodiscard]] bool is_waiting(std::uint64_t ssn) const noexcept { return held_.contains(ssn); }
  /// A Session Terminate waits, and its sender sent this message after it: the message is of the next session. Not so
  /// of one with the next TSN and the next DDP-SSN, which breaks a rule instead.
  [[nodiscard]] bool follows_terminate(const Arrival& arrival) const noexcept;
  /// A message with a higher DDP-SSN that waits was sent before this one.
  [[nodiscard]] bool is_after_higher(std::uint64_t ssn, Tsn tsn) const noexcept;
  /// A message with a lower DDP-SSN that waits, or was handed up, was sent after this one.
  [[nodiscard]] bool is_before_lower(std::uint64_t ssn, Tsn tsn) const noexcept;
  /// The messages before the first that waits will not come: returns how many.
  std::uint64_t give_up(std::uint64_t to);
  /// A message that may not be there took its number.
  void skip() noexcept { ++next_; }
  /// This message was handed up.
  void passed(const Arrival& arrival, const TsnLine& line);
  /// Drops what waits.
  void clear() noexcept;
  /// The part of it that was sent before this TSN.
  void drop_before(Tsn tsn) noexcept;
  /// Drops what waits, and what is known of acknowledgments.
  void forget() noexcept;

  /// Messages below it were received by the other end, as its SACKs say.
  [[nodiscard]] std::uint64_t received(const TsnLine& line) noexcept;
  /// Messages handed up that were not acknowledged yet.
  [[nodiscard]] std::uint64_t unacknowledged(const TsnLine& line) const noexcept;
  /// The same, after received().
  [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_; }
  /// Not where too much went without a SACK to be remembered.
  [[nodiscard]] bool is_received_known() const noexcept { return !overflowed_; }

  /// The newest TSN handed up, or that of the session's beginning.
  [[nodiscard]] Tsn last_tsn() const noexcept { return last_tsn_; }
  /// When the last of what was handed up had come.
  [[nodiscard]] TimePoint placed_time() const noexcept { return placed_time_; }
  [[nodiscard]] Tsn highest_tsn() const noexcept { return highest_tsn_; }
  /// The frame that carried it.
  [[nodiscard]] FrameNumber highest_frame() const noexcept { return highest_frame_; }
  /// As passed to begin().
  [[nodiscard]] std::uint64_t begin_ssn() const noexcept { return begin_ssn_; }
  [[nodiscard]] Tsn begin_tsn() const noexcept { return begin_tsn_; }
  /// The oldest message that is not acknowledged. Precondition: outstanding() is not 0.
  [[nodiscard]] Tsn oldest_outstanding() const noexcept { return unacknowledged_[head_]; }
  [[nodiscard]] bool has_gap() const noexcept { return gap_; }
  [[nodiscard]] bool takes_after_gap() noexcept {
    const bool after = after_gap_;
    after_gap_ = false;
    return after;
  }
  /// Messages may be missing before the next one, although its DDP-SSN is the next.
  void doubt() noexcept { gap_ = after_gap_ = true; }
  [[nodiscard]] TimePoint hole_since() const noexcept { return hole_since_; }
  void set_hole_since(TimePoint time) noexcept { hole_since_ = time; }
  void see(Tsn tsn, FrameNumber frame) noexcept {
    if (tsn <= highest_tsn_) return;
    highest_tsn_ = tsn;
    highest_frame_ = frame;
  }

  template <class A>
  void archive(A& a);

  bool over = false;                  ///< code 4 was handed up: nothing may follow
  bool reported_outstanding = false;  ///< SC-17

 private:
  static constexpr std::size_t kMostUnacknowledged = 65'536;  // ours: twice what RFC 5043 §10 allows
  static constexpr std::size_t kMostUnanswered = 1024;        // ours: without any SACK
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr std::size_t kFreeOctets = 512;  // ours: more of them are taken from the budget

  /// In unacknowledged_, set in how many messages were given up one after another. No TSN is so large.
  static constexpr Tsn kGivenUp = Tsn{1} << 63;

  /// For what was read: its messages are within the limits.
  [[nodiscard]] bool is_sound_and_paid(std::size_t room_for);
  void remember(Tsn tsn, std::size_t most);
  /// How many messages one element of unacknowledged_ stands for.
  [[nodiscard]] static std::size_t messages(Tsn one) noexcept {
    return (one & kGivenUp) != 0 ? static_cast<std::size_t>(one & ~kGivenUp) : 1;
  }
  /// No end waits for the acknowledgment of what was given up.
  [[nodiscard]] static bool is_settled(Tsn one, const TsnLine& line) noexcept {
    return (one & kGivenUp) != 0 || line.is_acknowledged(one);
  }
  void overflow() noexcept;

  Waiting* waiting_;
  bool begun_ = false;
  bool gap_ = false;
  bool after_gap_ = false;
  bool overflowed_ = false;
  std::uint64_t next_ = 0;
  Tsn last_tsn_ = 0;
  Tsn highest_tsn_ = 0;
  FrameNumber highest_frame_;
  std::uint64_t begin_ssn_ = 0;
  Tsn begin_tsn_ = 0;
  TimePoint hole_since_, placed_time_;
  std::map<std::uint64_t, HeldArrival> held_;
  std::uint64_t terminate_ssn_ = kNever;  ///< of the Session Terminate that waits or waited
  std::uint64_t received_ = 0;
  std::vector<Tsn> unacknowledged_;  ///< from head_ on: of the messages from received_ to next_
  std::size_t head_ = 0;
  std::size_t outstanding_ = 0;  ///< messages that they stand for
  std::size_t room_ = 0;         ///< taken for it from the budget
};

}  // namespace iwarpscope::sctp
