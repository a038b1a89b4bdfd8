// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Gives the verdict on a queue pair.
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

/// How far the connection got, how it ended, and which end caused it. No end is blamed for what a gap in the capture or
/// frames that it lost could explain: the confidence is then limited, and the text says so. Capture outages do not
/// count as silence of an end.
[[nodiscard]] qp::VerdictRecord judge(const qp::QpRecord& record, const CaptureSpan& capture,
                                      const std::optional<EarlierAttempt>& earlier);

}  // namespace iwarpscope::verdict
