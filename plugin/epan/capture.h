// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The open capture: feeds its frames to a session, in order and once.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

/// Registers the functions that epan calls when a capture is opened and closed.
void register_capture();

/// The session of the open capture. Feeds the frame of `pinfo` if it is dissected for the first time. Null: no session,
/// or memory ran out. Never throws.
[[nodiscard]] const Session* session_at(packet_info* pinfo) noexcept;
/// The same at the end of a pass over all frames (when statistics are drawn): results known only at the end are
/// available, unless frames are still being captured. Null as above.
[[nodiscard]] const Session* session_at_end() noexcept;
/// As Session::none_took(), for the open session.
void none_took(std::uint32_t connection, Direction direction, std::uint32_t message) noexcept;
/// The current session; null: none.
[[nodiscard]] const Session* current_session() noexcept;

}  // namespace iwarpscope::plugin
