// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Both directions of one TCP connection: TCP segments in any order in, ordered octets out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/buffer_budget.h"
#include "base/ids.h"
#include "base/interface_set.h"
#include "findings/finding.h"
#include "net/tcp_packet.h"
#include "tcp/doubt.h"
#include "tcp/loss_traces.h"
#include "tcp/stream.h"

namespace iwarpscope::tcp {

struct Limits {
  std::size_t max_buffered_octets = 4u << 20;    ///< out of order, per direction
  std::size_t max_buffered_chunks = 4096;        ///< out of order, per direction
  std::int64_t hole_timeout_ns = 3'000'000'000;  ///< a hole never acknowledged is given up after this packet time
  /// A TCP segment waits so long for octets that it shows to have been sent: mirrored ports and capture queues are
  /// merged with some skew. Ours.
  std::int64_t wait_ns = 100'000'000;
  std::int64_t hole_wait_ns = 12'000'000;     ///< the same where octets that follow those were seen already
  std::size_t max_waiting = 1024;             ///< TCP segments that wait so, per connection
  std::size_t max_waiting_octets = 1u << 20;  ///< their octets, and those out of order because of what they wait for
};

/// What a flow table knows of one direction before it needs a Connection. Small: kept for every TCP flow.
struct Origin {
  /// Valid with `seen`: the sequence number of the next octet expected; with `acknowledged` alone: the first ACK
  /// number.
  std::uint32_t next_sequence = 0;
  std::uint32_t packets = 0;         ///< TCP segments seen so far
  InterfaceSet interfaces;           ///< that its TCP segments came from
  std::uint16_t mss = 0;             ///< of the SYN, 0 if none
  std::uint8_t window_scale = 0xFF;  ///< of the SYN, 0xFF if none
  bool seen : 1 = false;
  bool syn_seen : 1 = false;
  bool good_checksum_seen : 1 = false;
  bool bad_checksum_seen : 1 = false;
  bool octets_seen : 1 = false;
  bool acknowledged : 1 = false;      ///< by the other direction, before anything of this one was seen
  bool ack_flag : 1 = false;          ///< its sender set ACK: it does so in all that follows
  bool ip_checksum_good : 1 = false;  ///< of its sender: a right one was seen

  template <class A>
  void archive(A& a) {
    a(next_sequence, packets, interfaces, mss, window_scale);
    seen = a.value(seen);
    syn_seen = a.value(syn_seen);
    good_checksum_seen = a.value(good_checksum_seen);
    bad_checksum_seen = a.value(bad_checksum_seen);
    octets_seen = a.value(octets_seen);
    acknowledged = a.value(acknowledged);
    ack_flag = a.value(ack_flag);
    ip_checksum_good = a.value(ip_checksum_good);
  }

