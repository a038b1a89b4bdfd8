// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How this plugin gets connections that other dissectors also claim.
#pragma once

#include <cstdint>

#include "epan/wireshark.h"

namespace iwarpscope::plugin {

/// Registers the dissectors of TCP payload and of SCTP user data under `protocol`.
void register_takeover(int protocol);
/// Registers its heuristic, "Decode As" for TCP ports, and DDP's Payload Protocol Identifiers of SCTP (RFC 5043 §5.2).
/// Call it after the built-in dissectors have registered theirs: the last one is called first.
void hand_off_takeover();
/// The user disabled the shim, and the port belongs to another protocol: traffic that is not assigned to iWARP belongs
/// to its owner.
[[nodiscard]] bool is_left_to_owner(const packet_info* pinfo);
/// The payload of the current frame was given to this plugin.
[[nodiscard]] bool is_claimed(const packet_info* pinfo) noexcept;
/// From frame `first` on, the connection of the current frame is given to this plugin. `pinfo` must be as TCP left it.
void take_connection(packet_info* pinfo, std::uint32_t first);
/// Installs the shim before the owners of the ports in the preferences, or removes it. Call it when all dissectors are
/// registered, and after each change of preferences.
void apply_port_shim();

}  // namespace iwarpscope::plugin
