// A fixed part of all connections, with everything known about them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "analysis/flow_table.h"
#include "analysis/options.h"
#include "analysis/records.h"
#include "emulation/cross_fact.h"
#include "net/tcp_packet.h"
#include "qp/queue_pair.h"

namespace iwarpscope::analysis {

class Trace;

/// How many shards all connections fall into. Fixed, so that limits and results do not depend on the number of threads.
inline constexpr std::size_t kShards = 16;
[[nodiscard]] std::size_t shard_of(const net::FlowKey& key) noexcept;

/// What a shard tells, with the frame that decided it. `qp` is empty for a finding about no queue pair.
struct Event {
  struct Confirmed {};
  FrameNumber frame;
  std::optional<QpPlace> qp;
  std::variant<Confirmed, qp::MessageRecord, findings::Finding> body;
};

/// A fact for those who see all queue pairs.
struct CrossEvent {
  FrameNumber frame;  ///< that was at hand
  TimePoint time;
  QpPlace qp;
  emulation::CrossFact fact;
};

/// What shards tell, each in the order of the frames.
struct Telling {
  std::vector<Event> events;
  std::vector<CrossEvent> facts;
};

/// Counts that a shard adds to the whole.
struct ShardStatistics {
  std::uint64_t flows_evicted = 0;
  std::uint64_t qps_refused = 0;  ///< connections not followed because the table of queue pairs was full
  std::uint64_t mirror_duplicates = 0;
  std::uint64_t suppressed_findings = 0;
  std::uint64_t unconfirmed = 0;  ///< connections that looked like iWARP and were never confirmed
  std::uint64_t messages = 0;
  std::uint64_t model_evictions = 0;  ///< extents and STags forgotten to stay within bounds
};

/// Follows the connections whose shard_of() is this one. Not thread-safe; different shards share nothing.
class Shard {
 public:
  /// `number` below kShards. `options` must outlive the shard; its limits are those of all shards together. `trace`
  /// likewise, and is asked on the thread that feeds; null: nobody follows.
  Shard(std::uint32_t number, const Options& options, Trace* trace = nullptr);
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  /// Takes a TCP segment; what it makes known is appended to `telling`, in order.
  void feed(const net::TcpPacket& packet, Telling& telling);

  /// The capture ends at this frame, for connections on trial: some prove to be iWARP by that. Call before finish().
  void finish_trials(FrameNumber frame, TimePoint time, Telling& telling);
  /// Queue pairs confirmed so far.
  [[nodiscard]] std::uint32_t qps() const noexcept;
  /// The capture ends at this frame, for the queue pair with this index.
  void finish(std::uint32_t index, FrameNumber frame, TimePoint time, Telling& telling);
  /// After finish() of all.
  [[nodiscard]] qp::QpRecord record(std::uint32_t index) const;
  [[nodiscard]] ShardStatistics statistics() const;

 private:
  struct Slot;
  struct State;
  std::unique_ptr<State> state_;
};

/// All shards of an analysis, by number. `options` and `trace` must outlive them.
using Shards = std::vector<std::unique_ptr<Shard>>;
[[nodiscard]] Shards make_shards(const Options& options, Trace* trace = nullptr);

}  // namespace iwarpscope::analysis
