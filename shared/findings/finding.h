// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A finding: one row of the catalogue, raised, with the values that were seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"
#include "findings/catalogue.h"

namespace iwarpscope::findings {

/// For a wrong CRC: what shows that its sender made it, whatever happened on the way.
enum class SenderCrc : std::uint8_t {
  no,       ///< nothing does
  maybe,    ///< the field is 0, if the FPDU ends there
  zero,     ///< the field is 0, and the FPDU ends there
  swapped,  ///< the field is the right CRC with its octets in the other order
};

/// Reported by a layer when a rule is broken. The layer fills in what it knows; the queue pair adds the rest.
/// Shape: `text` is one or two plain sentences of at most 25 words each, with the values in them; `seen` and `expected`
/// are short values ("17", "0x00000001") or empty. `frame` 0 means the frame being processed.
struct Finding {
  FindingId id{};
  std::optional<std::uint64_t> qp{};       ///< filled in by the engine; empty: about no queue pair
  std::optional<Direction> direction{};    ///< of the octets that it is about
  std::optional<std::uint64_t> message{};  ///< index of the RDMA message in its direction
  FrameNumber frame{};                     ///< the frame that decided it
  std::vector<FrameNumber> frames{};       ///< evidence, ascending; empty means {frame}
  FrameNumber broken_in{};                 ///< of the end that broke the rule; 0: the last of `frames`
  TimePoint time{};                        ///< of `frame`
  std::optional<StreamOffset> offset{};    ///< where in the direction's stream
  std::string seen{};
  std::string expected{};
  std::string text{};
  SenderCrc sender_crc{};  ///< of a CRC mismatch
};

/// The frame decided it, or is evidence for it.
[[nodiscard]] inline bool is_about(const Finding& finding, FrameNumber frame) noexcept {
  return finding.frame == frame ||
         std::find(finding.frames.begin(), finding.frames.end(), frame) != finding.frames.end();
}

/// Receives findings as they are raised.
class Reporter {
 public:
  virtual void raise(Finding finding) = 0;

 protected:
  ~Reporter() = default;
};

}  // namespace iwarpscope::findings
