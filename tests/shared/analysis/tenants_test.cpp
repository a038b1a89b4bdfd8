// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The same addresses and ports in two VLANs, and what separates them by direction; SYNs from outside.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::Connection;
using synth::ConnectionOptions;
using synth::Frames;
using synth::kI;
using synth::kR;

/// A connection of its own numbers, over this path.
Frames tenant(synth::Path path, std::uint32_t isn, int sends) {
  ConnectionOptions o;
  o.path = std::move(path);
  o.initiator.isn = isn;
  o.responder.isn = isn * 3;
  Connection c(o);
  c.connect();
  c.startup();
  for (int i = 0; i < sends; ++i) {
    c.send(kI, 100);
    c.send(kR, 100);
  }
  c.close();
  return c.frames();
}

/// In this VLAN: 0 for none.
Frames tenant(std::uint16_t vlan, std::uint32_t isn, int sends) {
  synth::Path path;
  if (vlan != 0) path.vlans = {{.id = vlan}};
  return tenant(path, isn, sends);
}

/// A mirror's copies: the VLAN is in the header of ERSPAN, and in a tag where the switch left it.
synth::Path mirrored(synth::Tunnel::Kind kind, std::uint16_t vlan, bool has_tag, std::uint32_t session) {
  synth::Path path;
  path.tunnel = synth::Tunnel{.kind = kind, .id = session, .erspan_vlan = vlan};
  if (has_tag) path.vlans = {{.id = vlan}};
  return path;
}

/// Its source address, after one tag, is 10.0.0.1.
bool is_from_initiator(const synth::Frame& frame) {
  constexpr std::size_t kLastOfSource = 18 + 15;
  return frame.octets[kLastOfSource] == std::byte{1};
}

/// The same without a tag.
bool is_from_low(const synth::Frame& frame) {
  constexpr std::size_t kLastOfSource = 14 + 15;
  return frame.octets[kLastOfSource] == std::byte{1};
}

/// Those of the first for one direction, those of the second for the other: the same connection in two VLANs.
Frames by_direction(const Frames& one, const Frames& other) {
  Frames all;
  for (std::size_t i = 0; i < one.size(); ++i) {
    all.push_back(is_from_initiator(one[i]) ? one[i] : other[i]);
  }
  return all;
}

void expect_sends(const Report& report, std::vector<std::uint64_t> sends) {
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  ASSERT_EQ(report.qps.size(), sends.size()) << report.codes();
  std::vector<std::uint64_t> seen;
  for (const qp::QpRecord& r : report.qps) {
    EXPECT_EQ(r.closed_by, "fin");
    EXPECT_EQ(r.directions[0].messages, r.directions[1].messages);
    seen.push_back(r.directions[0].messages[static_cast<std::size_t>(rdmap::Opcode::send)]);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, sends);
}

TEST(Tenants, TwoVlansWithTheSameAddressesAreTwoQueuePairs) {
  expect_sends(analyze(synth::merge({tenant(10, 1000, 3), tenant(20, 90'000'000, 5)})), {3, 5});
  expect_sends(analyze(synth::merge({tenant(0, 1000, 3), tenant(20, 90'000'000, 5)})), {3, 5});
}

TEST(Tenants, VlansThatDifferByDirectionAreOneQueuePair) {
  expect_sends(analyze(by_direction(tenant(10, 1000, 3), tenant(20, 1000, 3))), {3});
}

TEST(Tenants, TwoWhoseVlansAreInTheHeaderOfTheMirrorAreTwoQueuePairs) {
  using enum synth::Tunnel::Kind;
  for (const synth::Tunnel::Kind kind : {erspan_2, erspan_3}) {
    for (const bool has_tag : {false, true}) {
      expect_sends(analyze(synth::merge({tenant(mirrored(kind, 10, has_tag, 2), 1000, 3),
                                         tenant(mirrored(kind, 20, has_tag, 2), 90'000'000, 5)})),
                   {3, 5});
    }
  }
}

