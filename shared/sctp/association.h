// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One SCTP association that carries DDP: packets of both directions in, the messages of its DDP stream sessions out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/buffer_budget.h"
#include "base/ids.h"
#include "findings/finding.h"
#include "net/sctp_packet.h"
#include "sctp/chunk.h"
#include "sctp/session.h"
#include "tcp/connection.h"

namespace iwarpscope::sctp {

/// An end shuts the association down: its SHUTDOWN, or the first packet that shows that it sent one.
struct Shutdown {
  Direction by{};
  FrameNumber frame;
  TimePoint time;
};

/// A receiver has no room: the SACK that said so, and none since has said otherwise.
struct WindowClosed {
  FrameNumber frame;
  TimePoint time;
};

/// What is known of a session beside its messages. By the session's directions.
class SessionView {
 public:
  [[nodiscard]] virtual const DirectionStatistics& statistics(Direction d) const noexcept = 0;
  /// Packets of its sender were seen, of whatever session.
  [[nodiscard]] virtual bool is_seen(Direction d) const noexcept = 0;
  /// Messages that were handed up and that no SACK acknowledged yet; 0 when no SACK was ever seen, and perhaps none
  /// could be.
  [[nodiscard]] virtual std::uint64_t unacknowledged(Direction d) const noexcept = 0;
  /// d's sender may have sent messages after the last one seen that the capture lacks.
  [[nodiscard]] virtual bool may_lack_end(Direction d) const noexcept = 0;
  /// The receiver of d's messages takes no more of any session.
  [[nodiscard]] virtual std::optional<WindowClosed> window_closed(Direction d) const noexcept = 0;
  /// The association has addresses that no packet came from: what goes between those may not pass the tap.
  [[nodiscard]] virtual bool may_pass_elsewhere() const noexcept = 0;
  /// Nothing: neither end began to shut the association down.
  [[nodiscard]] virtual std::optional<Shutdown> shutdown() const noexcept = 0;
  /// The capture ends, and so soon after the session's newest message that what follows it may not be here.
  [[nodiscard]] virtual bool is_cut_off() const noexcept = 0;

 protected:
  ~SessionView() = default;
};

/// Where an end's INIT or INIT ACK is, and the numbers in it that name the association.
struct OpeningPlace {
  FrameNumber frame;
  TimePoint time;
  bool is_ack = false;  ///< an INIT ACK
  std::uint32_t initiate_tag = 0;
  std::uint32_t initial_tsn = 0;
};

/// A session that begins, or was met in its middle.
struct SessionStart {
  std::uint64_t association = 0;  ///< number of the association, as its maker gave it
  std::uint16_t stream = 0;       ///< SCTP stream identifier, the same in both directions
  std::uint32_t number = 0;       ///< of the session on its stream, from 0
  /// Who sends a_to_b and who sends b_to_a: addresses and ports of the packet that began the session.
  std::array<net::Endpoint, 2> endpoints;
  std::uint32_t overlay = 0;  ///< as in net::FlowKey
  std::uint32_t tap_group = 0;
  std::uint32_t tenant = 0;  ///< net::SctpPacket's; where its directions differ, one number of both
  bool joined = false;       ///< in its middle: its Initiate was not seen, and the capture may have missed it
  Direction active{};        ///< the association's direction of what the session calls a_to_b
  bool asked = true;         ///< there is an Initiate, and so an active side; else a_to_b is of the lower endpoint
  FrameNumber frame;         ///< of the message that began it
  TimePoint time;
  std::array<std::optional<OpeningPlace>, 2> openings{};  ///< of its association, by the session's directions
  const SessionView* view = nullptr;  ///< lives until the session was reported to have ended as a whole
};

/// A DATA chunk of PPID 16 or 17, as a packet carried it. Borrows its octets for the duration of the call.
struct DataSeen {
  std::uint64_t association = 0;  ///< as in SessionStart
  Direction direction{};          ///< the association's
  DataHeader header;
  Octets user_data;          ///< as captured
  std::uint32_t length = 0;  ///< of it on the wire
  bool again = false;        ///< its TSN was seen before, or given up
  bool copy = false;         ///< it is in an identical copy of a packet
};

/// Who listens to associations.
class AssociationSink {
 public:
  /// For who shows single octets: in the order of the frames, before what the chunk brings about. Not those of packets
  /// that are not used.
  virtual void data(const DataSeen&) {}
  /// Where the session's messages go: lives until the session was reported to have ended as a whole. Null: it is not
  /// followed, and findings about it go nowhere.
  [[nodiscard]] virtual SessionSink* begin(const SessionStart& session) = 0;
  /// For an archive: what to call a sink that begin() gave.
  [[nodiscard]] virtual std::uint32_t name_of(const SessionSink&) const { return 0; }
  /// The sink with this name goes on with a session that was archived. `view`: as in SessionStart. Null: no sink of
  /// that name waits for its session.
  [[nodiscard]] virtual SessionSink* resume(std::uint32_t, const SessionView&) { return nullptr; }
  /// Takes findings about an association that are about none of its sessions. Directions: a_to_b is what the end
  /// sent that sent the INIT; where no INIT was seen, the lower endpoint.
  [[nodiscard]] virtual findings::Reporter& reporter() = 0;

