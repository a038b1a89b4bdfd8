// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "join/match.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace iwarpscope::join {
namespace {

/// Addresses and ports, the lower end first, and the stream over SCTP.
struct Ends {
  net::Endpoint low, high;
  std::uint32_t stream = 0;  ///< plus one; 0: over TCP

  friend auto operator<=>(const Ends&, const Ends&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Ends& e) {
    return H::combine(std::move(h), e.low, e.high, e.stream);
  }
};

Ends ends_of(const Mark& r) {
  return {std::min(r.a, r.b), std::max(r.a, r.b), r.sctp_stream ? *r.sctp_stream + 1u : 0u};
}

/// The numbers of A's and of B's SYN, when both are known. Sessions over SCTP have none of their own.
std::optional<std::pair<std::uint32_t, std::uint32_t>> initials(const Mark& r) {
  const auto& [of_a, of_b] = r.sequence;
  if (r.sctp_stream || !of_a || !of_b || !of_a->initial || !of_b->initial) return std::nullopt;
  return std::pair{*of_a->initial, *of_b->initial};
}

/// Views that belong together so far.
struct Node {
  std::vector<Member> members;
  Basis basis = Basis::one_view;
  bool is_complete = false;  ///< the initial numbers of both directions are known: whatever has none of them may fit
  bool is_gone = false;      ///< it is part of another node
};

class Matcher {
 public:
  Matcher(std::span<const Mark> views, std::span<const Tap> taps) : views_(views), taps_(taps) {}

  Matches run() {
    std::map<Ends, std::vector<std::size_t>> by_ends;
    for (std::size_t i = 0; i < views_.size(); ++i) by_ends[ends_of(views_[i])].push_back(i);
    for (const auto& [ends, those] : by_ends) match_same_ends(those);
    match_translated();
    return result();
  }

 private:
  [[nodiscard]] const Mark& record(const Member& m) const { return views_[m.view]; }
  [[nodiscard]] std::size_t tap(const Member& m) const { return views_[m.view].tap; }

  [[nodiscard]] bool share_a_tap(const Node& x, const Node& y) const {
    return std::any_of(x.members.begin(), x.members.end(), [&](const Member& m) {
      return std::any_of(y.members.begin(), y.members.end(), [&](const Member& o) { return tap(m) == tap(o); });
    });
  }
  /// A of the first member of `y` is B of the first member of `x`.
  [[nodiscard]] bool are_swapped(const Node& x, const Node& y) const {
    return record(x.members.front()).a != record(y.members.front()).a;
  }

  [[nodiscard]] Comparison compare_nodes(const Node& x, const Node& y) const {
    Comparison best{Sameness::cannot_tell, Coexistence::possible};
    for (const Member& m : x.members) {
      for (const Member& o : y.members) {
        const bool swapped = record(m).a != record(o).a;
        const Comparison one = compare(record(m), record(o), swapped, bound_between(taps_[tap(m)], taps_[tap(o)]));
        if (one.sameness == Sameness::different) return one;
        if (one.sameness > best.sameness) best.sameness = one.sameness;
        if (one.coexistence > best.coexistence) best.coexistence = one.coexistence;
      }
    }
    return best;
  }

  void merge(std::size_t to, std::size_t from, bool swapped, Basis basis) {
    Node& x = nodes_[to];
    Node& y = nodes_[from];
    for (const Member& m : y.members) x.members.push_back({m.view, m.swapped != swapped});
    const auto rank = [](Basis b) { return static_cast<int>(b); };
    for (const Basis b : {y.basis, basis}) x.basis = rank(b) > rank(x.basis) ? b : x.basis;
    x.is_complete = x.is_complete || y.is_complete;
    y.is_gone = true;
  }

