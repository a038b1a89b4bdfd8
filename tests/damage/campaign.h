// Many damaged captures, and how often each made the analyser accuse an end wrongly.
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
  std::optional<std::uint64_t> captures{};  ///< stop after so many
  std::optional<double> seconds{};          ///< or after so long
  std::string sample{};                     ///< only samples whose path has this in it
  std::string mutation{};                   ///< only damage whose first kind has this in its name
  std::string folder{};                     ///< where the smallest cases go; empty: nowhere
  std::string rule{};                       ///< shrink and write this charge alone: "MS-13", "verdict"
  std::size_t most_frames = 1500;           ///< of a sample
  unsigned cases = 4;                       ///< so many of each kind are kept, of different samples
};

/// One false accusation.
struct Case {
  std::uint64_t number = 0;  ///< of the damaged capture
  std::string sample;
  std::string mutation;
  Charge charge;
  std::string damage;  ///< in words, when it was made small
  std::string file;    ///< in the folder, when it was written
};

/// Whom the verdict on a damaged capture blames. known: what the whole capture reports as well. neither: no end and not
/// the path. wrong: another end, or the path, with this confidence.
enum class Compared : std::uint8_t { known, neither, wrong_limited, wrong_likely, wrong_certain };

struct CampaignResult {
  std::uint64_t captures = 0;
  double seconds = 0;
  std::map<Gravity, std::uint64_t> accusations;
  std::map<std::string, std::uint64_t> by_rule;                        ///< "error: MS-13"
  std::vector<Case> cases;                                             ///< the first ones of each kind
  std::map<std::pair<std::string, Compared>, std::uint64_t> verdicts;  ///< by what the whole capture says

  [[nodiscard]] std::uint64_t count(Gravity gravity) const;
  /// Each kind of false accusation is within its bound of bounds.h.
  [[nodiscard]] bool holds() const;
  /// Counts by rule and the cases, for people.
  [[nodiscard]] std::string text() const;
  /// "12000 captures: 0 errors, ...": one line.
  [[nodiscard]] std::string line() const;
  /// A table in Markdown.
  [[nodiscard]] std::string verdict_table() const;
};

/// Damages seeds at random and holds each report against that of the whole. The same options give the same cases.
[[nodiscard]] CampaignResult run(const CampaignOptions& options);

}  // namespace iwarpscope::test
