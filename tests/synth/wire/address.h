// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses: IP of either version, and MAC.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "synth/wire/octets.h"

namespace iwarpscope::synth {

/// An IPv4 or IPv6 address. Converts from text: Address a = "10.0.0.1". Throws std::invalid_argument on other text.
class Address {
 public:
  Address() : Address("0.0.0.0") {}
  Address(const char* text);  // NOLINT(google-explicit-constructor): addresses are written as text everywhere
  /// The IPv4 address with this number, 0x0A000001 = 10.0.0.1.
  [[nodiscard]] static Address v4(std::uint32_t number);

  [[nodiscard]] bool is_v6() const noexcept { return v6_; }
  /// 4 or 16 octets, in network order. Lives as long as the address.
  [[nodiscard]] Octets octets() const noexcept { return Octets{octets_}.first(v6_ ? 16U : 4U); }
  friend bool operator==(const Address&, const Address&) = default;

 private:
  bool v6_ = false;
  std::array<std::byte, 16> octets_{};
};

/// A MAC address: six octets, given as the low 48 bits of a number.
struct Mac {
  std::uint64_t number = 0;
};

}  // namespace iwarpscope::synth
