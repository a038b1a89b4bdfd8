// What the commands of a script work on. Included by the script's own sources only.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "synth/connection.h"
#include "synth/script_words.h"

namespace iwarpscope::synth {

/// The connections of one script, one after another, on one clock and one memory of atomic words.
class Player {
 public:
  /// The current connection; begins it.
  Connection& connection();
  /// Settings of the connection that has not begun. Throws std::invalid_argument if it has.
  ConnectionOptions& options();
  /// The next `connection()` is another one, with the usual settings and the Initiator's next port.
  void next_connection();
  /// Plays one command. Throws std::invalid_argument.
  void run(std::string_view command);
  [[nodiscard]] Frames frames();

 private:
  void usual();

  Clock clock_;
  ConnectionOptions options_{};
  std::vector<std::unique_ptr<Connection>> connections_;
  bool begun_ = false;
};

/// One command: what stands behind its name, what it does, and the doing.
struct Command {
  std::string_view name;
  std::string_view arguments;
  std::string_view what;
  void (*run)(Player& player, Words& words);
};

[[nodiscard]] std::span<const Command> connection_commands();
[[nodiscard]] std::span<const Command> tcp_commands();
[[nodiscard]] std::span<const Command> network_commands();
[[nodiscard]] std::span<const Command> mpa_commands();
[[nodiscard]] std::span<const Command> message_commands();
[[nodiscard]] std::span<const Command> fault_commands();

}  // namespace iwarpscope::synth