  /// Makes a node of each view, but one of all that have both initial numbers in common.
  void add_nodes(const std::vector<std::size_t>& those) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> by_numbers;
    for (const std::size_t view : those) {
      const auto numbers = initials(views_[view]);
      const std::size_t number = nodes_.size();
      nodes_.push_back({{{view, false}}, Basis::one_view, numbers.has_value(), false});
      if (!numbers) continue;
      const bool is_low_first = views_[view].a == ends_of(views_[view]).low;
      by_numbers[is_low_first ? *numbers : std::pair{numbers->second, numbers->first}].push_back(number);
    }
    for (const auto& [numbers, same] : by_numbers) {
      for (std::size_t i = 1; i < same.size(); ++i) {
        Node& first = nodes_[same.front()];
        Node& other = nodes_[same[i]];
        if (share_a_tap(first, other)) continue;  // two records of one tap: which of them is meant is not known
        merge(same.front(), same[i], are_swapped(first, other), Basis::numbers);
      }
    }
  }

  struct Fit {
    std::size_t node = 0, other = 0;
    Comparison comparison;
  };

  /// All pairs that may be one connection, of which at least one is not complete.
  [[nodiscard]] std::vector<Fit> fits(std::size_t begin) const {
    std::vector<Fit> all;
    for (std::size_t i = begin; i < nodes_.size(); ++i) {
      if (nodes_[i].is_gone || nodes_[i].is_complete) continue;
      for (std::size_t k = begin; k < nodes_.size(); ++k) {
        if (k == i || nodes_[k].is_gone || (!nodes_[k].is_complete && k < i)) continue;
        if (share_a_tap(nodes_[i], nodes_[k])) continue;
        const Comparison one = compare_nodes(nodes_[i], nodes_[k]);
        if (one.sameness != Sameness::different) all.push_back({std::min(i, k), std::max(i, k), one});
      }
    }
    return all;
  }

  /// How many nodes with a view of a tap fit a node.
  using Uses = std::map<std::pair<std::size_t, std::size_t>, std::size_t>;

  void count_use(std::size_t node, std::size_t other, Uses& uses) const {
    for (const Member& m : nodes_[other].members) ++uses[{node, tap(m)}];
  }
  [[nodiscard]] bool is_only(std::size_t node, std::size_t other, const Uses& uses) const {
    const auto& members = nodes_[other].members;
    return std::all_of(members.begin(), members.end(), [&](const Member& m) { return uses.at({node, tap(m)}) == 1; });
  }
  /// No other node of the same taps fits one of these two: which connection is meant is not in doubt.
  [[nodiscard]] bool is_only(const Fit& fit, const Uses& uses) const {
    return is_only(fit.node, fit.other, uses) && is_only(fit.other, fit.node, uses);
  }
  /// Neither tap saw another connection with these addresses and ports.
  [[nodiscard]] bool is_used_once(const Fit& fit, const std::map<std::size_t, std::size_t>& at_tap) const {
    for (const std::size_t node : {fit.node, fit.other}) {
      for (const Member& m : nodes_[node].members) {
        if (at_tap.at(tap(m)) != 1) return false;
      }
    }
    return true;
  }

