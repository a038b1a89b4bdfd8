// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The events of a queue pair that its record has: first frame, startup, FIN and RST, last frame.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "qp/records.h"

namespace iwarpscope::report {

struct QpEvent {
  std::string_view kind;  ///< "mpa_request": as docs/json-report.md lists them; static storage
  std::optional<Direction> direction;
  FrameNumber frame;
  TimePoint time;
  std::string text;  ///< a phrase
};

/// In the order: first frame, startup, ends of the directions, last frame if it has ended.
[[nodiscard]] std::vector<QpEvent> qp_events(const qp::QpRecord& record, bool has_ended);

}  // namespace iwarpscope::report
