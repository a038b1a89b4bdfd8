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
/// frames were lost, or an interface did not capture; of each interface on its own. An outage begins at the look before
/// the one that shows it, and ends when all frames read by then are analysed: the lost ones were among them. Not
/// thread-safe.
class CaptureCoverage {
 public:
  /// `first`: time of the first frame, if any; `now`: latest possible capture time.
  void look(const std::vector<capture::IntakeCounters>& interfaces, std::optional<TimePoint> first, TimePoint now);

  /// Nothing was captured on any interface between these times.
  void was_away(TimePoint from, TimePoint to);

  [[nodiscard]] const CaptureOutages& outages() const noexcept { return outages_; }

 private:
  struct Interface {
    std::uint64_t lost = 0, outages = 0;  ///< as counted at the last look
    std::uint64_t until = 0;              ///< frames that must be given, or lost in the queue, before it captures again
    bool capturing = true;                ///< from the last look on
    bool lost_frames = false, was_down = false;  ///< why it did not capture before
    void look(const capture::IntakeCounters& now);
  };

  std::vector<Interface> interfaces_;
  std::optional<TimePoint> before_;  ///< the time at the last look
  CaptureOutages outages_;
};

}  // namespace iwarpscope::live
