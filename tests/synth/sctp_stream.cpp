// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/sctp_stream.h"

#include <algorithm>

#include "synth/association.h"

namespace iwarpscope::synth {

SctpStream::SctpStream(Association& association, std::uint16_t id, std::uint64_t seed)
    : SessionStream(id, seed), association_(association) {}

void SctpStream::put_chunk(Side side, wire::Data chunk) {
  association_.data(side, std::move(chunk));
}

void SctpStream::acknowledge_all() {
  association_.acknowledge_all();
}

void SctpStream::settle(Side side) {
  association_.settle(side);
}

// The largest that is not fragmented with a SACK beside it, but at least the size that a session control message needs.
// Source: RFC 5043 §9.
std::size_t SctpStream::usual_mulpdu(Side) const {
  constexpr std::size_t kLeast = 516;
  return std::max(association_.usual_user_data(), kLeast) - 2;
}

Octets SctpStream::owner(Side side) const {
  const ConnectionOptions& o = association_.options();
  return (side == Side::initiator ? o.initiator : o.responder).address.octets();
}

}  // namespace iwarpscope::synth
