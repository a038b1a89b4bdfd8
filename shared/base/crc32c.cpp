#include "base/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <climits>

namespace iwarpscope {

void Crc32c::add(Octets octets) noexcept {
  while (!octets.empty()) {
    const std::size_t n = std::min<std::size_t>(octets.size(), INT_MAX);
    // ISA-L takes a pointer to non-const but only reads.
    auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(octets.data()));
    state_ = crc32_iscsi(data, static_cast<int>(n), state_);
    octets = octets.subspan(n);
  }
}

std::uint32_t crc32c(Octets octets) noexcept {
  Crc32c crc;
  crc.add(octets);
  return crc.value();
}

}  // namespace iwarpscope
