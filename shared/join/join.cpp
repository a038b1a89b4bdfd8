// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/join.h"

#include <algorithm>
#include <optional>

#include "join/combine.h"
#include "join/course.h"
#include "join/match.h"
#include "join/sentences.h"

namespace iwarpscope::join {
namespace {

/// The larger one; unknown is larger than any.
std::optional<std::int64_t> larger(std::optional<std::int64_t> x, std::optional<std::int64_t> y) noexcept {
  return x && y ? std::optional{std::max(*x, *y)} : std::nullopt;
}

std::optional<std::int64_t> largest_bound(std::span<const Seat> seats) noexcept {
  std::optional<std::int64_t> bound = 0;
  for (const Seat& x : seats) {
    for (const Seat& y : seats) {
      if (x.tap != y.tap) bound = larger(bound, bound_between(*x.tap, *y.tap));
    }
  }
  return bound;
}

class Joiner {
 public:
  explicit Joiner(const Records& records) : taps_(records.taps.begin(), records.taps.end()), frames_tap_(taps_.size()) {
    // The frames of all taps together are another tap to match(): its clock is as good as that of each of them.
    std::optional<std::int64_t> bound = 0;
    for (const Tap& tap : taps_) bound = larger(bound, tap.clock_bound_ns);
    taps_.push_back({{}, bound, false});
    for (const View& view : records.views) add(view, view.tap);
    for (const View& view : records.together) add(view, frames_tap_);
  }

  std::vector<JoinedConnection> run() {
    const Matches matches = match(marks_, taps_);
    std::vector<JoinedConnection> all;
    for (const Group& group : matches.groups) all.push_back(joined(group));
    for (const Undecided& u : matches.undecided) {
      if (!all[u.group].views.empty() && !all[u.other].views.empty()) all[u.group].may_be = u.other;
    }
    for (JoinedConnection& one : all) tell(one);
    return all;
  }

 private:
  void add(const View& view, std::size_t tap) {
    views_.push_back(&view);
    marks_.push_back(mark_of(tap, view.record));
  }

  /// A verdict that blames an end must not be quoted where the blame was withdrawn: what joining found takes its place.
  void tell(JoinedConnection& one) const {
    one.sentences = sentences(one, taps_);
    if (!one.verdict || !one.verdict->blame_withdrawn) return;
    std::string& text = one.verdict->verdict.text;
    text.clear();
    for (const std::string& sentence : one.sentences) text += (text.empty() ? "" : " ") + sentence;
    one.verdict->verdict.next.clear();
  }

  [[nodiscard]] const qp::QpRecord& record(const Member& m) const { return views_[m.view]->record; }

  /// The member that knows best which end is A.
  [[nodiscard]] const Member& reference(const Group& group) const {
    return *std::min_element(group.members.begin(), group.members.end(),
                             [&](const Member& l, const Member& r) { return record(l).roles < record(r).roles; });
  }

  [[nodiscard]] JoinedConnection joined(const Group& group) const {
    const Member& chief = reference(group);
    std::vector<Seat> seats;
    std::optional<Seat> frames;
    for (const Member& m : group.members) {
      const std::size_t tap = marks_[m.view].tap;
      const Seat seat{views_[m.view], &taps_[tap], m.swapped != chief.swapped};
      if (tap == frames_tap_) {
        frames = seat;
      } else {
        seats.push_back(seat);
      }
    }
    JoinedConnection out;
    out.sctp_stream = record(chief).sctp_stream;
    out.a = record(chief).a;
    out.b = record(chief).b;
    out.basis = seats.size() < 2 ? Basis::one_view : group.basis;
    out.clock_bound_ns = largest_bound(seats);
    if (seats.size() > 1) {
      Course course = find_course(seats);
      out.order = std::move(course.order);
      out.places = std::move(course.places);
    }
    combine({seats, frames ? &*frames : nullptr}, out);
    return out;
  }

  std::vector<Tap> taps_;
  std::size_t frames_tap_;
  std::vector<const View*> views_;
  std::vector<Mark> marks_;  ///< of views_
};

}  // namespace

std::vector<JoinedConnection> join(const Records& records) {
  return Joiner(records).run();
}

}  // namespace iwarpscope::join
