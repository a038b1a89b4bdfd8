// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One direction of a connection: sequence numbers to offsets, octets in order, holes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/ids.h"
#include "base/serial.h"
#include "findings/finding.h"
#include "tcp/checksum_policy.h"
#include "tcp/connection.h"
#include "tcp/half_state.h"
#include "tcp/held_octets.h"
#include "tcp/loss_traces.h"
#include "tcp/recent_segments.h"
#include "tcp/stream.h"

namespace iwarpscope::tcp {

/// What a call on one half may use: the frame being processed and where results go. `sink` may be null: no listener.
struct Call {
  Direction direction{};
  FrameNumber frame;
  TimePoint time;
  StreamSink* sink = nullptr;
  findings::Reporter& reporter;
  const Limits& limits;
  BufferBudget& budget;
  ConnectionTraces& traces;
};

/// The frames in which something was first seen, 0 for never: evidence for what finish() says.
struct FirstFrames {
  FrameNumber retransmission;
  FrameNumber out_of_order;
  FrameNumber zero_window;
  FrameNumber truncated;
  FrameNumber duplicate;
};

/// The octets one sender sent. Offsets are StreamOffset values; 0 means none, which no octet has. Source: RFC 9293
/// §3.4.
class Half {
 public:
  /// Sequence numbers further than this from what is expected are not believed. Ours: half of what 32 bits can tell.
  static constexpr std::int64_t kPlausible = std::int64_t{1} << 30;
  /// As many TCP segments in sequence at another place are believed: the capture missed more than kPlausible. Ours.
  static constexpr std::uint8_t kDistantRun = 16;

  void start(const Origin& origin);

  // Sequence numbers.
  [[nodiscard]] bool has_origin() const noexcept { return has_origin_; }
  /// The octet numbered `first_octet` becomes kStreamOrigin. `provisional`: only a pure ACK said so, which may be a
  /// keep-alive.
  void set_origin(std::uint32_t first_octet, bool provisional);
  /// The SYN has this sequence number.
  void note_syn(std::uint32_t sequence) noexcept {
    syn_seen = true;
    starts_at_syn_ = is_own_syn(sequence);
  }
  [[nodiscard]] std::uint64_t offset_of(std::uint32_t sequence) const noexcept {
    return unwrap(next_, sequence - first_sequence_);
  }
  [[nodiscard]] bool is_plausible(std::uint64_t offset) const noexcept {
    const auto away = static_cast<std::int64_t>(offset - next_);
    return away >= -kPlausible && away <= kPlausible;
  }
  /// Whether a SYN of this sequence number is the one that began this half.
  [[nodiscard]] bool is_own_syn(std::uint32_t sequence) const noexcept {
    return has_origin_ && sequence + 1 == first_sequence_;
  }
  /// The same, or it may be: the capture changed the order, and octets that follow it were seen first.
  [[nodiscard]] bool may_be_own_syn(std::uint32_t sequence) const noexcept {
    constexpr std::uint64_t kLate = 65535;
    if (!has_origin_ || is_own_syn(sequence)) return true;
    const std::uint64_t begin = offset_of(sequence + 1);
    return !syn_seen && begin <= next_ && next_ - begin <= kLate;
  }
  /// Whether a receiver that offers `reach` octets would take a TCP segment at `offset`. Source: RFC 9293 §3.10.7.4.
  [[nodiscard]] bool is_in_window(std::uint64_t offset, std::uint64_t reach) const noexcept;

  // What arrives.
  /// A TCP segment with payload, of plausible sequence. `other_ended`: the other half was closed or reset.
  void take(const Arrival& arrival, bool other_ended, Call& call);
  /// A FIN at `offset`. `verified`: its checksum is right.
  void take_fin(std::uint64_t offset, bool verified, Call& call);
  /// A TCP segment without payload at `offset`: all octets before it were sent.
  void take_empty(std::uint64_t offset, Call& call);
  /// An implausible TCP segment with payload. True once enough of them followed one another: the capture missed much,
  /// the stream goes on at `sequence`, and the TCP segment is to be taken.
  [[nodiscard]] bool goes_on_at(std::uint32_t sequence, std::uint32_t length, Call& call);
  /// The sender ended the connection.
  void take_reset() noexcept { step(HalfEvent::reset); }

  // What the receiver says.
  /// What an ACK number means: nothing when it cannot be. Shape: an offset.
  [[nodiscard]] std::optional<std::uint64_t> acknowledged_by(std::uint32_t acknowledgment) const noexcept {
    const std::uint64_t offset = unwrap(highest_, acknowledgment - first_sequence_);
    const auto away = static_cast<std::int64_t>(offset - highest_);
    if (away < -kPlausible || away > kPlausible) return std::nullopt;
    return fin_ != 0 ? std::min(offset, fin_) : offset;
  }
  void acknowledge(std::uint64_t offset, Call& call);
  /// An ACK before this half was seen.
  void remember_acknowledgment(std::uint32_t acknowledgment) noexcept;
  [[nodiscard]] std::optional<std::uint32_t> remembered_acknowledgment() const noexcept {
    return has_early_acknowledgment_ ? std::optional{early_acknowledgment_} : std::nullopt;
  }

