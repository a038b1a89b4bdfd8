// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The DATA chunks of associations that carry DDP, and the messages to which they belong.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <deque>
#include <vector>

#include "sctp/association.h"
#include "session/entries.h"

namespace iwarpscope::plugin {

class Connection;

/// Grows with the capture. Not thread-safe.
class Chunks {
 public:
  /// The index of an association, by its number in the core.
  [[nodiscard]] std::uint32_t association(std::uint64_t number);
  /// It has sessions that are queue pairs.
  void carries_ddp(std::uint32_t association) { associations_[association].carries_ddp = true; }

  /// A chunk of this frame with its user data at `at`.
  void add(std::uint32_t association, const sctp::DataSeen& chunk, Frame frame, std::uint32_t at);
  /// The message's chunks are parts of `item` of this connection. Returns the first one; kNone: none is known.
  std::uint32_t join(const Connection& connection, const Item& item, const sctp::Message& message);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(chunks_.size()); }
  [[nodiscard]] const ChunkEntry& at(std::uint32_t index) const { return chunks_[index]; }
  /// It belongs to a queue pair, or its association has a queue pair.
  [[nodiscard]] bool is_ddp(const ChunkEntry& chunk) const { return associations_[chunk.association].carries_ddp; }

 private:
  struct Association {
    std::array<absl::flat_hash_map<std::uint32_t, std::uint32_t>, 2>
        by_tsn;  ///< the newest one; directions are its own
    bool carries_ddp = false;
  };
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<Association> associations_;
  std::deque<ChunkEntry> chunks_;
};

}  // namespace iwarpscope::plugin
