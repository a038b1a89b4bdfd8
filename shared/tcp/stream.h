// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the TCP layer hands up: the octets of one direction in order, and what is missing from them.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"

namespace iwarpscope::tcp {

/// Octets of one TCP segment that are new and next in order. Borrows them for the duration of the call.
struct Chunk {
  StreamOffset offset;         ///< of octets[0]
  Octets octets;               ///< not empty
  FrameNumber frame;           ///< that carried them
  TimePoint arrival;           ///< of that frame; earlier than the call when the TCP segment came out of order
  TimePoint delivery;          ///< when the octets became next in order: the time of the frame being processed
  FrameNumber delivery_frame;  ///< the frame being processed
  StreamOffset
      acknowledged;  ///< ACK of that frame: the other direction's octets below it had been received by the sender
  bool has_acknowledged = false;
  bool starts_tcp_segment = false;  ///< octets[0] is the first payload octet of its TCP segment
  bool ends_tcp_segment = false;    ///< the last octet here is the last payload octet of its TCP segment
  /// These octets may have been sent before: they came after octets with higher offsets, and nothing shows that they
  /// were sent first. `acknowledged` is then of a later frame than the one that first carried them.
  bool retransmitted = false;

  /// All but the octets, which it borrows.
  template <class A>
  void archive(A& a) {
    a(offset, frame, arrival, delivery, delivery_frame, acknowledged, has_acknowledged, starts_tcp_segment);
    a(ends_tcp_segment, retransmitted);
  }
};

/// Why octets of a stream are not there.
enum class Missing : std::uint8_t {
  snap_length,   ///< the capture cut the frame
  capture_gap,   ///< the receiver acknowledged octets that the capture never saw
  unexplained,   ///< never seen and no acknowledgment seen either (one-sided capture, end of capture, data given up by
                 ///< both)
  buffer_limit,  ///< this analyser gave octets up
};

/// Takes one direction's octets. Calls come in stream order without overlap: each begins where the last one ended,
/// except the first. Must not call back into the Connection.
class StreamSink {
 public:
  virtual void octets(const Chunk& chunk) = 0;
  /// `length` octets from `offset` will never come. `frame`, `time`: of the frame that showed it.
  virtual void missing(StreamOffset offset, std::uint64_t length, Missing reason, FrameNumber frame,
                       TimePoint time) = 0;

 protected:
  ~StreamSink() = default;
};

}  // namespace iwarpscope::tcp