TEST(Tenants, MirrorsThatTakeTheTagOffInOneDirectionAreOneQueuePair) {
  using enum synth::Tunnel::Kind;
  const Frames with = tenant(mirrored(erspan_2, 10, true, 2), 1000, 3);
  const Frames without = tenant(mirrored(erspan_2, 10, false, 4), 1000, 3);
  ASSERT_EQ(with.size(), without.size());
  for (const std::size_t first : {0U, 1U}) {
    Frames all;
    for (std::size_t i = 0; i < with.size(); ++i) all.push_back(i % 2 == first ? with[i] : without[i]);
    expect_sends(analyze(all), {3});
  }
}

TEST(Tenants, TwoWhoseVlansCrossByDirectionAreTwoQueuePairs) {
  const Frames one = by_direction(tenant(10, 1000, 3), tenant(20, 1000, 3));
  const Frames other = by_direction(tenant(20, 90'000'000, 5), tenant(10, 90'000'000, 5));
  expect_sends(analyze(synth::merge({one, other})), {3, 5});
}

TEST(Tenants, CopiesOfOnePacketInTwoVlansAreOneQueuePair) {
  const Report report = analyze(synth::merge({tenant(10, 1000, 3), tenant(20, 1000, 3)}));
  expect_sends(report, {3});
  EXPECT_EQ(report.count(FindingId::capture_mirror_duplicates), 1u);
}

TEST(Tenants, AVlanThatChangesInTheMiddleDoesNotSplitAConnection) {
  Frames all = tenant(10, 1000, 3);
  const Frames later = tenant(20, 1000, 3);
  for (std::size_t i = all.size() / 2; i < all.size(); ++i) all[i] = later[i];
  expect_sends(analyze(all), {3});
}

synth::Path in_gre(synth::Tunnel::Kind kind, std::uint32_t key, const char* from, const char* to) {
  return {.tunnel = synth::Tunnel{.kind = kind, .id = key, .source = from, .destination = to}};
}

synth::Path labelled(const std::vector<std::uint32_t>& labels) {
  synth::Path path;
  for (const std::uint32_t label : labels) path.labels.push_back({.label = label});
  return path;
}

/// Each direction in its own outer addresses, as between the two ends of a tunnel with a key.
Frames through_tunnel(std::uint32_t key, const char* near, const char* far, std::uint32_t isn, int sends) {
  constexpr std::size_t kLastOfSource = 14 + 20 + 8 + 15;
  const auto kind = synth::Tunnel::Kind::gre_ip;
  Frames all = tenant(in_gre(kind, key, near, far), isn, sends);
  const Frames back = tenant(in_gre(kind, key, far, near), isn, sends);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].octets[kLastOfSource] != std::byte{1}) all[i] = back[i];
  }
  return all;
}

TEST(Tenants, TwoGreTunnelsWithTheSameAddressesInsideAreTwoQueuePairs) {
  const Frames one = through_tunnel(7, "192.0.2.1", "192.0.2.2", 1000, 3);
  expect_sends(analyze(one), {3});
  const auto expect_two = [&](std::uint32_t key, const char* near, const char* far) {
    // The numbers of the second are near those of the first, and only the tunnel is another one.
    for (const std::uint32_t isn : {90'000'000U, 3000U}) {
      expect_sends(analyze(synth::merge({one, through_tunnel(key, near, far, isn, 5)})), {3, 5});
    }
  };
  expect_two(8, "192.0.2.1", "192.0.2.2");
  expect_two(7, "192.0.2.1", "192.0.2.3");
  expect_two(7, "198.51.100.1", "198.51.100.2");
}

TEST(Tenants, AGreTunnelThatMovesToOtherAddressesStaysOneQueuePair) {
  Frames all = through_tunnel(7, "192.0.2.1", "192.0.2.2", 1000, 3);
  const Frames later = through_tunnel(7, "192.0.2.1", "192.0.2.3", 1000, 3);
  for (std::size_t i = all.size() / 2; i < all.size(); ++i) all[i] = later[i];
  expect_sends(analyze(all), {3});
}

