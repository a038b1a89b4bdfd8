// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A fixed part of all connections, with everything known about them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/flow_table.h"
#include "analysis/options.h"
#include "analysis/records.h"
#include "base/buffer_budget.h"
#include "emulation/cross_fact.h"
#include "net/decoder.h"
#include "net/sctp_packet.h"
#include "net/tcp_packet.h"
#include "qp/queue_pair.h"
#include "qp/transport_event.h"

namespace iwarpscope::analysis {

class Trace;

/// How many shards all connections fall into. Fixed, so that limits and results do not depend on the number of threads.
inline constexpr std::size_t kShards = 16;
[[nodiscard]] std::size_t shard_of(const net::FlowKey& key) noexcept;
/// An association may have many addresses: its ports decide.
[[nodiscard]] std::size_t shard_of(const net::SctpPacket& packet) noexcept;
/// What Shard::flow_hash() says of its sessions. The ports in any order.
[[nodiscard]] std::uint64_t association_hash(std::uint16_t port, std::uint16_t other, std::uint32_t overlay) noexcept;
[[nodiscard]] std::uint64_t association_hash(const net::SctpPacket& packet) noexcept;
/// What Shard::flow_hash() says of the queue pairs that a frame can belong to; 0: of none.
[[nodiscard]] std::uint64_t flow_hash_of(const net::Decoding& decoded) noexcept;

/// These limits as they are in force: shards divide some of them among themselves, and each gets at least a little.
[[nodiscard]] Limits in_force(Limits limits) noexcept;

/// What a shard reports, with the frame that decided it. `qp` is empty for a finding about no queue pair.
struct Event {
  struct Confirmed {
    FrameNumber first_frame;  ///< of its connection
  };
  using Body = std::variant<Confirmed, qp::MessageRecord, findings::Finding, qp::TransportEvent>;

  Event() = default;
  /// The body is built in its place: of a variant that is moved, GCC 14 warns that other members are not initialised.
  template <class One>
  Event(FrameNumber decided, std::optional<QpPlace> of, One one)
      : frame(decided), qp(of), body(std::in_place_type<One>, std::move(one)) {}

  FrameNumber frame;
  std::optional<QpPlace> qp;
  Body body;
};

/// A fact for those who see all queue pairs.
struct CrossEvent {
  FrameNumber frame;  ///< the current one
  TimePoint time;
  QpPlace qp;
  emulation::CrossFact fact;
};

/// What shards tell, each in the order of the frames.
struct Reports {
  std::vector<Event> events;
  std::vector<CrossEvent> facts;
};

/// When a capture that goes on gives up a queue pair, in the capture's time. Units: ns.
struct RetireLimits {
  std::int64_t closed_ns = 30'000'000'000;       ///< after its end: late TCP segments may still come
  std::int64_t idle_ns = 24 * 3600'000'000'000;  ///< without any TCP segment
};

/// Counts that a shard adds to the whole.
struct ShardStatistics {
  std::uint64_t flows_evicted = 0;
  std::uint64_t associations_evicted = 0;  ///< of SCTP
  std::uint64_t streams_refused = 0;       ///< DATA chunks not read because the table of streams was full
  std::uint64_t interleaved_chunks = 0;    ///< I-DATA of associations that carry DDP
  std::uint64_t qps_refused = 0;           ///< connections not followed because the table of queue pairs was full
  std::uint64_t mirror_duplicates = 0;
  std::uint64_t suppressed_findings = 0;
  std::uint64_t unconfirmed = 0;  ///< connections that looked like iWARP and were never confirmed
  std::uint64_t messages = 0;
  std::uint64_t model_evictions = 0;  ///< extents and STags discarded to stay within bounds
  std::uint64_t flows = 0;            ///< now: TCP connections in the table
  std::uint64_t associations = 0;     ///< now: SCTP associations in the table
  std::uint64_t streams = 0;          ///< now: of those of them that carry DDP
  std::uint64_t model_octets = 0;     ///< now: held by models
  std::uint64_t buffered_octets = 0;  ///< now: what counts against Limits::buffer_octets
  std::uint64_t requests_discarded = 0;
  LimitsMet met;

  ShardStatistics& operator+=(const ShardStatistics& other) noexcept;
};

/// Follows the connections whose shard_of() is this one. Not thread-safe; different shards share nothing.
class Shard {
 public:
  /// `number` below kShards. `options` must outlive the shard; its limits are those of all shards together. `trace`
  /// likewise, and is asked on the thread that feeds; null: none follows.
  Shard(std::uint32_t number, const Options& options, Trace* trace = nullptr);
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  /// Takes a TCP segment or an SCTP packet; what it makes known is appended to `reports`, in order.
  void feed(const net::TcpPacket& packet, Reports& reports);
  void feed(const net::SctpPacket& packet, Reports& reports);
  /// It is that late by now, as `frame` shows, whatever it carries: what waited long enough waits no longer, and idle
  /// queue pairs give back memory. To be called where CaptureClock::is_step() says so, before what `frame` carries is
  /// fed, for every shard.
  void pass_time(FrameNumber frame, TimePoint time, Reports& reports);

  /// The capture ends at this frame, for connections on trial: some prove to be iWARP by that. Call before finish().
  void finish_trials(FrameNumber frame, TimePoint time, Reports& reports);
  /// Queue pairs confirmed so far.
  [[nodiscard]] std::uint32_t qps() const noexcept;
  /// The capture ends at this frame, for the queue pair with this index.
  void finish(std::uint32_t index, FrameNumber frame, TimePoint time, Reports& reports);
  /// As it is; its last one after finish().
  [[nodiscard]] qp::QpRecord record(std::uint32_t index) const;
  /// In a capture that goes on: finishes the queue pairs that are to go, and returns their indices. Call release() for
  /// each once its record was read and what it reported was taken.
  [[nodiscard]] std::vector<std::uint32_t> retire(FrameNumber frame, TimePoint time, const RetireLimits& limits,
                                                  Reports& reports);
  /// Forgets a queue pair; its index may be given to another.
  void release(std::uint32_t index);
  /// net::stable_hash() of its connection's key, or association_hash().
  [[nodiscard]] std::uint64_t flow_hash(std::uint32_t index) const noexcept;
  /// Time of its latest TCP segment. Quick.
  [[nodiscard]] TimePoint last_time(std::uint32_t index) const noexcept;
  /// Indices of those queue pairs that were fed since this was called last, or since they were made.
  [[nodiscard]] std::vector<std::uint32_t> take_fed();
  /// Indices of queue pairs that are followed.
  [[nodiscard]] std::vector<std::uint32_t> followed() const;
  [[nodiscard]] ShardStatistics statistics() const;
  /// The same without `unconfirmed`, which takes a look at every connection.
  [[nodiscard]] ShardStatistics quick_statistics() const;

  /// All that it needs to go on, but for SCTP. See Engine::archive().
  template <class A>
  void archive(A& a);
  /// The queue pair's index is one that qps() counts, and it was not released.
  [[nodiscard]] bool has(std::uint32_t index) const noexcept;
  /// As Engine::forget(), with release().
  void forget(std::uint32_t index);
  /// As Engine::forget_other_flows().
  void forget_other_flows();
  [[nodiscard]] std::size_t archived_octets(std::uint32_t index) const;

 private:
  struct Slot;
  struct State;
  class Associations;
  std::unique_ptr<State> state_;
};

/// All shards of an analysis, by number. `options` and `trace` must outlive them.
using Shards = std::vector<std::unique_ptr<Shard>>;
[[nodiscard]] Shards make_shards(const Options& options, Trace* trace = nullptr);

}  // namespace iwarpscope::analysis
