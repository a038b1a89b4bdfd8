// The tree of a frame, made of what the core found.
#pragma once

#include "epan/wireshark.h"

namespace iwarpscope::plugin {

/// Registers the post-dissector, which sees every frame after all others have.
void register_frame_tree(int protocol);

}  // namespace iwarpscope::plugin
