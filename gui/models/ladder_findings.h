// The findings of one queue pair by the places of the ladder.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/ladder_index.h"

namespace iwarpscope::gui {

/// A finding and where it is drawn.
struct LadderFinding {
  std::uint64_t place = 0;
  bool of_message = false;  ///< it speaks of the message there; else it lies before it
  findings::Severity severity{};
  std::size_t number = 0;  ///< in LadderFindings::all()
};

class LadderFindings {
 public:
  /// Those of this queue pair alone.
  void set(std::vector<live::FindingView> findings);
  /// Places of findings whose messages came meanwhile.
  void locate(const LadderIndex& index, bool all_passed);

  [[nodiscard]] const std::vector<live::FindingView>& all() const noexcept { return all_; }
  [[nodiscard]] const live::FindingView& of(const LadderFinding& finding) const { return all_[finding.number]; }
  /// By place.
  [[nodiscard]] const std::vector<LadderFinding>& located() const noexcept { return located_; }
  /// Those at places [from, to): the first, and the one behind the last.
  [[nodiscard]] std::pair<const LadderFinding*, const LadderFinding*> between(std::uint64_t from,
                                                                              std::uint64_t to) const;
  /// The nearest behind (or before) a place.
  [[nodiscard]] const LadderFinding* next(std::uint64_t place) const;
  [[nodiscard]] const LadderFinding* previous(std::uint64_t place) const;

 private:
  std::vector<live::FindingView> all_;
  std::vector<LadderFinding> located_;
  std::vector<std::size_t> unlocated_;
  std::uint64_t generation_ = 0;  ///< of the index, when they were located
};

}  // namespace iwarpscope::gui
