// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Commands of the connection, of TCP, and of network and tap.
#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "synth/script_player.h"

namespace iwarpscope::synth {

namespace {

using wire::Checksum;

// ---- the connection ----

void set_end(Player& p, Words& w) {
  Endpoint& e = w.side() == Side::initiator ? p.options().initiator : p.options().responder;
  if (const auto address = w.value("address")) e.address = Address(address->c_str());
  e.port = w.given_or("port", e.port);
  e.isn = w.given_or("isn", e.isn);
  e.mss = w.given_or("mss", e.mss);
  e.window_scale = w.given_or("window-scale", e.window_scale, 14);
  e.timestamps = w.on_off("timestamps").value_or(e.timestamps);
  e.sack = w.on_off("sack").value_or(e.sack);
  e.ttl = w.given_or("ttl", e.ttl);
  e.interface = w.given_or("interface", e.interface, 1000);
  e.turnaround_ns = w.time("turnaround").value_or(e.turnaround_ns);
  e.ack_every = w.given_or("ack-every", e.ack_every);
  e.checksum = w.choice<Checksum>("checksum", {{"right", Checksum::right},
                                               {"wrong", Checksum::wrong},
                                               {"offload", Checksum::pseudo_header_only},
                                               {"zero", Checksum::zero}})
                   .value_or(e.checksum);
}

void set_link(Player& p, Words& w) {
  p.options().path.link = Words::chosen<LinkType>("the link", w.next("the link"),
                                                  {{"ethernet", LinkType::ethernet},
                                                   {"sll", LinkType::linux_sll},
                                                   {"sll2", LinkType::linux_sll2},
                                                   {"raw", LinkType::raw_ip},
                                                   {"loopback", LinkType::null_loopback}});
}

void set_tunnel(Player& p, Words& w) {
  using Kind = Tunnel::Kind;
  Tunnel tunnel;
  tunnel.kind = Words::chosen<Kind>("the tunnel", w.next("the tunnel"),
                                    {{"gre", Kind::gre_ip},
                                     {"gre-ethernet", Kind::gre_ethernet},
                                     {"erspan-1", Kind::erspan_1},
                                     {"erspan-2", Kind::erspan_2},
                                     {"erspan-3", Kind::erspan_3},
                                     {"vxlan", Kind::vxlan},
                                     {"geneve", Kind::geneve},
                                     {"geneve-ip", Kind::geneve_ip}});
  tunnel.id = w.given_or("id", tunnel.id, 0xFFFFFF);
  tunnel.erspan_vlan = w.given_or("vlan", tunnel.erspan_vlan, 4095);
  p.options().path.tunnel = tunnel;
}

constexpr Command kConnection[] = {
    {"connection", "", "begins another connection: all settings are the defaults, the Initiator's next port",
     [](Player& p, Words&) { p.next_connection(); }},
    {"end",
     "SIDE [address=IP] [port=N] [isn=N] [mss=N] [window-scale=N] [timestamps=on|off] [sack=on|off] [ttl=N]"
     " [checksum=right|wrong|offload|zero] [interface=N] [turnaround=TIME] [ack-every=N]",
     "one end; a is 10.0.0.1:40000, b is 10.0.0.2:5000, MSS 1460", set_end},
    {"opener", "SIDE", "the side that sends the SYN (a)", [](Player& p, Words& w) { p.options().opener = w.side(); }},
    {"seed", "N", "of the payload octets (1)", [](Player& p, Words& w) { p.options().seed = w.number("the seed"); }},
    {"gap", "TIME", "time between packets that do not wait (10us)",
     [](Player& p, Words& w) { p.options().gap_ns = time_of(w.next("the time")); }},
    {"link", "ethernet|sll|sll2|raw|loopback", "the captured link type", set_link},
    {"vlan", "ID", "a VLAN tag around each packet; repeat it for an inner tag",
     [](Player& p, Words& w) {
       p.options().path.vlans.push_back({.id = static_cast<std::uint16_t>(w.number("the VLAN", 4095))});
     }},
    {"mpls", "LABEL", "an MPLS label; repeat it for an inner label",
     [](Player& p, Words& w) {
       p.options().path.labels.push_back({.label = static_cast<std::uint32_t>(w.number("the label", 0xFFFFF))});
     }},
    {"tunnel", "gre|gre-ethernet|erspan-1|erspan-2|erspan-3|vxlan|geneve|geneve-ip [id=N] [vlan=N]",
     "the mirror's transport; vlan is in the header of ERSPAN, and its tag may have been taken off", set_tunnel},
    {"fragment", "N", "IP fragments of at most N octets of payload",
     [](Player& p, Words& w) {
       const std::uint64_t octets = w.number("the size", 65535);
       if (octets < 8) throw std::invalid_argument("fragment: must be at least 8 octets");
       p.options().path.fragment_payload = octets;
     }},
    {"snap", "N", "octets of a frame that the capture keeps",
     [](Player& p, Words& w) { p.options().path.snap_length = w.number("the snap length", 262144); }},
};

// ---- TCP ----

void set_packing(Player& p, Words& w, Packing packing, std::vector<std::size_t> sizes = {}) {
  if (const auto side = w.maybe_side()) {
    p.connection().packing(*side, packing, std::move(sizes));
  } else {
    p.connection().packing(packing, std::move(sizes));
  }
}

std::vector<std::size_t> sizes_of(const std::string& words) {
  std::vector<std::size_t> sizes;
  const char* at = words.data();
  const char* const end = at + words.size();
  while (at != end) {
    std::size_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc{} || size == 0 || size > 65535 || (next != end && (*next != ',' || next + 1 == end))) {
      throw std::invalid_argument("cut: '" + words + "' is not a list of sizes; write 700 or 30,2000");
    }
    sizes.push_back(size);
    at = next == end ? end : next + 1;
  }
  return sizes;
}

void cut(Player& p, Words& w) {
  const auto side = w.maybe_side();
  std::vector<std::size_t> sizes = sizes_of(w.next("a size"));
  if (side) {
    p.connection().packing(*side, Packing::cut, std::move(sizes));
  } else {
    p.connection().packing(Packing::cut, std::move(sizes));
  }
}

void filled(Player& p, Words& w, Packing packing) {
  const auto size = w.given<std::size_t>("size", 65535);
  if (size == 0U) throw std::invalid_argument("size: must be at least 1");
  set_packing(p, w, packing, size ? std::vector<std::size_t>{*size} : std::vector<std::size_t>{});
}

void close(Player& p, Words& w) {
  const Side first = w.maybe_side().value_or(Side::initiator);
  if (p.is_sctp()) {
    p.stream().close(first);
  } else {
    p.connection().close(first);
  }
}

constexpr Command kTcp[] = {
    {"connect", "", "the handshake; without it, the capture begins after the handshake",
     [](Player& p, Words&) { p.conversation().connect(); }},
    {"stream", "SIDE PAYLOAD", "octets that are not MPA",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.connection().stream(side, w.payload());
     }},
    {"close", "[SIDE]", "FIN from the side (a), FIN from the other, ACK; SCTP: Session Terminate of both", close},
    {"fin", "SIDE", "FIN of one side, acknowledged", [](Player& p, Words& w) { p.connection().fin(w.side()); }},
    {"reset", "SIDE", "RST", [](Player& p, Words& w) { p.connection().reset(w.side()); }},
    {"keep-alive", "SIDE [octet]", "a keep-alive with no octet or one, and its answer",
     [](Player& p, Words& w) {
       const bool octet = w.flag("octet");
       p.connection().keep_alive(w.side(), octet);
     }},
    {"ack", "SIDE", "a pure ACK; SCTP: a SACK", [](Player& p, Words& w) { p.conversation().acknowledge(w.side()); }},
    {"window", "SIDE N", "the receive window that the side's next TCP segment with payload offers",
     [](Player& p, Words& w) {
       const Side side = w.side();
       const auto window = static_cast<std::uint16_t>(w.number("the window", 65535));
       p.connection().touch(side, [window](TcpSegment& t) { t.window = window; });
     }},
    {"reuse-ports", "[isn-a=N] [isn-b=N]", "the next connection on the same ports; connect follows",
     [](Player& p, Words& w) {
       const auto a = w.given<std::uint32_t>("isn-a");
       p.connection().reuse_ports(a, w.given<std::uint32_t>("isn-b"));
     }},
    {"whole", "[SIDE]", "each FPDU begins a TCP segment (the default)",
     [](Player& p, Words& w) { set_packing(p, w, Packing::fpdu_per_tcp_segment); }},
    {"pack", "[SIDE] [size=N]", "TCP segments are filled to the MSS or size; flush, close or an answer sends the rest",
     [](Player& p, Words& w) { filled(p, w, Packing::packed); }},
    {"cut", "[SIDE] SIZE[,SIZE...]", "each FPDU is cut into TCP segments of these sizes, alternating", cut},
    {"crc-alone", "[SIDE]", "the last four octets of each FPDU are in their own TCP segment",
     [](Player& p, Words& w) { set_packing(p, w, Packing::crc_alone); }},
    {"offload", "[SIDE] [size=N]", "each message is one TCP segment of up to 65483 octets or size",
     [](Player& p, Words& w) { filled(p, w, Packing::offload); }},
    {"flush", "", "sends the data held by packing or bundling", [](Player& p, Words&) { p.conversation().flush(); }},
    {"wait", "TIME", "time passes: 2s, 5ms, 10us, 7ns",
     [](Player& p, Words& w) { p.conversation().wait(time_of(w.next("the time"))); }},
};

