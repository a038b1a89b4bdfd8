// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses and ports in the API.
#pragma once

#include "iwarpscope/v1/types.pb.h"
#include "net/address.h"

namespace iwarpscope::api {

inline void put(const net::Endpoint& in, v1::Endpoint& out) {
  out.set_address(in.address.text());
  out.set_port(in.port);
}

}  // namespace iwarpscope::api
