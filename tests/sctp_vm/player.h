// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One program of the pair: its end of the association, and the streams that scripts play on.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sctp_vm/sctp_socket.h"
#include "sctp_vm/socket_stream.h"

namespace iwarpscope::sctp_vm {

class Player {
 public:
  /// The active side's program pauses with the folder `pauses`: it writes a file "reached" there and waits for "go".
  Player(SctpSocket socket, Side own, std::string pauses);

  // ---- for scripts ----
  [[nodiscard]] SocketStream& stream(std::uint16_t id = 0);
  /// Waits until all data is acknowledged; then the network is changed, or the capture begins.
  void pause();
  /// DATA chunks of this side have at most this number of octets of user data; 0: limited only by the path.
  void fragment_at(Side side, std::uint32_t octets);
  /// This side ends the association by SHUTDOWN or ABORT when all data has arrived.
  void shutdown(Side side = Side::initiator);
  void abort(Side side);

  // ---- for streams ----
  [[nodiscard]] Side own() const { return own_; }
  [[nodiscard]] SctpSocket& socket() { return socket_; }
  /// Passes the next user message to its stream. Throws std::runtime_error if no more can arrive.
  void receive_one();

  /// Messages of all streams, in order within each stream.
  [[nodiscard]] std::vector<SessionTruth> sessions();

 private:
  void receive_all();
  void expect_end();

  SctpSocket socket_;
  Side own_;
  std::string pauses_;
  std::map<std::uint16_t, std::unique_ptr<SocketStream>> streams_;
};

}  // namespace iwarpscope::sctp_vm
