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
  /// The active side's program pauses by the folder `pauses`: it leaves a file "reached" there and waits for "go".
  Player(SctpSocket socket, Side own, std::string pauses);

  // ---- for scripts ----
  [[nodiscard]] SocketStream& stream(std::uint16_t id = 0);
  /// All is acknowledged; then the network is changed, or the capture begun.
  void pause();
  /// DATA chunks of this side have at most so much user data; 0: as much as the path takes.
  void fragment_at(Side side, std::uint32_t octets);
  /// The association ends by SHUTDOWN or ABORT of this side, when all has arrived.
  void shutdown(Side side = Side::initiator);
  void abort(Side side);

  // ---- for streams ----
  [[nodiscard]] Side own() const { return own_; }
  [[nodiscard]] SctpSocket& socket() { return socket_; }
  /// Gives the next user message to its stream. Throws std::runtime_error if there will be none.
  void receive_one();

  /// Of all streams, each stream's in their order.
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
