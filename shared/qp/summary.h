// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Summary of a queue pair: what a verdict on it needs. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "findings/catalogue.h"
#include "findings/finding.h"
#include "mpa/fpdu.h"
#include "rdmap/opcode.h"
#include "rdmap/terminate.h"

namespace iwarpscope::qp {

/// A received DATA chunk is acknowledged within this time. Source: RFC 9260 §6.2.
inline constexpr std::int64_t kMostSackDelayNs = 500'000'000;

/// A place in the capture. Frame 0: never.
struct Moment {
  FrameNumber frame;
  TimePoint time;
  [[nodiscard]] bool happened() const noexcept { return frame.value != 0; }
};

/// A place where a rule was broken.
struct BreachPlace {
  FrameNumber first;  ///< the first frame of its evidence: what it contradicts, or the same as `frame`
  FrameNumber frame;  ///< the frame that broke it
  std::optional<std::uint64_t> message;  ///< index in its direction
};

/// A rule that one message broke.
struct MessageBreach {
  findings::FindingId id{};
  BreachPlace place;
};

/// The first Terminate of a direction, and what it refers to.
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
    bool cut = false;          ///< it was not complete then
    bool unfit = false;        ///< a Read Response: no request in the capture asks for it or for its length
    /// Earlier Sends and Immediate Data that were at least as long, so that their receives were large enough. 0 for a
    /// message that uses no receive. Only those still known are counted.
    std::uint64_t as_long_before = 0;
    bool first_of_queue =
        false;  ///< untagged: no earlier message of its queue is known, so its MSN could not be judged
    /// What a Read Request wants to read, or an Atomic Request to change.
    struct Target {
      STag stag;
      TaggedOffset to;
      std::optional<std::uint32_t> size;  ///< of a read
    };
    std::optional<Target> target;
    /// The rules that this message broke and that receivers refuse.
    std::vector<MessageBreach> breaches{};
    static constexpr std::size_t kMostBreaches = 8;

    [[nodiscard]] bool has_place(const BreachPlace& place) const noexcept {
      return place.message ? *place.message == message : place.frame == frame;
    }
  };
  std::optional<Named> named;
};

/// What the Responder sent before the Initiator had sent anything: another program may own the port.
struct Banner {
  static constexpr std::size_t kMostOctets = 16;
  Moment at;
  std::string octets;  ///< the first ones, escaped
};

/// Requests without a response.
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
  Moment syn;  ///< over TCP: its SYN, or SYN-ACK; the table of flows knows it. Over SCTP: its INIT, or INIT ACK
  bool init_ack = false;  ///< `syn` is an INIT ACK
  Moment fin, rst;
  /// The last frames of the file with octets that the sender of `fin` or `rst` had received by then. They are later
  /// than `fin` or `rst` if the directions were captured with skew. 0: not known.
  FrameNumber fin_had, rst_had;
  bool fin_acknowledged = false;
  bool had_all = false;              ///< its FIN or Terminate acknowledges everything that the other side sent
  Moment window_closed;              ///< its receiver offered no window from then to the end
  std::uint64_t unacknowledged = 0;  ///< octets seen at the end that the other side has not acknowledged
  std::optional<mpa::PendingFpdu> inside_fpdu;  ///< it ended inside this FPDU
  bool inside_message = false;                  ///< it ended inside a message
  bool inside_startup = false;                  ///< over TCP: it ended inside a startup frame
  bool spoke_before = false;                    ///< over TCP: it sent octets before the first ones recognised as iWARP
  FrameNumber unfit_answer;                     ///< its latest Read Response that matches no earlier request; 0: none
  bool lacks_end = false;                       ///< its sender sent more than the capture has, or over SCTP may have
  bool lacks_start = false;   ///< over TCP: octets before its first TCP segment are missing, as ACKs show
  bool sent_again = false;    ///< over TCP: octets of `unacknowledged` were seen more than once
  bool framing_lost = false;  ///< at the end it was not known where FPDUs begin, so its octets were not read
  std::optional<UnansweredRequests> waiting;
  std::optional<TerminateSummary> terminate;
};

/// A rule broken in a direction, of any severity: the first and the latest time.
struct NotedFinding {
  findings::FindingId id{};
  std::optional<Direction> direction;
  FrameNumber frame;                 ///< the frame that broke it
  BreachPlace begin = {};            ///< the same place in full; frame 0: only `frame` is known
  BreachPlace latest = {};           ///< the last time; frame 0: it was broken once
  findings::SenderCrc sender_crc{};  ///< what every one of them shows
  std::string answer = {};           ///< MS-02: the first octets that came in place of the Reply, escaped
};

struct Summary {
  std::array<DirectionSummary, 2> directions;
  std::optional<Banner> banner;  ///< over TCP
  /// Every finding of the queue pair, in the order of the frames that first showed one: at most one of each rule and
  /// direction, so the catalogue bounds them.
  std::vector<NotedFinding> findings;
  /// The end whose FIN, RST or Terminate was first, decided by acknowledgments (ending_order.h).
  std::optional<Direction> ended_first;
  bool request_acknowledged = false;  ///< the MPA Request, or the Session Initiate
  bool one_sided = false;
  bool reset_beyond_seen = false;   ///< the sequence number of an RST shows that octets were sent but not captured
  bool may_pass_elsewhere = false;  ///< over SCTP: between addresses whose packets are not in the capture
  /// Over SCTP: the end that shut the association down while the session was open.
  std::optional<Direction> shut_down_by;
};

}  // namespace iwarpscope::qp
