// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How many false accusations the damage tests accept. The goal is none against an end with certainty, and of the others
// fewer than one in 10 000 damaged captures. The bounds are the values reached; they may only be lowered.
#pragma once

namespace iwarpscope::test::bounds {

// Per million damaged captures. In tens of thousands, chance allows some more: kChance times the square root.
inline constexpr double kErrors = 8;           ///< errors about an end or the path
inline constexpr double kBlamedCertainly = 1;  ///< verdicts that blame an end with certainty
inline constexpr double kBlamedLikely = 130;   ///< verdicts that blame an end or the path as likely
inline constexpr double kWarnings = 50;        ///< warnings about an end
inline constexpr double kChance = 4;

}  // namespace iwarpscope::test::bounds