  /// The first ACK that was seen lies before `first_octet`: what is between was not captured. Ask before set_origin().
  [[nodiscard]] bool lacks_octets_before(std::uint32_t first_octet) const noexcept {
    const bool known = has_early_acknowledgment_ && !has_origin_;
    return known && static_cast<std::int32_t>(first_octet - first_sequence_) > 0;
  }
  /// For a half whose SYN comes later than `sequence` in the capture: the first octet, by the first ACK that was seen.
  [[nodiscard]] std::uint32_t first_octet_before(std::uint32_t sequence) const noexcept {
    constexpr std::uint32_t kLate = 65535;  // ours
    const bool known = has_early_acknowledgment_ && !has_origin_ && sequence - first_sequence_ <= kLate;
    return known ? first_sequence_ : sequence;
  }

  /// All ACKs of it that were seen lie far from `sequence`, which therefore belongs to another connection. Ask before
  /// set_origin().
  [[nodiscard]] bool is_far_from_acknowledged(std::uint32_t sequence) const noexcept {
    constexpr std::uint32_t kNear = 4u << 20;  // ours: what gaps of a capture reach at most
    const auto is_far = [&](std::uint32_t other) { return std::min(sequence - other, other - sequence) > kNear; };
    return has_early_acknowledgment_ && !has_origin_ && is_far(first_sequence_) && is_far(early_acknowledgment_);
  }
  /// Those ACKs were another connection's.
  void forget_acknowledgments() noexcept { has_early_acknowledgment_ = false; }
  /// Counts TCP segments in sequence far from what is expected. True once enough of them followed one another.
  [[nodiscard]] bool is_distant_run(std::uint32_t sequence, std::uint32_t length) noexcept;

  // Holes.
  /// Gives up holes older than the limit.
  void expire(Call& call);
  /// Gives up every hole.
  void flush(Call& call);
  /// Octets below `end` that lie after everything seen: they were acknowledged and will not be seen any more. Unless it
  /// is `followed` by others, a single one may be a FIN.
  void give_up_tail(std::uint64_t end, bool followed, Call& call);
  /// The capture ends: where other TCP segments of this half were seen and one lost frame explains why none had
  /// payload, that is a gap.
  void raise_lost_payload(Call& call);

  // Answers.
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
  [[nodiscard]] std::uint64_t highest() const noexcept { return highest_; }
  [[nodiscard]] std::uint64_t acknowledged() const noexcept { return acknowledged_; }
  /// See Connection::is_unseen().
  [[nodiscard]] bool is_unseen() const noexcept {
    constexpr std::uint64_t kOneFrame = 1460;  // what one lost frame holds: Ethernet's 1500 without IP and TCP; ours
    const bool by_one_frame = !unseen_twice_ && std::max(next_, acknowledged_) <= kStreamOrigin.value + kOneFrame;
    return has_origin_ && !payload_seen_ && !by_one_frame;
  }
  [[nodiscard]] std::uint64_t fin() const noexcept { return fin_; }
  /// Its sender has no such sequence number: it sends nothing after its FIN, which counts as one octet.
  [[nodiscard]] bool is_after_fin(std::uint64_t offset) const noexcept { return fin_ != 0 && offset > fin_ + 1; }
  /// Octets that no ACK covers were seen more than once since the last ACK that covered new ones. A repeated octet
  /// alone may be a keep-alive's, which is sent when nothing is outstanding. Source: RFC 9293 §3.8.4.
  [[nodiscard]] bool was_sent_again() const noexcept { return sent_again_; }
  /// Before its first TCP segment octets of it are missing: an ACK before that covers fewer.
  [[nodiscard]] bool lacks_start() const noexcept { return lacks_start_; }
  void note_late_start() noexcept { lacks_start_ = true; }
  /// The octet after the last one was acknowledged and not seen: a FIN, or data.
  [[nodiscard]] bool lacks_end() const noexcept { return has_origin_ && fin_ == 0 && acknowledged_ > next_; }
  [[nodiscard]] HalfState state() const noexcept { return state_; }
  [[nodiscard]] std::optional<StreamOffset> first_held() const noexcept {
    return held_ ? std::optional{StreamOffset{held_->front_offset()}} : std::nullopt;
  }
  [[nodiscard]] std::size_t held_octets() const noexcept { return held_ ? held_->octets() : 0; }

  /// See Connection::sequence_numbers().
  [[nodiscard]] std::optional<SequenceNumbers> sequence_numbers() const noexcept;

  /// A TCP segment of this direction was seen.
  void saw_segment() noexcept { step(HalfEvent::segment); }

