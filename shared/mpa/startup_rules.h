// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What startup frames must be, one alone and one against the other: the MS rules that frames decide.
#pragma once

#include "findings/finding.h"
#include "mpa/startup.h"

namespace iwarpscope::mpa {

/// How many of the 16 octets differ from the key. Precondition: octets.size() >= 16.
[[nodiscard]] unsigned key_damage(Octets octets, bool reply_key) noexcept;

/// The frame's fields. `octets`: 20 and as much Private Data as there is. Offsets, times and frame numbers are left
/// alone. Precondition: octets.size() >= 20.
[[nodiscard]] StartupFrame read_startup_frame(Octets octets, bool reply_key);

/// A receiver must close on it: wrong key or PD_Length above 512. Source: RFC 5044 §7.1.2 rules 2, 3, 5 and 9.
[[nodiscard]] bool is_malformed(const StartupFrame& frame) noexcept;

/// Reports faults that the frame alone shows: MS-01, 02, 05 to 11, 18, 25 to 27, 36, 38.
void judge_frame(const StartupFrame& frame, Direction direction, findings::Reporter& reporter);
/// Compares the Reply with its Request. Reports MS-17, 19, 24, 30 to 34, 37.
void judge_pair(const StartupFrame& request, const StartupFrame& reply, Direction reply_direction,
                findings::Reporter& reporter);

/// What the two frames agree on; either may be unseen, not both. Source: RFC 5044 §7.1, RFC 6581 §9, Appendix C.
[[nodiscard]] Agreement agree(const StartupFrame* request, const StartupFrame* reply, Direction initiator);

/// Reports `finding`, which is about one frame: fills in frame, time and offset.
void raise_startup(const StartupFrame& frame, findings::Finding finding, findings::Reporter& reporter);

}  // namespace iwarpscope::mpa
