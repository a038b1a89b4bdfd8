// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "damage/shrink.h"

#include <algorithm>
#include <set>

namespace iwarpscope::test {
namespace {

bool in_order(const Piece& x, const Piece& y) {
  return x.origin < y.origin;
}

class Shrinker {
 public:
  Shrinker(const Seed& seed, const Pieces& pieces, const Charge& charge, std::size_t most)
      : seed_(seed), whole_(whole(seed)), whole_says_(accused(Built(seed, whole_).frames())), most_(most) {
    best_.pieces = pieces;
    best_.charge = charge;
  }

  Smallest run() {
    keep_one_connection();
    restore_times();
    restore_order();
    restore_octets();
    drop_repeats();
    restore_missing();
    restore_places();
    drop_tail();
    restore_missing();
    restore_octets();
    return best_;
  }

 private:
  /// Accepts the pieces if they cause the same charge.
  bool attempt(const Pieces& pieces) {
    if (best_.analyses >= most_) return false;
    ++best_.analyses;
    for (Charge& charge : false_charges(seed_.name, whole_says_, accused(Built(seed_, pieces).frames()))) {
      if (charge.key() != best_.charge.key()) continue;
      best_.pieces = pieces;
      best_.charge = std::move(charge);
      return true;
    }
    return false;
  }

  /// Tries `change` on runs of `count` items, of half as many, and so on. Returns whether it was accepted.
  template <class Change>
  void halving(std::size_t count, Change change) {
    for (std::size_t step = std::max<std::size_t>(count, 1);; step /= 2) {
      for (std::size_t i = 0; i < count; i += step) change(i, std::min(i + step, count));
      if (step <= 1) return;
    }
  }

  [[nodiscard]] bool is_of_pair(std::uint32_t origin) const {
    const FrameFacts& facts = seed_.facts[origin];
    if (!facts.source) return true;
    const std::string a = facts.source->text(), b = facts.destination->text();
    return best_.charge.pair == std::min(a, b) + " " + std::max(a, b);
  }

  void keep_one_connection() {
    Pieces of_whole, of_part;
    for (const Piece& p : whole_) {
      if (is_of_pair(p.origin)) of_whole.push_back(p);
    }
    for (const Piece& p : best_.pieces) {
      if (is_of_pair(p.origin)) of_part.push_back(p);
    }
    if (of_whole.size() == whole_.size() || of_part.empty()) return;
    const Accused before = std::exchange(whole_says_, accused(Built(seed_, of_whole).frames()));
    if (attempt(of_part)) {
      whole_ = std::move(of_whole);
    } else {
      whole_says_ = before;
    }
  }

  void restore_times() {
    Pieces pieces = best_.pieces;
    for (Piece& p : pieces) p.time_ns = seed_.frames[p.origin].time.ns;
    if (attempt(pieces)) return;
    halving(best_.pieces.size(), [&](std::size_t from, std::size_t to) {
      Pieces some = best_.pieces;
      bool changed = false;
      for (std::size_t i = from; i < std::min(to, some.size()); ++i) {
        const std::int64_t time = seed_.frames[some[i].origin].time.ns;
        changed |= std::exchange(some[i].time_ns, time) != time;
      }
      if (changed) attempt(some);
    });
  }

  void restore_order() {
    Pieces pieces = best_.pieces;
    std::stable_sort(pieces.begin(), pieces.end(), in_order);
    attempt(pieces);
  }

  void restore_octets() {
    halving(best_.pieces.size(), [&](std::size_t from, std::size_t to) {
      Pieces some = best_.pieces;
      bool changed = false;
      for (std::size_t i = from; i < std::min(to, some.size()); ++i) {
        const Piece old = some[i];
        const bool is_cut = old.kept < seed_.frames[old.origin].octets.size();
        if (!is_cut && old.zeros == 0 && !old.check_sequence && !old.routed) continue;
        some[i] = {old.origin, old.time_ns};
        changed = true;
      }
      if (changed) attempt(some);
    });
  }

  void drop_repeats() {
    halving(best_.pieces.size(), [&](std::size_t from, std::size_t to) {
      std::set<std::uint32_t> seen;
      Pieces some;
      for (std::size_t i = 0; i < best_.pieces.size(); ++i) {
        const bool repeats = !seen.insert(best_.pieces[i].origin).second;
        if (!repeats || i < from || i >= to) some.push_back(best_.pieces[i]);
      }
      if (some.size() < best_.pieces.size()) attempt(some);
    });
  }

  [[nodiscard]] Pieces missing() const {
    std::set<std::uint32_t> there;
    for (const Piece& p : best_.pieces) there.insert(p.origin);
    Pieces gone;
    for (const Piece& p : whole_) {
      if (!there.contains(p.origin) && p.origin < last()) gone.push_back(p);
    }
    return gone;
  }
  /// Frames after the last one of a shrunk capture stay removed.
  [[nodiscard]] std::uint32_t last() const { return cut_ ? *cut_ : Piece::kAll; }

  void restore_missing() {
    const Pieces gone = missing();
    halving(gone.size(), [&](std::size_t from, std::size_t to) {
      std::set<std::uint32_t> there;
      for (const Piece& p : best_.pieces) there.insert(p.origin);
      Pieces some = best_.pieces;
      for (std::size_t i = from; i < to; ++i) {
        if (there.contains(gone[i].origin)) continue;
        some.insert(std::find_if(some.begin(), some.end(), [&](const Piece& p) { return p.origin > gone[i].origin; }),
                    gone[i]);
      }
      if (some.size() > best_.pieces.size()) attempt(some);
    });
  }

  /// Moves single frames back to their original positions.
  void restore_places() {
    for (std::size_t k = 1; k < best_.pieces.size(); ++k) {
      for (const std::size_t i : {k, k - 1}) {
        if (best_.pieces[k].origin >= best_.pieces[k - 1].origin) break;
        Pieces some = best_.pieces;
        const Piece moved = some[i];
        some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
        some.insert(std::find_if(some.begin(), some.end(), [&](const Piece& p) { return p.origin > moved.origin; }),
                    moved);
        attempt(some);
      }
    }
  }

  void drop_tail() {
    for (std::size_t step = std::max<std::size_t>(best_.pieces.size() / 2, 1);; step /= 2) {
      while (best_.pieces.size() > step) {
        Pieces some(best_.pieces.begin(), best_.pieces.end() - static_cast<std::ptrdiff_t>(step));
        if (!attempt(some)) break;
      }
      if (step <= 1) break;
    }
    std::uint32_t last = 0;
    for (const Piece& p : best_.pieces) last = std::max(last, p.origin);
    cut_ = last;
  }

  const Seed& seed_;
  Pieces whole_;
  Accused whole_says_;
  Smallest best_;
  std::size_t most_;
  std::optional<std::uint32_t> cut_;
};

}  // namespace

Smallest shrink(const Seed& seed, const Pieces& pieces, const Charge& charge, std::size_t most) {
  return Shrinker(seed, pieces, charge, most).run();
}

}  // namespace iwarpscope::test
