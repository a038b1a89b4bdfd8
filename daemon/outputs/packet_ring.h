// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The raw packets of the recent past, in memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "live/frame_tap.h"
#include "net/decoder.h"

namespace iwarpscope::outputs {

struct PacketRingOptions {
  std::uint64_t most_octets = std::uint64_t{256} << 20;  ///< of packets and index together
  bool payload = true;  ///< false: frames are cut as analysis::octets_without_payload() has it
};

/// What the ring knows of a packet. `place` counts all packets that ever came in, from 0, in the order of the capture.
struct RingEntry {
  net::Frame frame;        ///< borrows from the ring
  std::uint64_t flow = 0;  ///< as FrameTap has it
};

/// Keeps the storage that packets borrow from; packets that use little of theirs, or have none, are copied closely
/// together. The oldest go when there is no room. The analysis thread never waits for readers: they hold the lock to
/// find a chunk and no longer. Storage is let go of on the analysis thread.
class PacketRing final : public live::FrameTap {
 public:
  struct Counts {
    std::uint64_t first = 0;  ///< place of the oldest packet that is there
    std::uint64_t next = 0;   ///< place of the packet to come: so many came in; `first` of them were given up
    std::uint64_t octets = 0;
    TimePoint newest;           ///< time of the last packet
    std::uint64_t visited = 0;  ///< packets that readers were given, since the start
  };

  explicit PacketRing(const PacketRingOptions& options);
  ~PacketRing() override;  ///< when the analysis has ended and there are no readers

  void batch(const Storage& storage) override;
  void frame(const net::Frame& frame, std::uint64_t flow) override;

  /// Any thread.
  [[nodiscard]] Counts counts() const;
  /// Calls `visit` with pieces of the packets from place `from` up to the newest, in order; false stops it. A piece is
  /// valid for the call, and stays in memory during it. Returns the place after the last packet visited. Packets that
  /// were given up in the meantime are passed over; `missed` is increased by their number. Any thread.
  using Visit = std::function<bool(std::uint64_t place, std::span<const RingEntry>)>;
  std::uint64_t read(std::uint64_t from, const Visit& visit, std::uint64_t* missed = nullptr) const;
  /// A place at or before that of a frame with this number, in its chunk. Nothing: all that is there is later. Any
  /// thread.
  [[nodiscard]] std::optional<std::uint64_t> place_before(FrameNumber number) const;

 private:
  struct Chunk;
  using Chunks = std::deque<std::unique_ptr<Chunk>>;

  using Entries = std::unique_ptr<RingEntry[]>;

  [[nodiscard]] Entries take_entries();
  void keep_entries(Chunks& gone);
  void open_chunk(const Storage& storage, std::size_t own_octets);
  void close_sparse();
  void make_room();
  void add(Chunk& chunk, const net::Frame& frame, std::uint64_t flow);
  void keep(const net::Frame& frame, std::uint64_t flow);

  const std::uint64_t most_octets_;
  const bool payload_;
  net::Decoder decoder_;        ///< to find the payload; analysis thread only
  Storage storage_;             ///< of the current batch; analysis thread only
  std::vector<Entries> spare_;  ///< analysis thread only

  mutable std::mutex mutex_;
  Chunks chunks_;   ///< by place; changed by the analysis thread only, under mutex_, so that it may look without
  Chunks retired_;  ///< discarded while a reader used them
  std::uint64_t octets_ = 0;
  mutable std::atomic<std::uint64_t> visited_ = 0;
};

}  // namespace iwarpscope::outputs
