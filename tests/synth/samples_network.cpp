// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Samples of effects of network, tap and capture: loss, reordering, gaps, tunnels, tags, fragments, cut frames.
#include "synth/connection.h"
#include "synth/samples.h"
#include "synth/samples_kit.h"

namespace iwarpscope::synth {

namespace {

void messages(Connection& c) {
  for (std::uint64_t i = 0; i < 4; ++i) {
    c.send(kI, 3000);
    c.write(kI, kStag, TaggedOffset{kTo.value + i * 8192}, 8000);
    c.read(kI, {.size = 5000});
    c.send(kR, 700);
  }
}

Frames impaired(const Startup& startup, const Impairment& impairment, Packing packing) {
  Connection c;
  c.connect();
  c.startup(startup);
  c.packing(packing);
  c.impair(impairment);
  messages(c);
  messages(c);
  return finished(c);
}

Frames gap(std::string_view name) {
  Connection c;
  c.connect();
  c.startup({.markers = name == "gap-markers"});
  c.packing(Packing::packed);
  messages(c);
  c.channel(kI, Effect::miss, {.skip = 2});
  c.channel(kI, Effect::miss, {.skip = 9});
  c.channel(kR, Effect::miss, {.skip = 1});
  messages(c);
  return finished(c);
}

Frames midstream(std::string_view name) {
  Connection c;
  c.capture(false);
  c.connect();
  c.startup({.crc = name != "midstream-nocrc", .markers = name == "midstream-markers"});
  if (name == "midstream-unaligned" || name == "midstream-markers") c.packing(Packing::packed);
  messages(c);
  c.capture(true);
  messages(c);
  return finished(c);
}

Frames one_sided(std::string_view name) {
  Connection c;
  c.connect();
  c.capture_only(name == "one-sided-initiator" ? kI : kR);
  c.startup();
  messages(c);
  return finished(c);
}

Frames wrap(std::string_view name) {
  Connection c(
      {.initiator = {.isn = 0xFFFFF000}, .responder = {.address = "10.0.0.2", .port = 5000, .isn = 0xFFFFFFFF}});
  c.connect();
  c.startup({.markers = name == "wrap-markers"});
  messages(c);
  return finished(c);
}

Frames msn_wrap(std::string_view) {
  Connection c;
  c.capture(false);
  c.connect();
  c.startup();
  c.set_msn(kI, QueueNumber{0}, MessageSequence{0xFFFFFFFE});
  c.send(kI, 10);
  c.capture(true);
  for (int i = 0; i < 4; ++i) c.send(kI, 10);
  return finished(c);
}

Frames offload(std::string_view name) {
  Connection c({.initiator = {.checksum = wire::Checksum::pseudo_header_only}});
  c.connect();
  c.startup();
  c.packing(Packing::offload,
            name == "offload-length-zero" ? std::vector<std::size_t>{75'000} : std::vector<std::size_t>{});
  for (std::uint64_t i = 0; i < 3; ++i) c.write(kI, kStag, kTo, name == "offload-length-zero" ? 67'000 : 60'000);
  c.read(kI, {.size = 30'000});
  return finished(c);
}

Frames snap_cut(std::string_view) {
  Connection c({.path = {.snap_length = 128}});
  c.connect();
  c.startup();
  messages(c);
  return finished(c);
}

Frames effects(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  for (const Effect effect : {Effect::lose_before_tap, Effect::lose_after_tap, Effect::hold_back,
                              Effect::mirror_duplicate, Effect::retransmit, Effect::corrupt}) {
    c.channel(kI, effect, {.skip = 1, .delay = 2});
    c.send(kI, 6000);
  }
  return finished(c);
}

Frames changed_retransmission(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  c.channel(kI, Effect::retransmit_changed, {.skip = 1, .delay = 1});
  c.send(kI, 6000);
  return finished(c);
}

Frames all_twice(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  c.impair({.mirror_duplicate = 1000});
  messages(c);
  return finished(c);
}

Frames keep_alives(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  c.send(kI, 100);
  for (int i = 0; i < 3; ++i) {
    c.wait(1'000'000'000);
    c.keep_alive(i == 1 ? kR : kI, i == 2);
  }
  c.send(kI, 100);
  return finished(c);
}

Frames ports_reused(std::string_view) {
  Connection c;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) c.reuse_ports();
    c.connect();
    c.startup({.markers = i == 1});
    c.send(kI, 3000);
    if (i == 1) {
      c.reset(kR);
    } else {
      c.close();
    }
  }
  return c.frames();
}

// ---- the path ----

Path path_of(std::string_view name) {
  const auto tunnel = [](Tunnel::Kind kind) { return Path{.tunnel = Tunnel{.kind = kind}}; };
  if (name == "vlan") return {.vlans = {{.id = 100}}};
  if (name == "qinq") return {.vlans = {{.id = 200, .type = 0x88A8}, {.id = 100}}};
  if (name == "mpls") return {.labels = {{.label = 1000}, {.label = 2000}}};
  if (name == "gre") return tunnel(Tunnel::Kind::gre_ip);
  if (name == "gre-ethernet") return tunnel(Tunnel::Kind::gre_ethernet);
  if (name == "erspan-1") return tunnel(Tunnel::Kind::erspan_1);
  if (name == "erspan-2") return {.vlans = {{.id = 7}}, .tunnel = Tunnel{.kind = Tunnel::Kind::erspan_2}};
  if (name == "erspan-3") return tunnel(Tunnel::Kind::erspan_3);
  if (name == "erspan-3-platform") return {.tunnel = Tunnel{.kind = Tunnel::Kind::erspan_3, .id = 43}};
  if (name == "vxlan") return tunnel(Tunnel::Kind::vxlan);
  if (name == "vxlan-ipv6") return {.tunnel = Tunnel{.source = "fd00:1::1", .destination = "fd00:1::2"}};
  if (name == "geneve") return {.tunnel = Tunnel{.kind = Tunnel::Kind::geneve, .options = hex("0102800100000000")}};
  if (name == "geneve-ip") return tunnel(Tunnel::Kind::geneve_ip);
  if (name == "sll") return {.link = LinkType::linux_sll};
  if (name == "sll2") return {.link = LinkType::linux_sll2};
  if (name == "raw-ip" || name == "raw-ipv6") return {.link = LinkType::raw_ip};
  if (name == "loopback" || name == "loopback-ipv6") return {.link = LinkType::null_loopback};
  if (name == "fragments" || name == "fragments-ipv6") return {.fragment_payload = 600};
  if (name == "fragments-reversed") return {.fragment_payload = 256, .fragments_reversed = true};
  if (name == "ip-options") return {.ipv4_options = hex("94040000 01010101")};
  if (name == "ipv6-extensions") {
    return {.ipv6_extensions = {{0, hex("010400000000")}, {60, hex("010400000000")}}};
  }
  return {.pad_ethernet = true};  // "ethernet-padding"
}

Frames on_path(std::string_view name) {
  ConnectionOptions options{.path = path_of(name)};
  if (name == "ipv6" || name == "raw-ipv6" || name == "loopback-ipv6" || name == "fragments-ipv6" ||
      name == "ipv6-extensions") {
    options.initiator.address = "fd00::a:1";
    options.responder.address = "fd00::a:2";
  }
  Connection c(options);
  c.connect();
  c.startup();
  c.send(kI, 4000);
  c.read(kI, {.size = 2000});
  c.send(kR, 1);
  return finished(c);
}

// Two taps with different link types, and one interface per direction.
Frames two_interfaces(std::string_view) {
  Connection c({.responder = {.address = "10.0.0.2", .port = 5000, .interface = 1}});
  c.connect();
  c.startup();
  c.send(kI, 4000);
  c.send(kR, 4000);
  Connection other({.initiator = {.port = 41000, .interface = 2},
                    .responder = {.address = "10.0.0.2", .port = 5000, .interface = 2},
                    .path = {.link = LinkType::linux_sll2}});
  other.connect();
  other.startup();
  other.send(kI, 4000);
  other.close();
  return merge({finished(c), other.frames()});
}

Frames tenant(std::uint16_t vlan, std::uint32_t isn) {
  Connection c({.initiator = {.isn = isn},
                .responder = {.address = "10.0.0.2", .port = 5000, .isn = isn + 5000},
                .path = {.vlans = {{.id = vlan}}}});
  c.connect();
  c.startup();
  c.send(kI, 100);
  c.read(kI, {.size = 200});
  return finished(c);
}

bool is_of_responder(const Frame& frame) {
  constexpr std::size_t kLastOfSourceMac = 11;
  return frame.octets.at(kLastOfSourceMac) == std::byte{2};
}

// Two independent networks, captured by one tap.
Frames tenants_of_two_vlans(std::string_view) {
  return merge({tenant(10, 1000), tenant(20, 3'000'000'000)});
}

// One connection whose directions are routed through different VLANs.
Frames vlan_each_way(std::string_view) {
  Frames all = tenant(10, 1000);
  const Frames other = tenant(20, 1000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_of_responder(all[i])) all[i] = other[i];
  }
  return all;
}

// The two ports of a tap are merged, one of them 6 ms late, on a path that loses and reorders.
Frames one_side_late(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  c.impair({.seed = 8, .lose_before_tap = 100, .hold_back = 100, .retransmit = 50});
  for (int i = 0; i < 3; ++i) {
    c.send(kI, 300);
    c.read(kI, {.size = 400});
    c.send(kR, 100);
  }
  Frames straight = finished(c);
  Frames late;
  std::erase_if(straight, [&](const Frame& f) {
    if (!is_of_responder(f)) return false;
    late.push_back(f);
    late.back().time_ns += 6'000'000;
    return true;
  });
  return merge({straight, late});
}

}  // namespace

std::vector<Sample> network_samples() {
  return {
      {"lossy-reordered", "loss on both sides of the tap, reordering, mirror duplicates, damage",
       [](std::string_view) {
         return impaired({},
                         {.seed = 3,
                          .lose_before_tap = 30,
                          .lose_after_tap = 30,
                          .hold_back = 60,
                          .mirror_duplicate = 20,
                          .retransmit = 20,
                          .corrupt = 20},
                         Packing::packed);
       }},
      {"lossy-reordered-markers", "the same with Markers",
       [](std::string_view) {
         return impaired({.markers = true},
                         {.seed = 4,
                          .lose_before_tap = 30,
                          .lose_after_tap = 30,
                          .hold_back = 60,
                          .mirror_duplicate = 20,
                          .retransmit = 20,
                          .corrupt = 20},
                         Packing::packed);
       }},
      {"effects", "one of each: lost before and after the tap, held back, duplicated, sent again, damaged", effects},
      {"retransmission-changed", "a retransmission with other octets", changed_retransmission},
      {"mirror-duplicates", "every TCP segment with payload captured twice", all_twice},
      {"gap", "TCP segments missing from the capture, acknowledged all the same; no Markers", gap},
      {"gap-markers", "the same with Markers", gap},
      {"capture-loss", "many small capture gaps",
       [](std::string_view) { return impaired({}, {.seed = 5, .miss = 100}, Packing::packed); }},
      {"midstream", "joined mid-stream, FPDUs begin TCP segments", midstream},
      {"midstream-unaligned", "joined mid-stream, FPDUs packed by TCP", midstream},
      {"midstream-markers", "joined mid-stream, Markers", midstream},
      {"midstream-nocrc", "joined mid-stream, CRC off", midstream},
      {"one-sided-initiator", "only what the Initiator sends", one_sided},
      {"one-sided-responder", "only what the Responder sends", one_sided},
      {"wrap", "sequence numbers wrap in both directions", wrap},
      {"wrap-markers", "the same with Markers", wrap},
      {"msn-wrap", "the MSN wraps to 0, joined mid-stream", msn_wrap},
      {"offload", "TCP segments of 60 000 octets, unfinished checksums of the Initiator", offload},
      {"offload-length-zero", "TCP segments beyond 65535 octets, IP total length 0", offload},
      {"snap-cut", "frames cut at 128 octets", snap_cut, {.snap_length = 128}},
      {"keep-alive", "TCP keep-alives with and without an octet", keep_alives},
      {"ports-reused", "three connections on the same ports, one reset", ports_reused},
      {"two-tenants", "two VLANs with a connection each between the same addresses and ports", tenants_of_two_vlans},
      {"vlan-by-direction", "a connection whose directions have a VLAN each", vlan_each_way},
      {"one-side-late", "what the Responder sends comes 6 ms late at the tap, over a bad path", one_side_late},
  };
}

std::vector<Sample> path_samples() {
  std::vector<Sample> out = {
      {"vlan", "VLAN tag", on_path},
      {"qinq", "two VLAN tags", on_path},
      {"mpls", "two MPLS labels", on_path},
      {"gre", "IP in GRE with key", on_path},
      {"gre-ethernet", "Ethernet in GRE with checksum and sequence number", on_path},
      {"erspan-1", "ERSPAN type I", on_path},
      {"erspan-2", "ERSPAN type II around a VLAN", on_path},
      {"erspan-3", "ERSPAN type III", on_path},
      {"erspan-3-platform", "ERSPAN type III with platform sub-header", on_path},
      {"vxlan", "VXLAN", on_path},
      {"vxlan-ipv6", "VXLAN over IPv6", on_path},
      {"geneve", "GENEVE with an option, around Ethernet", on_path},
      {"geneve-ip", "GENEVE around IP", on_path},
      {"sll", "Linux cooked capture v1", on_path},
      {"sll2", "Linux cooked capture v2", on_path},
      {"raw-ip", "raw IPv4", on_path},
      {"raw-ipv6", "raw IPv6", on_path},
      {"loopback", "BSD loopback, IPv4", on_path},
      {"loopback-ipv6", "BSD loopback, IPv6", on_path},
      {"ipv6", "IPv6", on_path},
      {"ipv6-extensions", "IPv6 with hop-by-hop and destination options", on_path},
      {"ip-options", "IPv4 with options", on_path},
      {"fragments", "IPv4 fragments", on_path},
      {"fragments-reversed", "IPv4 fragments, last first", on_path},
      {"fragments-ipv6", "IPv6 fragments", on_path},
      {"ethernet-padding", "Ethernet frames padded to 60 octets", on_path},
      {"two-interfaces", "an interface for each direction and one of another link type; drop counts", two_interfaces},
  };
  out.back().file.dropped = 17;
  out.push_back({"big-endian-us", "pcapng of a big-endian host, microseconds", on_path});
  out.back().file.byte_order = std::endian::big;
  out.back().file.nanoseconds = false;
  out.push_back({"classic-pcap", "classic pcap, nanoseconds", on_path});
  out.back().file.format = FileFormat::pcap;
  out.push_back({"classic-pcap-big-endian", "classic pcap of a big-endian host, microseconds", on_path});
  out.back().file = {.format = FileFormat::pcap, .byte_order = std::endian::big, .nanoseconds = false};
  return out;
}

}  // namespace iwarpscope::synth
