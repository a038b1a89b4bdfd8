// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ddp/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"

namespace iwarpscope::ddp {

findings::Finding about(const Carrier& carrier, findings::Finding f) {
  f.frame = carrier.delivery_frame;
  f.time = carrier.delivered_time;
  f.offset = carrier.offset;
  if (carrier.first_frame != carrier.delivery_frame || carrier.last_frame != carrier.delivery_frame) {
    f.frames = {carrier.first_frame, carrier.last_frame};
    std::ranges::sort(f.frames);
    f.frames.erase(std::unique(f.frames.begin(), f.frames.end()), f.frames.end());
  }
  return f;
}

std::string describe(const Segment& segment) {
  if (segment.tagged) return fmt::format("STag 0x{:08x} TO 0x{:016x}", segment.stag.value, segment.to.value);
  return fmt::format("{} MSN {} MO {}", queue_text(segment.qn), segment.msn.value, segment.mo.value);
}

}  // namespace iwarpscope::ddp
