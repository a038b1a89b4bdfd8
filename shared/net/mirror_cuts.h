// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which frames that end before their IP length were cut by a mirror, and which never reached their receiver as such.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/interface_set.h"

namespace iwarpscope::net {

/// A mirror or packet broker may cut frames without saying so. It cuts all at one length, so a shorter frame that
/// promises more than it holds is malformed where longer ones came whole. What each interface showed decides; where it
/// showed nothing longer yet, the mirror is believed. Units: octets of a frame on the wire. Ours.
class MirrorCuts {
 public:
  /// A frame that holds all that its IP length promises.
  void saw_whole(std::uint32_t interface, std::uint32_t octets) noexcept {
    Seen& its = of(interface);
    its.longest = std::max(its.longest, octets);
  }

  /// Whether a mirror may have cut a frame at this length. Call it once for each frame that ends before its IP length.
  [[nodiscard]] bool may_be_cut(std::uint32_t interface, std::uint32_t octets) noexcept {
    Seen& its = of(interface);
    const bool is_same = std::max(octets, its.cut_at) - std::min(octets, its.cut_at) <= kTag;
    if (!is_same) its.cuts = 0;
    its.cut_at = octets;
    if (its.cuts < kHabit) ++its.cuts;
    return its.cuts == kHabit || octets + kTag >= its.longest;
  }

  template <class A>
  void archive(A& a) {
    a(seen_);
  }

 private:
  static constexpr std::uint32_t kTag = 4;  ///< a VLAN tag, by which lengths may differ
  /// So many frames of one length, one after another, show a broker that cuts some connections and not others.
  static constexpr std::uint8_t kHabit = 16;

  struct Seen {
    std::uint32_t longest = 0;  ///< that came whole
    std::uint32_t cut_at = 0;   ///< length of the newest that did not
    std::uint8_t cuts = 0;      ///< as many of that length, one after another

    template <class A>
    void archive(A& a) {
      a(longest, cut_at, cuts);
    }
  };
  [[nodiscard]] Seen& of(std::uint32_t interface) noexcept { return seen_[std::min(interface, InterfaceSet::kApart)]; }
  std::array<Seen, InterfaceSet::kApart + 1> seen_{};
};

}  // namespace iwarpscope::net
