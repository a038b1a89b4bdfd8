// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A budget of octets that many share.
#pragma once

#include <algorithm>
#include <cstddef>

namespace iwarpscope::api {

/// Half of the budget is divided into equal parts, one for each user: there is room for it whatever the others hold.
/// The other half is for those that come first. For one thread.
class Room {
 public:
  Room(std::size_t octets, std::size_t most_users)
      : part_(octets / 2 / std::max<std::size_t>(most_users, 1)), common_(octets / 2) {}

  /// Octets that a user who holds none may take.
  [[nodiscard]] std::size_t free() const noexcept { return part_ + (common_ - std::min(common_, taken_)) / kShares; }
  void take(std::size_t octets) noexcept { taken_ += above(octets); }
  /// As many as one user took.
  void give_back(std::size_t octets) noexcept { taken_ -= above(octets); }

 private:
  static constexpr std::size_t kShares = 8;  ///< a user takes at most this share of what is left of the common half
  [[nodiscard]] std::size_t above(std::size_t octets) const noexcept { return octets - std::min(octets, part_); }
  std::size_t part_, common_;
  std::size_t taken_ = 0;  ///< of the common half
};

}  // namespace iwarpscope::api
