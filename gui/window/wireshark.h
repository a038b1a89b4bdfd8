// Opening captures in Wireshark.
#pragma once

#include <QString>

#include "base/ids.h"

namespace iwarpscope::gui {

/// Starts Wireshark with this file, at this frame if it is not 0; it goes on by itself. The variable
/// IWARPSCOPE_WIRESHARK names another program than the one on the PATH. Fails with a sentence; empty: it runs.
[[nodiscard]] QString open_in_wireshark(const QString& file, FrameNumber frame);

}  // namespace iwarpscope::gui
