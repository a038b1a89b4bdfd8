// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/checksum.h"

#include <array>
#include <cstring>

namespace iwarpscope::synth::wire {

namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: the CRC state that octet b leaves when k more zero octets follow it.
constexpr Tables make_tables() {
  Tables t{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t state = b;
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0x82F63B78U : 0U);
    t[0][b] = state;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t b = 0; b < 256; ++b) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 0xFF];
  }
  return t;
}

constexpr Tables kTables = make_tables();

std::uint32_t le32(const std::byte* p) {
  return std::to_integer<std::uint32_t>(p[0]) | std::to_integer<std::uint32_t>(p[1]) << 8 |
         std::to_integer<std::uint32_t>(p[2]) << 16 | std::to_integer<std::uint32_t>(p[3]) << 24;
}

}  // namespace

InternetSum& InternetSum::add(Octets octets) noexcept {
  // Sixteen-bit words may be added in host order if the sum is read back in host order (RFC 1071 §2 B), and four octets
  // a step fold to the same sum.
  std::uint64_t host = 0;
  while (octets.size() >= 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, octets.data(), 4);
    host += word;
    octets = octets.subspan(4);
  }
  if (octets.size() >= 2) {
    std::uint16_t word = 0;
    std::memcpy(&word, octets.data(), 2);
    host += word;
    octets = octets.subspan(2);
  }
  if (octets.size() == 1) {
    const std::array<std::byte, 2> last{octets[0], std::byte{0}};
    std::uint16_t word = 0;
    std::memcpy(&word, last.data(), 2);
    host += word;
  }
  while (host >> 16 != 0) host = (host & 0xFFFF) + (host >> 16);
  std::array<std::byte, 2> folded{};
  const auto narrow = static_cast<std::uint16_t>(host);
  std::memcpy(folded.data(), &narrow, 2);
  sum_ += std::to_integer<std::uint64_t>(folded[0]) << 8 | std::to_integer<std::uint64_t>(folded[1]);
  return *this;
}

std::uint16_t InternetSum::checksum() const noexcept {
  std::uint64_t sum = sum_;
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

std::uint32_t crc32c(Octets octets, std::uint32_t before) noexcept {
  std::uint32_t state = ~before;
  while (octets.size() >= 8) {
    const std::uint32_t low = state ^ le32(octets.data());
    const std::uint32_t high = le32(octets.data() + 4);
    state = kTables[7][low & 0xFF] ^ kTables[6][low >> 8 & 0xFF] ^ kTables[5][low >> 16 & 0xFF] ^
            kTables[4][low >> 24] ^ kTables[3][high & 0xFF] ^ kTables[2][high >> 8 & 0xFF] ^
            kTables[1][high >> 16 & 0xFF] ^ kTables[0][high >> 24];
    octets = octets.subspan(8);
  }
  for (const std::byte octet : octets) {
    state = state >> 8 ^ kTables[0][(state ^ std::to_integer<std::uint32_t>(octet)) & 0xFF];
  }
  return ~state;
}

}  // namespace iwarpscope::synth::wire
