// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/address.h"

#include <arpa/inet.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace iwarpscope::synth {

Address::Address(const char* text) : v6_(std::strchr(text, ':') != nullptr) {
  if (inet_pton(v6_ ? AF_INET6 : AF_INET, text, octets_.data()) != 1) {
    throw std::invalid_argument(std::string("no IP address: ") + text);
  }
}

Address Address::v4(std::uint32_t number) {
  Address address;
  for (std::size_t i = 0; i < 4; ++i) address.octets_[i] = static_cast<std::byte>(number >> (24 - 8 * i));
  return address;
}

}  // namespace iwarpscope::synth
