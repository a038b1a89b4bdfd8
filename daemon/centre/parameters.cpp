// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/parameters.h"

#include <utility>

namespace iwarpscope::centre {
namespace {

constexpr std::uint32_t kText = 25;
constexpr std::uint32_t kInt64 = 20;
constexpr std::uint32_t kUuid = 2950;

/// `octets` octets, big-endian.
template <class T>
void put(std::string& to, T value) {
  for (std::size_t at = sizeof value; at-- > 0;) {
    to += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * at));
  }
}

void put(std::string& to, const Uuid& value) {
  for (const std::byte octet : value) to += static_cast<char>(octet);
}

/// The OID of an array of a type.
std::uint32_t array_of(Array::Of type) {
  switch (type) {
    case Array::Of::int16: return 1005;
    case Array::Of::int64: return 1016;
    case Array::Of::text: return 1009;
    case Array::Of::uuid: return 2951;
  }
  return 0;
}

/// Octets of the UTF-8 character that begins here, or 0.
std::size_t character(std::string_view text) {
  const auto octet = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = octet(0);
  if (first < 0x80) return first == 0 ? 0 : 1;
  const std::size_t size = first >= 0xC2 && first <= 0xDF   ? 2
                           : first >= 0xE0 && first <= 0xEF ? 3
                           : first >= 0xF0 && first <= 0xF4 ? 4
                                                            : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t at = 1; at < size; ++at) {
    if ((octet(at) & 0xC0) != 0x80) return 0;
  }
  // Longer than needed, a surrogate, or beyond U+10FFFF.
  const unsigned char second = octet(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
      (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return size;
}

}  // namespace

std::optional<Uuid> uuid_of(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Uuid uuid{};
  std::size_t digits = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (at == 8 || at == 13 || at == 18 || at == 23) {
      if (c != '-') return std::nullopt;
      continue;
    }
    const int value = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (value < 0) return std::nullopt;
    uuid.at(digits / 2) |= static_cast<std::byte>(digits % 2 == 0 ? value << 4 : value);
    ++digits;
  }
  return uuid;
}

std::string storable(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = character(text);
    if (size == 0) {
      kept += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      kept += text.substr(0, size);
      text.remove_prefix(size);
    }
  }
  return kept;
}

void Array::open(std::uint32_t octets) {
  ++size_;
  put(values_, octets);
}

Array& Array::add(std::int64_t value) {
  if (type_ == Of::int16) {
    open(2);
    put(values_, static_cast<std::int16_t>(value));
  } else {
    open(8);
    put(values_, value);
  }
  return *this;
}

Array& Array::add(std::string_view value) {
  const std::string kept = storable(value);
  open(static_cast<std::uint32_t>(kept.size()));
  values_ += kept;
  return *this;
}

Array& Array::add(const Uuid& value) {
  open(16);
  put(values_, value);
  return *this;
}

Array& Array::add_null() {
  has_null_ = true;
  open(0xFFFFFFFF);
  return *this;
}

Parameters& Parameters::add(std::uint32_t type, std::string octets) {
  values_.push_back({type, std::move(octets)});
  return *this;
}

Parameters& Parameters::add(std::int64_t value) {
  std::string octets;
  put(octets, value);
  return add(kInt64, std::move(octets));
}

Parameters& Parameters::add(std::string_view value) {
  return add(kText, storable(value));
}

Parameters& Parameters::add(const Uuid& value) {
  std::string octets;
  put(octets, value);
  return add(kUuid, std::move(octets));
}

Parameters& Parameters::add(const Array& value) {
  std::string octets;
  octets.reserve(20 + value.values_.size());
  put(octets, std::uint32_t{value.size_ == 0 ? 0U : 1U});  // dimensions
  put(octets, std::uint32_t{value.has_null_ ? 1U : 0U});
  put(octets, static_cast<std::uint32_t>(value.type_));
  if (value.size_ != 0) {
    put(octets, value.size_);
    put(octets, std::uint32_t{1});  // the number of the first
  }
  octets += value.values_;
  return add(array_of(value.type_), std::move(octets));
}

Parameters& Parameters::add_null() {
  values_.push_back({kText, std::nullopt});
  return *this;
}

}  // namespace iwarpscope::centre
