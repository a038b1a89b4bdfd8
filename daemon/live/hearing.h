// Outages of the capture.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/deaf_time.h"
#include "capture/intake.h"

namespace iwarpscope::live {

/// Reads from the counters of interfaces in which stretches of the capture's time frames may have passed unseen: frames
/// were lost, or an interface did not capture. A stretch begins at the look before the one that shows it, and ends when
/// all frames are analysed that had been read by then: what was lost lies among them. Not thread-safe.
class Hearing {
 public:
  /// `first`: time of the first frame, if there was one; `now`: as late as the capture's time may be.
  void look(const std::vector<capture::IntakeCounters>& interfaces, std::optional<TimePoint> first, TimePoint now);

  [[nodiscard]] const DeafTime& deaf() const noexcept { return deaf_; }

 private:
  struct Interface {
    std::uint64_t lost = 0, went_deaf = 0;  ///< as counted at the last look
    std::uint64_t until = 0;  ///< frames that must be given, or lost in the queue, before it captures again
    bool hears = true;        ///< from the last look on
    bool lost_frames = false, was_down = false;  ///< why it did not before
    void look(const capture::IntakeCounters& now);
  };

  std::vector<Interface> interfaces_;
  std::optional<TimePoint> before_;  ///< the time at the last look
  DeafTime deaf_;
};

}  // namespace iwarpscope::live
