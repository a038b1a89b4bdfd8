// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses and ports in the API.
#pragma once

#include <arpa/inet.h>

#include <optional>
#include <string>

#include "iwarpscope/v1/types.pb.h"
#include "net/address.h"

namespace iwarpscope::api {

inline void put(const net::Endpoint& in, v1::Endpoint& out) {
  out.set_address(in.address.text());
  out.set_port(in.port);
}

/// Empty: neither an IPv4 nor an IPv6 address.
inline std::optional<net::IpAddress> read_address(const std::string& text) {
  in_addr v4{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) return net::IpAddress::v4(ntohl(v4.s_addr));
  net::IpAddress v6;
  if (::inet_pton(AF_INET6, text.c_str(), v6.octets.data()) != 1) return std::nullopt;
  return v6;
}

}  // namespace iwarpscope::api
