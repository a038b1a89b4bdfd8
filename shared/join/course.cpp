// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/course.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace iwarpscope::join {

using findings::FindingId;

bool has_all(const Seat& seat, Direction d) noexcept {
  const qp::DirectionRecord& r = seat.direction(d);
  const bool is_seen = r.captured && !(r.sequence && r.sequence->acknowledged_only);
  return is_seen && !r.has_capture_gap() && r.cut_octets == 0 && r.unframed_octets == 0 && !seat.tap->has_drops;
}

std::optional<std::int64_t> shift(const Seat& from, const Seat& to, Direction d) noexcept {
  const auto& x = from.direction(d).sequence;
  const auto& y = to.direction(d).sequence;
  if (!x || !y) return std::nullopt;
  return static_cast<std::int32_t>(x->first - y->first);
}

namespace {

/// Evidence for a place, by numbers of seats.
struct Trace {
  Place::Kind kind{};
  std::vector<std::size_t> after, before;
  std::int64_t offset = 0;  ///< as the first seat counts
  std::uint64_t octets = 0;
};

/// One direction of one connection.
class DirectionCourse {
 public:
  DirectionCourse(std::span<const Seat> seats, Direction d)
      : seats_(seats), d_(d), before_(seats.size(), std::vector<bool>(seats.size(), false)) {}

  void run(Course& into) {
    find_damaged_fpdus();
    find_losses();
    find_order_by_clock();
    into.order[index(d_)] = order();
    for (const Trace& trace : traces_) add_place(trace, into.places);
  }

 private:
  struct Range {
    std::int64_t begin = 0, end = 0;  ///< as the first seat counts
    [[nodiscard]] bool meets(const Range& other) const noexcept { return begin < other.end && other.begin < end; }
  };
  using Ranges = std::vector<Range>;

  // Damage.
  struct Wrong {
    std::size_t seat = 0;
    std::int64_t offset = 0;  ///< as the first seat counts
  };

  /// FPDUs with a wrong CRC that their sender did not write itself, or TCP segments with a wrong checksum.
  [[nodiscard]] std::vector<Wrong> findings_of(FindingId id) const {
    std::vector<Wrong> all;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const auto to_first = shift(seats_[i], seats_.front(), d_);
      for (const findings::Finding& f : seats_[i].view->findings) {
        const bool is_wrong = f.id == id && f.direction == turned(d_, seats_[i].swapped) && f.offset &&
                              f.sender_crc == findings::SenderCrc::no && to_first;
        if (is_wrong) all.push_back({i, relative(*f.offset) + *to_first});
      }
    }
    return all;
  }

  [[nodiscard]] static std::vector<std::int64_t> offsets_of(const std::vector<Wrong>& wrong) {
    std::vector<std::int64_t> offsets;
    offsets.reserve(wrong.size());
    for (const Wrong& w : wrong) offsets.push_back(w.offset);
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
  }

  [[nodiscard]] static bool has(const std::vector<Wrong>& wrong, std::size_t seat, std::int64_t offset) {
    return std::any_of(wrong.begin(), wrong.end(),
                       [&](const Wrong& w) { return w.seat == seat && w.offset == offset; });
  }

  /// The seat saw the FPDU at this offset, and its CRC was right.
  [[nodiscard]] bool saw_right(std::size_t seat, std::int64_t offset, const std::vector<Wrong>& wrong) const {
    const Seat& its = seats_[seat];
    const qp::DirectionRecord& r = its.direction(d_);
    const auto to_own = shift(seats_.front(), its, d_);
    if (!to_own || !has_all(its, d_) || r.crc_unjudged != 0 || r.crc_ok == 0) return false;
    const auto own_wrong = std::count_if(wrong.begin(), wrong.end(), [&](const Wrong& w) { return w.seat == seat; });
    if (r.crc_bad != static_cast<std::uint64_t>(own_wrong)) return false;  // some are not listed
    const std::int64_t own = offset + *to_own;
    const bool is_in_range = own >= 0 && own < static_cast<std::int64_t>(r.sequence->octets);
    return is_in_range && !has(wrong, seat, offset);
  }

  void find_damaged_fpdus() {
    const std::vector<Wrong> wrong = findings_of(FindingId::mpa_crc_mismatch);
    for (const std::int64_t offset : offsets_of(wrong)) {
      Trace trace{Place::Kind::damage, {}, {}, offset, 0};
      for (std::size_t i = 0; i < seats_.size(); ++i) {
        if (has(wrong, i, offset)) {
          trace.before.push_back(i);
        } else if (saw_right(i, offset, wrong)) {
          trace.after.push_back(i);
        }
      }
      add(std::move(trace));
    }
  }

