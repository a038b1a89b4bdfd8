// The inside of an Association.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "sctp/arrival.h"
#include "sctp/association.h"
#include "sctp/chunk.h"
#include "sctp/context.h"
#include "sctp/fragments.h"
#include "sctp/notes.h"
#include "sctp/recent_packets.h"
#include "sctp/stream.h"
#include "tcp/checksum_policy.h"

namespace iwarpscope::sctp {

/// Whether a message is what DDP over SCTP sends: a control message of a known code, or a DDP segment whose header
/// keeps the rules.
[[nodiscard]] bool looks_like_ddp(const Arrival& message) noexcept;

struct Association::State {
  State(const AssociationOrigin& origin, const tcp::Limits& limits, tcp::BufferBudget& budget, AssociationSink& sink)
      : context(origin, limits, budget, sink),
        fragments{{Fragments(context.waiting(Direction::a_to_b)), Fragments(context.waiting(Direction::b_to_a))}} {}

  ~State() {
    if (context.origin.streams_left != nullptr) *context.origin.streams_left += streams.size();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void feed(Direction d, const net::SctpPacket& packet);
  void see_path(Direction d, const net::SctpPacket& packet);
  void count_copy(Direction d, const net::SctpPacket& packet);
  void take(Direction d, const Chunk& chunk);
  void take_init(Direction d, const Chunk& chunk);
  void open(Direction d, const Opening& opening, const Spot& spot);
  void take_sack(Direction d, const Chunk& chunk);
  void take_data(Direction d, const Chunk& chunk);
  void fragment(Direction d, const DataHeader& data, Octets octets, std::uint32_t length, Tsn tsn, bool late);
  void message(Direction d, Stream& stream, std::uint32_t ppid, Octets user_data, std::uint32_t length,
               Arrival& arrival);
  [[nodiscard]] Stream* stream_of(std::uint16_t id);
  void settle(bool lost);
  [[nodiscard]] bool both_announced() const noexcept;
  [[nodiscard]] bool is_surely_ddp() const noexcept;
  void confirm(const Arrival& arrival);
  void other_payload(Direction d, const DataHeader& data);
  void check_terminates();
  void finish(Ending how, std::optional<Direction> by);

  Context context;
  std::array<Fragments, 2> fragments;
  std::map<std::uint16_t, std::unique_ptr<Stream>> streams;
  std::set<std::uint16_t> waiting;  ///< streams that wait for something
  TimePoint settled;
  std::array<std::optional<Opening>, 2> openings;
  std::array<tcp::ChecksumPolicy, 2> policies;
  std::array<RecentPackets, 2> recent;
  std::array<bool, 2> told_other{};
  std::optional<net::FlowKey> path;
  std::uint32_t packet_octets = 0;                ///< of the packet being processed
  std::array<std::uint32_t, 2> largest_packet{};  ///< of those that were not fragmented by IP
  unsigned plausible = 0;
  bool confirmed = false;
  bool finished = false;
  std::optional<Direction> shut_by;
  AssociationEnd end = AssociationEnd::open;
  AssociationStatistics statistics;
};

}  // namespace iwarpscope::sctp
