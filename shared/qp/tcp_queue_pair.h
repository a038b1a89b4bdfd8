// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair over TCP: a connection that carries iWARP, or may.
#pragma once

#include <array>

#include "net/tcp_packet.h"
#include "qp/queue_pair.h"
#include "tcp/connection.h"

namespace iwarpscope::qp {

/// What was known of the connection when it began to look like iWARP.
struct Beginning {
  net::Endpoint a, b;  ///< a's octets are direction a_to_b
  Roles roles{};
  std::array<tcp::Origin, 2> origins;  ///< by direction
  FrameNumber first_frame;
  TimePoint first_time;
  bool midstream = false;  ///< recognised by its FPDUs, not by a startup frame
};

/// The TCP segment begins with a whole MPA Request: the exact key, a revision there is, and all its private data,
/// though the capture may have cut them. Source: RFC 5044 §7.1.1.
[[nodiscard]] bool begins_with_request(const net::TcpPacket& packet) noexcept;

class TcpQueuePair final : public QueuePair {
 public:
  /// `observation` may be null: no model listens.
  TcpQueuePair(Environment& environment, const Beginning& beginning, Events& events,
               Observation* observation = nullptr);

  /// `frame`, `time`: the present ones, later than the TCP segment's own when it was held back before.
  void feed(Direction d, const net::TcpPacket& packet, FrameNumber frame, TimePoint time);

  /// TCP segments wait for octets that they show to have been sent and that were not seen yet.
  [[nodiscard]] bool is_waiting() const noexcept;
  /// It is that late by now, as a frame of any connection shows: some of them have waited long enough.
  void pass_time(FrameNumber frame, TimePoint time);
  /// They have waited long enough, all of them.
  void stop_waiting(FrameNumber frame, TimePoint time);

  /// A new connection has the addresses and ports of this one: it begins with this SYN, or with this MPA Request far
  /// from where this one's octets are, when the capture lacks the SYN.
  [[nodiscard]] bool is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept;
  /// Of a SYN with which is_reused_by(): this connection is open, so its receiver ignores the SYN unless the other side
  /// answers it.
  [[nodiscard]] bool ignores_syn(Direction d, const net::TcpPacket& packet) const noexcept;
  /// By its numbers the packet is one of this connection.
  [[nodiscard]] bool fits(Direction d, const net::TcpPacket& packet) const noexcept;
  /// A SYN that is not the one of this connection, as far as its numbers are known.
  [[nodiscard]] bool is_other_syn(Direction d, const net::TcpPacket& packet) const noexcept;
  /// Nothing like iWARP was found within the limits and never will be: the connection is ordinary TCP.
  [[nodiscard]] bool is_given_up() const noexcept;

 private:
  class Impl;
  [[nodiscard]] Impl& tcp() const noexcept;
};

}  // namespace iwarpscope::qp
