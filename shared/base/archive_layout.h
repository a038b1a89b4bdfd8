// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Whether state that one program wrote means the same to another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace iwarpscope {

/// A fingerprint of what an Archive writes: kinds and order of all members, and the names of enumerators. It does not
/// know the names of members: if two members of one kind change places, or one gets another meaning, a number that is
/// added has to change, too.
class ArchiveLayout {
 public:
  void add(std::uint64_t what) noexcept {
    constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15;
    value_ = (value_ ^ what) * kPrime;
    value_ ^= value_ >> 32;
    ++members_;
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }
  /// How much was added.
  [[nodiscard]] std::uint64_t members() const noexcept { return members_; }

  /// A class that contains itself is described once. False: it is being described.
  [[nodiscard]] bool enter(const void* type) {
    if (std::find(open_.begin(), open_.end(), type) != open_.end()) return false;
    open_.push_back(type);
    return true;
  }
  void leave() noexcept { open_.pop_back(); }

 private:
  std::uint64_t value_ = 0;
  std::uint64_t members_ = 0;
  std::vector<const void*> open_;
};

}  // namespace iwarpscope
