// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a queue pair's life comes down to, as far as a verdict on it needs it. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "findings/catalogue.h"
#include "rdmap/opcode.h"
#include "rdmap/terminate.h"

namespace iwarpscope::qp {

/// Within it a received DATA chunk is acknowledged. Source: RFC 9260 §6.2.
inline constexpr std::int64_t kMostSackDelayNs = 500'000'000;

/// A place in the capture. Frame 0: never.
struct Moment {
  FrameNumber frame;
  TimePoint time;
  [[nodiscard]] bool happened() const noexcept { return frame.value != 0; }
};

/// A place where a rule was broken.
struct BreachPlace {
  FrameNumber first;                     ///< of its evidence: what it contradicts, or the same as `frame`
  FrameNumber frame;                     ///< that broke it
  std::optional<std::uint64_t> message;  ///< index in its direction
};

/// A rule that one message broke.
struct MessageBreach {
  findings::FindingId id{};
  BreachPlace place;
};

/// The first Terminate of a direction, and what it speaks of.
struct TerminateSummary {
  Moment at;
  std::uint8_t layer = 0, error_type = 0, error_code = 0;
  rdmap::TerminateDialect dialect{};
  std::optional<rdmap::Opcode> quoted;  ///< of the DDP header that it carries, whether that message was found or not
  /// The message it names, when that was found.
  struct Named {
    std::uint64_t message = 0;  ///< its index in its direction
    rdmap::Opcode opcode{};
    FrameNumber frame;  ///< of its first DDP segment
    bool tagged = false;
    STag stag;
    TaggedOffset to;
    std::uint64_t length = 0;  ///< octets after the DDP headers, up to the Terminate
    bool cut = false;          ///< it was not at its end then
    bool unfit = false;        ///< a Read Response: no request in the capture asks for it, or for as many octets
    /// Sends and Immediate Data before it that were at least as long, and so fitted the receives posted for them; 0 of
    /// a message that takes no receive. As far as they are remembered.
    std::uint64_t as_long_before = 0;
    bool first_of_queue = false;  ///< untagged: none of its queue is known before it, so its MSN could not be judged
    /// What a Read Request wants to read, or an Atomic Request to change.
    struct Target {
      STag stag;
      TaggedOffset to;
      std::optional<std::uint32_t> size;  ///< of a read
    };
    std::optional<Target> target;
    /// The rules that it broke and that receivers refuse, whatever other messages broke the same rules.
    std::vector<MessageBreach> breaches{};
    static constexpr std::size_t kMostBreaches = 8;

    [[nodiscard]] bool has_place(const BreachPlace& place) const noexcept {
      return place.message ? *place.message == message : place.frame == frame;
    }
  };
  std::optional<Named> named;
};

/// Requests that were not answered.
struct UnansweredRequests {
  std::uint64_t count = 0;
  bool atomic = false;  ///< the oldest of them; else a Read Request
  MessageSequence msn;  ///< of the oldest
  Moment oldest;
};

struct DirectionSummary {
  Moment last;          ///< its last TCP segment
  Moment last_octets;   ///< its last TCP segment with payload
  Moment last_message;  ///< first octet of its last RDMA message
  rdmap::Opcode last_opcode{};
  Moment fin, rst;
  /// What the sender of `fin` or `rst` had received by then is in the file up to these frames, which are later ones
  /// where the directions were captured with skew; 0: not known.
  FrameNumber fin_had, rst_had;
  bool fin_acknowledged = false;
  bool had_all = false;              ///< its FIN or Terminate acknowledges all that the other side sent
  Moment window_closed;              ///< its receiver offers no room, since then and to the end
  std::uint64_t unacknowledged = 0;  ///< octets seen at the end that the other side has not acknowledged
  bool inside_fpdu = false;          ///< it ended with an FPDU begun
  bool inside_message = false;       ///< it ended with a message begun
  bool inside_startup = false;       ///< over TCP: it ended with a startup frame begun
  bool spoke_before = false;         ///< over TCP: it sent octets before those that made it known as a queue pair
  FrameNumber unfit_answer;          ///< its latest Read Response that no request before it asks for as it is; 0: none
  bool lacks_end = false;            ///< its sender sent more than the capture has, or over SCTP may have
  bool lacks_start = false;          ///< over TCP: octets before its first TCP segment are missing, as ACKs show
  bool sent_again = false;           ///< over TCP: octets of `unacknowledged` were seen more than once
  bool framing_lost = false;         ///< at the end it was not known where FPDUs begin, so its octets were not read
  std::optional<UnansweredRequests> waiting;
  std::optional<TerminateSummary> terminate;
};

/// A rule that was broken in a direction, whatever its severity: the first time and the latest.
struct NotedFinding {
  findings::FindingId id{};
  std::optional<Direction> direction;
  FrameNumber frame;        ///< that broke it
  BreachPlace begin = {};   ///< the same place, whole; frame 0: no more is known than `frame`
  BreachPlace latest = {};  ///< the last time, if that is another; frame 0: it is not
  bool by_sender = false;   ///< MF-04 whose CRC, the first time, shows that its sender made it so
};

struct Summary {
  std::array<DirectionSummary, 2> directions;
  /// Every finding of the queue pair, in the order of the frames that first showed one: at most one of each rule and
  /// direction, so the catalogue bounds them.
  std::vector<NotedFinding> findings;
  /// Which end's FIN, RST or Terminate was first, by what they acknowledge (ending_order.h).
  std::optional<Direction> ended_first;
  bool request_acknowledged = false;  ///< the MPA Request, or the Session Initiate
  bool one_sided = false;
  bool reset_beyond_seen = false;   ///< an RST shows octets that were sent and not seen
  bool may_pass_elsewhere = false;  ///< over SCTP: between addresses whose packets are not in the capture
  /// Over SCTP: who shut the association down, and with it a session that both ends had not closed.
  std::optional<Direction> shut_down_by;
};

}  // namespace iwarpscope::qp
