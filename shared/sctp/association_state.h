// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of an Association.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "sctp/acceptance.h"
#include "sctp/arrival.h"
#include "sctp/association.h"
#include "sctp/causal_order.h"
#include "sctp/chunk.h"
#include "sctp/context.h"
#include "sctp/fragments.h"
#include "sctp/notes.h"
#include "sctp/packet_sizes.h"
#include "sctp/recent_packets.h"
#include "sctp/stream.h"

namespace iwarpscope::sctp {

/// Whether a message is what DDP over SCTP sends: a control message of a known code, or a DDP segment whose header
/// keeps the rules.
[[nodiscard]] bool looks_like_ddp(const Arrival& message) noexcept;

struct Association::State {
  State(const AssociationOrigin& origin, const tcp::Limits& limits, BufferBudget& budget, AssociationSink& sink)
      : context(origin, limits, budget, sink),
        order(context),
        acceptance(context),
        fragments{{Fragments(context.waiting(Direction::a_to_b)), Fragments(context.waiting(Direction::b_to_a))}} {}

  ~State() {
    if (context.origin.streams_left != nullptr) *context.origin.streams_left += streams.size();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  template <class A>
  void archive(A& a);

  // association.cpp: packets and control chunks.
  void feed(Direction d, const net::SctpPacket& packet);
  void accept(Direction d, const net::SctpPacket& packet, const Claims& claims);
  void count_dropped(Direction d, Doubt doubt, const net::SctpPacket& packet);
  void release(TimePoint now);
  void release_all();
  void process(Direction d, const net::SctpPacket& packet);
  void see_path(Direction d, const net::SctpPacket& packet);
  void count_copy(Direction d, const net::SctpPacket& packet);
  void take(Direction d, const Chunk& chunk);
  void take_init(Direction d, const Chunk& chunk);
  void open(Direction d, const Opening& opening, const Spot& spot);
  void take_sack(Direction d, const Chunk& chunk);
  void take_shutdown(Direction d, const Chunk& chunk);
  void shut_down(Direction by) noexcept;
  void settle(bool lost);
  void finish(Ending how, std::optional<Direction> by);
  void tell_lost_ends();

  // association_data.cpp: DATA chunks.
  void take_data(Direction d, const Chunk& chunk);
  void tell(Direction d, const net::SctpPacket& packet, bool copy);
  void tell(Direction d, const DataHeader& data, const Chunk& chunk, bool again, bool copy) {
    if (data.ppid() != kSegmentPpid && data.ppid() != kControlPpid) return;
    context.sink.data({context.origin.number, d, data, chunk.octets.subspan(DataHeader::kOctets),
                       static_cast<std::uint32_t>(chunk.length - DataHeader::kOctets), again, copy});
  }
  void take_interleaved(Direction d, const Chunk& chunk);
  void fragment(Direction d, const Fragment& part);
  void message(Direction d, Stream& stream, Arrival& arrival);
  [[nodiscard]] Stream* stream_of(std::uint16_t id);

  // association_rules.cpp: rules about the association.
  [[nodiscard]] Spot here() const noexcept { return {context.frame, context.time, std::nullopt}; }
  [[nodiscard]] std::string sender(Direction d) const { return context.ends[index(d)].text(); }
  [[nodiscard]] bool both_announced() const noexcept;
  [[nodiscard]] bool is_surely_ddp() const noexcept;
  void judge_stream_counts(Direction d, const Opening& opening, const Spot& spot);
  void confirm(const Arrival& arrival);
  void other_payload(Direction d, const DataHeader& data);
  void judge_split(Direction d, const Joined& joined);
  void tell_split(Direction d, const std::optional<Split>& split);
  void check_terminates();
  void tell_abort(Direction d, const Chunk& chunk);
  void tell_counts();
  void tell_forged(Direction d);

  /// How often something was seen in one direction.
  struct Count {
    std::uint64_t count = 0;
    Spot first, last;

    void see(FrameNumber frame, TimePoint time) noexcept {
      last = {frame, time, std::nullopt};
      if (count++ == 0) first = last;
    }
  };

  Context context;
  CausalOrder order;
  Acceptance acceptance;
  std::array<Fragments, 2> fragments;
  std::map<std::uint16_t, std::unique_ptr<Stream>> streams;
  std::set<std::uint16_t> waiting;  ///< streams that wait for something
  TimePoint settled;
  bool settles = false;   ///< something was lost, and they were not looked at since
  std::size_t looks = 0;  ///< how many of them may be looked at
  std::array<std::optional<Opening>, 2> openings;
  std::array<bool, 2> chosen{};  ///< their tags are in use
  std::array<RecentPackets, 2> recent;
  std::array<PacketSizes, 2> sizes;
  std::array<Count, 2> damaged;                                  ///< packets whose CRC32c is wrong
  std::array<std::array<Count, kDoubtWords.size()>, 2> dropped;  ///< by direction and Doubt
  std::array<Count, 2> offloaded;                                ///< packets without one
  std::array<Count, 2> closed_windows;                           ///< SACKs that leave the other end no room
  std::array<bool, 2> reported_other{};
  std::optional<net::SctpPath> path;
  // The packet being processed.
  std::uint32_t packet_octets = 0;
  bool shows_data = false;  ///< it did not wait: its chunks were not reported yet
  bool packet_has_data = false;
  bool packet_has_new_data = false;
  bool packet_is_padded = false;
  unsigned plausible = 0;
  bool confirmed = false;
  bool finished = false;
  AssociationEnd end = AssociationEnd::open;
  AssociationStatistics statistics;
};

}  // namespace iwarpscope::sctp
