// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of a Startup.
#pragma once

#include <optional>
#include <vector>

#include "mpa/startup.h"
#include "mpa/startup_machine.h"

namespace iwarpscope::mpa {

/// Octets of an Initiator that did not wait are held up to this.
inline constexpr std::size_t kMaxEarlyOctets = 16U << 10;
inline constexpr std::size_t kMaxEarlyChunks = 256;  ///< and up to so many chunks; ours
/// Inside TCP segments a key is looked for in the first octets of a direction only; where TCP segments start, always.
inline constexpr std::uint64_t kMaxScannedOctets = 64U << 10;
/// Octets of the Responder that are no Reply, before it is concluded that none will come.
inline constexpr std::uint64_t kMaxOtherOctets = 64U << 10;

/// The rest of a startup frame is missing after so long, not on its way. Ours: longer than a few retransmissions take.
inline constexpr std::int64_t kRestDueNs = 1'000'000'000;

/// Why a startup frame never became whole.
enum class FrameCut : std::uint8_t {
  closed,  ///< its sender closed
  reset,   ///< its sender reset the connection
  left,    ///< the other end ended the connection
};

struct Startup::State {
  explicit State(findings::Reporter& r) : reporter(r) {}

  /// A startup frame whose private data ended early.
  struct CutShort {
    FrameNumber header;  ///< the frame with the last octet of its header
    StreamOffset start;
    std::uint64_t came = 0;  ///< octets of its private data
    std::uint32_t announced = 0;
  };

  /// One direction.
  struct Side {
    std::vector<std::byte> held;  ///< of the startup frame being collected: at most 532 octets
    StreamOffset held_start;
    std::uint64_t passed = 0;  ///< octets of it, those not held and missing ones too
    std::uint64_t scanned = 0;
    /// The capture lacks octets that may be a startup frame's header: those below may be its private data, whatever
    /// they look like.
    StreamOffset hidden_to;
    bool hides_starts = false;                 ///< of TCP segments, too: part of the header was seen
    StreamOffset seen_to;                      ///< after the latest octet taken,
    TimePoint seen_at;                         ///< and when it came
    std::optional<StreamOffset> acknowledged;  ///< of the other side's octets, with the latest ones taken
    /// The same with the first octet of the startup frame being collected; only of a first transmission.
    std::optional<StreamOffset> held_acknowledged;
    std::uint32_t whole = 0;   ///< 20 + PD_Length, 0 while unknown
    FrameNumber header_frame;  ///< with `whole`: the frame with the last octet of the header,
    TimePoint header_time;     ///< and when it came
    bool collecting = false;
    bool at_segment_start = false;  ///< it begins where a TCP segment begins
    bool cut = false;               ///< octets of its private data are missing
    bool reply_key = false;
    bool complete = false;       ///< its startup frame is here
    bool gap = false;            ///< the capture lacks octets of this direction
    bool may_lack = false;       ///< the same, for all that is known: its Reply perhaps
    bool may_lack_rest = false;  ///< the same of what follows the octets seen last
    bool ended = false;
    bool reported_fpdu = false;  ///< MS-21 was raised
    /// What is collected is not whole, and within the limits.
    [[nodiscard]] bool is_sound() const noexcept {
      constexpr std::size_t kHeader = StartupFrameView::kOctets;
      if (held.size() > kHeader + kMaxPrivateData) return false;
      if (!collecting) return held.empty() && passed == 0 && whole == 0 && !cut;
      return whole != 0 ? passed < whole : passed < kHeader && held.size() == passed && !cut;
    }
    [[nodiscard]] bool header_known() const noexcept { return collecting && whole != 0; }
    /// If the frame being collected ends here. Precondition: header_known().
    [[nodiscard]] CutShort cut_short() const noexcept {
      constexpr std::uint32_t kHeader = StartupFrameView::kOctets;
      return {.header = header_frame, .start = held_start, .came = passed - kHeader, .announced = whole - kHeader};
    }
  };

