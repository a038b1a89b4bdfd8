// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What one track shows of a queue pair over time, summed in buckets.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "api/records.h"
#include "models/plots/time_buckets.h"

namespace iwarpscope::gui {

struct TrackBucket {
  std::array<std::uint64_t, 2> octets{};                         ///< ULP payload by direction
  std::array<std::uint64_t, 2> messages{};                       ///< that began in this bucket
  std::array<std::uint64_t, qp::kTransportEventKinds> events{};  ///< of both directions
  void add(const TrackBucket& other);
};

class TrackData : public TimeBuckets<TrackBucket> {
 public:
  void add(std::span<const qp::MessageRecord> messages);
  void add(const qp::TransportEvent& event);
};

}  // namespace iwarpscope::gui
