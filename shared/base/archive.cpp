// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/archive.h"

#include <algorithm>

namespace iwarpscope {

std::string_view ArchivedWords::keep(std::string_view text) {
  const auto known = known_.find(text);
  if (known != known_.end()) return *known;
  return *known_.insert(texts_.emplace_back(text)).first;
}

bool Archive::make_room(std::size_t count) {
  if (failed_ || count > most_ - used_) {
    fail();
    return false;
  }
  if (into_) {
    constexpr std::size_t kPiece = std::size_t{1} << 16;
    flush();
    if (!failed_) out_.resize(std::min(most_, std::max(kPiece, count)));
    return !failed_;
  }
  constexpr std::size_t kLeast = 4096;
  out_.resize(std::min(most_, std::max({kLeast, used_ + count, 2 * out_.size()})));
  return true;
}

void Archive::flush() {
  if (failed_) return;
  if (!into_(written())) return fail();
  handed_on_ += used_;
  most_ -= std::exchange(used_, 0);
}

void Archive::octets(std::byte* at, std::size_t count) noexcept {
  if (!is_reading()) return put(at, count);
  if (is_describing()) return std::fill_n(at, count, std::byte{}), void();
  if (count > left_.size()) {
    fail();
    return std::fill_n(at, count, std::byte{}), void();
  }
  std::copy_n(left_.begin(), count, at);
  left_ = left_.subspan(count);
}

void Archive::bulk(std::vector<std::byte>& those) {
  const std::size_t count = this->count(those.size(), ~std::size_t{0});
  if (is_reading()) those.resize(count);
  octets(those.data(), count);
}

void Archive::text(std::string& those) {
  const std::size_t count = this->count(those.size(), ~std::size_t{0});
  if (is_reading()) those.resize(count);
  const std::span<char> characters{those.data(), count};
  octets(std::as_writable_bytes(characters).data(), count);
}

void Archive::word(std::string_view& view) {
  std::string copy{view};
  text(copy);
  if (is_reading()) view = words_->keep(copy);
}

void Archive::variable(std::uint64_t& number) {
  constexpr unsigned kBits = 7;
  if (!is_reading()) {
    std::array<std::byte, 10> as{};
    std::size_t size = 0;
    std::uint64_t rest = number;
    do {
      const bool is_last = rest < 0x80;
      as[size++] = static_cast<std::byte>((rest & 0x7F) | (is_last ? 0 : 0x80));
      rest >>= kBits;
    } while (rest != 0);
    return put(as.data(), size);
  }
  number = 0;
  if (is_describing()) return;
  for (unsigned shift = 0;; shift += kBits) {
    if (left_.empty() || shift > 63) return fail(), number = 0, void();
    const std::uint64_t octet = to_u8(left_.front());
    left_ = left_.subspan(1);
    if (shift == 63 && octet > 1) return fail(), number = 0, void();
    number |= (octet & 0x7F) << shift;
    if (octet < 0x80) return;
  }
}

}  // namespace iwarpscope
