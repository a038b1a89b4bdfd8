// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "mpa/marker.h"

namespace iwarpscope::fields {

std::uint64_t Writer::raw(std::uint64_t at) const noexcept {
  for (const std::uint32_t marker : placing_.markers) {
    if (at < marker) break;
    at += mpa::kMarkerOctets;
  }
  return at;
}

void Writer::put(std::string_view layer, std::string_view name, std::size_t at, std::size_t length, std::string value) {
  if (length == 0) return;
  const std::uint64_t from = raw(at);
  put_raw(layer, name, from, raw(at + length - 1) + 1 - from, std::move(value));
}

void Writer::put_raw(std::string_view layer, std::string_view name, std::uint64_t at, std::uint64_t length,
                     std::string value) {
  const std::int64_t from = std::max<std::int64_t>(placing_.at + static_cast<std::int64_t>(at), placing_.begin);
  const std::int64_t to = std::min<std::int64_t>(placing_.at + static_cast<std::int64_t>(at + length), placing_.end);
  if (from >= to) return;
  if (to_.fields.size() >= FieldList::kMost) {
    ++to_.left_out;
    return;
  }
  to_.fields.push_back({layer, name, std::move(value), static_cast<std::uint32_t>(from),
                        static_cast<std::uint32_t>(to - from), placing_.unit});
}

std::string octets_text(std::uint64_t count) {
  return fmt::format("{} octet{}", count, count == 1 ? "" : "s");
}

std::string bit_text(bool bit) {
  return bit ? "1" : "0";
}

std::string ascii_text(Octets octets) {
  std::string text;
  for (const std::byte octet : octets) {
    const std::uint8_t c = to_u8(octet);
    if (c >= 0x20 && c < 0x7F && c != '\\') {
      text += static_cast<char>(c);
    } else {
      fmt::format_to(std::back_inserter(text), "\\x{:02x}", c);
    }
  }
  return text;
}

}  // namespace iwarpscope::fields
