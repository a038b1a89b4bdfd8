// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DDP segments.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

/// DDP control octet. Source: RFC 5041 §4.1.
[[nodiscard]] constexpr std::uint8_t ddp_control(bool tagged, bool last, std::uint8_t version = 1,
                                                 std::uint8_t reserved = 0) {
  return static_cast<std::uint8_t>((tagged ? 0x80 : 0) | (last ? 0x40 : 0) | ((reserved & 0xF) << 2) | (version & 3));
}

/// Tagged Buffer Model header: 14 octets. Source: RFC 5041 §4.2.
struct DdpTagged {
  std::uint8_t control = ddp_control(true, true);
  std::uint8_t rdmap_control = 0x40;
  STag stag{};
  TaggedOffset to{};
};
/// The ULPDU: header and payload.
[[nodiscard]] Buffer write(const DdpTagged& header, Octets payload = {});

/// Untagged Buffer Model header: 18 octets. Source: RFC 5041 §4.3.
struct DdpUntagged {
  std::uint8_t control = ddp_control(false, true);
  std::uint8_t rdmap_control = 0x43;
  std::uint32_t invalidate_stag = 0;  ///< RsvdULP, the second part
  QueueNumber qn{};
  MessageSequence msn{1};
  MessageOffset mo{};
};
[[nodiscard]] Buffer write(const DdpUntagged& header, Octets payload = {});

}  // namespace iwarpscope::synth::wire
