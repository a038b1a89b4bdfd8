// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/octet_store.h"

#include <cstring>

namespace iwarpscope::plugin {

Kept OctetStore::keep(Octets octets) {
  given_back_.clear();
  if (octets.empty()) return {};
  if (octets.size() > left_ || octets.size() > kNone) {
    refused_ += octets.size();
    return {};
  }
  left_ -= octets.size();
  if (octets.size() >= kLarge) {
    auto own = std::make_unique_for_overwrite<std::byte[]>(octets.size());
    std::memcpy(own.get(), octets.data(), octets.size());
    const std::byte* const at = own.get();
    large_.emplace(at, std::move(own));
    return {at, static_cast<std::uint32_t>(octets.size())};
  }
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < octets.size()) {
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(kBlock), kBlock, 0});
  }
  Block& block = blocks_.back();
  std::byte* const to = block.octets.get() + block.used;
  std::memcpy(to, octets.data(), octets.size());
  block.used += octets.size();
  return {to, static_cast<std::uint32_t>(octets.size())};
}

void OctetStore::give_back(const Kept& kept) {
  const auto it = large_.find(kept.data);
  if (it == large_.end()) return;
  left_ += kept.size;
  given_back_.push_back(std::move(it->second));
  large_.erase(it);
}

}  // namespace iwarpscope::plugin
