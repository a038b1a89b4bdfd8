// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair over TCP: a connection that carries iWARP, or may do so.
#pragma once

#include <array>

#include "net/tcp_packet.h"
#include "qp/queue_pair.h"
#include "tcp/connection.h"

namespace iwarpscope::qp {

/// What is known of a connection when iWARP is suspected in it.
struct Beginning {
  net::Endpoint a, b;  ///< a's octets are direction a_to_b
  Roles roles{};
  std::array<tcp::Origin, 2> origins;  ///< by direction
  FrameNumber first_frame;
  TimePoint first_time;
  bool midstream = false;          ///< recognised by its FPDUs, not by a startup frame
  const Banner* banner = nullptr;  ///< null: b did not speak first, or it is not known; is copied
};

/// The TCP segment begins with a complete MPA Request: the exact key, a defined revision, and all its private data
/// (which the capture may have cut). Source: RFC 5044 §7.1.1.
[[nodiscard]] bool begins_with_request(const net::TcpPacket& packet) noexcept;

class TcpQueuePair final : public QueuePair {
 public:
  /// `observation` may be null: no models.
  TcpQueuePair(Environment& environment, const Beginning& beginning, Events& events,
               Observation* observation = nullptr);

  /// `frame`, `time`: now; later than the TCP segment's own if it was held back.
  void feed(Direction d, const net::TcpPacket& packet, FrameNumber frame, TimePoint time);

  /// TCP segments are held back: they acknowledge or follow octets that were not seen yet.
  [[nodiscard]] bool is_waiting() const noexcept;
  /// Time has passed, by a frame of any connection: processes TCP segments that have waited long enough.
  void pass_time(FrameNumber frame, TimePoint time);
  /// Processes all TCP segments that wait.
  void stop_waiting(FrameNumber frame, TimePoint time);

  /// The packet begins a new connection with the same addresses and ports: it is a SYN or, if the capture lacks the
  /// SYN, an MPA Request with distant sequence numbers.
  [[nodiscard]] bool is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept;
  /// For a SYN for which is_reused_by() is true: this connection is open, so its receiver ignores the SYN unless the
  /// other side answers it.
  [[nodiscard]] bool ignores_syn(Direction d, const net::TcpPacket& packet) const noexcept;
  /// The sequence and ACK numbers of the packet fit this connection.
  [[nodiscard]] bool fits(Direction d, const net::TcpPacket& packet) const noexcept;
  /// A SYN that is not the one of this connection, as far as its numbers are known.
  [[nodiscard]] bool is_other_syn(Direction d, const net::TcpPacket& packet) const noexcept;
  /// Nothing like iWARP was found within the limits and never will be: the connection is ordinary TCP.
  [[nodiscard]] bool is_given_up() const noexcept;

  /// Makes an object for a connection that was archived, ready for archive().
  [[nodiscard]] Beginning beginning() const;
  template <class A>
  void archive(A& a);

 private:
  class Impl;
  [[nodiscard]] Impl& tcp() const noexcept;
};

}  // namespace iwarpscope::qp
