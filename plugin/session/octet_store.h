// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Stores octets for trees that are built later, up to a limit.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "session/entries.h"

namespace iwarpscope::plugin {

/// Keeps octets until it is destroyed; returned octets never move. Not thread-safe.
class OctetStore {
 public:
  explicit OctetStore(std::size_t most) noexcept : left_(most) {}

  /// A copy of `octets`; empty if the limit is reached.
  [[nodiscard]] Kept keep(Octets octets);
  /// Frees octets returned by keep(), if they are large enough to have their own memory. They stay valid until the next
  /// call of keep(): a buffer may still refer to them.
  void give_back(const Kept& kept);
  /// Octets that were not kept.
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }

 private:
  static constexpr std::size_t kBlock = 1u << 20;
  static constexpr std::size_t kLarge = 8u << 10;  ///< from this size on, each has its own memory
  struct Block {
    std::unique_ptr<std::byte[]> octets;
    std::size_t size = 0, used = 0;
  };
  std::vector<Block> blocks_;
  absl::flat_hash_map<const std::byte*, std::unique_ptr<std::byte[]>> large_;
  std::vector<std::unique_ptr<std::byte[]>> given_back_;
  std::size_t left_;
  std::uint64_t refused_ = 0;
};

}  // namespace iwarpscope::plugin
