// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/extents.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace iwarpscope::emulation {

bool Extents::are_in_order() const noexcept {
  for (std::size_t k = 0; k < extents_.size(); ++k) {
    if (extents_[k].begin >= extents_[k].end) return false;
    if (k == 0 || extents_[k - 1].stag < extents_[k].stag) continue;
    if (extents_[k - 1].stag != extents_[k].stag || extents_[k - 1].end > extents_[k].begin) return false;
  }
  return true;
}

std::size_t Extents::first_after(STag stag, std::uint64_t begin) const noexcept {
  const auto it = std::partition_point(extents_.begin(), extents_.end(), [&](const Extent& e) {
    return e.stag < stag || (e.stag == stag && e.end <= begin);
  });
  return static_cast<std::size_t>(it - extents_.begin());
}

bool Extents::is_written_by(STag stag, std::uint64_t begin, std::uint64_t end, std::uint64_t message) const noexcept {
  const std::size_t at = first_after(stag, begin);
  if (at == extents_.size()) return false;
  const Extent& e = extents_[at];
  return e.stag == stag && e.begin <= begin && e.end >= end && e.placer.message == message;
}

void Extents::splice(std::size_t first, std::size_t last, Extent fresh) {
  // A message that takes the place of an earlier one, no more and no less: the same buffer again.
  if (last == first + 1 && extents_[first].begin == fresh.begin && extents_[first].end == fresh.end &&
      extents_[first].placer.message != fresh.placer.message &&
      (first == 0 || extents_[first - 1].placer != fresh.placer) &&
      (last == extents_.size() || extents_[last].placer != fresh.placer)) {
    extents_[first] = fresh;
    latest_ = first;
    return;
  }
  std::array<Extent, 3> pieces;
  std::size_t count = 0;
  bool has_left = false;
  bool has_right = false;
  Extent right;
  if (first < last) {
    const Extent& low = extents_[first];
    const Extent& high = extents_[last - 1];
    if (high.end > fresh.end) {
      has_right = high.placer != fresh.placer;
      right = high;
      right.begin = fresh.end;
      if (!has_right) fresh.end = high.end;
    }
    if (low.begin < fresh.begin) {
      has_left = low.placer != fresh.placer;
      if (has_left) {
        pieces[count] = low;
        pieces[count++].end = fresh.begin;
      } else {
        fresh.begin = low.begin;
      }
    }
  }
  const auto touches = [](const Extent& a, const Extent& b) {
    return a.stag == b.stag && a.end == b.begin && a.placer == b.placer;
  };
  if (!has_left && first > 0 && touches(extents_[first - 1], fresh)) fresh.begin = extents_[--first].begin;
  if (!has_right && last < extents_.size() && touches(fresh, extents_[last])) fresh.end = extents_[last++].end;

  latest_ = first + count;
  pieces[count++] = fresh;
  if (has_right) pieces[count++] = right;

  const std::size_t have = last - first;
  const auto at = extents_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto overlay = static_cast<std::ptrdiff_t>(std::min(count, have));
  std::copy_n(pieces.begin(), overlay, at);
  if (count < have) {
    extents_.erase(at + overlay, at + static_cast<std::ptrdiff_t>(have));
  } else {
    extents_.insert(at + overlay, pieces.begin() + overlay, pieces.begin() + static_cast<std::ptrdiff_t>(count));
  }
  assert(extents_.size() <= most_);
}

void Extents::evict() {
  std::vector<std::uint32_t> ages;
  ages.reserve(extents_.size());
  for (const Extent& e : extents_) ages.push_back(serial_ - e.serial);
  const auto middle = ages.begin() + static_cast<std::ptrdiff_t>(ages.size() / 2);
  std::nth_element(ages.begin(), middle, ages.end());
  const std::uint32_t oldest_kept = *middle;
  evicted_ += std::erase_if(extents_, [&](const Extent& e) { return serial_ - e.serial >= oldest_kept; });
  latest_ = kNone;
}

void Extents::clear() noexcept {
  std::vector<Extent>().swap(extents_);
  latest_ = kNone;
}

}  // namespace iwarpscope::emulation
