// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Why a receiver drops a TCP segment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace iwarpscope::tcp {

/// What is wrong with a TCP segment in its receiver's view; none: the receiver takes it.
enum class Doubt : std::uint8_t {
  none,
  unfitting_reset,       ///< an RST that is not exactly where it ends the connection. RFC 5961 §3.2
  unfitting_syn,         ///< a SYN inside a connection: answered with a challenge ACK. RFC 5961 §4
  no_ack_flag,           ///< RFC 9293 §3.10.7.4
  wrong_ip_checksum,     ///< RFC 1122 §3.2.1.2
  cut_short,             ///< the frame ends before its IP length, though whole ones of this sender are longer
  maybe_keep_alive,      ///< one octet out of order: a keep-alive's, which is not the sender's. RFC 9293 §3.8.4
  acknowledges_unsent,   ///< RFC 9293 §3.10.7.4; here: more than its sender ever offered to receive
  acknowledges_too_old,  ///< RFC 5961 §5.2
  beyond_window,         ///< RFC 9293 §3.10.7.4
  old_timestamp,         ///< PAWS, RFC 7323 §5.3
  other_hop_limit,       ///< far fewer hops left than in the sender's other segments. Ours: no receiver looks at it
};
inline constexpr std::size_t kDoubts = static_cast<std::size_t>(Doubt::other_hop_limit) + 1;

/// How many TCP segments of one direction were dropped, by Doubt.
using Dropped = std::array<std::uint32_t, kDoubts>;

/// Those that nothing but a forger, or a fault on the way, sends: TC-10 reports them in these words.
struct ForgedSign {
  Doubt doubt{};
  std::string_view words;
};
inline constexpr auto kForgedSigns = std::to_array<ForgedSign>({
    {Doubt::no_ack_flag, "no ACK flag"},
    {Doubt::wrong_ip_checksum, "a wrong IP header checksum"},
    {Doubt::cut_short, "an IP length beyond the frame"},
    {Doubt::acknowledges_unsent, "an acknowledgment of octets that were never sent"},
    {Doubt::acknowledges_too_old, "an acknowledgment that is too old"},
    {Doubt::beyond_window, "octets beyond the window"},
    {Doubt::old_timestamp, "an old timestamp"},
    {Doubt::other_hop_limit, "far fewer hops left than before"},
});

}  // namespace iwarpscope::tcp
