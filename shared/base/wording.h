// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Words for people that several layers print.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/octets.h"

namespace iwarpscope {

/// "1 octet", "2 octets".
[[nodiscard]] inline std::string counted(std::uint64_t n, std::string_view singular) {
  std::string text = std::to_string(n);
  text += ' ';
  text += singular;
  if (n != 1) text += 's';
  return text;
}

/// Octets as text in which printable ASCII but the backslash stands for itself: "MPA ID Rep Frame", "\x16\x03".
[[nodiscard]] inline std::string escaped(Octets octets) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte octet : octets) {
    const std::uint8_t value = to_u8(octet);
    if (value >= 0x20 && value < 0x7F && value != '\\') {
      text += static_cast<char>(value);
    } else {
      text += {'\\', 'x', kDigits[value >> 4], kDigits[value & 0x0F]};
    }
  }
  return text;
}

/// The value of a QN field with its role: "1 (requests)". Source: RFC 5040 §3.1, RFC 7306 §10.2.
[[nodiscard]] inline std::string queue_number_text(QueueNumber qn) {
  constexpr std::string_view kRoles[] = {"Send", "requests", "Terminate", "Atomic Response"};
  std::string text = std::to_string(qn.value) + " (";
  text += qn.value < std::size(kRoles) ? kRoles[qn.value] : std::string_view{"not assigned"};
  text += ')';
  return text;
}
/// "QN 1 (requests)".
[[nodiscard]] inline std::string queue_text(QueueNumber qn) {
  return "QN " + queue_number_text(qn);
}

/// "A -> B".
[[nodiscard]] constexpr std::string_view direction_text(Direction direction) noexcept {
  return direction == Direction::a_to_b ? "A -> B" : "B -> A";
}

}  // namespace iwarpscope
