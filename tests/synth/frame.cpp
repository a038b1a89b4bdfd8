#include "synth/frame.h"

#include <algorithm>

#include "synth/random.h"

namespace iwarpscope::synth {

Frames merge(const std::vector<Frames>& captures) {
  Frames all;
  for (const Frames& frames : captures) all.insert(all.end(), frames.begin(), frames.end());
  std::stable_sort(all.begin(), all.end(), [](const Frame& a, const Frame& b) { return a.time_ns < b.time_ns; });
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
