// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The findings of one queue pair by their positions in the ladder.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/ladder/ladder_index.h"

namespace iwarpscope::gui {

/// A finding and the position where it is drawn.
struct LadderFinding {
  std::uint64_t place = 0;
  bool of_message = false;  ///< the finding refers to the row at this position; otherwise it is drawn before the row
  findings::Severity severity{};
  std::size_t number = 0;  ///< in LadderFindings::all()
};

class LadderFindings {
 public:
  /// Only findings of this queue pair.
  void set(std::vector<live::FindingView> findings);
  /// Locates findings whose messages have arrived since.
  void locate(const LadderIndex& index, bool all_passed);

  [[nodiscard]] const std::vector<live::FindingView>& all() const noexcept { return all_; }
  [[nodiscard]] const live::FindingView& of(const LadderFinding& finding) const { return all_[finding.number]; }
  /// By place.
  [[nodiscard]] const std::vector<LadderFinding>& located() const noexcept { return located_; }
  /// Findings at positions [from, to): the first one, and the one after the last.
  [[nodiscard]] std::pair<const LadderFinding*, const LadderFinding*> between(std::uint64_t from,
                                                                              std::uint64_t to) const;
  /// Number of the finding of the highest severity, the earliest of several. Empty: no finding is located.
  [[nodiscard]] std::optional<std::size_t> worst() const noexcept { return worst_; }
  /// The nearest finding after (or before) a position.
  [[nodiscard]] const LadderFinding* next(std::uint64_t place) const;
  [[nodiscard]] const LadderFinding* previous(std::uint64_t place) const;

 private:
  std::vector<live::FindingView> all_;
  std::vector<LadderFinding> located_;
  std::vector<std::size_t> unlocated_;
  std::optional<std::size_t> worst_;
  std::uint64_t generation_ = 0;  ///< revision of the index when they were located
};

}  // namespace iwarpscope::gui
