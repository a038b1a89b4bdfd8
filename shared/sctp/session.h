// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the SCTP layer hands up: the messages of one DDP stream session in the order of their DDP-SSN, and what is
// missing from them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"
#include "findings/finding.h"
#include "mpa/startup.h"
#include "sctp/session_machine.h"
#include "tcp/stream.h"

namespace iwarpscope::sctp {

/// Function codes of session control messages. Source: RFC 5043 §5.2.3, RFC 6581 §7, RFC 6580 §3.5.
namespace function_code {
inline constexpr std::uint16_t initiate = 1;
inline constexpr std::uint16_t accept = 2;
inline constexpr std::uint16_t reject = 3;
inline constexpr std::uint16_t terminate = 4;
inline constexpr std::uint16_t enhanced_initiate = 5;
inline constexpr std::uint16_t enhanced_accept = 6;
inline constexpr std::uint16_t enhanced_reject = 7;
inline constexpr std::uint16_t experimental = 0xFFFF;
}  // namespace function_code

/// One user message of a DDP stream session, in DDP-SSN order. Borrows its octets for the duration of the call.
struct Message {
  std::uint64_t ssn = 0;       ///< DDP-SSN, counted on beyond 16 bits from the session's 0
  std::uint32_t tsn = 0;       ///< of its first DATA chunk
  std::uint32_t last_tsn = 0;  ///< of its last one
  Octets octets;               ///< after the DDP-SSN, as captured: of a segment the DDP segment
  std::uint32_t length = 0;    ///< of them on the wire
  FrameNumber first_frame;     ///< of its first DATA chunk
  FrameNumber last_frame;      ///< highest frame number among those that carried its chunks
  FrameNumber delivery_frame;  ///< the frame at which it was next in order
  TimePoint first_time;        ///< arrival of its first chunk
  TimePoint placed_time;       ///< latest arrival among its chunks
  TimePoint delivered_time;    ///< when it was next in order
  /// Messages of the other direction's session below this DDP-SSN, and no others, had been received by the sender when
  /// it first sent this one: the SACK says so that came with it. Without one nothing is known.
  std::uint64_t acknowledged = 0;
  bool has_acknowledged = false;
  /// That SACK acknowledges chunks of the other direction after all that were seen, though none is missing among
  /// those: the capture shows the directions in another order than the wire, or misses the newest chunks.
  bool is_ahead = false;
  bool after_gap = false;      ///< messages before it are missing
  bool retransmitted = false;  ///< may have been sent before

  [[nodiscard]] bool whole() const noexcept { return octets.size() == length; }
};

/// A session control message. Source: RFC 5043 §5.2.3, RFC 6581 §7.
struct ControlMessage {
  Message message;  ///< `octets` begin with the function code
  std::uint16_t code = 0;
  SessionPhase phase{};  ///< of the session, once this message is taken
  /// For codes 1 to 3 and 5 to 7: what an MPA Request or Reply says. `start` and `end` are kStreamOrigin plus the
  /// DDP-SSN and plus the one after it.
  mpa::StartupFrame startup;
};

/// How a session, or one side of it, ended.
enum class Ending : std::uint8_t {
  terminated,   ///< code 4
  rejected,     ///< code 3 or 7
  refused,      ///< code 4 instead of an Accept
  shutdown,     ///< the association was shut down
  aborted,      ///< the association was aborted
  reused,       ///< a new Initiate on its stream
  restarted,    ///< another association between the same addresses and ports took the place of its own
  capture_end,  ///< the capture ended, or the association was discarded
};

/// Where something of which there may be more was first seen; frame 0: it was not.
struct FirstSeen {
  FrameNumber frame;
  TimePoint time;

  void see(const FirstSeen& other) noexcept {
    if (other.frame.value != 0 && (frame.value == 0 || other.frame < frame)) *this = other;
  }
};

/// What one direction's counters of a session say.
struct DirectionStatistics {
  std::uint64_t data_chunks = 0;           ///< each TSN once
  std::uint64_t user_octets = 0;           ///< in them, on the wire
  std::uint64_t retransmitted_chunks = 0;  ///< seen again, mirror duplicates not counted
  std::uint64_t retransmitted_octets = 0;
  std::uint64_t out_of_order_chunks = 0;  ///< with a TSN below one seen before; not where the capture's order is wrong
  std::uint64_t gap_messages = 0;       ///< reported as missing, for whatever reason but that their sender gave them up
  std::uint64_t cut_octets = 0;         ///< of user data, not captured because frames were cut
  std::uint64_t mirror_duplicates = 0;  ///< of its chunks, in identical copies of a packet
  FirstSeen first_retransmitted, first_out_of_order, first_duplicate;

  DirectionStatistics& operator+=(const DirectionStatistics& more) noexcept {
    data_chunks += more.data_chunks;
    user_octets += more.user_octets;
    retransmitted_chunks += more.retransmitted_chunks;
    retransmitted_octets += more.retransmitted_octets;
    out_of_order_chunks += more.out_of_order_chunks;
    gap_messages += more.gap_messages;
    cut_octets += more.cut_octets;
    mirror_duplicates += more.mirror_duplicates;
    first_retransmitted.see(more.first_retransmitted);
    first_out_of_order.see(more.first_out_of_order);
    first_duplicate.see(more.first_duplicate);
    return *this;
  }
};

/// What befell a DATA chunk on its way.
enum class ChunkEvent : std::uint8_t {
  sent_again,  ///< it had been seen
  overtaken,   ///< it had not, nor acknowledged, but a chunk with a higher TSN
};

/// `count` messages from `ssn` on will never come. With 0 one from before those that were reported came too late to be
/// reported.
struct MissingMessages {
  std::uint64_t ssn = 0;
  std::uint64_t count = 0;
  tcp::Missing reason{};
};

/// Takes one session of one stream. Calls come in DDP-SSN order for each direction. Directions: a_to_b are the messages
/// of the active side, which sent the Initiate; of a session joined in its middle, of the lower endpoint. Must not call
/// back into the Association.
class SessionSink {
 public:
  virtual void control(Direction d, const ControlMessage& message) = 0;
  virtual void segment(Direction d, const Message& segment) = 0;
  /// `frame`, `time`: of the frame that showed it.
  virtual void missing(Direction d, const MissingMessages& messages, FrameNumber frame, TimePoint time) = 0;
  /// For timelines; in the order of the frames, not of DDP-SSNs. `octets`: of user data.
  virtual void chunk(Direction d, ChunkEvent what, std::uint32_t octets, FrameNumber frame, TimePoint time) = 0;
  /// The side that sends d's messages sent code 4, or with `whole` the session is over; `by` says who ended it. Nothing
  /// follows the call with `whole`.
  virtual void ended(Ending how, std::optional<Direction> by, bool whole, FrameNumber frame, TimePoint time) = 0;
  /// Takes findings about this session that this frame decides. Their own frame and time are of what they are about,
  /// and their offset is kStreamOrigin plus its DDP-SSN.
  virtual findings::Reporter& reporter(FrameNumber frame, TimePoint time) = 0;

 protected:
  ~SessionSink() = default;
};

}  // namespace iwarpscope::sctp
