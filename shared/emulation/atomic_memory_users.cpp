// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which queue pairs use the words of an STag, and where requests of them are missing.
#include <algorithm>

#include "emulation/atomic_memory.h"

namespace iwarpscope::emulation {
namespace {

/// A point that is before neither of them.
TapPoint earliest(TapPoint a, TapPoint b) noexcept {
  return {std::min(a.frame, b.frame), std::min(a.time, b.time)};
}

/// A point that is after neither of them.
TapPoint latest(TapPoint a, TapPoint b) noexcept {
  return {std::max(a.frame, b.frame), std::max(a.time, b.time)};
}

/// `b` may have passed the tap after `a`: by frame number or by time, as either may be out of order.
bool may_be_after(TapPoint b, TapPoint a) noexcept {
  return b.frame > a.frame || b.time > a.time;
}

}  // namespace

/// A QP reaches for the STag. Where all that used it before are closed, the memory may have been registered again.
/// Not so where this QP reached for it among them, and is only reported later.
void AtomicMemory::use_stag(const StagKey& key, std::uint64_t qp, TapPoint at) {
  const auto it = stags_.find(key);
  if (it == stags_.end() || !it->second.has_users || it->second.users != 0 || it->second.crowded) return;
  if (!may_be_after(at, it->second.last)) return;
  const auto used = used_.find(qp);
  if (used == used_.end() || std::find(used->second.begin(), used->second.end(), key) == used->second.end()) {
    invalidate(key.first, key.second);
  }
}

/// The QP used an atomic on a word of the STag.
void AtomicMemory::count_user(const StagKey& key, AtomicUser user, TapPoint at) {
  std::vector<StagKey>& used = used_[user.qp];
  Stag& stag = stags_[key];
  if (std::find(used.begin(), used.end(), key) != used.end()) {
    const auto its = std::find_if(stag.uses.begin(), stag.uses.end(),
                                  [&](const Use& use) { return use.is_open && use.user.qp == user.qp; });
    if (its != stag.uses.end()) its->last = latest(its->last, at);
    return;
  }
  if (used.size() == kMostStagsOfQp) {
    stag.crowded = true;
    return;
  }
  used.push_back(key);
  ++stag.users;
  stag.has_users = true;
  if (stag.uses.size() == Stag::kMostUses) {
    const auto closed = std::find_if(stag.uses.begin(), stag.uses.end(), [](const Use& use) { return !use.is_open; });
    if (closed == stag.uses.end()) {
      stag.crowded = true;
      return;
    }
    stag.before_uses = latest(stag.before_uses, closed->last);
    stag.uses.erase(closed);
  }
  stag.uses.push_back({user, at, at, true});
}

bool AtomicMemory::may_be_other_memory(const net::IpAddress& responder, STag stag, TapPoint after, TapPoint until,
                                       Close close) const {
  const auto it = stags_.find({responder, stag});
  if (it == stags_.end() || it->second.crowded) return false;
  std::vector<Use> uses = it->second.uses;
  std::ranges::stable_sort(uses, {}, [](const Use& use) { return use.first.frame; });
  TapPoint end = it->second.before_uses;
  bool some_open = false;
  for (const Use& use : uses) {
    if (may_be_after(use.first, until)) return false;
    const bool is_sure = !some_open || !use.user.begin_seen;
    if (is_sure && may_be_after(use.first, after) && may_be_after(use.first, end)) return true;
    if (use.is_open && close == Close::seen) return false;
    some_open = some_open || use.is_open;
    end = latest(end, use.last);
  }
  return false;
}

void AtomicMemory::ended(std::uint64_t qp, TapPoint last, TapPoint closed) {
  const auto used = used_.find(qp);
  if (used == used_.end()) return;
  for (const StagKey& key : used->second) {
    const auto it = stags_.find(key);
    if (it == stags_.end() || it->second.users == 0) continue;
    --it->second.users;
    it->second.last = latest(it->second.last, last);
    for (Use& use : it->second.uses) {
      if (use.user.qp != qp) continue;
      use.is_open = false;
      use.last = latest(use.first, closed);
    }
  }
  used_.erase(used);
}

void AtomicMemory::gap(std::uint64_t qp, const net::IpAddress& address, TapPoint since) {
  const auto it = responders_.find(address);
  if (it == responders_.end()) return;
  Responder& responder = it->second;
  auto& recent = responder.recent_gaps;
  Gap added{++responder.gaps, qp, since, 0, since};
  const auto same = std::find_if(recent.begin(), recent.end(), [&](const Gap& gap) { return gap.qp == qp; });
  if (same != recent.end()) {
    added.before = same->serial;
    added.ever = earliest(since, same->ever);
    recent.erase(same);
  }
  if (recent.size() == kRecentGaps) {
    const Gap& lost = recent.front();
    responder.discarded_since =
        responder.discarded_gap == 0 ? lost.ever : earliest(responder.discarded_since, lost.ever);
    responder.discarded_gap = lost.serial;
    recent.erase(recent.begin());
  }
  recent.push_back(added);
}

}  // namespace iwarpscope::emulation
