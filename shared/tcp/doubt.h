// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Why a receiver drops a TCP segment.
#pragma once

#include <cstdint>

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

}  // namespace iwarpscope::tcp