// ---- network and tap ----

void happen(Player& p, Words& w, Effect effect) {
  EffectOptions o;
  o.skip = w.given_or("skip", o.skip);
  o.delay = w.given_or("delay", o.delay);
  o.miss_retransmission = w.flag("again-missed");
  p.conversation().channel(w.side(), effect, o);
}

void impair(Player& p, Words& w) {
  Impairment i;
  i.seed = w.given_or("seed", i.seed);
  i.lose_before_tap = w.given_or("lose", i.lose_before_tap, 1000);
  i.lose_after_tap = w.given_or("lose-seen", i.lose_after_tap, 1000);
  i.miss = w.given_or("miss", i.miss, 1000);
  i.hold_back = w.given_or("reorder", i.hold_back, 1000);
  i.mirror_duplicate = w.given_or("duplicate", i.mirror_duplicate, 1000);
  i.retransmit = w.given_or("retransmit", i.retransmit, 1000);
  i.corrupt = w.given_or("corrupt", i.corrupt, 1000);
  p.conversation().impair(i);
}

void capture(Player& p, Words& w) {
  if (const auto side = w.maybe_side()) return p.conversation().capture_only(*side);
  p.conversation().capture(Words::chosen<bool>("capture", w.next("on, off, a or b"), {{"on", true}, {"off", false}}));
}

