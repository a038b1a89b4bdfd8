// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Opens captures in Wireshark.
#pragma once

#include <QString>

#include <optional>

#include "base/ids.h"
#include "base/time_point.h"
#include "net/address.h"

namespace iwarpscope::gui {

/// Starts Wireshark with this file, at this frame; it runs independently. 0: at its beginning. The variable
/// IWARPSCOPE_WIRESHARK names another program than the one on the PATH. Fails with one sentence; empty: it runs.
[[nodiscard]] QString open_in_wireshark(const QString& file, FrameNumber frame);
/// At the first frame of this time or later: for files whose frame numbers are different from those here.
[[nodiscard]] QString open_in_wireshark(const QString& file, const std::optional<TimePoint>& time);

/// Its display filter for the frames of one connection.
[[nodiscard]] QString wireshark_filter(const net::Endpoint& a, const net::Endpoint& b, bool over_sctp);

}  // namespace iwarpscope::gui
