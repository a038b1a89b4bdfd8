// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The analyser's verdict on a case beside the truth, and the table of many.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "qp/verdict_record.h"
#include "truth/case.h"

namespace iwarpscope::truth {

/// What a verdict is worth.
enum class Grade : std::uint8_t {
  right,        ///< it blames the end or path at fault, or none where nothing went wrong
  unknown,      ///< it says that it cannot know
  unsaid,       ///< it blames none although an end or the path was at fault
  overclaimed,  ///< certain of what no tap can tell
  wrong,        ///< it blames an end, or the path, that was not at fault
  no_verdict,   ///< no queue pair was found
};
inline constexpr std::size_t kGrades = 6;
[[nodiscard]] std::string_view name(Grade grade) noexcept;

/// Who is blamed, by the role of the end.
enum class Said : std::uint8_t { initiator, responder, path, capture, none, unknown };
inline constexpr std::size_t kSaid = 6;
[[nodiscard]] std::string_view name(Said said) noexcept;

struct Outcome {
  Grade grade = Grade::no_verdict;
  Said said = Said::unknown;
  qp::VerdictRecord verdict{};
  std::string findings;  ///< codes of what was found, by frame
  /// Verdicts on its queue pairs that are limited and do not name the limit.
  std::vector<qp::VerdictRecord> unexplained;
};

/// What it is worth to say this, in view of the truth.
[[nodiscard]] Grade grade_of(const Truth& truth, Said said, qp::Confidence confidence);
/// Analyses the case and grades the verdict on its queue pair; of several the worst.
[[nodiscard]] Outcome outcome_of(const Case& one);

/// How much may be wrong: nothing of what is certain and 1 % of what is likely, which is the aim. Never to be raised.
struct Bounds {
  double wrong_certain = 0;    ///< of all cases
  double overclaimed = 0;      ///< of all cases
  double wrong_likely = 0.01;  ///< of the likely verdicts
};
inline constexpr Bounds kAim{.wrong_certain = 0, .overclaimed = 0, .wrong_likely = 0.01};

/// Counts of many cases, and the cases to look at.
class Tally {
 public:
  void add(const Case& one, const Outcome& outcome);
  /// Markdown: truth x blame by confidence, and by scene what is not said although it could be known.
  [[nodiscard]] std::string matrix() const;
  [[nodiscard]] std::string by_scene() const;
  /// What must not be; empty if all is well.
  [[nodiscard]] std::vector<std::string> broken_gates(const Bounds& bounds) const;
  /// The scenes that miss the aim by themselves.
  [[nodiscard]] std::vector<std::string> wrong_scenes() const;
  [[nodiscard]] std::uint64_t cases() const { return cases_; }

 private:
  static constexpr std::size_t kConfidences = 3;
  using ByConfidence = std::array<std::array<std::uint64_t, kConfidences>, kGrades>;
  struct OfScene {
    std::array<std::uint64_t, kGrades> grades{};
    ByConfidence by_confidence{};
    /// Cases that a tap can decide, with a capture that lacks nothing.
    std::array<std::uint64_t, kGrades> decidable{};
  };
  std::array<std::array<std::array<std::uint64_t, kConfidences>, kSaid>, kCulprits> matrix_{};
  [[nodiscard]] static std::vector<std::string> broken_gates(const ByConfidence& counts, const Bounds& bounds);
  ByConfidence grades_{};
  std::map<std::string, OfScene> scenes_;
  std::uint64_t cases_ = 0, without_ = 0;
  std::vector<std::string> unexplained_;  ///< the first few, with their cases
};

}  // namespace iwarpscope::truth