constexpr Command kNetwork[] = {
    {"lose", "SIDE [seen] [skip=N] [delay=N] [again-missed]",
     "the side's next TCP segment with payload, or packet with DATA, is lost (seen: after the tap) and retransmitted "
     "after delay others (3); skip lets this many pass before",
     [](Player& p, Words& w) { happen(p, w, w.flag("seen") ? Effect::lose_after_tap : Effect::lose_before_tap); }},
    {"miss", "SIDE [skip=N]", "it is received but not captured: a capture gap",
     [](Player& p, Words& w) { happen(p, w, Effect::miss); }},
    {"reorder", "SIDE [skip=N] [delay=N]", "it comes after the next ones",
     [](Player& p, Words& w) { happen(p, w, Effect::hold_back); }},
    {"duplicate", "SIDE [skip=N]", "it is captured twice",
     [](Player& p, Words& w) { happen(p, w, Effect::mirror_duplicate); }},
    {"retransmit", "SIDE [changed] [skip=N] [delay=N] [again-missed]",
     "it is received and retransmitted anyway (changed: with other octets)",
     [](Player& p, Words& w) { happen(p, w, w.flag("changed") ? Effect::retransmit_changed : Effect::retransmit); }},
    {"corrupt", "SIDE [skip=N] [delay=N] [again-missed]", "it has a wrong checksum, is dropped and retransmitted",
     [](Player& p, Words& w) { happen(p, w, Effect::corrupt); }},
    {"impair", "[seed=N] [lose=N] [lose-seen=N] [miss=N] [reorder=N] [duplicate=N] [retransmit=N] [corrupt=N]",
     "probabilities in thousandths for each later TCP segment with payload", impair},
    {"capture", "on|off|a|b", "turns the capture off and on; a or b: captures only that side", capture},
};

}  // namespace

std::span<const Command> connection_commands() {
  return kConnection;
}
std::span<const Command> tcp_commands() {
  return kTcp;
}
std::span<const Command> network_commands() {
  return kNetwork;
}

}  // namespace iwarpscope::synth
