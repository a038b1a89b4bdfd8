// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// When the intake did not capture.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/capture_outages.h"
#include "capture/intake.h"

namespace iwarpscope::live {

/// Finds the capture outages from the counters of interfaces: the times in which frames may have passed unseen, because
/// frames were lost, or an interface did not capture. A stretch begins at the look before the one that shows it, and
/// ends when all frames are analysed that had been read by then: what was lost lies among them. Not thread-safe.
class CaptureCoverage {
 public:
  /// `first`: time of the first frame, if there was one; `now`: as late as the capture's time may be.
  void look(const std::vector<capture::IntakeCounters>& interfaces, std::optional<TimePoint> first, TimePoint now);

  [[nodiscard]] const CaptureOutages& outages() const noexcept { return outages_; }

 private:
  struct Interface {
    std::uint64_t lost = 0, outages = 0;  ///< as counted at the last look
    std::uint64_t until = 0;              ///< frames that must be given, or lost in the queue, before it captures again
    bool capturing = true;                ///< from the last look on
    bool lost_frames = false, was_down = false;  ///< why it did not before
    void look(const capture::IntakeCounters& now);
  };

  std::vector<Interface> interfaces_;
  std::optional<TimePoint> before_;  ///< the time at the last look
  CaptureOutages outages_;
};

}  // namespace iwarpscope::live
