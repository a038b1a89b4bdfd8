// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state on which the commands of a script operate. Included only by the script's own sources.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "synth/association.h"
#include "synth/connection.h"
#include "synth/script_words.h"

namespace iwarpscope::synth {

/// The connections and associations of one script, one after another, with one clock and one memory of atomic words.
class Player {
 public:
  /// The current one; begins it. The second and third throw std::invalid_argument if it is of the other transport.
  Conversation& conversation();
  Connection& connection();
  Association& association();
  /// The connection, or the chosen stream of the association.
  DdpStream& messages();
  SctpStream& stream() { return association().stream(stream_); }
  void choose_stream(std::uint16_t id);
  /// Settings before it begins. Throws std::invalid_argument if it has begun.
  ConnectionOptions& options();
  /// The same; with the first call it becomes an association.
  SctpOptions& sctp();
  [[nodiscard]] bool is_sctp() const { return sctp_.has_value(); }
  /// The next is a new one, with the default settings and the Initiator's next port.
  void next_connection();
  /// Plays one command. Throws std::invalid_argument.
  void run(std::string_view command);
  [[nodiscard]] Frames frames();

 private:
  struct One {
    std::unique_ptr<Conversation> conversation;
    DdpStream* messages;  // for an association: those of stream 0
  };
  void begin();
  void usual();

  Clock clock_;
  ConnectionOptions options_{};
  std::optional<SctpOptions> sctp_;
  std::vector<One> all_;
  std::uint16_t stream_ = 0;
  bool begun_ = false;
};

/// One command: its arguments, its description, and its function.
struct Command {
  std::string_view name;
  std::string_view arguments;
  std::string_view what;
  void (*run)(Player& player, Words& words);
};

/// Values that several groups of commands take.
[[nodiscard]] std::optional<wire::EnhancedData> enhanced_data(Words& words);
[[nodiscard]] Buffer private_data(Words& words);
[[nodiscard]] ChunkFaults chunk_faults(Words& words);

[[nodiscard]] std::span<const Command> connection_commands();
[[nodiscard]] std::span<const Command> tcp_commands();
[[nodiscard]] std::span<const Command> network_commands();
[[nodiscard]] std::span<const Command> sctp_end_commands();
[[nodiscard]] std::span<const Command> sctp_commands();
[[nodiscard]] std::span<const Command> mpa_commands();
[[nodiscard]] std::span<const Command> message_commands();
[[nodiscard]] std::span<const Command> fault_commands();

}  // namespace iwarpscope::synth
