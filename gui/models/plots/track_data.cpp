// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/plots/track_data.h"

#include "models/plots/timeline_data.h"

namespace iwarpscope::gui {

void TrackBucket::add(const TrackBucket& other) {
  for (std::size_t d = 0; d < octets.size(); ++d) {
    octets[d] += other.octets[d];
    messages[d] += other.messages[d];
  }
  for (std::size_t kind = 0; kind < events.size(); ++kind) events[kind] += other.events[kind];
}

void TrackData::add(std::span<const qp::MessageRecord> messages) {
  for (const qp::MessageRecord& message : messages) {
    const std::size_t d = index(message.direction);
    ++at(message.first_time.ns).messages[d];
    spread(message.first_time.ns, end_of(message), payload_of(message),
           [d](TrackBucket& bucket, std::uint64_t part) { bucket.octets[d] += part; });
  }
}

void TrackData::add(const qp::TransportEvent& event) {
  ++at(event.time.ns).events[static_cast<std::size_t>(event.kind)];
}

}  // namespace iwarpscope::gui
