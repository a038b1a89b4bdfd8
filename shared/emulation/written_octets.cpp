// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/written_octets.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace iwarpscope::emulation {

void WrittenOctets::keep(STag stag, TaggedOffset to, std::uint64_t message, FrameNumber frame, Octets payload) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - to.value;
  const auto octets = static_cast<std::size_t>(std::min<std::uint64_t>({payload.size(), WrittenSample::kOctets, room}));
  if (octets == 0) return;
  const std::size_t at = slot(next_++);
  if (at == places_.size()) {
    places_.emplace_back();
    samples_.emplace_back();
  }
  Place& place = places_[at];
  place.to = to.value;
  place.stag = stag;
  place.octets = static_cast<std::uint8_t>(octets);
  WrittenSample& sample = samples_[at];
  sample.message = message;
  sample.frame = frame;
  std::memcpy(sample.octets.data(), payload.data(), octets);
}

}  // namespace iwarpscope::emulation
