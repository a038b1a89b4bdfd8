// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/json_writer.h"

#include <vector>

#include "report/utf8.h"

namespace iwarpscope::report {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

void JsonWriter::string(std::string_view key, std::string_view text) {
  if (JsonRecordWriter::is_plain(text) || is_utf8(text)) {
    field(key, text);
  } else {
    field(key, std::string_view{to_utf8(text)});
  }
}

void JsonWriter::text(std::string_view text) {
  const std::string repaired = is_utf8(text) ? std::string{} : to_utf8(text);
  value(repaired.empty() ? text : std::string_view{repaired});
  stream_.flush();
}

void JsonWriter::value(TimePoint v) {
  // "-9223372036.854775808" and two quotes are 23 characters.
  std::array<char, 24> text;
  std::size_t at = text.size();
  const bool negative = v.ns < 0;
  std::uint64_t rest = negative ? ~static_cast<std::uint64_t>(v.ns) + 1 : static_cast<std::uint64_t>(v.ns);
  text[--at] = '"';
  for (int digit = 0; digit < 9; ++digit, rest /= 10) text[--at] = kDigits[rest % 10];
  text[--at] = '.';
  do {
    text[--at] = kDigits[rest % 10];
    rest /= 10;
  } while (rest != 0);
  if (negative) text[--at] = '-';
  text[--at] = '"';
  writer_.json({text.data() + at, text.size() - at});
}

void JsonWriter::hex(std::uint64_t v, std::size_t digits) {
  std::array<char, 20> text;
  text[0] = '"';
  text[1] = '0';
  text[2] = 'x';
  for (std::size_t i = 0; i < digits; ++i, v >>= 4) text[2 + digits - i] = kDigits[v & 15];
  text[3 + digits] = '"';
  writer_.json({text.data(), digits + 4});
}

void JsonWriter::octets(std::string_view key, Octets v) {
  std::string text;
  text.reserve(2 * v.size() + 2);
  text += '"';
  for (const std::byte octet : v) {
    text += kDigits[to_u8(octet) >> 4];
    text += kDigits[to_u8(octet) & 15];
  }
  text += '"';
  name(key);
  writer_.json(text);
}

}  // namespace iwarpscope::report
