// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the enhanced data of RFC 6581 must be, of a frame alone and of an answer against what it answers. MPA startup
// frames and the session control messages of SCTP carry the same four octets.
#pragma once

#include <optional>
#include <string_view>

#include "findings/finding.h"
#include "mpa/startup.h"

namespace iwarpscope::mpa {

/// What the two frames are called, and what both are.
struct FrameNames {
  std::string_view protocol;
  std::string_view request;
  std::string_view reply;
};
inline constexpr FrameNames kMpaFrameNames{"MPA", "Request", "Reply"};
inline constexpr FrameNames kSessionFrameNames{"Session", "Initiate", "Accept"};

/// Takes the enhanced data off the front of the private data. Nothing, and nothing taken, when there are fewer than
/// four octets. Source: RFC 6581 §9.
[[nodiscard]] std::optional<EnhancedData> take_enhanced(Octets& private_data) noexcept;

/// Reports faults in the enhanced data of one frame: MS-25 to 27, 36.
void judge_enhanced(const StartupFrame& frame, Direction direction, const FrameNames& names,
                    findings::Reporter& reporter);
/// Compares the enhanced data of an accepting Reply with those of its Request. Reports MS-24, 30 to 34.
void judge_enhanced_pair(const StartupFrame& request, const StartupFrame& reply, Direction reply_direction,
                         const FrameNames& names, findings::Reporter& reporter);

}  // namespace iwarpscope::mpa
