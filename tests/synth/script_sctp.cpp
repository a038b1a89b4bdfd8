// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Commands of SCTP: the association, and the sessions on its streams.
#include <algorithm>
#include <stdexcept>

#include "synth/script_player.h"

namespace iwarpscope::synth {

namespace {

using wire::SessionFunction;

// "10.1.0.1,fd00::1"
std::vector<Address> addresses_of(std::string_view words) {
  std::vector<Address> all;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(','), words.size());
    all.emplace_back(std::string(words.substr(0, end)).c_str());
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return all;
}

void set_sctp(Player& p, Words& w) {
  SctpOptions& o = p.sctp();
  o.udp = w.flag("udp");
  o.mtu = w.given_or("mtu", o.mtu);
  if (o.mtu < 256) throw std::invalid_argument("mtu: must be at least 256");
}

void set_sctp_end(Player& p, Words& w) {
  SctpEnd& e = w.side() == Side::initiator ? p.sctp().initiator : p.sctp().responder;
  e.tag = w.given_or("tag", e.tag);
  e.outbound_streams = w.given_or("out", e.outbound_streams);
  e.inbound_streams = w.given_or("in", e.inbound_streams);
  e.window = w.given_or("window", e.window);
  if (w.flag("no-adaptation")) e.adaptation.reset();
  if (const auto adaptation = w.given<std::uint32_t>("adaptation")) e.adaptation = adaptation;
  if (const auto more = w.value("also")) e.more_addresses = addresses_of(*more);
}

constexpr Command kEnds[] = {
    {"sctp", "[udp] [mtu=N]", "an SCTP association instead of a TCP connection; udp: in UDP port 9899; MTU 1500",
     set_sctp},
    {"sctp-end", "SIDE [tag=N] [out=N] [in=N] [adaptation=N | no-adaptation] [also=IP,...] [window=N]",
     "one end of the association: verification tag, streams (16), Adaptation Layer Indication (1), more addresses; isn "
     "of end is the"
     " Initial TSN, ack-every counts packets with DATA",
     set_sctp_end},
};

// ---- the association ----

void data(Player& p, Words& w) {
  const Side side = w.side();
  wire::Data chunk;
  chunk.stream = w.given_or("stream", chunk.stream);
  chunk.ppid = w.given_or("ppid", chunk.ppid);
  chunk.ssn = w.given_or("ssn", chunk.ssn);
  chunk.unordered = !w.flag("ordered");
  const auto octets = w.octets("hex");
  const auto words = w.value("text");
  if (!octets && !words) throw std::invalid_argument("hex=... or text=\"...\" is missing");
  chunk.user_data = octets ? *octets : text(*words);
  if (chunk.user_data.empty()) throw std::invalid_argument("a DATA chunk has at least one octet of user data");
  p.association().data(side, std::move(chunk));
}

void fragment(Player& p, Words& w) {
  const Side side = w.side();
  if (w.flag("usual")) return p.association().fragment(side, std::nullopt);
  const std::uint64_t octets = w.number("the size", 65535);
  if (octets == 0) throw std::invalid_argument("sctp-fragment: must be at least 1 octet");
  p.association().fragment(side, octets);
}

void use_path(Player& p, Words& w) {
  const Side side = w.side();
  const std::uint64_t own = w.number("the number of the own address", 255);
  p.association().use_path(side, own, w.number("the number of the peer's address", 255));
}

// ---- sessions ----

SessionFunction function_of(Words& w) {
  const std::string word = w.next("the function");
  if (word.find_first_not_of("0123456789") == std::string::npos && word.size() < 6) {
    const unsigned long code = std::stoul(word);
    if (code > 0xFFFF) throw std::invalid_argument("the function: " + word + " is above 65535");
    return static_cast<SessionFunction>(code);
  }
  return Words::chosen<SessionFunction>("the function", word,
                                        {{"initiate", SessionFunction::initiate},
                                         {"accept", SessionFunction::accept},
                                         {"reject", SessionFunction::reject},
                                         {"terminate", SessionFunction::terminate},
                                         {"enhanced-initiate", SessionFunction::enhanced_initiate},
                                         {"enhanced-accept", SessionFunction::enhanced_accept},
                                         {"enhanced-reject", SessionFunction::enhanced_reject}});
}

void control(Player& p, Words& w) {
  const Side side = w.side();
  wire::SessionControl message{function_of(w), enhanced_data(w), private_data(w)};
  p.stream().control(side, message, chunk_faults(w));
}

constexpr Command kSctp[] = {
    {"sctp-stream", "ID", "the stream of all sessions and messages from here on (0)",
     [](Player& p, Words& w) { p.choose_stream(static_cast<std::uint16_t>(w.number("the stream", 65535))); }},
    {"session",
     "SIDE initiate|accept|reject|terminate|enhanced-initiate|enhanced-accept|enhanced-reject|CODE [p2p]"
     " [offer=send,write,read] [ird=N] [ord=N] [private=HEX | private-text=TEXT] [unordered=on|off] [ppid=N]"
     " [ddp-ssn=N] [ddp-ssn-delta=N]",
     "a session control message, correct or wrong", control},
    {"new-session", "[in-haste]", "DDP-SSNs and queues begin again; in-haste: also if data is not acknowledged",
     [](Player& p, Words& w) { p.stream().new_session(w.flag("in-haste")); }},
    {"ddp-ssn", "SIDE N", "the DDP-SSN of the side's next chunk",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.stream().set_ddp_ssn(side, static_cast<std::uint16_t>(w.number("the DDP-SSN", 65535)));
     }},
    {"shutdown", "[SIDE]", "SHUTDOWN of the side (a), and the answers",
     [](Player& p, Words& w) { p.association().shutdown(w.maybe_side().value_or(Side::initiator)); }},
    {"abort", "SIDE", "ABORT", [](Player& p, Words& w) { p.association().abort(w.side()); }},
    {"heartbeat", "SIDE", "HEARTBEAT and its answer", [](Player& p, Words& w) { p.association().heartbeat(w.side()); }},
    {"path", "SIDE N N", "packets of the side go from its address of this number to that of its peer; 0 is that of end",
     use_path},
    {"a-rwnd", "SIDE N", "the receive window that the side's SACKs offer from here on",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.association().offer_window(side, static_cast<std::uint32_t>(w.number("the window", 0xFFFFFFFF)));
     }},
    {"bundle", "SIDE on|off", "DATA chunks wait until a packet is full; flush or an answer sends the rest",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.association().bundle(side,
                              Words::chosen<bool>("the switch", w.next("on or off"), {{"on", true}, {"off", false}}));
     }},
    {"sctp-fragment", "SIDE N|usual", "user messages are cut into DATA chunks of at most N octets of user data",
     fragment},
    {"data", "SIDE [stream=N] [ppid=N] [ssn=N] [ordered] hex=HEX | text=TEXT", "a DATA chunk with any octets", data},
};

}  // namespace

std::span<const Command> sctp_end_commands() {
  return kEnds;
}
std::span<const Command> sctp_commands() {
  return kSctp;
}

}  // namespace iwarpscope::synth
