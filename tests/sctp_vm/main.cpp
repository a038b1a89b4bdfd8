// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-sctp-peer active|passive SCRIPT OWN,... PEER,... PAUSES
//
// Plays one side of a script over an association of the kernel's SCTP, and prints what it sent and received as JSON.
// Fails if data arrived that the peer's script does not contain.
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sctp_vm/scripts.h"

namespace {

using iwarpscope::sctp_vm::Player;
using iwarpscope::sctp_vm::Script;
using iwarpscope::sctp_vm::SctpSocket;
using iwarpscope::sctp_vm::SessionTruth;
using iwarpscope::sctp_vm::Side;
using Json = nlohmann::ordered_json;

constexpr std::uint16_t kActivePort = 40000, kPassivePort = 5001;

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> out;
  std::istringstream in(words);
  for (std::string word; std::getline(in, word, ',');) out.push_back(word);
  return out;
}

Json json(const SessionTruth& truth) {
  Json control = Json::array();
  for (const SessionTruth::Control& one : truth.control) {
    control.push_back({{"function_code", one.function_code}, {"private_data", one.private_data}});
  }
  return {{"stream", truth.stream},
          {"control", control},
          {"ddp_segments", truth.ddp_segments},
          {"messages", truth.messages},
          {"payload_octets", truth.payload_octets},
          {"received", truth.received},
          {"overtaken", truth.overtaken}};
}

void run(const std::vector<std::string>& words) {
  const bool active = words.at(0) == "active";
  const Script& script = iwarpscope::sctp_vm::script(words.at(1));
  SctpSocket::Settings settings{.own = split(words.at(2)), .peers = split(words.at(3)), .nagle = script.nagle};
  settings.own_port = active ? kActivePort : kPassivePort;
  settings.peer_port = active ? kPassivePort : kActivePort;
  Player player(active ? SctpSocket::active(settings) : SctpSocket::passive(settings),
                active ? Side::initiator : Side::responder, words.at(4));
  const SctpSocket::Status status = player.socket().status();
  script.play(player);
  Json sessions = Json::array();
  for (const SessionTruth& session : player.sessions()) sessions.push_back(json(session));
  std::cout << Json{{"port", settings.own_port},
                    {"peers_adaptation", player.socket().adaptation()},
                    {"streams", {status.inbound_streams, status.outbound_streams}},
                    {"fragmentation_point", status.fragmentation_point},
                    {"events", player.socket().events()},
                    {"sessions", sessions}}
                   .dump(1)
            << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "iwarpscope-sctp-peer: " << error.what() << '\n';
    return 1;
  }
}
