// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Events of one queue pair as they are seen: for models of memory, STags and atomics.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "base/time_point.h"
#include "ddp/segment.h"
#include "mpa/fpdu.h"
#include "mpa/startup.h"
#include "net/tcp_packet.h"
#include "qp/requests/outstanding.h"
#include "rdmap/opcode.h"
#include "rdmap/terminate.h"
#include "sctp/session.h"

namespace iwarpscope::qp {

/// An RDMA message as far as it has been seen. The header fields are those of its first DDP segment.
struct MessageFacts {
  Direction direction{};
  std::uint64_t message = 0;  ///< index in its direction
  rdmap::Opcode opcode{};
  FrameNumber first_frame;   ///< of its first octet
  FrameNumber last_frame;    ///< highest frame number so far
  TimePoint first_time;      ///< arrival of its first octet at the tap
  TimePoint placed_time;     ///< latest arrival among its octets so far: they could be Placed then
  TimePoint delivered_time;  ///< when they could be Delivered: all octets before them were there too
  bool tagged = false;
  bool intact = true;               ///< its header octets may be judged: CRC good or not in use, nothing missing
  STag stag;                        ///< tagged
  TaggedOffset to;                  ///< tagged: of its first octet
  QueueNumber qn;                   ///< untagged
  MessageSequence msn;              ///< untagged
  std::optional<STag> invalidates;  ///< Send with Invalidate
};

/// Takes what happens on one queue pair. Per direction in stream order; between directions in the order in which octets
/// became deliverable at the tap. Arguments are valid only during the call. The first six are for displays of single
/// octets; models need none of them.
class Observation {
 public:
  /// False: tcp_segment() is not called. Asked once.
  [[nodiscard]] virtual bool shows_tcp_segments() const noexcept { return true; }
  /// A TCP segment with payload, after the calls for everything that it completed. Empty `offset`: it fits nowhere in
  /// the stream.
  virtual void tcp_segment(Direction, const net::TcpPacket&, std::optional<StreamOffset> /*offset*/) {}
  /// A startup frame that is complete. `direction`: of its octets.
  virtual void startup_frame(Direction, const mpa::StartupFrame&) {}
  /// As mpa::FpduSink::marker().
  virtual void marker(Direction, StreamOffset /*at*/, std::uint32_t /*value*/) {}
  /// Before the DDP segment it carries.
  virtual void fpdu(Direction, const mpa::Fpdu&) {}
  /// Over SCTP: a session control message, before the startup frame that it may be.
  virtual void control(Direction, const sctp::ControlMessage&) {}
  /// Over SCTP: before the DDP segment that the message is.
  virtual void session_segment(Direction, const sctp::Message&) {}
  /// A DDP segment. `facts` are up to date with it. With !segment.carrier.intact its content proves nothing.
  virtual void segment(const MessageFacts& facts, const ddp::Segment& segment) = 0;
  /// The message ended, complete or not. After its last segment().
  virtual void message_ended(const MessageFacts& facts, const ddp::MessageEnd& end) = 0;
  /// A Read Request or Atomic Request that could be read whole; `sender` sent it. After its message_ended().
  virtual void requested(Direction sender, const Request& request) = 0;
  /// The response to `request` ended. `certain`: no unknown request can be meant. `original`: of an Atomic Response.
  virtual void answered(const Request& request, const MessageFacts& response, const ddp::MessageEnd& end, bool certain,
                        std::optional<std::uint64_t> original) = 0;
  /// A Terminate that could be read. `names`: the message of the other direction that it refers to.
  virtual void terminated(const MessageFacts& facts, const rdmap::Terminate& terminate,
                          std::optional<std::uint64_t> names) = 0;
  /// Octets of this direction are missing or cannot be read: anything may have been in them.
  virtual void gap(Direction direction) = 0;

 protected:
  ~Observation() = default;
};

}  // namespace iwarpscope::qp
