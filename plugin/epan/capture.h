// The capture that is open: hands its frames to a session, in order and once.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

/// Registers what epan calls when a capture is opened and closed.
void register_capture();

/// The session of the capture that is open, with the frame of `pinfo` fed if it is dissected for the first time. Null:
/// there is none, or memory ran out. Never throws.
[[nodiscard]] const Session* session_at(packet_info* pinfo) noexcept;
/// The same at the end of a pass over all frames (statistics are drawn): what only the end tells is known, unless
/// frames are still being captured. Null as above.
[[nodiscard]] const Session* session_at_end() noexcept;
/// As Session::nobody_took(), of the session that is open.
void nobody_took(std::uint32_t connection, Direction direction, std::uint32_t message) noexcept;
/// The session as it is; null: none.
[[nodiscard]] const Session* current_session() noexcept;

}  // namespace iwarpscope::plugin
