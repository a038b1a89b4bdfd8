// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A joined connection for people. Shape: plain sentences of at most 25 words, without the positions of taps, which are
// the user's words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "join/joined.h"

namespace iwarpscope::join {

/// "between leaf 1 and leaf 2", "before leaf 1", "after leaf 2".
[[nodiscard]] std::string place_text(const Place& place, std::span<const Tap> taps);
/// What happened there.
[[nodiscard]] std::string place_sentence(const JoinedConnection& joined, const Place& place, std::span<const Tap> taps);
/// What was found out by joining, the most important first.
[[nodiscard]] std::vector<std::string> sentences(const JoinedConnection& joined, std::span<const Tap> taps);

}  // namespace iwarpscope::join
