// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which of many views belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "join/identity.h"
#include "join/view.h"

namespace iwarpscope::join {

/// What shows that the views of a group are of one connection.
enum class Basis : std::uint8_t {
  one_view,    ///< nothing: there is only one
  numbers,     ///< Sameness::same
  overlap,     ///< Sameness::likely, and nothing else fits
  translated,  ///< the initial numbers and the ports; one address differs
};

struct Member {
  std::size_t view = 0;  ///< its number
  bool swapped = false;  ///< its A is the B of the first member
};

/// Views of one connection, at most one of each tap, by tap.
struct Group {
  std::vector<Member> members;
  Basis basis = Basis::one_view;
};

/// Two groups that may be of one connection.
struct Undecided {
  std::size_t group = 0, other = 0;  ///< their numbers
};

struct Matches {
  std::vector<Group> groups;         ///< by the first member's tap, then by its number; each view is in one
  std::vector<Undecided> undecided;  ///< for each group, the first other one that it may belong to
};

/// `views`: the marks of all views.
[[nodiscard]] Matches match(std::span<const Mark> views, std::span<const Tap> taps);

}  // namespace iwarpscope::join
