// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Findings that speak of the whole capture and of no queue pair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/merger.h"
#include "analysis/records.h"
#include "analysis/shard.h"
#include "net/decoder.h"

namespace iwarpscope::analysis {

/// Where the capture ends, as Engine::conclude() sees it.
struct CaptureEnd {
  FrameNumber frame;
  TimePoint time;
};

/// Raises findings at the end of the capture. The merger must outlive it.
class CaptureFindings {
 public:
  CaptureFindings(Merger& merger, CaptureEnd end) : merger_(merger), end_(end) {}

  [[nodiscard]] const CaptureEnd& end() const noexcept { return end_; }
  /// Raises the finding when there is something to count. `evidence`: in any order, the first eight are kept; the last
  /// frame of the capture when empty.
  void tell(findings::FindingId id, std::uint64_t count, std::string text, std::vector<FrameNumber> evidence = {});

 private:
  Merger& merger_;
  CaptureEnd end_;
};

/// What was lost, cut, damaged, not decoded or given up.
void tell_about_capture(CaptureFindings& to, const net::Statistics& net, const CaptureInfo& info,
                        const ShardStatistics& all, std::uint64_t forgotten);

}  // namespace iwarpscope::analysis
