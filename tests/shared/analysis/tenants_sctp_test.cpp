// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The same addresses and ports in two VLANs or overlay networks, over SCTP, and what separates them by direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/analysis.h"
#include "synth/association.h"

namespace iwarpscope::test::sctp_tenants {
namespace {

using findings::FindingId;
using synth::Association;
using synth::ConnectionOptions;
using synth::Frames;
using synth::kI;
using synth::kR;
using synth::SctpOptions;

/// Where an association passes, and with which tags and TSNs.
struct Tenant {
  std::uint16_t vlan = 0;  ///< 0: none
  std::uint32_t vni = 0;   ///< 0: no VXLAN
  std::uint32_t numbers = 1;
  bool ends = true;  ///< with Session Terminates and SHUTDOWN
};

Frames tenant(const Tenant& t, int sends) {
  ConnectionOptions o;
  if (t.vlan != 0) o.path.vlans = {{.id = t.vlan}};
  if (t.vni != 0) o.path.tunnel = synth::Tunnel{.kind = synth::Tunnel::Kind::vxlan, .id = t.vni};
  o.initiator.isn = t.numbers * 50'000'000;
  o.responder.isn = t.numbers * 90'000'000;
  SctpOptions sctp;
  sctp.initiator.tag = t.numbers * 0x01010101;
  sctp.responder.tag = t.numbers * 0x02020202;
  Association a(o, sctp);
  a.connect();
  a.stream().startup();
  for (int i = 0; i < sends; ++i) {
    a.stream().send(kI, 100);
    a.stream().send(kR, 100);
  }
  if (t.ends) {
    a.stream().close();
    a.shutdown();
  }
  return a.frames();
}

/// Its source address, after one tag, is 10.0.0.1.
bool is_from_initiator(const synth::Frame& frame) {
  constexpr std::size_t kLastOfSource = 18 + 15;
  return frame.octets[kLastOfSource] == std::byte{1};
}

/// Those of the first for one direction, those of the second for the other: the same association in two VLANs.
Frames by_direction(const Frames& one, const Frames& other) {
  Frames all;
  for (std::size_t i = 0; i < one.size(); ++i) all.push_back(is_from_initiator(one[i]) ? one[i] : other[i]);
  return all;
}

Frames without_first(Frames all, std::size_t count) {
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  return all;
}

void expect_sends(const Report& report, std::vector<std::uint64_t> sends) {
  EXPECT_EQ(report.errors(), 0u) << report.codes();
  ASSERT_EQ(report.qps.size(), sends.size()) << report.codes();
  std::vector<std::uint64_t> seen;
  for (const qp::QpRecord& r : report.qps) {
    EXPECT_EQ(r.directions[0].messages, r.directions[1].messages);
    EXPECT_NE(r.closed_by, "restart");
    seen.push_back(r.directions[0].messages[static_cast<std::size_t>(rdmap::Opcode::send)]);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, sends);
}

TEST(SctpTenants, TwoVlansWithTheSameAddressesAreTwoQueuePairs) {
  expect_sends(analyze(synth::merge({tenant({.vlan = 10}, 3), tenant({.vlan = 20, .numbers = 2}, 5)})), {3, 5});
  expect_sends(analyze(synth::merge({tenant({}, 3), tenant({.vlan = 20, .numbers = 2}, 5)})), {3, 5});
}

TEST(SctpTenants, OneThatIsOpenIsNotRestartedByAnother) {
  Frames first = tenant({.vlan = 10, .ends = false}, 3);
  Frames second = tenant({.vlan = 20, .numbers = 2}, 5);
  for (synth::Frame& frame : second) frame.time_ns += first.back().time_ns;
  const Report report = analyze(synth::merge({first, second}));
  expect_sends(report, {3, 5});
  EXPECT_FALSE(report.qps[0].closed_by.has_value());
}

TEST(SctpTenants, AnotherAssociationInTheSameVlanRestartsIt) {
  Frames first = tenant({.vlan = 10, .ends = false}, 3);
  Frames second = tenant({.vlan = 10, .numbers = 2}, 5);
  for (synth::Frame& frame : second) frame.time_ns += first.back().time_ns;
  const Report report = analyze(synth::merge({first, second}));
  ASSERT_EQ(report.qps.size(), 2u);
  EXPECT_EQ(report.qps[0].closed_by, "restart");
}

TEST(SctpTenants, TwoVxlanNetworksAreTwoQueuePairs) {
  expect_sends(analyze(synth::merge({tenant({.vni = 10}, 3), tenant({.vni = 20, .numbers = 2}, 5)})), {3, 5});
}

TEST(SctpTenants, VlansThatDifferByDirectionAreOneQueuePair) {
  expect_sends(analyze(by_direction(tenant({.vlan = 10}, 3), tenant({.vlan = 20}, 3))), {3});
}

TEST(SctpTenants, VlansThatDifferByDirectionAreOneQueuePairWithoutTheHandshake) {
  constexpr std::size_t kHandshake = 4;
  const Frames all = by_direction(tenant({.vlan = 10}, 3), tenant({.vlan = 20}, 3));
  for (std::size_t skipped = 1; skipped <= kHandshake; ++skipped) {
    const Report report = analyze(without_first(all, skipped));
    EXPECT_EQ(report.qps.size(), 1u) << skipped << " " << report.codes();
    EXPECT_EQ(report.errors(), 0u) << report.codes();
  }
}

TEST(SctpTenants, TwoVlansAreTwoQueuePairsWithoutTheHandshakes) {
  constexpr std::size_t kHandshakes = 8;
  const Frames all = synth::merge({tenant({.vlan = 10}, 3), tenant({.vlan = 20, .numbers = 2}, 5)});
  for (std::size_t skipped = 1; skipped <= kHandshakes; ++skipped) {
    const Report report = analyze(without_first(all, skipped));
    EXPECT_EQ(report.qps.size(), 2u) << skipped << " " << report.codes();
    EXPECT_EQ(report.errors(), 0u) << report.codes();
  }
}

TEST(SctpTenants, TwoWhoseVlansCrossByDirectionAreTwoQueuePairs) {
  const Frames one = by_direction(tenant({.vlan = 10}, 3), tenant({.vlan = 20}, 3));
  const Frames other = by_direction(tenant({.vlan = 20, .numbers = 2}, 5), tenant({.vlan = 10, .numbers = 2}, 5));
  expect_sends(analyze(synth::merge({one, other})), {3, 5});
}

TEST(SctpTenants, CopiesOfOnePacketInTwoVlansAreOneQueuePair) {
  const Report report = analyze(synth::merge({tenant({.vlan = 10}, 3), tenant({.vlan = 20}, 3)}));
  expect_sends(report, {3});
  EXPECT_EQ(report.count(FindingId::capture_mirror_duplicates), 1u);
}

TEST(SctpTenants, AVlanThatChangesInTheMiddleDoesNotSplitAnAssociation) {
  Frames all = tenant({.vlan = 10}, 3);
  const Frames later = tenant({.vlan = 20}, 3);
  for (std::size_t i = all.size() / 2; i < all.size(); ++i) all[i] = later[i];
  expect_sends(analyze(all), {3});
}

TEST(SctpTapGroups, TheSameTagsInTwoGroupsAreTwoQueuePairs) {
  Frames one = tenant({}, 3), other = tenant({}, 5);
  for (synth::Frame& frame : other) frame.interface = 1;
  for (const bool are_one : {false, true}) {
    Report report;
    analysis::Analyzer analyzer({.messages = true}, report);
    std::uint64_t number = 0;
    for (const synth::Frame& f : synth::merge({one, are_one ? one : other})) {
      net::Frame frame = frame_of(f, ++number);
      frame.tap_group = f.interface;
      analyzer.feed(frame);
    }
    analyzer.finish({});
    EXPECT_EQ(report.errors(), 0u) << report.codes();
    EXPECT_EQ(report.qps.size(), are_one ? 1u : 2u) << report.codes();
  }
}

}  // namespace
}  // namespace iwarpscope::test::sctp_tenants
