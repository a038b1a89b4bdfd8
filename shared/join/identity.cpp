// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/identity.h"

#include <algorithm>

namespace iwarpscope::join {
namespace {

using qp::SequenceRecord;

/// What the numbers of one direction show.
enum class Numbers : std::uint8_t { contradict, unknown, fit, equal };

/// From one sequence number to another.
std::int64_t ahead(std::uint32_t from, std::uint32_t to) noexcept {
  return static_cast<std::int32_t>(to - from);
}

/// The number of the SYN, where it was seen or the first ACK shows it. An ACK may be a later one, so it proves nothing
/// where it differs.
std::optional<std::uint32_t> acknowledged_start(const SequenceRecord& s) noexcept {
  return s.acknowledged_only ? std::optional{s.first - 1} : std::nullopt;
}

template <class T>
bool differ(const std::optional<T>& x, const std::optional<T>& y) noexcept {
  return x && y && *x != *y;
}

template <class T>
bool agree(const std::optional<T>& x, const std::optional<T>& y) noexcept {
  return x && y && *x == *y;
}

/// `inside` has octets before the SYN or after the FIN of `whole`.
bool leaves(const SequenceRecord& whole, const SequenceRecord& inside) noexcept {
  if (inside.octets >= INT32_MAX) return false;
  const std::uint32_t end = inside.first + static_cast<std::uint32_t>(inside.octets);
  if (whole.initial && ahead(*whole.initial, inside.first) < 0) return true;
  // An ACK covers the FIN as well, and the range then ends after it.
  return whole.fin && ahead(*whole.fin, end) > 1;
}

/// The octets that both have seen, as a range of sequence numbers. Shape: negative without any.
struct Overlap {
  std::int64_t octets = 0;
  bool is_nearly_all = false;  ///< of either range
};

Overlap overlap(const SequenceRecord& x, const SequenceRecord& y) noexcept {
  // A range that long holds every number.
  if (x.octets >= INT32_MAX || y.octets >= INT32_MAX) return {0, false};
  const auto x_octets = static_cast<std::int64_t>(x.octets), y_octets = static_cast<std::int64_t>(y.octets);
  const std::int64_t to_y = ahead(x.first, y.first);
  const std::int64_t common = std::min(x_octets, to_y + y_octets) - std::max<std::int64_t>(0, to_y);
  return {common, common * 10 >= std::max(x_octets, y_octets) * 9};
}

Numbers compare_numbers(const SequenceRecord& x, const SequenceRecord& y) noexcept {
  if (differ(x.initial, y.initial) || differ(x.fin, y.fin)) return Numbers::contradict;
  if (agree(x.initial, y.initial) || agree(x.fin, y.fin)) return Numbers::equal;
  if (agree(x.initial, acknowledged_start(y)) || agree(acknowledged_start(x), y.initial)) return Numbers::equal;
  // What was seen of one of them may be an ACK after its FIN, which has a number of its own.
  if (leaves(x, y) || leaves(y, x) || overlap(x, y).octets < -1) return Numbers::contradict;
  return Numbers::fit;
}

Numbers compare_direction(const std::optional<SequenceRecord>& x, const std::optional<SequenceRecord>& y) noexcept {
  return x && y ? compare_numbers(*x, *y) : Numbers::unknown;
}

Coexistence coexistence(const Mark& x, const Mark& y, std::optional<std::int64_t> bound_ns) noexcept {
  if (!bound_ns) return Coexistence::possible;
  const std::int64_t common = std::min(x.last_time.ns, y.last_time.ns) - std::max(x.first_time.ns, y.first_time.ns);
  constexpr std::int64_t kUnderWayNs = 1'000'000'000;  // ours: no packet takes longer from one tap to another
  const bool has_earlier_ended = (x.last_time < y.last_time ? x : y).has_ended;
  if (has_earlier_ended && common < -*bound_ns - kUnderWayNs) return Coexistence::impossible;
  return common > *bound_ns ? Coexistence::certain : Coexistence::possible;
}

/// The TSNs that one saw reach into those that the other saw: two sessions of one stream follow one another.
bool meet(const SequenceRecord& x, const SequenceRecord& y) noexcept {
  if (x.octets == 0 || y.octets == 0) return false;
  const std::int64_t to_y = ahead(x.first, y.first);
  return to_y < static_cast<std::int64_t>(x.octets) && -to_y < static_cast<std::int64_t>(y.octets);
}

/// Two sessions of the same stream identifier: the tags are those of their association.
Sameness compare_sessions(const Mark& x, const Mark& y, bool swapped) noexcept {
  unsigned tags = 0, met = 0;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto& one = x.sequence[index(d)];
    const auto& other = y.sequence[index(turned(d, swapped))];
    if (!one || !other) continue;
    if (differ(one->tag, other->tag)) return Sameness::different;
    if (agree(one->tag, other->tag)) ++tags;
    if (meet(*one, *other)) ++met;
  }
  if (tags != 0 && met != 0) return Sameness::same;
  return met == 2 ? Sameness::likely : Sameness::cannot_tell;
}

}  // namespace

Comparison compare(const Mark& x, const Mark& y, bool swapped, std::optional<std::int64_t> bound_ns) noexcept {
  if (x.sctp_stream != y.sctp_stream) return {};
  Comparison result{Sameness::cannot_tell, coexistence(x, y, bound_ns)};
  if (x.sctp_stream) {
    result.sameness = compare_sessions(x, y, swapped);
    if (result.sameness != Sameness::same && result.coexistence == Coexistence::impossible) return {};
    return result;
  }
  unsigned equal = 0, fit = 0;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto& one = x.sequence[index(d)];
    const auto& other = y.sequence[index(turned(d, swapped))];
    const Numbers numbers = compare_direction(one, other);
    if (numbers == Numbers::contradict) return {Sameness::different, result.coexistence};
    if (numbers == Numbers::equal) ++equal;
    if (numbers == Numbers::fit &&
        (result.coexistence == Coexistence::certain || overlap(*one, *other).is_nearly_all)) {
      ++fit;
    }
  }
  if (equal == 2) {
    result.sameness = Sameness::same;
  } else if (result.coexistence == Coexistence::impossible) {
    result.sameness = Sameness::different;
  } else if (equal + fit == 2) {
    result.sameness = Sameness::likely;
  }
  return result;
}

}  // namespace iwarpscope::join
