// Octets kept for trees that are built later, up to a limit.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "session/entries.h"

namespace iwarpscope::plugin {

/// Keeps octets until it is destroyed; what it gives never moves. Not thread-safe.
class OctetStore {
 public:
  explicit OctetStore(std::size_t most) noexcept : left_(most) {}

  /// A copy of `octets`; an empty one when the limit is reached.
  [[nodiscard]] Kept keep(Octets octets);
  /// Octets that were not kept.
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }

 private:
  static constexpr std::size_t kBlock = 1u << 20;
  struct Block {
    std::unique_ptr<std::byte[]> octets;
    std::size_t size = 0, used = 0;
  };
  std::vector<Block> blocks_;
  std::size_t left_;
  std::uint64_t refused_ = 0;
};

}  // namespace iwarpscope::plugin
