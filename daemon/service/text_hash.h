// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A number for a text, the same in every run.
#pragma once

#include <cstdint>
#include <string_view>

namespace iwarpscope::service {

/// FNV-1a of all that was added. For what differs by accident: forged texts with an equal number are easily found.
class TextHash {
 public:
  void add(std::string_view text) noexcept {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325;
};

}  // namespace iwarpscope::service
