// How many false accusations the damage tests accept. The aim is none against an end with certainty, and of the others
// fewer than one in 10 000 damaged captures. The bounds say what has been reached; they may only fall.
#pragma once

namespace iwarpscope::test::bounds {

// Of a million damaged captures. Between tens of thousands chance lets some more through: kChance of the square root.
inline constexpr double kErrors = 8;           ///< errors about an end or the path
inline constexpr double kBlamedCertainly = 1;  ///< verdicts that blame an end with certainty
inline constexpr double kBlamedLikely = 130;   ///< verdicts that blame an end or the path as likely
inline constexpr double kWarnings = 50;        ///< warnings about an end
inline constexpr double kChance = 4;

}  // namespace iwarpscope::test::bounds
