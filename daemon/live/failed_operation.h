// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Failed operations, derived from the messages of a queue pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "live/views.h"

namespace iwarpscope::live {

struct FailedOperation {
  enum class How : std::uint8_t {
    terminated,        ///< a Terminate names it
    terminate,         ///< it is the Terminate
    no_response_seen,  ///< a read or atomic request; its queue pair has ended
  };
  MessagePtr message;
  How how{};
};
[[nodiscard]] std::string_view name(FailedOperation::How how) noexcept;

/// Bounds of one examination of a queue pair.
struct FailedBounds {
  std::size_t messages = 1024;  ///< the last ones
  std::size_t operations = 64;
};

/// Whether a queue pair that ended may have operations that failed: spares looking at the messages of all others.
[[nodiscard]] bool may_have_failed(const qp::QpRecord& record) noexcept;

/// Each Terminate after the message that it names; with `ended` also requests whose response was never seen, the last
/// ones first. `messages`: of one queue pair, in the order in which they were decided.
[[nodiscard]] std::vector<FailedOperation> failed_operations(const std::deque<MessagePtr>& messages, bool ended,
                                                             const FailedBounds& bounds = {});

}  // namespace iwarpscope::live
