#include "session/octet_store.h"

#include <algorithm>
#include <cstring>

namespace iwarpscope::plugin {

Kept OctetStore::keep(Octets octets) {
  if (octets.empty()) return {};
  if (octets.size() > left_ || octets.size() > kNone) {
    refused_ += octets.size();
    return {};
  }
  left_ -= octets.size();
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < octets.size()) {
    const std::size_t size = std::max(kBlock, octets.size());
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size, 0});
  }
  Block& block = blocks_.back();
  std::byte* const to = block.octets.get() + block.used;
  std::memcpy(to, octets.data(), octets.size());
  block.used += octets.size();
  return {to, static_cast<std::uint32_t>(octets.size())};
}

}  // namespace iwarpscope::plugin
