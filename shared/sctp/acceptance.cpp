// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/acceptance.h"

#include <algorithm>
#include <utility>

namespace iwarpscope::sctp {

Acceptance::~Acceptance() {
  while (!aside_.empty()) (void)take_out(aside_.size() - 1);
}

/// A number of the TSNs of `of`. `is_last`: it acknowledges all of them.
Acceptance::Why Acceptance::judge(Doubt doubt, Direction of, const std::optional<std::uint32_t>& tsn,
                                  bool is_last) const noexcept {
  const TsnLine& line = context_.line(of);
  if (!tsn || !line.has_begun()) return {};
  const Tsn at = line.unwrapped(*tsn);
  const bool is_old = is_last && at + kReach < line.acknowledged_end().value_or(0);
  return is_too_far(of, *tsn) || is_old ? Why{doubt, of, at} : Why{};
}

Acceptance::Why Acceptance::why(Direction d, const Claims& claims) const noexcept {
  Why its = judge(Doubt::beyond_window, d, claims.first_tsn);
  if (its.doubt == Doubt::none) its = judge(Doubt::beyond_window, d, claims.abandoned);
  if (its.doubt != Doubt::none) return its;
  return judge(Doubt::wrong_acknowledgment, opposite(d), claims.received, claims.shuts_down);
}

void Acceptance::set_aside(Direction d, const net::SctpPacket& packet, const Claims& claims) {
  Aside one{d, why(d, claims), packet, {packet.chunks.begin(), packet.chunks.end()}, false};
  one.packet.common_header = {};
  if (aside_.size() == kMostAside) (void)take_out(0);
  if (!context_.waiting(d).take_room(one.cost())) return;
  const Why its = one.why;
  aside_.push_back(std::move(one));
  believe_near(its);
}

/// DATA of one end and SACKs of the other that fit each other, or many of one end.
void Acceptance::believe_near(const Why& its) {
  const auto is_near = [&](const Aside& one) {
    return one.why.of == its.of && std::max(one.why.tsn, its.tsn) - std::min(one.why.tsn, its.tsn) <= kReach;
  };
  std::array<std::size_t, 2> near{};
  for (const Aside& one : aside_) near[index(one.direction)] += is_near(one) ? 1 : 0;
  const std::size_t data = near[index(its.of)], sacks = near[index(opposite(its.of))];
  if (data < kDataRun && sacks < kSackRun && (data == 0 || sacks == 0)) return;
  for (Aside& one : aside_) one.believed = one.believed || is_near(one);
}

std::optional<Acceptance::Released> Acceptance::release() {
  // What its receiver acknowledges, and no other packet carried, it took.
  const auto is_taken = [this](const Aside& one) {
    const TsnLine& line = context_.line(one.why.of);
    const bool is_data = one.why.doubt == Doubt::beyond_window;
    return one.believed || (is_data && line.is_acknowledged(one.why.tsn) && !line.was_seen(one.why.tsn));
  };
  const auto at = std::ranges::find_if(aside_, is_taken);
  if (at == aside_.end()) return std::nullopt;
  Aside one = take_out(static_cast<std::size_t>(at - aside_.begin()));
  Released released{one.why.doubt, {one.direction, one.packet, std::move(one.octets)}};
  released.packet.packet.chunks = released.packet.octets;
  return released;
}

Acceptance::Aside Acceptance::take_out(std::size_t at) noexcept {
  const auto it = aside_.begin() + static_cast<std::ptrdiff_t>(at);
  context_.waiting(it->direction).give_room_back(it->cost());
  Aside one = std::move(*it);
  aside_.erase(it);
  return one;
}

}  // namespace iwarpscope::sctp
