// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/combine.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

#include "findings/catalogue.h"

namespace iwarpscope::join {
namespace {

using qp::Blame;

bool has_all(const Seat& seat) noexcept {
  return has_all(seat, Direction::a_to_b) && has_all(seat, Direction::b_to_a);
}

/// Octets of the direction after the last one that `seat` saw were seen by `other`.
bool ends_before(const Seat& seat, const Seat& other, Direction d) noexcept {
  const auto to_other = shift(seat, other, d);
  if (!to_other) return false;
  const auto end = static_cast<std::int64_t>(seat.direction(d).sequence->octets) + *to_other;
  return end < static_cast<std::int64_t>(other.direction(d).sequence->octets);
}

bool is_shorter(const Seat& seat, const Seat& other) noexcept {
  return ends_before(seat, other, Direction::a_to_b) || ends_before(seat, other, Direction::b_to_a);
}

/// The SYN, the FIN or a TCP segment is missing here.
bool lacks_segment(const qp::DirectionRecord& r, const qp::DirectionRecord& other) noexcept {
  if (r.tcp_segments < other.tcp_segments) return true;
  if (!r.sequence || !other.sequence) return !r.sequence && other.sequence;
  return (!r.sequence->initial && other.sequence->initial) || (!r.sequence->fin && other.sequence->fin);
}

/// Something is missing in one of two views of a connection that the other one has.
bool lacks(const Seat& seat, const Seat& other) noexcept {
  const qp::QpRecord& r = seat.view->record;
  const qp::QpRecord& o = other.view->record;
  if ((r.joined_midstream && !o.joined_midstream) || (!r.closed_by && o.closed_by)) return true;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    if (lacks_segment(seat.direction(d), other.direction(d)) || ends_before(seat, other, d)) return true;
  }
  return false;
}

/// What a view lacks, for the choice of the best one: less is better.
auto lacks(const Seat& seat) noexcept {
  const auto& verdict = seat.view->record.verdict;
  std::uint64_t directions = 0, gaps = 0;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const qp::DirectionRecord& r = seat.direction(d);
    if (!r.captured) ++directions;
    gaps += r.capture_gap_octets + r.capture_gap_messages + r.cut_octets + r.unframed_octets;
  }
  const bool is_limited = !verdict || verdict->confidence == qp::Confidence::limited;
  // Where each sees one direction, one of them may have seen the end.
  const bool is_unknown = directions != 0 && (!verdict || verdict->outcome == qp::Outcome::unknown);
  return std::tuple{directions, is_unknown, seat.view->record.joined_midstream, gaps != 0, is_limited, gaps};
}

Blame turned_blame(Blame blame, bool swapped) noexcept {
  if (!swapped) return blame;
  return blame == Blame::a ? Blame::b : blame == Blame::b ? Blame::a : blame;
}

bool is_end(Blame blame) noexcept {
  return blame == Blame::a || blame == Blame::b;
}

findings::Finding turned_finding(const findings::Finding& finding, const Seat& seat) {
  findings::Finding out = finding;
  if (out.direction) out.direction = turned(*out.direction, seat.swapped);
  return out;
}

class Combination {
 public:
  Combination(const Together& those, JoinedConnection& into)
      : seats_(those.seats), frames_(those.frames), into_(into) {}

  void run() {
    for (const Seat& seat : seats_) add_view(seat);
    const Seat* const best = choose();
    if (best == frames_ && frames_ != nullptr) {
      for (const findings::Finding& f : frames_->view->findings) add_finding(f, *frames_);
      count_explained();
    } else {
      for (const Seat& seat : seats_) add_findings(seat);
    }
    if (best != nullptr && best->view->record.verdict) add_verdict(*best);
  }

 private:
  void add_view(const Seat& seat) {
    const qp::QpRecord& r = seat.view->record;
    into_.views.push_back({seat.view->tap, r.qp, seat.swapped, seat.swapped ? r.b : r.a, seat.swapped ? r.a : r.b,
                           is_whole(seat), r.verdict});
  }

  /// Nothing is missing here that another tap saw: neither inside, nor the startup, nor the end.
  [[nodiscard]] bool is_whole(const Seat& seat) const noexcept {
    const auto has_more = [&](const Seat& other) { return lacks(seat, other); };
    return has_all(seat) && std::none_of(seats_.begin(), seats_.end(), has_more) &&
           (frames_ == nullptr || !has_more(*frames_));
  }

  /// A whole view; of several, one that saw damage, for it knows the cause of the end. Without one the frames of all
  /// taps together, if octets are the same at all of them; else the view that lacks least.
  [[nodiscard]] const Seat* choose() const {
    const auto knows_less = [&](const Seat& l, const Seat& r) {
      return std::tuple{!is_whole(l), !saw_damage(l), lacks(l)} < std::tuple{!is_whole(r), !saw_damage(r), lacks(r)};
    };
    const auto best = std::min_element(seats_.begin(), seats_.end(), knows_less);
    const bool is_enough = best != seats_.end() && (is_whole(*best) || has_damage_between());
    if (frames_ != nullptr && !is_enough) return frames_;
    return best == seats_.end() ? nullptr : &*best;
  }

