// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/clock_view.h"

#include <sys/timex.h>

namespace iwarpscope::live {

ClockView clock_view() noexcept {
  timex kernel{};
  const int state = adjtimex(&kernel);
  ClockView view;
  if (state < 0) return view;
  view.is_known = true;
  view.is_synchronized = state != TIME_ERROR && (kernel.status & STA_UNSYNC) == 0;
  constexpr std::int64_t kMicrosecond = 1000;
  if (view.is_synchronized) view.error_ns = std::int64_t{kernel.maxerror} * kMicrosecond;
  view.offset_ns = std::int64_t{kernel.offset} * ((kernel.status & STA_NANO) != 0 ? 1 : kMicrosecond);
  return view;
}

}  // namespace iwarpscope::live
