// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the association of an SCTP packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "net/sctp_packet.h"
#include "sctp/association.h"

namespace iwarpscope::sctp {

struct TableLimits {
  std::size_t max_associations = 65'536;  ///< known at one time, ordinary ones too
  std::size_t max_streams = 65'536;       ///< of all that carry DDP
};

struct TableStatistics {
  std::uint64_t packets = 0;
  std::uint64_t associations = 0;        ///< distinguished, ordinary ones too
  std::uint64_t followed = 0;            ///< those of them that carry DDP
  std::uint64_t discarded = 0;           ///< ordinary or unknown ones, given up for max_associations before they ended
  std::uint64_t cut_short = 0;           ///< followed ones, given up for a limit while they lived
  std::uint64_t streams_refused = 0;     ///< DATA chunks of streams that are not followed, for a limit
  std::uint64_t interleaved_chunks = 0;  ///< I-DATA of followed ones
  std::uint64_t damaged = 0;             ///< packets of a wrong CRC32c that would have begun or settled something
  std::uint64_t unread = 0;              ///< packets whose chunks contradict their lengths
};

/// All SCTP associations of a capture, or of one shard of it. Packets of one association come by
/// their ports and verification tag once a tag is known, so all paths of a multihomed association are one; before that
/// by their addresses and ports. Ordinary associations cost an entry and are left alone. Not thread-safe.
/// Source: RFC 9260 §8.5.
class AssociationTable {
 public:
  /// What is given must outlive the table.
  AssociationTable(const TableLimits& table_limits, const tcp::Limits& limits, BufferBudget& budget,
                   AssociationSink& sink);
  ~AssociationTable();
  AssociationTable(const AssociationTable&) = delete;
  AssociationTable& operator=(const AssociationTable&) = delete;

  void feed(const net::SctpPacket& packet);
  /// Time has passed: packets that waited long enough for others are taken.
  void pass_time(TimePoint now);
  /// In a capture that goes on: forgets associations that are not followed and of which no packet came for so long.
  void age(TimePoint now, std::int64_t over_ns, std::int64_t silent_ns);
  /// The capture ends.
  void finish(FrameNumber frame, TimePoint time);

  /// Forgets associations that are not followed.
  void forget_others();
  template <class A>
  void archive(A& a);

  [[nodiscard]] TableStatistics statistics() const noexcept;
  /// Associations known now.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Streams of those that are followed.
  [[nodiscard]] std::size_t streams() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::sctp
