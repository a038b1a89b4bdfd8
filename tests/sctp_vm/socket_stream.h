// A DDP Stream of a real association. Both programs play the same script: each sends what is its own side's, and holds
// what arrives against what the script says of the other side.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "synth/session_stream.h"

namespace iwarpscope::sctp_vm {

using synth::Side;

class Player;

/// What one side put into a session, and what its program saw of the other side's.
struct SessionTruth {
  struct Control {
    unsigned function_code = 0;
    std::string private_data;  ///< what follows the function code, hexadecimal
  };
  std::uint16_t stream = 0;
  std::vector<Control> control{};
  std::uint64_t ddp_segments = 0;
  std::map<std::string, std::uint64_t> messages{}, payload_octets{};  ///< by opcode
  std::uint64_t received = 0;                                         ///< user messages
  std::uint64_t overtaken = 0;  ///< of them those that one with a higher DDP-SSN came before
};

class SocketStream : public synth::SessionStream {
 public:
  SocketStream(Player& player, std::uint16_t id);
  /// DDP segments that travel unfragmented with a SACK beside them over IPv4, IPv6 and in UDP, at an MTU of 1500.
  static constexpr std::size_t kMulpdu = 1398;
  /// A user message of this stream came.
  void arrived(std::uint32_t ppid, Octets user_data);
  /// All that the other side has put so far has come, and nothing else.
  void receive_all() { settle(other_); }
  /// With the session that is open. Call receive_all() first.
  [[nodiscard]] std::vector<SessionTruth> sessions();

 private:
  struct UserMessage {
    std::uint32_t ppid = 0;
    synth::Buffer user_data{};
    std::uint64_t serial = 0;  ///< of those that came
  };

  void put_chunk(Side side, synth::wire::Data chunk) override;
  void acknowledge_all() override;
  void settle(Side side) override;
  [[nodiscard]] std::size_t usual_mulpdu(Side) const override { return kMulpdu; }
  [[nodiscard]] Octets owner(Side side) const override;
  void count(const synth::wire::Data& sent);
  /// Takes the first that came with this DDP-SSN, waiting for it.
  [[nodiscard]] UserMessage take(std::uint16_t ddp_ssn);
  void end_session();

  Player& player_;
  Side other_;
  std::vector<UserMessage> expected_;  ///< of this session, in the order of their DDP-SSNs from 0
  std::deque<UserMessage> arrived_;    ///< and not taken: of this session before those of the next
  std::uint64_t next_serial_ = 0;
  std::vector<std::uint64_t> serials_;  ///< of what was taken in this session
  std::vector<SessionTruth> sessions_;
  bool begun_ = false;
};

}  // namespace iwarpscope::sctp_vm
