// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/octets.h"

#include <cctype>
#include <stdexcept>

namespace iwarpscope::synth {

namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  throw std::invalid_argument("hex: not a digit");
}

}  // namespace

Buffer hex(std::string_view digits) {
  Buffer out;
  int high = -1;
  for (const char c : digits) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    const int value = digit(c);
    if (high < 0) {
      high = value;
    } else {
      out.push_back(static_cast<std::byte>(high * 16 + value));
      high = -1;
    }
  }
  if (high >= 0) throw std::invalid_argument("hex: odd number of digits");
  return out;
}

Buffer text(std::string_view text) {
  const Octets octets = std::as_bytes(std::span(text));
  return {octets.begin(), octets.end()};
}

namespace wire {

Writer& Writer::be(std::uint64_t v, std::size_t octets) {
  for (std::size_t i = octets; i-- > 0;) out_.push_back(static_cast<std::byte>(v >> (8 * i)));
  return *this;
}

Writer& Writer::le(std::uint64_t v, std::size_t octets) {
  for (std::size_t i = 0; i < octets; ++i) out_.push_back(static_cast<std::byte>(v >> (8 * i)));
  return *this;
}

void poke16(Buffer& buffer, std::size_t offset, std::uint16_t value) {
  buffer[offset] = static_cast<std::byte>(value >> 8);
  buffer[offset + 1] = static_cast<std::byte>(value);
}

}  // namespace wire
}  // namespace iwarpscope::synth