TEST(Tenants, MirrorsOfTwoSwitchesShowOneNetwork) {
  using enum synth::Tunnel::Kind;
  for (const synth::Tunnel::Kind kind : {erspan_1, erspan_2, erspan_3}) {
    const Frames one = tenant(in_gre(kind, 2, "192.0.2.1", "192.0.2.9"), 1000, 3);
    const Frames other = tenant(in_gre(kind, 2, "192.0.2.2", "192.0.2.9"), 1000, 3);
    Frames all;
    for (std::size_t i = 0; i < one.size(); ++i) all.push_back(i % 3 == 0 ? one[i] : other[i]);
    expect_sends(analyze(all), {3});
    expect_sends(analyze(synth::merge({one, other})), {3});
  }
}

TEST(Tenants, TwoUnderTwoMplsLabelsAreTwoQueuePairs) {
  expect_sends(analyze(synth::merge({tenant(labelled({100}), 1000, 3), tenant(labelled({200}), 90'000'000, 5)})),
               {3, 5});
  // The last label is that of the network; those before it are of the path.
  expect_sends(
      analyze(synth::merge({tenant(labelled({16, 100}), 1000, 3), tenant(labelled({16, 200}), 90'000'000, 5)})),
      {3, 5});
}

TEST(Tenants, MplsLabelsThatDifferByDirectionAreOneQueuePair) {
  const auto by_labels = [](std::uint32_t there, std::uint32_t back, std::uint32_t isn, int sends) {
    return by_direction(tenant(labelled({there}), isn, sends), tenant(labelled({back}), isn, sends));
  };
  expect_sends(analyze(by_labels(100, 200, 1000, 3)), {3});
  expect_sends(analyze(synth::merge({by_labels(100, 200, 1000, 3), by_labels(300, 400, 90'000'000, 5)})), {3, 5});
  expect_sends(analyze(synth::merge({by_labels(100, 200, 1000, 3), by_labels(200, 100, 90'000'000, 5)})), {3, 5});
}

/// Two connections of equal sequence numbers and IP IDs, with these many Sends of each side, of this size.
Frames twin(synth::Path path, int sends, std::size_t size, std::int64_t late_ns) {
  ConnectionOptions o;
  o.path = std::move(path);
  Connection c(o);
  c.connect();
  c.startup();
  for (int i = 0; i < sends; ++i) {
    c.send(kI, size);
    c.send(kR, 100);
  }
  c.close();
  Frames all = c.frames();
  for (synth::Frame& frame : all) frame.time_ns += late_ns;
  return all;
}

/// In these VLANs, the outer one first.
synth::Path tagged(const std::vector<std::uint16_t>& ids) {
  synth::Path path;
  for (const std::uint16_t id : ids) path.vlans.push_back({.id = id});
  return path;
}

