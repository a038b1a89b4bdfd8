// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/banners.h"

#include <algorithm>

#include "base/wording.h"

namespace iwarpscope::analysis {

void Banners::note(std::uint32_t index, const Flow& flow, const net::TcpPacket& packet, bool from_low) {
  const tcp::Origin &own = flow.origins[from_low ? 0 : 1], &other = flow.origins[from_low ? 1 : 0];
  const bool listens =
      from_low ? flow.opened_by_high && !flow.opened_by_low : flow.opened_by_low && !flow.opened_by_high;
  if (packet.payload.empty() || !listens || !own.syn_seen || own.octets_seen || other.octets_seen) return;
  if (packet.sequence != own.next_sequence) return;
  if (ring_.empty()) ring_.reserve(kMost);
  const bool has_room = ring_.size() < kMost;
  Entry& entry = has_room ? ring_.emplace_back() : ring_[next_];
  if (!has_room) next_ = (next_ + 1) % kMost;
  const Octets first = packet.payload.first(std::min(packet.payload.size(), qp::Banner::kMostOctets));
  entry = {index, from_low, flow.first_frame, {{packet.frame, packet.time}, escaped(first)}};
}

const qp::Banner* Banners::of(std::uint32_t index, const Flow& flow, bool of_low) const {
  const auto found = std::find_if(ring_.begin(), ring_.end(), [&](const Entry& entry) {
    return entry.flow == index && entry.first == flow.first_frame && entry.of_low == of_low;
  });
  return found != ring_.end() ? &found->banner : nullptr;
}

}  // namespace iwarpscope::analysis
