// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Terminate that ended one direction of a queue pair, and its effect on the messages of that direction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "api/records.h"
#include "base/ids.h"

namespace iwarpscope::gui {

/// The direction towards the end that sent the Terminate.
struct StreamEnd {
  FrameNumber frame;   ///< of the Terminate
  std::string name{};  ///< its error as text
  /// The message in which the error was found; empty: the Terminate names no message of this direction.
  std::optional<std::uint64_t> index{};

  /// The receiver has not accepted the complete message: the Terminate names it, or it came after the named message or
  /// after the Terminate itself. Source: RFC 5040 §5.4, RFC 5041 §7.1.
  [[nodiscard]] bool refuses(std::uint64_t message, FrameNumber first_frame) const noexcept {
    return (index && message >= *index) || first_frame.value > frame.value;
  }
};

/// The direction that a Terminate ends; empty: the message is not a Terminate.
[[nodiscard]] inline std::optional<std::pair<Direction, StreamEnd>> stream_end_of(const qp::MessageRecord& message) {
  const auto* terminate = std::get_if<qp::TerminateDetail>(&message.detail);
  if (terminate == nullptr) return std::nullopt;
  const Direction ended = opposite(message.direction);
  StreamEnd end{message.first_frame, std::string{terminate->name}};
  if (terminate->names && terminate->names->direction == ended) end.index = terminate->names->index;
  return std::pair{ended, std::move(end)};
}

}  // namespace iwarpscope::gui