 protected:
  ~AssociationSink() = default;
};

/// What an INIT or INIT ACK says. Source: RFC 9260 §3.3.2, §3.3.3.
struct Opening {
  std::uint16_t outbound_streams = 0;
  std::uint16_t inbound_streams = 0;
  Adaptation adaptation;
  OpeningPlace place;
};
/// Nothing when the capture cut its fixed part. `frame` and `time`: those of its packet.
[[nodiscard]] std::optional<Opening> read_opening(const Chunk& chunk, FrameNumber frame, TimePoint time) noexcept;

/// For how much packet time a packet waits for others that were sent before it. Ours: far above what a mirror's ports
/// and a capture's queues shift directions by, for a packet that is out of its place may have a time that is, too.
inline constexpr std::int64_t kOrderPatienceNs = 1'000'000'000;

/// What is known of an association when it begins.
struct AssociationOrigin {
  std::uint64_t number = 0;
  bool init_seen = false;               ///< the capture has its INIT: what is not in it was not sent
  std::size_t* streams_left = nullptr;  ///< what all associations together may still follow; null: as many as this one
  std::array<net::Endpoint, 2> ends;    ///< who sends each direction
  std::int64_t patience_ns = kOrderPatienceNs;
};

/// What an association's packets came to.
struct AssociationStatistics {
  std::uint64_t packets = 0;
  std::uint64_t wrong_checksums = 0;     ///< packets not used for their CRC32c
  std::uint64_t mirror_duplicates = 0;   ///< identical copies of a packet
  std::uint64_t interleaved_chunks = 0;  ///< I-DATA, which is not followed
  std::uint64_t lost_tsns = 0;           ///< acknowledged and never seen, or given up
  std::uint64_t sessions = 0;
  std::uint64_t waits_cut_short = 0;  ///< packets that waited for others less long than they should, for a limit
  std::uint64_t streams_refused = 0;  ///< streams not followed because the association has too many
};

enum class AssociationEnd : std::uint8_t { open, shutdown, aborted };

/// One SCTP association. Bounded: octets held by tcp::Limits and the budget, streams by kMaxStreams, TSNs out of order
/// by kMaxTsnRuns. Direction a_to_b is AssociationSink's. Not thread-safe. Source: RFC 9260, RFC 5043.
class Association {
 public:
  static constexpr std::size_t kMaxStreams = 4096;  ///< followed at one time; ours

  /// What is given must outlive the association.
  Association(const AssociationOrigin& origin, const tcp::Limits& limits, BufferBudget& budget, AssociationSink& sink);
  ~Association();
  Association(const Association&) = delete;
  Association& operator=(const Association&) = delete;

  /// What d's INIT or INIT ACK said, where it is not fed as a packet.
  void open(Direction d, const Opening& opening, FrameNumber frame, TimePoint time);
  /// Takes one packet that the end of direction `d` sent.
  void feed(Direction d, const net::SctpPacket& packet);
  /// The receiver drops a packet of direction `d` for its IP header: it is only counted.
  void drop(Direction d, const net::SctpPacket& packet);
  /// Time has passed without a packet: what waited long enough for others before it is taken. Units: packet time.
  void pass_time(TimePoint now);
  /// Packets wait for others that were sent before them.
  [[nodiscard]] bool is_waiting() const noexcept;
  /// Nothing more will come: what waits is given up, sessions end with `how`.
  void finish(Ending how, FrameNumber frame, TimePoint time);

  [[nodiscard]] const AssociationStatistics& statistics() const noexcept;
  template <class A>
  void archive(A& a);
  /// Whether it was shut down or aborted: nothing but a new association follows.
  [[nodiscard]] AssociationEnd end() const noexcept;
  /// Both ends announced DDP, or what was seen of its messages cannot be anything else.
  [[nodiscard]] bool is_ddp() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::sctp