  /// A TCP segment that is damaged is ignored, and sent again: what saw both transmissions saw the first one undamaged.
  void find_damaged_segments(const std::vector<Ranges>& again) {
    const std::vector<Wrong> wrong = findings_of(FindingId::tcp_wrong_checksum);
    for (const std::int64_t offset : offsets_of(wrong)) {
      Trace trace{Place::Kind::damage, {}, {}, offset, 0};
      for (std::size_t i = 0; i < seats_.size(); ++i) {
        if (has(wrong, i, offset)) {
          trace.before.push_back(i);
        } else if (any_meets(again[i], {offset, offset + 1})) {
          trace.after.push_back(i);
        }
      }
      damaged_.push_back(offset);
      add(std::move(trace));
    }
  }

  // Loss.
  [[nodiscard]] Ranges ranges_of(std::size_t seat, std::vector<qp::OctetsRecord> qp::LossTracesRecord::*list) const {
    Ranges all;
    const auto to_first = shift(seats_[seat], seats_.front(), d_);
    if (!to_first) return all;
    for (const qp::OctetsRecord& r : seats_[seat].direction(d_).loss_traces.*list) {
      all.push_back({r.offset + *to_first, r.offset + *to_first + static_cast<std::int64_t>(r.octets)});
    }
    return all;
  }

