// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The record of a queue pair with what a running capture adds to it.
#pragma once

#include <string>

#include "live/views.h"

namespace iwarpscope::live {

/// Seconds with nine decimals, as a string of JSON.
[[nodiscard]] std::string time_json(TimePoint time);

/// "nic_frames", "kernel_frames", "queue_frames", "gap_octets", "gap_messages": an object without a line feed.
[[nodiscard]] std::string losses_json(const Losses& losses);

/// The report's record, and what only the daemon knows, a line: losses, numbers of findings, payload, times of the
/// startup, the last rate if it is open, whether it was continued, and its name.
void append_json(std::string& out, const QpView& view);

}  // namespace iwarpscope::live