  /// Its receiver drops a TCP segment of it with a wrong IPv4 checksum, or without ACK inside a connection. In captures
  /// with unfinished checksums no right one is seen. Source: RFC 1122 §3.2.1.2, RFC 9293 §3.10.7.4.
  [[nodiscard]] bool is_dropped(const net::TcpPacket& packet) const noexcept {
    if (packet.ip_checksum_wrong && ip_checksum_good) return true;
    return ack_flag && (packet.flags & (net::tcp_flag::ack | net::tcp_flag::syn | net::tcp_flag::rst)) == 0;
  }
  void note(const net::TcpPacket& packet) noexcept {
    ip_checksum_good = ip_checksum_good || packet.ip_checksum_good;
    ack_flag = ack_flag || (packet.has(net::tcp_flag::ack) && !packet.has(net::tcp_flag::rst));
  }
};

/// What one direction's counters say. Units: octets unless named otherwise.
struct DirectionStatistics {
  std::uint64_t tcp_segments = 0;            ///< all TCP segments, those without payload too
  std::uint64_t stream_octets = 0;           ///< delivered in order
  std::uint64_t retransmitted_octets = 0;    ///< seen again, mirror duplicates not counted
  std::uint64_t retransmitted_segments = 0;  ///< TCP segments that held such octets
  std::uint64_t out_of_order_segments = 0;   ///< with new octets, seen after octets with higher offsets
  std::uint64_t capture_gap_octets = 0;      ///< Missing::capture_gap and unexplained ones
  std::uint64_t cut_octets = 0;              ///< Missing::snap_length
  std::uint64_t mirror_duplicates = 0;       ///< identical copies of one TCP segment
  std::uint64_t offloaded_checksums = 0;
  std::uint64_t truncated_segments = 0;  ///< TCP segments whose payload the capture cut
  // Rare ones in 32 bits: there are two of these in each of very many idle queue pairs.
  std::uint32_t wrong_checksums = 0;   ///< TCP segments kept out for that
  std::uint32_t ignored_segments = 0;  ///< sequence numbers that cannot belong here, and octets after a FIN
  std::uint32_t keep_alives = 0;
  std::uint32_t zero_windows = 0;
};

/// The sequence numbers of one direction: any other observer of the connection sees the same. Source: RFC 9293 §3.4.
struct SequenceNumbers {
  std::optional<std::uint32_t> initial;  ///< of the SYN, when it was seen
  std::uint32_t first = 0;               ///< of the octet at kStreamOrigin
  std::uint64_t octets = 0;              ///< from that one to the last one seen
  std::optional<std::uint32_t> fin;      ///< of the FIN, when it was seen
  bool is_acknowledged_only = false;     ///< nothing of the direction was seen: from its first ACK to its last one
};

enum class ClosedBy : std::uint8_t { open, fin, rst };

/// Octets that a TCP segment shows to have been sent, and that were not seen.
enum class Unseen : std::uint8_t {
  none,
  own,    ///< of its direction: by an RST's sequence number
  other,  ///< of the other direction: by its ACK number
};

/// Where an RST or SYN was seen. `offset`: in the stream of its sender, where it has a place there.
struct ControlSeen {
  FrameNumber frame;
  TimePoint time;
  std::optional<StreamOffset> offset;
};

/// One TCP connection. Memory: below 700 octets without data out of order. Direction a_to_b is `first` of the
/// constructor's origins; the owner maps addresses to directions. Not thread-safe. Source: RFC 9293.
class Connection {
 public:
  /// `budget` and `limits` must outlive the connection.
  Connection(const std::array<Origin, 2>& origins, const Limits& limits, BufferBudget& budget);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// What its receiver makes of a TCP segment. Any doubt: the receiver drops it, or waits for more before it acts on it
  /// (an RST that is not exact, RFC 5961 §3), and it must change nothing that is said of the connection.
  [[nodiscard]] Doubt judge(Direction d, const net::TcpPacket& packet) const noexcept;

  /// Takes one TCP segment of direction `d`; octets that become deliverable go to sinks[index(direction)] at once, also
  /// of the other direction (an ACK may close a hole there). Findings go to `reporter`. `doubt`: what judge() said of
  /// it in this state of the connection; octets of a doubted one are kept in case the receiver acknowledges them.
  void feed(Direction d, const net::TcpPacket& packet, Doubt doubt, const std::array<StreamSink*, 2>& sinks,
            findings::Reporter& reporter);
  /// The same, judged here.
  void feed(Direction d, const net::TcpPacket& packet, const std::array<StreamSink*, 2>& sinks,
            findings::Reporter& reporter) {
    feed(d, packet, judge(d, packet), sinks, reporter);
  }

  /// Which octets this TCP segment shows to have been sent although they were not handed up yet. feed() takes what it
  /// shows for granted: octets that may still come are to be fed before it.
  [[nodiscard]] Unseen shows_unseen(Direction d, const net::TcpPacket& packet) const noexcept;

  /// The octet after those of the other direction that its ACK number shows to have been sent. Precondition:
  /// shows_unseen() is Unseen::other.
  [[nodiscard]] StreamOffset acknowledged_end(Direction d, const net::TcpPacket& packet) const noexcept;
  /// Octets before `end` that were not fed yet and will not come. `followed`: octets at `end` are there.
  struct Lost {
    Direction of{};
    StreamOffset end;
    bool followed = false;
  };
  /// Gives them up. `shown_by`: a TCP segment of the other direction that acknowledges them.
  void give_up(const Lost& lost, const net::TcpPacket& shown_by, const std::array<StreamSink*, 2>& sinks,
               findings::Reporter& reporter);

  /// The capture ends: every hole is given up and what lies after it delivered.
  void finish(FrameNumber frame, TimePoint time, const std::array<StreamSink*, 2>& sinks, findings::Reporter& reporter);

