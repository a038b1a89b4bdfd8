// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp/chunk.h"

#include <algorithm>

namespace iwarpscope::sctp {

namespace {

constexpr std::size_t padded(std::size_t octets) noexcept {
  return (octets + 3) / 4 * 4;
}

}  // namespace

std::optional<Chunk> ChunkWalk::next() noexcept {
  const auto parsed = ChunkHeader::parse(rest_);
  const auto* header = std::get_if<ChunkHeader>(&parsed);
  if (header == nullptr) {
    malformed_ = left_ != 0 && left_ < ChunkHeader::kOctets;
    rest_ = {};
    return std::nullopt;
  }
  const std::size_t length = header->length();
  if (length < ChunkHeader::kOctets || length > left_) {
    malformed_ = true;
    rest_ = {};
    return std::nullopt;
  }
  Chunk chunk{header->type(), header->flags(), rest_.first(std::min(length, rest_.size())), length};
  // The pad of the last chunk may be left out by senders that are not careful.
  const std::size_t whole = std::min(padded(length), left_);
  left_ -= whole;
  rest_ = rest_.subspan(std::min(whole, rest_.size()));
  return chunk;
}

Adaptation read_adaptation(Octets chunk, std::size_t length) noexcept {
  constexpr std::size_t kParameterHeader = 4, kIndication = 8;
  Adaptation found;
  if (chunk.size() < InitHeader::kOctets) return found;
  Octets rest = chunk.subspan(InitHeader::kOctets);
  while (rest.size() >= kParameterHeader) {
    const std::size_t size = load_be<std::uint16_t>(rest.subspan(2));
    if (size < kParameterHeader || size > rest.size()) return found;
    const auto type = load_be<std::uint16_t>(rest);
    if (type == parameter_type::adaptation_indication && size == kIndication) {
      found.indication = load_be<std::uint32_t>(rest.subspan(kParameterHeader));
    }
    if (type == parameter_type::ipv4_address || type == parameter_type::ipv6_address) ++found.addresses;
    rest = rest.subspan(std::min(padded(size), rest.size()));
  }
  found.complete = chunk.size() == length && rest.empty();
  return found;
}

}  // namespace iwarpscope::sctp
