// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings/capture_findings.h"

#include <utility>

#include "base/evidence.h"

namespace iwarpscope::findings {

void CaptureFindings::tell(FindingId id, std::uint64_t count, std::string text, std::vector<FrameNumber> evidence) {
  if (count == 0) return;
  put_in_order(evidence);
  findings::Finding f;
  f.id = id;
  f.frame = end_.frame;
  f.frames = evidence.empty() ? std::vector{f.frame} : std::move(evidence);
  f.time = end_.time;
  f.seen = std::to_string(count);
  f.text = std::move(text);
  reporter_.raise(std::move(f));
}

}  // namespace iwarpscope::findings
