// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The result of a CRC check, as text for fields, trees and statistics.
#pragma once

#include <string_view>

#include "mpa/fpdu.h"

namespace iwarpscope::plugin {

/// The text after "CRC ". A literal: its data() ends in a null character.
[[nodiscard]] constexpr std::string_view crc_words(mpa::CrcVerdict crc) noexcept {
  switch (crc) {
    case mpa::CrcVerdict::good: return "good";
    case mpa::CrcVerdict::bad: return "bad";
    case mpa::CrcVerdict::not_in_use: return "not in use";
    case mpa::CrcVerdict::incomplete: break;
  }
  return "not checked: octets are missing";
}

}  // namespace iwarpscope::plugin
