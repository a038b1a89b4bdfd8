// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The tree of a frame, built from the results of the core.
#pragma once

#include "epan/wireshark.h"

namespace iwarpscope::plugin {

/// Registers the post-dissector, which gets every frame after all other dissectors.
void register_frame_tree(int protocol);

}  // namespace iwarpscope::plugin
