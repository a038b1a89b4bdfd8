// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings about the whole capture or its hosts, not about a queue pair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "findings/finding.h"

namespace iwarpscope::findings {

/// The end of the capture or, live, of a round (live/rounds.h).
struct CaptureEnd {
  FrameNumber frame;
  TimePoint time;
};

/// Raises findings at the end of the capture. The reporter must outlive it.
class CaptureFindings {
 public:
  CaptureFindings(Reporter& reporter, CaptureEnd end) noexcept : reporter_(reporter), end_(end) {}

  [[nodiscard]] const CaptureEnd& end() const noexcept { return end_; }
  /// Raises the finding unless `count` is 0. `evidence`: in any order, the first eight are kept; the last frame of the
  /// capture when empty.
  void tell(FindingId id, std::uint64_t count, std::string text, std::vector<FrameNumber> evidence = {});

 private:
  Reporter& reporter_;
  CaptureEnd end_;
};

}  // namespace iwarpscope::findings
