// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/utf8.h"

#include <cstddef>
#include <cstdint>

namespace iwarpscope::report {
namespace {

std::uint8_t octet(std::string_view text, std::size_t at) noexcept {
  return static_cast<std::uint8_t>(text[at]);
}

/// Octets of the well-formed UTF-8 character at `at`; 0 when it is not well-formed. Source: RFC 3629 §4, UTF8-char.
std::size_t character_octets(std::string_view text, std::size_t at) noexcept {
  const std::uint8_t first = octet(text, at);
  if (first < 0x80) return 1;
  const std::size_t octets = first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0) == 0xE0 ? 3 : 0;
  const std::size_t need = octets != 0 ? octets : first >= 0xF0 && first <= 0xF4 ? 4 : 0;
  if (need == 0 || text.size() - at < need) return 0;
  for (std::size_t i = 1; i < need; ++i) {
    if ((octet(text, at + i) & 0xC0) != 0x80) return 0;
  }
  const std::uint8_t second = octet(text, at + 1);
  if (first == 0xE0 && second < 0xA0) return 0;  // overlong
  if (first == 0xED && second > 0x9F) return 0;  // surrogate
  if (first == 0xF0 && second < 0x90) return 0;  // overlong
  if (first == 0xF4 && second > 0x8F) return 0;  // above U+10FFFF
  return need;
}

/// Control characters: below 0x20, 0x7F, and U+0080 to U+009F (C2 80 to C2 9F).
bool is_control(std::string_view character) noexcept {
  const std::uint8_t first = octet(character, 0);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return character.size() == 2 && first == 0xC2 && octet(character, 1) < 0xA0;
}

void append_escaped(std::string& out, std::string_view octets) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  for (std::size_t i = 0; i < octets.size(); ++i) {
    const std::uint8_t value = octet(octets, i);
    out += "\\x";
    out += kHexDigits[value >> 4];
    out += kHexDigits[value & 15];
  }
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t octets = character_octets(text, at);
    if (octets == 0) return false;
    at += octets;
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t octets = character_octets(text, at);
    if (octets == 0) {
      out += "\xEF\xBF\xBD";
      ++at;
    } else {
      out += text.substr(at, octets);
      at += octets;
    }
  }
  return out;
}

std::string to_printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t octets = character_octets(text, at);
    if (octets == 0) {
      out += "\xEF\xBF\xBD";
      ++at;
      continue;
    }
    const std::string_view character = text.substr(at, octets);
    if (is_control(character)) {
      append_escaped(out, character);
    } else {
      out += character;
    }
    at += octets;
  }
  return out;
}

}  // namespace iwarpscope::report
