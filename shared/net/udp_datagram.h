// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A UDP datagram as it was found in a frame.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"
#include "net/address.h"

namespace iwarpscope::net {

/// One UDP datagram to or from the port mapper's port; all others are no packet to this analyser. Borrows the payload
/// as TcpPacket does. Units: octets. Source: RFC 768.
struct UdpDatagram {
  FrameNumber frame;  ///< the frame that completed it
  TimePoint time;     ///< of that frame
  Endpoint source;
  Endpoint destination;
  std::uint32_t overlay = 0;    ///< as in FlowKey
  std::uint32_t tap_group = 0;  ///< as in FlowKey
  Octets payload;               ///< as far as captured
};

}  // namespace iwarpscope::net
