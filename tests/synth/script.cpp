// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/script.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "synth/script_player.h"

namespace iwarpscope::synth {

namespace {

struct Group {
  std::string_view title;
  std::span<const Command> (*commands)();
};
constexpr auto kGroups = std::to_array<Group>({
    {"The connection (before its first packet)", connection_commands},
    {"The SCTP association, instead of a connection (before its first packet)", sctp_end_commands},
    {"TCP, and also SCTP if it has the same function", tcp_commands},
    {"SCTP", sctp_commands},
    {"Network and tap", network_commands},
    {"MPA", mpa_commands},
    {"Messages", message_commands},
    {"Faults", fault_commands},
});

const Command& command_of(std::string_view name) {
  for (const Group& group : kGroups) {
    for (const Command& command : group.commands()) {
      if (command.name == name) return command;
    }
  }
  throw std::invalid_argument("no such command: '" + std::string(name) + "'");
}

// Splits at `ends` outside quotes; '#' outside quotes, at the start of a word, ends the line.
std::vector<std::string_view> commands_of(std::string_view line) {
  std::vector<std::string_view> out;
  std::size_t from = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ';') {
      out.push_back(line.substr(from, i - from));
      from = i + 1;
    } else if (!quoted && c == '#' && (i == from || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      line = line.substr(0, i);
    }
  }
  out.push_back(line.substr(from));
  return out;
}

// The words of a text, in lines of at most 100 columns that begin with `indent` blanks; the first with two if
// outdented.
std::string wrapped(const std::string& words, std::size_t indent, bool outdented) {
  constexpr std::size_t kColumns = 100;
  std::string out(outdented ? 2 : indent, ' ');
  std::size_t column = out.size();
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (at != 0 && column + 1 + (end - at) > kColumns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (at != 0) {
      out += ' ';
      ++column;
    }
    out += words.substr(at, end - at);
    column += end - at;
    at = std::min(end + 1, words.size());
  }
  return out + "\n";
}

}  // namespace

void Player::usual() {
  options_ = ConnectionOptions{};
  options_.initiator.port = static_cast<std::uint16_t>(options_.initiator.port + all_.size());
  sctp_.reset();
  stream_ = 0;
}

void Player::begin() {
  if (begun_) return;
  if (options_.initiator.address.is_v6() != options_.responder.address.is_v6()) {
    throw std::invalid_argument("one end has an IPv4 address, the other an IPv6 one");
  }
  options_.clock = &clock_;
  if (sctp_) {
    auto association = std::make_unique<Association>(options_, *sctp_);
    DdpStream* const messages = &association->stream(0);
    all_.push_back({std::move(association), messages});
  } else {
    auto connection = std::make_unique<Connection>(options_);
    Connection* const messages = connection.get();
    all_.push_back({std::move(connection), messages});
  }
  if (all_.size() > 1) all_.back().messages->share_memory(*all_.front().messages);
  begun_ = true;
}

Conversation& Player::conversation() {
  begin();
  return *all_.back().conversation;
}

Connection& Player::connection() {
  auto* const connection = dynamic_cast<Connection*>(&conversation());
  if (connection == nullptr) throw std::invalid_argument("this is a command for TCP, but the script uses SCTP");
  return *connection;
}

Association& Player::association() {
  auto* const association = dynamic_cast<Association*>(&conversation());
  if (association == nullptr) throw std::invalid_argument("this is a command for SCTP, but the script uses TCP");
  return *association;
}

DdpStream& Player::messages() {
  if (is_sctp()) return stream();
  return connection();
}

void Player::choose_stream(std::uint16_t id) {
  (void)association();
  stream_ = id;
}

ConnectionOptions& Player::options() {
  if (begun_) throw std::invalid_argument("the connection has begun; settings must come before all other commands");
  return options_;
}

SctpOptions& Player::sctp() {
  (void)options();
  if (!sctp_) sctp_.emplace();
  return *sctp_;
}

void Player::next_connection() {
  constexpr std::size_t kMost = 20'000;
  if (begun_) conversation().flush();
  if (all_.size() == kMost) throw std::invalid_argument("more than 20000 connections");
  begun_ = false;
  usual();
}

void Player::run(std::string_view command) {
  Words words(command);
  if (words.command().empty()) return;
  const Command& found = command_of(words.command());
  found.run(*this, words);
  words.done();
}

Frames Player::frames() {
  std::vector<Frames> all;
  for (const One& one : all_) all.push_back(one.conversation->frames());
  return all.size() == 1 ? std::move(all.front()) : merge(all);
}

Frames play(std::string_view script, std::string_view name) {
  Player player;
  std::size_t number = 0;
  while (!script.empty()) {
    const std::size_t end = std::min(script.find('\n'), script.size());
    const std::string_view line = script.substr(0, end);
    script.remove_prefix(std::min(end + 1, script.size()));
    ++number;
    try {
      for (const std::string_view command : commands_of(line)) player.run(command);
    } catch (const std::invalid_argument& error) {
      throw ScriptError(std::string(name) + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  Frames frames = player.frames();
  if (frames.empty()) throw ScriptError(std::string(name) + ": no packet is captured");
  return frames;
}

std::string script_help() {
  std::string out;
  for (const Group& group : kGroups) {
    out += std::string(out.empty() ? "" : "\n") + std::string(group.title) + ":\n";
    for (const Command& c : group.commands()) {
      out += wrapped(std::string(c.name) + (c.arguments.empty() ? "" : " ") + std::string(c.arguments), 6, true);
      out += wrapped("- " + std::string(c.what), 6, false);
    }
  }
  return out;
}

}  // namespace iwarpscope::synth
