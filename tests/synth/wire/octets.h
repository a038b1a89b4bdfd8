// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets and a writer for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/octets.h"

namespace iwarpscope::synth {

/// An owned sequence of octets.
using Buffer = std::vector<std::byte>;

/// The octets of "00 2a 41 43"; blanks and line ends are skipped. Throws std::invalid_argument on other characters or
/// an odd number of digits.
[[nodiscard]] Buffer hex(std::string_view digits);

/// The octets of a text.
[[nodiscard]] Buffer text(std::string_view text);

namespace wire {

/// Appends big-endian integers and octets to a buffer; every call returns the writer.
class Writer {
 public:
  Writer() = default;
  explicit Writer(Buffer begin) : out_(std::move(begin)) {}

  Writer& u8(std::uint64_t v) { return be(v, 1); }
  Writer& u16(std::uint64_t v) { return be(v, 2); }
  Writer& u24(std::uint64_t v) { return be(v, 3); }
  Writer& u32(std::uint64_t v) { return be(v, 4); }
  Writer& u64(std::uint64_t v) { return be(v, 8); }
  /// Low octet first.
  Writer& le(std::uint64_t v, std::size_t octets);
  /// High octet first: the low `octets` octets of v.
  Writer& be(std::uint64_t v, std::size_t octets);
  Writer& octets(Octets o) {
    out_.insert(out_.end(), o.begin(), o.end());
    return *this;
  }
  Writer& fill(std::size_t count, std::uint8_t value = 0) {
    out_.insert(out_.end(), count, std::byte{value});
    return *this;
  }
  void reserve(std::size_t octets) { out_.reserve(octets); }

  [[nodiscard]] std::size_t size() const noexcept { return out_.size(); }
  [[nodiscard]] const Buffer& view() const noexcept { return out_; }
  [[nodiscard]] Buffer take() { return std::move(out_); }

 private:
  Buffer out_;
};

/// Overwrites two octets at `offset`, high octet first. Precondition: offset + 2 <= buffer.size().
void poke16(Buffer& buffer, std::size_t offset, std::uint16_t value);

}  // namespace wire
}  // namespace iwarpscope::synth
