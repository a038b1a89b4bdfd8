// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Many damaged captures, and how often each type of damage made the analyser accuse an end wrongly.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "damage/accused.h"
#include "damage/damaged.h"

namespace iwarpscope::test {

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;                  ///< number of the first damaged capture; the others follow
  std::optional<std::uint64_t> captures{};  ///< stop after this number
  std::optional<double> seconds{};          ///< or after this time
  std::string sample{};                     ///< only samples with this text in their path
  std::string mutation{};                   ///< only damage with this text in the name of its first kind
  std::string folder{};                     ///< folder for the smallest cases; empty: none
  std::string rule{};                       ///< shrink and write this charge alone: "MS-13", "verdict"
  std::size_t most_frames = 1500;           ///< of a sample
  unsigned cases = 4;                       ///< number of cases kept of each kind, from different samples
};

/// One false accusation.
struct Case {
  std::uint64_t number = 0;  ///< of the damaged capture
  std::string sample;
  std::string mutation;
  Charge charge;
  std::string damage;  ///< as text, after it was made small
  std::string file;    ///< in the folder, if it was written
};

/// What the verdict on a damaged capture blames. known: the whole capture reports it as well. neither: no end and not
/// the path. wrong: another end, or the path, with this confidence.
enum class Compared : std::uint8_t { known, neither, wrong_limited, wrong_likely, wrong_certain };

struct CampaignResult {
  std::uint64_t captures = 0;
  double seconds = 0;
  std::map<AccusationKind, std::uint64_t> accusations;
  std::map<std::string, std::uint64_t> by_rule;                        ///< "error: MS-13"
  std::vector<Case> cases;                                             ///< the first ones of each kind
  std::map<std::pair<std::string, Compared>, std::uint64_t> verdicts;  ///< by the result for the whole capture

  [[nodiscard]] std::uint64_t count(AccusationKind kind) const;
  /// Each kind of false accusation is within its bound of bounds.h.
  [[nodiscard]] bool holds() const;
  /// Counts by rule and the cases, as text.
  [[nodiscard]] std::string text() const;
  /// "12000 captures: 0 errors, ...": one line.
  [[nodiscard]] std::string line() const;
  /// A table in Markdown.
  [[nodiscard]] std::string verdict_table() const;
};

/// Damages seeds at random and compares each report with that of the whole. The same options give the same cases.
[[nodiscard]] CampaignResult run(const CampaignOptions& options);

}  // namespace iwarpscope::test