  template <class A>
  void archive(A& a, const Limits& limits, BufferBudget& budget) {
    a(statistics, first, checksums, recent, controls, mss, window, window_scale);
    syn_seen = a.value(syn_seen);
    fragments_raised = a.value(fragments_raised);
    limit_raised = a.value(limit_raised);
    a(next_, highest_, acknowledged_, fin_, hole_since_, first_sequence_, early_acknowledgment_, distant_next_);
    a(distant_run_, state_);
    has_origin_ = a.value(has_origin_);
    provisional_ = a.value(provisional_);
    has_early_acknowledgment_ = a.value(has_early_acknowledgment_);
    fin_verified_ = a.value(fin_verified_);
    incomplete_ = a.value(incomplete_);
    payload_seen_ = a.value(payload_seen_);
    lacks_start_ = a.value(lacks_start_);
    sent_again_ = a.value(sent_again_);
    unseen_acknowledged_ = a.value(unseen_acknowledged_);
    unseen_unexplained_ = a.value(unseen_unexplained_);
    unseen_twice_ = a.value(unseen_twice_);
    starts_at_syn_ = a.value(starts_at_syn_);
    a.owned(held_, [&] { return std::make_unique<HeldOctets>(limits, budget); });
    a.check(held_ == nullptr || next_ < held_->front_offset());
  }

  DirectionStatistics statistics;
  FirstFrames first;
  ChecksumPolicy checksums;
  RecentSegments recent;
  RecentControls controls;
  std::uint16_t mss = 0;
  std::uint16_t window = 0;          ///< of the last TCP segment, unscaled
  std::uint8_t window_scale = 0xFF;  ///< of the SYN, 0xFF if none
  bool syn_seen : 1 = false;
  bool fragments_raised : 1 = false;
  bool limit_raised : 1 = false;

 private:
  void note_repeated(std::uint64_t octets, std::uint64_t end) noexcept {
    if (octets > 1 && end > acknowledged_) sent_again_ = true;
  }
  bool step(HalfEvent event) noexcept;
  [[nodiscard]] bool has_hole() const noexcept { return held_ != nullptr || (fin_ != 0 && next_ < fin_); }
  [[nodiscard]] std::uint64_t hole_end() const noexcept { return held_ ? held_->front_offset() : fin_; }

  void after_fin(const Arrival& arrival, bool other_ended, Call& call);
  void repeated(const Arrival& arrival, std::uint64_t to, Call& call);
  void count_repeated(const Arrival& arrival, std::uint64_t octets, std::uint64_t end, Call& call);
  void place(const Arrival& arrival, Call& call);
  [[nodiscard]] std::uint64_t pass(const Arrival& arrival, std::uint64_t at, HeldOctets::Runs::iterator run,
                                   Call& call);
  [[nodiscard]] std::uint64_t meet(const Arrival& arrival, std::uint64_t at, HeldOctets::Runs::iterator run,
                                   bool& conflict, Call& call);
  void compare(const Arrival& arrival, std::uint64_t at, HeldOctets::Runs::iterator run, bool& conflict, Call& call);
  void put(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool late, Call& call);
  void hold(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool retransmitted, Call& call);
  void deliver(const Arrival& arrival, std::uint64_t from, std::uint64_t to, bool retransmitted, Call& call);
  void deliver_front(Call& call);
  void hand_up(const Arrival& arrival, std::uint64_t offset, Octets octets, bool retransmitted, Call& call);
  void drain(Call& call);
  void skip(std::uint64_t to, Missing reason, Call& call);
  void see_payload(Call& call);
  void close_hole(Missing reason, Call& call);

  std::uint64_t next_ = kStreamOrigin.value;     ///< next to be handed up
  std::uint64_t highest_ = kStreamOrigin.value;  ///< after the last octet seen
  std::uint64_t acknowledged_ = 0;
  std::uint64_t fin_ = 0;
  std::int64_t hole_since_ = 0;       ///< when something after the first hole was first seen; valid with has_hole()
  std::unique_ptr<HeldOctets> held_;  ///< null when empty
  std::uint32_t first_sequence_ = 0;  ///< of kStreamOrigin; before has_origin_ the first ACK number
  std::uint32_t early_acknowledgment_ = 0;
  std::uint32_t distant_next_ = 0;
  std::uint8_t distant_run_ = 0;
  HalfState state_ = HalfState::unseen;
  bool has_origin_ : 1 = false;
  bool provisional_ : 1 = false;
  bool has_early_acknowledgment_ : 1 = false;
  bool fin_verified_ : 1 = false;
  bool incomplete_ : 1 = false;  ///< octets of this half are missing for good
  bool payload_seen_ : 1 = false;
  bool lacks_start_ : 1 = false;
  bool sent_again_ : 1 = false;
  bool unseen_acknowledged_ : 1 = false;  ///< a gap is reported once payload is seen: it was acknowledged
  bool unseen_unexplained_ : 1 = false;   ///< the same: it was not
  bool starts_at_syn_ : 1 = false;        ///< kStreamOrigin follows the SYN's sequence number
  bool unseen_twice_ : 1 = false;         ///< no payload was seen, and two ACKs or more cover some of it
};

/// One direction during one call.
struct Side {
  Half& half;
  Call& call;
};

}  // namespace iwarpscope::tcp
