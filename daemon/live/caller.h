// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Who waits for an answer, and how long.
#pragma once

#include <chrono>
#include <functional>

namespace iwarpscope::live {

struct Caller {
  std::function<bool()> is_gone{};  ///< it no longer wants the answer; any thread. Empty: it stays
  std::chrono::milliseconds patience = std::chrono::seconds(5);
  /// A page ends early when looking for its items takes longer. The default: it is whole.
  std::chrono::milliseconds share = std::chrono::milliseconds::max();
};

}  // namespace iwarpscope::live
