// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Community ID: a name of a connection that other monitors compute alike.
#pragma once

#include <cstdint>
#include <string>

#include "net/address.h"

namespace iwarpscope::net {

/// IP protocol numbers of the transports of iWARP.
enum class Transport : std::uint8_t { tcp = 6, sctp = 132 };

/// The Community ID of a connection, the same for both directions: "1:" and 28 characters. Other programs get the same
/// one with the same seed. Takes a microsecond: for records, not for frames. Source: Community ID specification,
/// version 1.0 (github.com/corelight/community-id-spec). Empty: libcrypto computes no SHA-1.
[[nodiscard]] std::string community_id(const Endpoint& a, const Endpoint& b, Transport transport,
                                       std::uint16_t seed = 0);

}  // namespace iwarpscope::net