TEST(Twins, OfEqualNumbersInTwoNetworksAreTwoQueuePairs) {
  const auto vxlan = [](std::uint32_t vni) {
    return synth::Path{.tunnel = synth::Tunnel{.kind = synth::Tunnel::Kind::vxlan, .id = vni}};
  };
  const auto to = [](int host) { return host == 2 ? "192.0.2.2" : "192.0.2.3"; };
  const auto gre = [&](std::uint32_t key, int host) {
    return in_gre(synth::Tunnel::Kind::gre_ip, key, "192.0.2.1", to(host));
  };
  const auto bridged = [&](int host) {  // without a key
    return in_gre(synth::Tunnel::Kind::gre_ethernet, 0, "192.0.2.1", to(host));
  };
  const std::vector<std::pair<synth::Path, synth::Path>> networks = {
      {tagged({10}), tagged({20})}, {tagged({}), tagged({20})},
      {tagged({10}), tagged({})},   {tagged({5, 10}), tagged({5, 20})},
      {vxlan(7), vxlan(8)},         {labelled({100}), labelled({200})},
      {gre(7, 2), gre(8, 2)},       {gre(7, 2), gre(7, 3)},
      {bridged(2), bridged(3)}};
  for (const auto& [one, other] : networks) {
    for (const std::int64_t late_ns : {0, 1, 5'000, 15'000, 50'000, 5'000'000, 99'000'000, 150'000'000}) {
      for (const std::size_t size : {std::size_t{100}, std::size_t{300}, std::size_t{20'000}}) {
        SCOPED_TRACE(testing::Message() << late_ns << " ns late, " << size << " octets");
        expect_sends(analyze(synth::merge({twin(one, 3, 100, 0), twin(other, 5, size, late_ns)})), {3, 5});
        expect_sends(analyze(synth::merge({twin(one, 3, size, 0), twin(other, 5, 100, late_ns)})), {3, 5});
      }
    }
  }
}

/// Each frame once more, so much later, on another path: a switch port and the port of a host, for example.
void expect_one(const synth::Path& path, const synth::Path& other, std::int64_t late_ns) {
  for (const int sends : {1, 3, 40}) {
    SCOPED_TRACE(testing::Message() << sends << " Sends, " << late_ns << " ns late");
    const Report report = analyze(synth::merge({twin(path, sends, 2000, 0), twin(other, sends, 2000, late_ns)}));
    expect_sends(report, {static_cast<std::uint64_t>(sends)});
    EXPECT_EQ(report.count(FindingId::capture_mirror_duplicates), 1u);
    EXPECT_EQ(report.count(FindingId::tcp_retransmission_differs), 0u);
    EXPECT_EQ(report.count(FindingId::capture_gap), 0u);
  }
}

TEST(Twins, CopiesOnTwoPortsAreOneQueuePair) {
  for (const std::int64_t late_ns : {0, 1, 5'000, 25'000, 100'000}) {
    expect_one(tagged({10}), tagged({20}), late_ns);
    expect_one(tagged({}), tagged({20}), late_ns);
    expect_one(tagged({10}), tagged({}), late_ns);
    expect_one(tagged({300, 10}), tagged({10}), late_ns);
  }
}

TEST(Twins, APriorityTagIsNoNetwork) {
  Frames split = twin(tagged({0}), 3, 100, 0);
  const Frames without = twin(tagged({}), 3, 100, 0);
  for (std::size_t i = 0; i < split.size(); i += 3) split[i] = without[i];
  expect_sends(analyze(split), {3});
}

TEST(Twins, APortThatShowsOneDirectionOnlyIsOfTheSameQueuePair) {
  // Both directions in VLAN 10, and the Initiator's once more without a tag; or in the other order.
  for (const std::int64_t late_ns : {0, 2'000}) {
    for (const bool is_initiator : {false, true}) {
      Frames some;
      for (const synth::Frame& frame : twin(tagged({}), 9, 2000, late_ns)) {
        if (is_from_low(frame) == is_initiator) some.push_back(frame);
      }
      expect_sends(analyze(synth::merge({twin(tagged({10}), 9, 2000, 0), some})), {9});
      expect_sends(analyze(synth::merge({some, twin(tagged({10}), 9, 2000, 0)})), {9});
    }
  }
}

TEST(Twins, CopiesOfARoutedConnectionAreOneQueuePair) {
  // VLAN 10 in one direction and 20 in the other, each frame before the router and behind it.
  const Frames one = by_direction(twin(tagged({10}), 9, 2000, 0), twin(tagged({20}), 9, 2000, 0));
  const Frames other = by_direction(twin(tagged({20}), 9, 2000, 3'000), twin(tagged({10}), 9, 2000, 3'000));
  expect_sends(analyze(synth::merge({one, other})), {9});
  // One port shows the Responder's frames no more.
  Frames less;
  for (const synth::Frame& frame : one) {
    if (is_from_initiator(frame)) less.push_back(frame);
  }
  const Report report = analyze(synth::merge({less, other}));
  expect_sends(report, {9});
  EXPECT_EQ(report.count(FindingId::capture_gap), 0u);
}

TEST(Twins, WhatOnePortMissedTheOtherShows) {
  for (std::size_t missed = 1; missed < 14; ++missed) {
    Frames one = twin(tagged({10}), 9, 2000, 0);
    one.erase(one.begin() + static_cast<std::ptrdiff_t>(missed));
    for (const std::int64_t late_ns : {1, 3'000}) {
      SCOPED_TRACE(testing::Message() << missed << " missed, " << late_ns);
      const Report report = analyze(synth::merge({one, twin(tagged({}), 9, 2000, late_ns)}));
      expect_sends(report, {9});
      EXPECT_EQ(report.count(FindingId::capture_gap), 0u) << report.codes();
    }
  }
}

TEST(Twins, OctetsSentAgainInBothNetworksDoNotMakeTwo) {
  for (const synth::Effect effect : {synth::Effect::retransmit, synth::Effect::retransmit_changed,
                                     synth::Effect::corrupt, synth::Effect::lose_after_tap}) {
    std::vector<Frames> both;
    for (const std::uint16_t vlan : {std::uint16_t{10}, std::uint16_t{20}}) {
      ConnectionOptions o;
      o.path = tagged({vlan});
      Connection c(o);
      c.connect();
      c.startup();
      c.channel(kI, effect, {.skip = 2});
      for (int i = 0; i < 6; ++i) {
        c.send(kI, 200);
        c.send(kR, 100);
      }
      c.close();
      both.push_back(c.frames());
      for (synth::Frame& frame : both.back()) frame.time_ns += vlan;
    }
    SCOPED_TRACE(static_cast<int>(effect));
    expect_sends(analyze(synth::merge(both)), {6});
  }
}

/// Damages the first octet of a segment that was sent again, after one tag.
void damage_repeated(Frames& frames) {
  constexpr std::size_t kTcp = 18 + 20;
  std::set<std::vector<std::byte>> seen;
  for (synth::Frame& frame : frames) {
    const std::size_t payload = kTcp + 4 * (std::to_integer<std::size_t>(frame.octets[kTcp + 12]) >> 4);
    if (payload >= frame.octets.size()) continue;
    const auto tcp = frame.octets.begin() + kTcp;
    std::vector<std::byte> ports_and_sequence(tcp, tcp + 8);
    if (!seen.insert(std::move(ports_and_sequence)).second) frame.octets[payload] ^= std::byte{0x55};
  }
}

TEST(Twins, WhatIsSentAgainAndDamagedAtOnePortDoesNotMakeTwo) {
  for (const std::int64_t late_ns : {-20, 20}) {
    std::vector<Frames> both;
    for (const std::uint16_t vlan : {std::uint16_t{10}, std::uint16_t{20}}) {
      ConnectionOptions o;
      o.path = tagged({vlan});
      Connection c(o);
      c.connect();
      c.startup();
      c.channel(kI, synth::Effect::lose_after_tap, {.skip = 2});
      for (int i = 0; i < 6; ++i) {
        c.send(kI, 200);
        c.send(kR, 100);
      }
      c.close();
      both.push_back(c.frames());
    }
    for (synth::Frame& frame : both.back()) frame.time_ns += late_ns;
    damage_repeated(both.back());
    SCOPED_TRACE(late_ns);
    expect_sends(analyze(synth::merge(both)), {6});
  }
}

/// As it would be captured on this interface, of this tap group.
Report analyze_in_groups(const Frames& frames, std::vector<std::uint32_t> groups) {
  Report report;
  analysis::Analyzer analyzer({.messages = true}, report);
  std::uint64_t number = 0;
  for (const synth::Frame& f : frames) {
    net::Frame frame = frame_of(f, ++number);
    frame.tap_group = groups[f.interface];
    analyzer.feed(frame);
  }
  analyzer.finish({});
  return report;
}

Frames on_interface(Frames frames, std::uint32_t interface) {
  for (synth::Frame& frame : frames) frame.interface = interface;
  return frames;
}

TEST(TapGroups, TheSameNumbersInTwoGroupsAreTwoQueuePairs) {
  for (const std::uint16_t vlan : {std::uint16_t{0}, std::uint16_t{10}}) {
    const Frames all = synth::merge({on_interface(tenant(vlan, 1000, 3), 0), on_interface(tenant(vlan, 1000, 5), 1)});
    expect_sends(analyze_in_groups(all, {1, 2}), {3, 5});
    expect_sends(analyze_in_groups(all, {0, 7}), {3, 5});
  }
}

TEST(TapGroups, InterfacesOfOneGroupSeeOneQueuePair) {
  const Frames all = synth::merge({on_interface(tenant(0, 1000, 3), 0), on_interface(tenant(0, 1000, 3), 1)});
  for (const std::uint32_t group : {0U, 1U}) {
    const Report report = analyze_in_groups(all, {group, group});
    expect_sends(report, {3});
    EXPECT_EQ(report.count(FindingId::capture_mirror_duplicates), 1u);
  }
  // Each sees one direction.
  Frames split = tenant(0, 1000, 3);
  for (std::size_t i = 0; i < split.size(); ++i) split[i].interface = is_from_low(split[i]) ? 0 : 1;
  expect_sends(analyze_in_groups(split, {4, 4}), {3});
}

TEST(TapGroups, ADatagramHasNoFragmentOfAnotherGroup) {
  synth::Path path;
  path.fragment_payload = 400;
  Frames one = tenant(path, 1000, 3), other = tenant(path, 90'000'000, 5);
  expect_sends(analyze_in_groups(synth::merge({on_interface(one, 0), on_interface(other, 1)}), {1, 2}), {3, 5});
}

/// A SYN from outside, after so many frames of a connection, with a sequence number this far from its own.
Frames with_blind_syn(std::size_t after, std::uint32_t ahead, bool answered) {
  Connection c;
  c.connect();
  c.startup();
  for (int i = 0; i < 4; ++i) {
    c.send(kI, 100);
    c.send(kR, 100);
  }
  if (!answered) c.close();
  std::vector<synth::TcpSegment>& all = c.tcp_segments();
  synth::TcpSegment syn = all.front();
  syn.sequence += ahead;
  if (!answered) {
    syn.time_ns = all[after - 1].time_ns + 1;
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(after), syn);
    return c.frames();
  }
  c.reuse_ports(0x50000000, 0x60000000);
  c.connect();
  c.startup();
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return c.frames();
}

TEST(BlindSyn, LeavesTheConnectionWholeWhereverItComes) {
  for (const std::uint32_t ahead : {0x40000000U, 0xC0000000U, 5000U}) {
    for (std::size_t after = 3; after < 12; ++after) {
      const Report report = analyze(with_blind_syn(after, ahead, false));
      expect_sends(report, {4});
      ASSERT_EQ(report.qps.size(), 1u);
      EXPECT_EQ(report.qps[0].roles, qp::Roles::mpa);
      EXPECT_TRUE(report.qps[0].startup && report.qps[0].startup->request && report.qps[0].startup->reply);
      EXPECT_EQ(report.count(FindingId::capture_gap), 0u) << after;
    }
  }
}

TEST(ForgedBeforeTheRequest, ChangesNothing) {
  // Nearer than 16 KiB it may be one that came out of order: it is kept, as the receiver does.
  for (const std::uint32_t ahead : {20'000U, 3U << 20, 0x10000000U}) {
    for (const std::uint8_t flags : {synth::wire::kAck, synth::wire::kFin}) {
      Connection c;
      c.connect();
      c.startup();
      for (int i = 0; i < 4; ++i) {
        c.send(kI, 100);
        c.send(kR, 100);
      }
      c.close();
      std::vector<synth::TcpSegment>& all = c.tcp_segments();
      synth::TcpSegment forged = all[3];
      forged.sequence += ahead;
      forged.flags = flags | synth::wire::kAck;
      forged.payload = synth::text("no octets of this connection");
      all.insert(all.begin() + 3, forged);
      SCOPED_TRACE(testing::Message() << ahead << " ahead, flags " << int{flags});
      expect_sends(analyze(c.frames()), {4});
    }
  }
}

TEST(BlindSyn, OneThatIsAnsweredBeginsAnotherConnection) {
  const Report report = analyze(with_blind_syn(0, 0, true));
  ASSERT_EQ(report.qps.size(), 2u) << report.codes();
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  EXPECT_EQ(report.count(FindingId::tcp_ignored_control), 0u);
  EXPECT_EQ(report.qps[1].closed_by, "fin");
}

}  // namespace
}  // namespace iwarpscope::test