  void match_same_ends(const std::vector<std::size_t>& those) {
    const std::size_t begin = nodes_.size();
    std::map<std::size_t, std::size_t> at_tap;
    for (const std::size_t view : those) ++at_tap[views_[view].tap];
    add_nodes(those);
    if (at_tap.size() < 2) return;
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<Fit> all = fits(begin);
      for (const Sameness wanted : {Sameness::same, Sameness::likely}) {
        Uses uses;
        for (const Fit& fit : all) {
          // What is the same for certain leaves no doubt to what only may be.
          if (fit.comparison.sameness < wanted) continue;
          count_use(fit.node, fit.other, uses);
          count_use(fit.other, fit.node, uses);
        }
        for (const Fit& fit : all) {
          if (fit.comparison.sameness < wanted || changed || !is_only(fit, uses)) continue;
          const bool is_sure = wanted == Sameness::same || fit.comparison.coexistence == Coexistence::certain ||
                               is_used_once(fit, at_tap);
          if (!is_sure) continue;
          merge(fit.node, fit.other, are_swapped(nodes_[fit.node], nodes_[fit.other]),
                wanted == Sameness::same ? Basis::numbers : Basis::overlap);
          changed = true;
        }
        if (changed) break;
      }
      if (!changed) {
        for (const Fit& fit : all) doubts_.emplace_back(fit.node, fit.other);
      }
    }
  }

  /// Nodes of different addresses whose initial numbers are the same.
  void match_translated() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> by_numbers;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is_gone || !nodes_[i].is_complete) continue;
      for (const Member& m : nodes_[i].members) {
        const auto numbers = initials(record(m));
        if (!numbers) continue;
        by_numbers[std::minmax(numbers->first, numbers->second)].push_back(i);
        break;
      }
    }
    for (const auto& [numbers, those] : by_numbers) {
      for (std::size_t i = 1; i < those.size(); ++i) consider_translation(those.front(), those[i], those.size() == 2);
    }
  }

  void consider_translation(std::size_t to, std::size_t from, bool is_only_one) {
    Node& x = nodes_[to];
    Node& y = nodes_[from];
    if (share_a_tap(x, y)) return;
    const Mark& one = record(x.members.front());
    const Mark& other = record(y.members.front());
    const auto numbers = initials(one), others = initials(other);
    const bool is_known = numbers && others;
    const bool straight = is_known && *numbers == *others && one.a.port == other.a.port && one.b.port == other.b.port &&
                          (one.a == other.a || one.b == other.b);
    const bool swapped = is_known && numbers->first == others->second && numbers->second == others->first &&
                         one.a.port == other.b.port && one.b.port == other.a.port &&
                         (one.a == other.b || one.b == other.a);
    const auto bound = bound_between(taps_[tap(x.members.front())], taps_[tap(y.members.front())]);
    const bool fits = straight != swapped && compare(one, other, swapped, bound).sameness == Sameness::same;
    if (fits && is_only_one) {
      merge(to, from, swapped, Basis::translated);
    } else {
      doubts_.emplace_back(to, from);
    }
  }

  Matches result() {
    Matches out;
    absl::flat_hash_map<std::size_t, std::size_t> number_of;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is_gone) continue;
      sort_members(nodes_[i]);
      order.push_back(i);
    }
    const auto key = [&](std::size_t i) {
      const Member& m = nodes_[i].members.front();
      return std::pair{tap(m), m.view};
    };
    std::sort(order.begin(), order.end(), [&](std::size_t l, std::size_t r) { return key(l) < key(r); });
    for (const std::size_t i : order) {
      number_of[i] = out.groups.size();
      out.groups.push_back({std::move(nodes_[i].members), nodes_[i].basis});
    }
    std::map<std::size_t, std::size_t> first_doubt;
    for (const auto& [x, y] : doubts_) {
      if (nodes_[x].is_gone || nodes_[y].is_gone) continue;
      first_doubt.emplace(number_of[x], number_of[y]);
      first_doubt.emplace(number_of[y], number_of[x]);
    }
    for (const auto& [group, other] : first_doubt) out.undecided.push_back({group, other});
    return out;
  }

  /// By tap; the first one's A and B are those of the group.
  void sort_members(Node& node) const {
    std::sort(node.members.begin(), node.members.end(),
              [&](const Member& l, const Member& r) { return tap(l) < tap(r); });
    const bool turn = node.members.front().swapped;
    for (Member& m : node.members) m.swapped = m.swapped != turn;
  }

  std::span<const Mark> views_;
  std::span<const Tap> taps_;
  std::vector<Node> nodes_;
  std::vector<std::pair<std::size_t, std::size_t>> doubts_;
};

}  // namespace

Matches match(std::span<const Mark> views, std::span<const Tap> taps) {
  return Matcher(views, taps).run();
}

}  // namespace iwarpscope::join
