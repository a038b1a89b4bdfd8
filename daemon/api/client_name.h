// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The metadata by which the calls of a client are known.
#pragma once

namespace iwarpscope::api {

/// Any text that no other client has. Calls without it share what their connections' address gets.
inline constexpr const char* kClientName = "iwarpscope-client";

}  // namespace iwarpscope::api