  /// It answers a TCP segment of the other side that was refused: both are to be believed.
  [[nodiscard]] bool answers_refused(Direction d, const net::TcpPacket& packet) const noexcept;

  /// A SYN that cannot belong to this connection: the 4-tuple is used again, or an outsider forged it.
  [[nodiscard]] bool is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept;
  /// The offset of a TCP segment that lies, by its sequence number and by its ACK number, further from all that was
  /// sent and acknowledged than any window reaches: it is another connection's, or the capture missed much of both
  /// directions. Nothing for every other one, and where one of the two numbers says nothing or the checksum is wrong.
  [[nodiscard]] std::optional<StreamOffset> far_off(Direction d, const net::TcpPacket& packet) const noexcept;

  /// The sequence number and the ACK number lie near what this connection sent and acknowledged, of those of both sides
  /// of which something was seen. For a SYN: it is this connection's own.
  [[nodiscard]] bool is_near(Direction d, const net::TcpPacket& packet) const noexcept;

  [[nodiscard]] const DirectionStatistics& statistics(Direction d) const noexcept;
  /// TCP segments of `d` that its receiver dropped, but for wrong_checksums. Null: none.
  [[nodiscard]] const Dropped* dropped(Direction d) const noexcept;
  /// Nothing: neither TCP segments nor ACKs of it were seen.
  [[nodiscard]] std::optional<SequenceNumbers> sequence_numbers(Direction d) const noexcept;
  /// Null: none.
  [[nodiscard]] const LossTraces* loss_traces(Direction d) const noexcept;
  /// Both FINs delivered in order, or an RST accepted.
  [[nodiscard]] ClosedBy closed_by() const noexcept;
  /// The offset of the FIN of `d` when it was seen: no octet at or after it may follow.
  [[nodiscard]] std::optional<StreamOffset> fin_offset(Direction d) const noexcept;
  [[nodiscard]] bool fin_delivered(Direction d) const noexcept;
  [[nodiscard]] std::optional<Direction> reset_by() const noexcept;
  /// The RST that ended it, valid with reset_by(). finish() may take one that came earlier.
  [[nodiscard]] ControlSeen reset_at() const noexcept;
  /// The last RST of `d` that did not fit, when its sender sent nothing after it.
  [[nodiscard]] std::optional<ControlSeen> last_reset(Direction d) const noexcept;
  /// Octets of `d` may lie between the last one seen and this RST: it is neither far from them nor after the FIN.
  [[nodiscard]] bool may_reach(Direction d, const ControlSeen& reset) const noexcept;
  /// The offset of the first payload octet of a TCP segment; empty where it cannot be one of this connection.
  [[nodiscard]] std::optional<StreamOffset> offset_of(Direction d, const net::TcpPacket& packet) const noexcept;
  /// The next octet of `d` to be delivered.
  [[nodiscard]] StreamOffset next_offset(Direction d) const noexcept;
  /// Highest acknowledgment of d's octets that was seen; nothing when the other direction was never seen.
  [[nodiscard]] std::optional<StreamOffset> acknowledged(Direction d) const noexcept;
  /// Octets of `d` that were not acknowledged were seen more than once.
  [[nodiscard]] bool was_sent_again(Direction d) const noexcept;
  /// An ACK before the first TCP segment of `d` shows that octets before it are missing which do not count as a gap.
  [[nodiscard]] bool lacks_start(Direction d) const noexcept;
  /// One octet after all that was seen of `d` was acknowledged: its FIN is not in the capture, or an octet.
  [[nodiscard]] bool lacks_end(Direction d) const noexcept;
  /// No payload of `d` was seen although more of it than one frame explains was acknowledged, or lies below its FIN.
  /// While the capture lasts it may still come.
  [[nodiscard]] bool is_unseen(Direction d) const noexcept;
  [[nodiscard]] bool syn_seen(Direction d) const noexcept;
  /// A TCP segment of `d` was seen: its sequence numbers are known.
  [[nodiscard]] bool has_origin(Direction d) const noexcept;
  [[nodiscard]] std::size_t held_octets(Direction d) const noexcept;  ///< out of order
  /// The first of them; none held: empty.
  [[nodiscard]] std::optional<StreamOffset> first_held(Direction d) const noexcept;
  [[nodiscard]] std::uint16_t mss(Direction d) const noexcept;  ///< announced BY d in its SYN, 0 unknown

  template <class A>
  void archive(A& a);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::tcp
