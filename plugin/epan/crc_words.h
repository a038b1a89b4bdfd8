// What became of a CRC, in the words of fields, trees and statistics.
#pragma once

#include <string_view>

#include "mpa/fpdu.h"

namespace iwarpscope::plugin {

/// What follows "CRC ". A literal: its data() ends in a null character.
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
