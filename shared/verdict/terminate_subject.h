// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the errors that a Terminate can report are about, and which kinds of message can have them. Private to
// terminate*.cpp.
#pragma once

#include <optional>

#include "verdict/terminate.h"

namespace iwarpscope::verdict {

/// The opcode of the message that it names, or of the DDP header that it quotes; empty: neither is known.
[[nodiscard]] std::optional<rdmap::Opcode> opcode_of(const Claim& claim) noexcept;

/// The kind of message that it names or quotes cannot have the error that it reports. False where the kind is not
/// known. row_without_receive() in terminate_usual.cpp handles posted
/// receives.
[[nodiscard]] bool is_impossible(const Claim& claim) noexcept;

/// It reports that a buffer refused an access: wrong STag, offset, length, rights or protection domain.
[[nodiscard]] bool is_about_buffer(const Claim& claim) noexcept;

}  // namespace iwarpscope::verdict
