// How connections come to this plugin although others ask for them too.
#pragma once

#include <cstdint>

#include "epan/wireshark.h"

namespace iwarpscope::plugin {

/// Registers the dissectors of TCP payload and of SCTP user data under `protocol`.
void register_takeover(int protocol);
/// Registers its heuristic, "Decode As" for TCP ports, and DDP's Payload Protocol Identifiers of SCTP (RFC 5043 §5.2).
/// Call it when the built-in dissectors have registered theirs: who comes later is asked first.
void hand_off_takeover();
/// The user turned the shim off, and it is one of the ports of others: what nobody assigned to iWARP there is theirs.
[[nodiscard]] bool is_left_to_owner(const packet_info* pinfo);
/// The payload of the frame at hand was given to this plugin.
[[nodiscard]] bool is_claimed(const packet_info* pinfo) noexcept;
/// From frame `first` on, the connection of the frame at hand is given to this plugin. `pinfo` must be as TCP left it.
void take_connection(packet_info* pinfo, std::uint32_t first);
/// Puts the shim before the owners of the ports that the preferences name, or takes it away. Call it when all
/// dissectors are there, and whenever preferences changed.
void apply_port_shim();

}  // namespace iwarpscope::plugin