  /// Octets differ from tap to tap: an analysis of all frames would see both.
  [[nodiscard]] bool has_damage_between() const {
    return std::any_of(into_.places.begin(), into_.places.end(),
                       [](const Place& p) { return p.kind == Place::Kind::damage && p.is_between_taps(); });
  }
  [[nodiscard]] bool saw_damage(const Seat& seat) const {
    return std::any_of(into_.places.begin(), into_.places.end(), [&](const Place& p) {
      const bool is_before = std::find(p.before.begin(), p.before.end(), seat.view->tap) != p.before.end();
      return p.kind == Place::Kind::damage && is_before;
    });
  }

  // Findings.
  /// Another tap has what this one lacks: nothing that is about the lack is a finding.
  [[nodiscard]] bool is_explained(const findings::Finding& finding, const Seat& seat) const {
    if (findings::rule(finding.id).about != findings::About::capture) return false;
    return std::any_of(seats_.begin(), seats_.end(), [&](const Seat& other) {
      if (&other == &seat) return false;
      if (!finding.direction) return is_whole(other);
      const Direction d = turned(*finding.direction, seat.swapped);
      return has_all(other, d) && !ends_before(other, seat, d) &&
             (!other.view->record.joined_midstream || seat.view->record.joined_midstream);
    });
  }

  void add_findings(const Seat& seat) {
    for (const findings::Finding& f : seat.view->findings) {
      if (is_explained(f, seat)) {
        ++into_.explained;
      } else {
        add_finding(f, seat);
      }
    }
  }

  /// Findings about what one capture lacks, and all of them together have.
  void count_explained() {
    for (const Seat& seat : seats_) {
      into_.explained += static_cast<std::uint64_t>(std::count_if(
          seat.view->findings.begin(), seat.view->findings.end(),
          [](const findings::Finding& f) { return findings::rule(f.id).about == findings::About::capture; }));
    }
  }

  /// The offset as the connection's first view counts, as far as it is known.
  [[nodiscard]] std::optional<std::int64_t> offset_of(const findings::Finding& finding, const Seat& seat) const {
    if (!finding.offset || !finding.direction || seats_.empty()) return std::nullopt;
    const auto to_first = shift(seat, seats_.front(), turned(*finding.direction, seat.swapped));
    return to_first ? std::optional{relative(*finding.offset) + *to_first} : std::nullopt;
  }

  void add_finding(const findings::Finding& finding, const Seat& seat) {
    findings::Finding own = turned_finding(finding, seat);
    const auto offset = offset_of(finding, seat);
    const bool is_of_frames = &seat == frames_;
    for (std::size_t i = 0; i < into_.findings.size(); ++i) {
      JoinedFinding& known = into_.findings[i];
      const bool is_other_tap =
          std::find(known.taps.begin(), known.taps.end(), seat.view->tap) == known.taps.end() && !is_of_frames;
      const bool is_same = known.finding.id == own.id && known.finding.direction == own.direction &&
                           offsets_[i] == offset && known.finding.seen == own.seen &&
                           known.finding.expected == own.expected;
      if (!is_other_tap || !is_same) continue;
      known.taps.push_back(seat.view->tap);
      return;
    }
    offsets_.push_back(offset);
    into_.findings.push_back({std::move(own), {}});
    if (!is_of_frames) into_.findings.back().taps.push_back(seat.view->tap);
  }

  // Verdict.
  [[nodiscard]] bool taps_agree() const {
    std::optional<std::string_view> code;
    for (const Seat& seat : seats_) {
      const auto& verdict = seat.view->record.verdict;
      if (!has_all(seat) || !verdict || seat.view->record.joined_midstream) continue;
      if (code && *code != verdict->code) return false;
      code = verdict->code;
    }
    return true;
  }
  /// A view lacks the end that another one saw, though its capture lacks nothing: it may not have come that far.
  [[nodiscard]] bool is_one_shorter() const {
    return std::any_of(seats_.begin(), seats_.end(), [&](const Seat& seat) {
      return has_all(seat) &&
             std::any_of(seats_.begin(), seats_.end(), [&](const Seat& other) { return is_shorter(seat, other); });
    });
  }
  [[nodiscard]] bool has_place_between() const {
    return std::any_of(into_.places.begin(), into_.places.end(), [](const Place& p) {
      return p.kind == Place::Kind::damage ? !p.before.empty() : p.is_between_taps();
    });
  }

  void add_verdict(const Seat& best) {
    JoinedVerdict& joined = into_.verdict.emplace();
    joined.verdict = *best.view->record.verdict;
    joined.verdict.blame = turned_blame(joined.verdict.blame, best.swapped);
    if (&best != frames_) joined.tap = best.view->tap;
    joined.taps_agree = taps_agree();
    const bool is_path = has_place_between();
    // The frames of all taps together show more than each of them: what one lacks is no difference between them.
    const bool differ = &best != frames_ && (!joined.taps_agree || is_one_shorter());
    if (!is_end(joined.verdict.blame) || (!is_path && !differ)) return;
    joined.blame_withdrawn = true;
    joined.verdict.blame = is_path ? Blame::path : Blame::unknown;
    joined.verdict.confidence = is_path ? qp::Confidence::likely : qp::Confidence::limited;
  }

  std::span<const Seat> seats_;
  const Seat* frames_;
  JoinedConnection& into_;
  std::vector<std::optional<std::int64_t>> offsets_;  ///< of into_.findings
};

}  // namespace

void combine(const Together& those, JoinedConnection& into) {
  Combination(those, into).run();
}

}  // namespace iwarpscope::join
