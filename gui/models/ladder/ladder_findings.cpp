// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/ladder/ladder_findings.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "models/findings/finding_table.h"

namespace iwarpscope::gui {
namespace {

bool is_before(const LadderFinding& finding, std::uint64_t place) {
  return finding.place < place;
}

/// The row with this frame: of the first message of this direction (empty: of any) that begins in it, or one that is no
/// message.
std::optional<std::uint64_t> row_with(const LadderIndex& index, FrameNumber frame, std::optional<Direction> direction) {
  auto row = index.row_of_frame(frame);
  for (; row && index.frame_at(*row) == frame.value; ++*row) {
    if (index.life_at(*row) != nullptr) return row;
    const auto key = index.key_of(*row);
    if (!direction || (key && index.row_of(*direction, key->index) == *row)) return row;
  }
  return std::nullopt;
}

}  // namespace

void LadderFindings::set(std::vector<live::FindingView> findings) {
  all_ = std::move(findings);
  located_.clear();
  worst_.reset();
  unlocated_.resize(all_.size());
  std::iota(unlocated_.begin(), unlocated_.end(), std::size_t{0});
}

void LadderFindings::locate(const LadderIndex& index, bool all_passed) {
  if (index.generation() != generation_) {  // the rows have changed
    generation_ = index.generation();
    for (const LadderFinding& finding : located_) unlocated_.push_back(finding.number);
    located_.clear();
  }
  if (unlocated_.empty() || (index.begin() == index.end() && !all_passed)) return;
  std::vector<std::size_t> still;
  const std::size_t before = located_.size();
  for (const std::size_t number : unlocated_) {
    const findings::Finding& finding = all_[number].finding;
    const findings::Severity severity = findings::rule(finding.id).severity;
    std::optional<std::uint64_t> place;
    if (finding.direction && finding.message) place = index.row_of(*finding.direction, *finding.message);
    bool of_message = place.has_value();
    // If the message has not arrived yet, wait for it. If it will never arrive, use the frame.
    const bool may_come = finding.message && !all_passed;
    if (!place && !may_come) {
      const FrameNumber frame = place_of(all_[number]).frame;
      place = row_with(index, frame, finding.direction);
      of_message = place.has_value();
      if (!place) place = index.row_of_frame(frame);
    }
    if (!place && all_passed) place = index.end();
    if (place) {
      located_.push_back({*place, of_message, severity, number});
    } else {
      still.push_back(number);
    }
  }
  unlocated_ = std::move(still);
  if (located_.size() == before) return;
  std::sort(located_.begin(), located_.end(), [](const LadderFinding& a, const LadderFinding& b) {
    return std::tie(a.place, a.number) < std::tie(b.place, b.number);
  });
  const auto worst = std::max_element(located_.begin(), located_.end(),
                                      [](const auto& a, const auto& b) { return a.severity < b.severity; });
  worst_ = worst->number;
}

std::pair<const LadderFinding*, const LadderFinding*> LadderFindings::between(std::uint64_t from,
                                                                              std::uint64_t to) const {
  const auto first = std::lower_bound(located_.begin(), located_.end(), from, is_before);
  const auto last = std::lower_bound(first, located_.end(), to, is_before);
  return {located_.data() + (first - located_.begin()), located_.data() + (last - located_.begin())};
}

const LadderFinding* LadderFindings::next(std::uint64_t place) const {
  const auto [first, last] = between(place + 1, std::numeric_limits<std::uint64_t>::max());
  return first == last ? nullptr : first;
}

const LadderFinding* LadderFindings::previous(std::uint64_t place) const {
  const auto [first, last] = between(0, place);
  if (first == last) return nullptr;
  return between((last - 1)->place, place).first;
}

}  // namespace iwarpscope::gui
