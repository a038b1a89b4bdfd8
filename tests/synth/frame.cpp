// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/frame.h"

#include <algorithm>
#include <utility>

#include "synth/random.h"

namespace iwarpscope::synth {

Frames merge(const std::vector<Frames>& captures) {
  std::vector<const Frame*> order;
  for (const Frames& frames : captures) {
    for (const Frame& frame : frames) order.push_back(&frame);
  }
  // The position in `order` decides between equal times.
  std::vector<std::pair<std::int64_t, std::size_t>> keys;
  for (std::size_t i = 0; i < order.size(); ++i) keys.emplace_back(order[i]->time_ns, i);
  std::sort(keys.begin(), keys.end());
  Frames all;
  all.reserve(order.size());
  for (const auto& [time, place] : keys) all.push_back(*order[place]);
  return all;
}

Buffer Random::octets(std::size_t count) {
  Buffer out(count);
  for (std::size_t i = 0; i < count; i += 8) {
    const std::uint64_t word = next();
    for (std::size_t k = 0; k < 8 && i + k < count; ++k) out[i + k] = static_cast<std::byte>(word >> (8 * k));
  }
  return out;
}

}  // namespace iwarpscope::synth