  // startup.cpp
  template <class A>
  void archive(A& a) {
    a(phase, sides, initiator, request, reply, agreement, early, early_chunks, early_first, other, other_first);
    a(other_start, reply_due, other_frame, closed_first, judged, early_closed, request_end_known, request_is_sure);
    a(second_request, asked_again, reject_due, reported_other);
    for (const Side& side : sides) a.check(side.is_sound());
    // Only the size of an early chunk is used, not its octets.
    Octets rest = early;
    for (tcp::Chunk& chunk : early_chunks) {
      std::size_t size = chunk.octets.size();
      a(size);
      a.check(size <= rest.size());
      if (a.has_failed()) return;
      if (a.is_reading()) chunk.octets = rest.first(size);
      rest = rest.subspan(a.is_reading() ? size : 0);
    }
  }
  std::size_t octets(Direction d, const tcp::Chunk& chunk, bool opposite_seen);
  std::size_t after_request(Direction d, const tcp::Chunk& chunk, bool opposite_seen);
  [[nodiscard]] bool knows_all_before(Direction d, const tcp::Chunk& chunk) const noexcept;
  [[nodiscard]] std::size_t early_room() const noexcept;
  void keep_early(const tcp::Chunk& chunk);
  bool fpdu_after_failure(Direction d, const tcp::Chunk& chunk, bool opposite_seen);
  bool other_octets(Direction d, const tcp::Chunk& chunk, std::size_t from, std::size_t to);
  void missing(Direction d, StreamOffset offset, std::uint64_t length);
  void ended(Direction d, bool by_fin, bool by_rst, FrameNumber frame, TimePoint time);
  void answered_otherwise(FrameNumber frame, TimePoint time);
  void octets_without_reply(FrameNumber frame, TimePoint time);
  void cut_by_other(Direction d, bool by_rst, FrameNumber frame, TimePoint time);
  [[nodiscard]] static bool is_cut_for_sure(const Side& side, TimePoint time) noexcept;
  void ended_inside_frame(Direction d, FrameCut how, FrameNumber frame, TimePoint time);

  // startup_scan.cpp
  std::size_t look(Direction d, const tcp::Chunk& chunk, bool opposite_seen);
  [[nodiscard]] std::size_t find_candidate(Side& side, const tcp::Chunk& chunk, std::size_t from) const;
  std::size_t collect(Direction d, const tcp::Chunk& chunk, std::size_t at, bool& dropped);
  [[nodiscard]] bool read_header(Direction d, const tcp::Chunk& chunk);
  void drop_candidate(Side& side);
  static void hide_private_data(Side& side, StreamOffset end);

  // startup_events.cpp
  [[nodiscard]] bool frame_complete(Direction d, FrameNumber frame, TimePoint time, Octets rest, bool ends_tcp_segment);
  [[nodiscard]] StartupFrame take_frame(Direction d, FrameNumber frame, TimePoint time);
  [[nodiscard]] StartupFrame take_incomplete(Direction d);
  [[nodiscard]] bool request_complete(Direction d, StartupFrame frame, bool cut = false);
  [[nodiscard]] bool is_of_the_rejection(Direction d) const noexcept;
  [[nodiscard]] bool reply_complete(Direction d, StartupFrame frame, bool believable);
  void judge_waiting(Direction d, const StartupFrame& frame);
  void request_cut_by_reply(Direction initiator, FrameNumber frame, TimePoint time);
  void raise_cut_short(Direction d, const CutShort& cut, FrameNumber frame, TimePoint time, std::string text);
  void confirm_request();
  void abandon_request();
  void begin_full_operation();
  void on(StartupEvent event);

  findings::Reporter& reporter;
  StartupPhase phase = StartupPhase::await_request;
  std::array<Side, 2> sides;
  Direction initiator = Direction::a_to_b;  ///< with `request` or `reply`
  std::optional<StartupFrame> request;
  std::optional<StartupFrame> reply;
  Agreement agreement;
  std::vector<std::byte> early;
  std::vector<tcp::Chunk> early_chunks;  ///< the chunks that carried `early`, in order; their octets dangle
  /// The first octets of the Initiator after its Request, seen before any Reply.
  struct Early {
    StreamOffset offset;
    StreamOffset acknowledged;
    FrameNumber frame;
    TimePoint time;
  };
  std::optional<Early> early_first;
  std::uint64_t other = 0;             ///< octets of the Responder since the Request that are no Reply
  std::vector<std::byte> other_first;  ///< with `other`: the first of them, at most as many as a key has
  StreamOffset other_start;
  std::optional<StreamOffset> reply_due;  ///< the Reply starts here or before
  FrameNumber other_frame;
  std::optional<Direction> closed_first;
  bool judged = false;        ///< faults of the Request alone were reported
  bool early_closed = false;  ///< octets are missing after `early`
  bool request_end_known = true;
  bool request_is_sure = false;  ///< it is as usual and began a TCP segment: no text that quotes one
  bool second_request = false;
  bool asked_again = false;     ///< a new Request came while none of the Replies to the one before was seen
  bool reject_due = false;      ///< with `asked_again`: its rejecting Reply may still come
  bool reported_other = false;  ///< MS-02 was raised for octets that are no Reply
};

/// True when the octets begin with a Request in which everything is as usual.
[[nodiscard]] bool is_usual_request(Octets octets) noexcept;

/// True when the octets surely are an FPDU: the CRC is right, or it is all there with a CRC field of zero while CRC may
/// be off.
[[nodiscard]] bool is_fpdu(Octets octets, bool crc_may_be_off) noexcept;

}  // namespace iwarpscope::mpa
