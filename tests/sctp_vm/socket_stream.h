// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A DDP Stream of a real association. Both programs play the same script: each sends its own side's messages, and
// compares received messages with the script of the other side.
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

/// The messages that one side sent in a session, and those that its program received from the other side.
struct SessionTruth {
  struct Control {
    unsigned function_code = 0;
    std::string private_data;  ///< octets after the function code, hexadecimal
  };
  std::uint16_t stream = 0;
  std::vector<Control> control{};
  std::uint64_t ddp_segments = 0;
  std::map<std::string, std::uint64_t> messages{}, payload_octets{};  ///< by opcode
  std::uint64_t received = 0;                                         ///< user messages
  std::uint64_t overtaken = 0;  ///< those of them that arrived after a message with a higher DDP-SSN
};

class SocketStream : public synth::SessionStream {
 public:
  SocketStream(Player& player, std::uint16_t id);
  /// DDP segments that are not fragmented, with a SACK beside them, over IPv4, IPv6 and in UDP, at an MTU of 1500.
  static constexpr std::size_t kMulpdu = 1398;
  /// A user message of this stream arrived.
  void arrived(std::uint32_t ppid, Octets user_data);
  /// All messages that the other side has sent so far have arrived, and no others.
  void receive_all() { settle(other_); }
  /// With the open session. Call receive_all() first.
  [[nodiscard]] std::vector<SessionTruth> sessions();

 private:
  struct UserMessage {
    std::uint32_t ppid = 0;
    synth::Buffer user_data{};
    std::uint64_t serial = 0;  ///< of those received
  };

  void put_chunk(Side side, synth::wire::Data chunk) override;
  void acknowledge_all() override;
  void settle(Side side) override;
  [[nodiscard]] std::size_t usual_mulpdu(Side) const override { return kMulpdu; }
  [[nodiscard]] Octets owner(Side side) const override;
  void count(const synth::wire::Data& sent);
  /// Takes the first received message with this DDP-SSN, and waits for it if necessary.
  [[nodiscard]] UserMessage take(std::uint16_t ddp_ssn);
  void end_session();

  Player& player_;
  Side other_;
  std::vector<UserMessage> expected_;  ///< of this session, in the order of their DDP-SSNs from 0
  std::deque<UserMessage> arrived_;    ///< and not taken: of this session before those of the next
  std::uint64_t next_serial_ = 0;
  std::vector<std::uint64_t> serials_;  ///< of the messages taken in this session
  std::vector<SessionTruth> sessions_;
  bool begun_ = false;
};

}  // namespace iwarpscope::sctp_vm