  [[nodiscard]] static bool any_meets(const Ranges& ranges, const Range& range) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const Range& one) { return one.meets(range); });
  }

  [[nodiscard]] static std::vector<std::size_t> meeting(const std::vector<Ranges>& lists, const Range& range) {
    std::vector<std::size_t> seats;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (any_meets(lists[i], range)) seats.push_back(i);
    }
    return seats;
  }

  /// The ACKs of the direction passed this tap, too: a hole that the capture made would have been acknowledged.
  [[nodiscard]] bool is_hole_evidence(const Seat& seat) const noexcept {
    return has_all(seat, d_) && has_all(seat, opposite(d_));
  }

  void find_losses() {
    std::vector<Ranges> again(seats_.size()), late(seats_.size());
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      again[i] = ranges_of(i, &qp::LossTracesRecord::sent_again);
      if (is_hole_evidence(seats_[i])) late[i] = ranges_of(i, &qp::LossTracesRecord::filled_late);
    }
    find_damaged_segments(again);
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      for (const Range& range : late[i]) {
        const auto before = meeting(late, range);
        if (before.front() == i) add_loss(range, meeting(again, range), before);
      }
    }
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      for (const Range& range : again[i]) {
        const auto after = meeting(again, range);
        if (after.front() == i && meeting(late, range).empty()) add_loss(range, after, {});
      }
    }
  }

  void add_loss(const Range& range, const std::vector<std::size_t>& after, const std::vector<std::size_t>& before) {
    const bool is_damage = std::any_of(damaged_.begin(), damaged_.end(), [&](std::int64_t offset) {
      return range.meets({offset, offset + 1});
    });
    if (is_damage) return;
    // A tap may see one transmission before a hole is there and lose another one: it is evidence of neither.
    Trace trace{Place::Kind::loss, {}, {}, range.begin, static_cast<std::uint64_t>(range.end - range.begin)};
    const auto is_in = [](const std::vector<std::size_t>& list, std::size_t seat) {
      return std::find(list.begin(), list.end(), seat) != list.end();
    };
    for (const std::size_t seat : after) {
      if (!is_in(before, seat)) trace.after.push_back(seat);
    }
    for (const std::size_t seat : before) {
      if (!is_in(after, seat)) trace.before.push_back(seat);
    }
    if (!trace.after.empty() || !trace.before.empty()) add(std::move(trace));
  }

  // Order.
  void add(Trace trace) {
    for (const std::size_t first : trace.after) {
      for (const std::size_t second : trace.before) before_[first][second] = true;
    }
    traces_.push_back(std::move(trace));
  }

  /// When the SYN, or SYN-ACK, passed. Empty: it was not seen, or another one may have been seen first.
  [[nodiscard]] std::optional<TimePoint> opened(const Seat& seat) const noexcept {
    const auto& sequence = seat.direction(d_).sequence;
    const qp::Moment& syn = seat.view->record.summary.directions[index(turned(d_, seat.swapped))].syn;
    const bool is_known = sequence && sequence->initial && syn.happened() && has_all(seat, d_);
    return is_known ? std::optional{syn.time} : std::nullopt;
  }

  void find_order_by_clock() {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      for (std::size_t k = 0; k < seats_.size(); ++k) {
        const auto bound = bound_between(*seats_[i].tap, *seats_[k].tap);
        const auto at = opened(seats_[i]), later = opened(seats_[k]);
        if (i != k && bound && at && later && elapsed_ns(*at, *later) > *bound) before_[i][k] = true;
      }
    }
  }

  [[nodiscard]] bool is_contradicted() const {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      for (std::size_t k = 0; k < seats_.size(); ++k) {
        if (before_[i][k] && before_[k][i]) return true;
      }
    }
    return false;
  }

  [[nodiscard]] Order order() const {
    if (is_contradicted()) return {Order::Knowledge::contradictory, {}};
    std::vector<std::size_t> seats(seats_.size());
    for (std::size_t i = 0; i < seats.size(); ++i) seats[i] = i;
    const auto followers = [&](std::size_t seat) {
      return std::count(before_[seat].begin(), before_[seat].end(), true);
    };
    std::stable_sort(seats.begin(), seats.end(),
                     [&](std::size_t l, std::size_t r) { return followers(l) > followers(r); });
    Order result{Order::Knowledge::known, {}};
    for (std::size_t i = 0; i < seats.size(); ++i) {
      if (i + 1 < seats.size() && !before_[seats[i]][seats[i + 1]]) return {};
      result.taps.push_back(seats_[seats[i]].view->tap);
    }
    return result;
  }

  // Places.
  /// Another trace says that the taps lie the other way round.
  [[nodiscard]] bool is_contradicted(const Trace& trace) const {
    return std::any_of(trace.after.begin(), trace.after.end(), [&](std::size_t first) {
      return std::any_of(trace.before.begin(), trace.before.end(),
                         [&](std::size_t second) { return before_[second][first]; });
    });
  }
  /// Of `seats`, those that no other of them follows (`last`) or precedes.
  [[nodiscard]] std::vector<std::size_t> nearest(const std::vector<std::size_t>& seats, bool last) const {
    std::vector<std::size_t> taps;
    for (const std::size_t seat : seats) {
      const bool is_passed = std::any_of(seats.begin(), seats.end(), [&](std::size_t other) {
        return last ? before_[seat][other] : before_[other][seat];
      });
      if (!is_passed) taps.push_back(seats_[seat].view->tap);
    }
    return taps;
  }
  [[nodiscard]] std::vector<std::size_t> undecided(const Trace& trace) const {
    std::vector<std::size_t> taps;
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      const auto is_before = [&](std::size_t seat) { return seat == i || before_[i][seat]; };
      const auto is_after = [&](std::size_t seat) { return seat == i || before_[seat][i]; };
      const bool is_placed = std::any_of(trace.after.begin(), trace.after.end(), is_before) ||
                             std::any_of(trace.before.begin(), trace.before.end(), is_after);
      if (!is_placed) taps.push_back(seats_[i].view->tap);
    }
    return taps;
  }

  void add_place(const Trace& trace, std::vector<Place>& places) const {
    if (is_contradicted(trace)) return;
    Place place;
    place.kind = trace.kind;
    place.direction = d_;
    place.after = nearest(trace.after, true);
    place.before = nearest(trace.before, false);
    place.undecided = undecided(trace);
    place.offset = trace.offset;
    place.octets = trace.octets;
    place.count = 1;
    place.confidence = trace.kind == Place::Kind::damage ? qp::Confidence::certain : qp::Confidence::likely;
    const auto same = std::find_if(places.begin(), places.end(), [&](const Place& p) {
      return std::tie(p.kind, p.direction, p.after, p.before, p.undecided) ==
             std::tie(place.kind, place.direction, place.after, place.before, place.undecided);
    });
    if (same == places.end()) {
      places.push_back(std::move(place));
      return;
    }
    constexpr std::uint64_t kSure =
        3;  // ours: a capture that lacks nothing else does not miss so many frames by chance
    if (++same->count >= kSure && same->is_between_taps()) same->confidence = qp::Confidence::certain;
  }

  std::span<const Seat> seats_;
  Direction d_;
  std::vector<std::vector<bool>> before_;  ///< [x][y]: packets of this direction pass seat x before seat y
  std::vector<Trace> traces_;
  std::vector<std::int64_t> damaged_;  ///< offsets of TCP segments
};

}  // namespace

Course find_course(std::span<const Seat> seats) {
  Course course;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) DirectionCourse(seats, d).run(course);
  return course;
}

}  // namespace iwarpscope::join
