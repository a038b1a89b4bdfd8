// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP traffic that is not iWARP, for tests of recognition.
#pragma once

#include <cstdint>

#include "synth/connection.h"
#include "synth/random.h"

namespace iwarpscope::synth {

enum class Ordinary : std::uint8_t {
  http,       ///< HTTP/1.1 requests and text answers
  tls,        ///< TLS 1.2 records with random contents
  nvme_tcp,   ///< NVMe/TCP PDUs: connection, commands, data
  mpa_quote,  ///< text whose TCP segments begin with the keys of MPA
  random,     ///< random octets
};

/// The octets of one message in each direction.
[[nodiscard]] Buffer ordinary_octets(Ordinary kind, Side side, unsigned number, Random& random);

/// Sends `exchanges` messages in each direction. The connection's TCP must be open, and stays open.
void ordinary(Connection& connection, Ordinary kind, unsigned exchanges = 4, std::uint64_t seed = 1);

}  // namespace iwarpscope::synth
