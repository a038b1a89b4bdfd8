// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Why a frame gave no transport packet.
#pragma once

#include <cstdint>

namespace iwarpscope::net {

/// Why a frame gave no transport packet.
enum class NoPacket : std::uint8_t {
  other_protocol,    ///< decoded, but neither TCP nor SCTP nor a tunnel that holds them
  fragment_held,     ///< an IP fragment that waits for the rest of its datagram, or was given up with it
  unsupported_link,  ///< link type unknown to this decoder
  malformed,         ///< headers contradict their lengths, or nest deeper than the limit
  truncated,         ///< the capture cut the headers
};

}  // namespace iwarpscope::net
