// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The verdict on a queue pair, from what the wire showed of it.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "qp/records.h"
#include "verdict/capture_span.h"

namespace iwarpscope::verdict {

/// An earlier attempt of the same Initiator to reach the same Responder that failed before its first FPDU.
struct EarlierAttempt {
  std::uint64_t qp = 0;
  std::uint8_t revision = 0;
  FrameNumber frame;  ///< of its Request
};

/// Says how far the connection got, how it ended and who caused it. No end is blamed for what a hole in the capture, or
/// frames that it says it lost, could explain: the confidence is limited then, and the text says so. Time in which the
/// capture may have lost frames is no silence of an end.
[[nodiscard]] qp::VerdictRecord judge(const qp::QpRecord& record, const CaptureSpan& capture,
                                      const std::optional<EarlierAttempt>& earlier);

}  // namespace iwarpscope::verdict
