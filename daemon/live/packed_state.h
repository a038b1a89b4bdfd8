// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state that one run leaves to the next one, compressed: most of what an idle queue pair keeps is like that of
// others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/octets.h"

namespace iwarpscope::live {

/// State takes less than that many times the octets that it takes packed, or is not handed over. Bounds the memory.
inline constexpr std::size_t kMostUnpacked = 8;

/// Packs state that comes piece by piece.
class Packer {
 public:
  /// The packed state takes at most so many octets.
  explicit Packer(std::size_t most);
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  /// False: it does not fit.
  [[nodiscard]] bool add(Octets piece);
  /// Nothing: it does not fit.
  [[nodiscard]] std::optional<std::vector<std::byte>> finish();

 private:
  [[nodiscard]] bool pack(Octets piece, bool is_last);

  struct Context;
  const std::unique_ptr<Context> context_;
  const std::size_t most_;
  std::vector<std::byte> out_;  ///< larger than what is used
  std::size_t used_ = 0;
  std::uint64_t state_octets_ = 0;
  bool fits_ = true;
};
/// Nothing: it is damaged, or `most` octets are too few.
[[nodiscard]] std::optional<std::vector<std::byte>> unpacked(Octets from, std::size_t most);

}  // namespace iwarpscope::live
