// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One captured frame, as the analyser gets it and as a capture file stores it.
#pragma once

#include <cstdint>
#include <vector>

#include "synth/wire/octets.h"

namespace iwarpscope::synth {

/// Link types by their number in capture files. Source: LINKTYPE registry of tcpdump.org.
enum class LinkType : std::uint16_t {
  null_loopback = 0,  ///< BSD loopback, family in the byte order of the capturing host
  ethernet = 1,
  raw_ip = 101,
  loop = 108,  ///< OpenBSD loopback, family in network order
  linux_sll = 113,
  ipv4 = 228,
  ipv6 = 229,
  linux_sll2 = 276,
};

/// A frame at the tap. `octets` may be shorter than `original_length` if a snap length cut it.
struct Frame {
  std::int64_t time_ns = 0;  ///< nanoseconds since the epoch
  LinkType link_type = LinkType::ethernet;
  Buffer octets{};
  std::uint32_t original_length = 0;
  std::uint32_t interface = 0;  ///< number of the capture interface, from 0
};

using Frames = std::vector<Frame>;

/// All frames of several captures in order of time; frames with equal times stay in the order of the arguments.
[[nodiscard]] Frames merge(const std::vector<Frames>& captures);

}  // namespace iwarpscope::synth
