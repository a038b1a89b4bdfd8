// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A DDP segment and its place in its message.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"

namespace iwarpscope::ddp {

/// Where a DDP segment came from: an FPDU (or, over SCTP, a DATA chunk). Times and frames as in mpa::Fpdu.
struct Carrier {
  StreamOffset offset;  ///< of the FPDU
  FrameNumber first_frame, last_frame, delivery_frame;
  TimePoint first_time, placed_time, delivered_time;
  StreamOffset acknowledged;
  bool has_acknowledged = false;
  bool is_ahead = false;   ///< as in sctp::Message; over TCP `acknowledged` says so
  bool after_gap = false;  ///< octets before it are missing: rules about messages in progress are not judged
  bool intact = true;      ///< CRC good or not in use, no octet missing: its content may be judged
  bool doubtful = false;   ///< its header may not be where it seems to be
};

/// A DDP segment placed in its DDP message. Borrows `payload` for the duration of the call. Source: RFC 5041 §4, §5.
struct Segment {
  Carrier carrier;
  bool tagged = false;
  bool last = false;
  bool first_of_message = false;  ///< the first one seen of its message
  bool starts_message = false;    ///< first_of_message, and certainly the first one sent
  std::uint8_t ddp_control = 0;
  std::uint8_t rdmap_control = 0;    ///< RsvdULP[0:7]
  std::uint32_t reserved_ulp = 0;    ///< RsvdULP[8:39], untagged only: Invalidate STag or 0
  STag stag{};                       ///< tagged
  TaggedOffset to{};                 ///< tagged: of this DDP segment
  QueueNumber qn{};                  ///< untagged
  MessageSequence msn{};             ///< untagged
  MessageOffset mo{};                ///< untagged
  Octets header;                     ///< the DDP header's 14 or 18 octets
  Octets payload;                    ///< after the DDP header, as captured
  std::uint32_t payload_length = 0;  ///< as sent
  std::uint64_t message = 0;         ///< index of the DDP message in its direction, from 0 in stream order
  /// first_of_message, untagged: the expected MSN of its queue; empty if octets are missing before it.
  std::optional<MessageSequence> expected_msn{};
};

/// A DDP message that ended, complete or not. Source: RFC 5041 §5.
struct MessageEnd {
  std::uint64_t message = 0;
  std::uint64_t length = 0;  ///< octets after the DDP headers; missing ones are counted where offsets show them
  std::uint64_t ddp_segments = 0;
  bool complete = false;           ///< from its first to its last DDP segment, nothing missing or repeated, all intact
  bool length_certain = false;     ///< first and last DDP segment seen
  bool complete_if_first = false;  ///< complete, provided that its first DDP segment was the first one seen
  Carrier last;                    ///< of its last DDP segment seen
};

/// Takes one direction's DDP segments and messages. A message's segments come between its first segment() and its
/// message_ended(); messages of different queues, or tagged and untagged ones, may interleave. A message ends before
/// the next one of its queue (or the next tagged one) begins.
class SegmentSink {
 public:
  virtual void segment(const Segment& segment) = 0;
  virtual void message_ended(const MessageEnd& end) = 0;
  /// An FPDU whose ULPDU cannot be read as a DDP segment: it is too short for its header (a finding was raised), or
  /// its header was not captured or is damaged (no finding of DDP). The message that it belonged to is unknown.
  virtual void undecodable(const Carrier& carrier, Octets ulpdu) = 0;

 protected:
  ~SegmentSink() = default;
};

}  // namespace iwarpscope::ddp
