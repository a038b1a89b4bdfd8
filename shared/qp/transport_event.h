// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What TCP did to the octets of a queue pair, TCP segment by TCP segment, or SCTP to its messages, chunk by chunk: for
// timelines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"
#include "base/time_point.h"

namespace iwarpscope::qp {

enum class TransportEventKind : std::uint8_t {
  retransmission,  ///< octets were sent again that had been seen
  out_of_order,    ///< new octets came after octets with higher offsets
  capture_gap,     ///< octets were never seen: this frame shows that they will not come
  damaged,         ///< a TCP segment with a wrong checksum, which its receiver drops
  window_closed,   ///< the receiver has no room: nothing may be sent until it says otherwise
};
inline constexpr std::size_t kTransportEventKinds = 5;
/// "retransmission", "out_of_order"...; static storage.
[[nodiscard]] std::string_view name(TransportEventKind kind) noexcept;

/// One of them. Nothing here blames an end; findings do that.
struct TransportEvent {
  std::uint64_t qp = 0;
  TransportEventKind kind{};
  Direction direction{};                 ///< of the octets; of window_closed: of those that have to wait
  FrameNumber frame;                     ///< that shows it
  TimePoint time;                        ///< of that frame
  std::uint64_t octets = 0;              ///< how many; 0 with window_closed, and where only messages are known to lack
  std::optional<StreamOffset> offset{};  ///< of the first of the frame's octets, with all that are its own
};

}  // namespace iwarpscope::qp
