// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One frame as a capture gives it.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"

namespace iwarpscope::net {

/// Link-layer header types by their libpcap numbers (LINKTYPE_*), those this analyser decodes. Others are carried as
/// their number and counted as undecodable. Source: pcap-linktype(7).
enum class LinkType : std::uint16_t {
  null = 0,
  ethernet = 1,
  raw_ip = 101,
  openbsd_loop = 108,
  linux_sll = 113,
  ipv4 = 228,
  ipv6 = 229,
  linux_sll2 = 276,
};

/// A captured frame. Borrows the octets from the reader of the capture, for the duration of one call.
struct Frame {
  FrameNumber number;  ///< from 1
  TimePoint time;      ///< of the capture
  LinkType link{};
  std::uint32_t interface = 0;        ///< index of the capture interface
  std::uint32_t original_length = 0;  ///< octets on the wire; more than octets.size() when a snap length cut the frame
  Octets octets;
  std::uint32_t tap_group = 0;  ///< of that interface, see FlowKey; 0: of none
};

}  // namespace iwarpscope::net
