// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Gives memory back to the system.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>

namespace iwarpscope::api {

/// The C library keeps memory that was freed between memory that is in use. After much was freed, it is made to give it
/// back: seldom, as this takes some milliseconds for each gigaoctet. For one thread.
class FreedMemory {
 public:
  using Clock = std::chrono::steady_clock;
  /// `octets`: what is in use now. Called again and again.
  void look(std::size_t octets, Clock::time_point now = Clock::now()) {
    most_ = std::max(most_, octets);
    if (most_ - octets < kMuch) {
      due_.reset();
    } else if (!due_) {
      due_ = std::max(now + kDelay, earliest_);
    } else if (now >= *due_) {
#if defined(__GLIBC__)
      ::malloc_trim(0);
#endif
      most_ = octets;
      due_.reset();
      earliest_ = now + kPause;
    }
  }

 private:
  static constexpr std::size_t kMuch = std::size_t{8} << 20;
  static constexpr std::chrono::seconds kDelay{10};  ///< until the connections, too, are gone
  static constexpr std::chrono::seconds kPause{30};  ///< between two times, at least
  std::size_t most_ = 0;                             ///< since the last time
  std::optional<Clock::time_point> due_;
  Clock::time_point earliest_{};
};

}  // namespace iwarpscope::api
