// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What counts as lost by the interface. The kernel's counter holds more than losses: after the capture, a frame with a
// VLAN tag whose EtherType nothing handles is dropped in the interface's name.
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/link.h"
#include "live.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::ElementsAreArray;

constexpr std::uint16_t kLldp = 0x88CC, kRoce = 0x8915;
/// Local Experimental Ethertype 2, which nothing handles. Source: IEEE 802.
constexpr std::uint16_t kUnhandled = 0x88B6;

/// A tag of VLAN 5 by this tag's EtherType, and what follows it.
std::string tagged(const std::string& inner, std::uint16_t tag = 0x8100) {
  std::string frame(12, '\x02');
  put(frame, tag, 2);
  put(frame, 5, 2);
  frame += inner;
  return frame;
}

std::string of_type(std::uint16_t type) {
  std::string inner;
  put(inner, type, 2);
  inner.resize(60, '\x33');
  return inner;
}

/// What a Cisco trunk announces of the spanning tree of each VLAN: SNAP. Source: IEEE 802.2; Cisco PVST+.
std::string pvst() {
  std::string inner;
  put(inner, 50, 2);
  put(inner, 0xAAAA03, 3);
  put(inner, 0x00000C010B, 5);
  inner.resize(60, '\x00');
  return inner;
}

class LiveLosses : public Live {
 protected:
  static std::uint64_t dropped(const std::string& interface) { return LinkQuery::open()->ask(interface)->dropped; }
  /// Frames longer than "rx" takes: it drops them ahead of the capture.
  static void send_too_long(std::uint64_t count) {
    ip("link set dev tx mtu 3000");
    const Sender sender("tx");
    for (std::uint64_t i = 0; i < count; ++i) sender.waste({.sequence = i, .octets = 2000});
  }
  static std::vector<std::string> octets(const Taker& taker) {
    std::vector<std::string> all;
    for (const Seen& frame : taker.frames) all.push_back(frame.octets);
    return all;
  }
};

TEST_F(LiveLosses, CapturedFramesWithTagsAreNotLostAndThoseTheInterfaceDroppedAre) {
  const auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  intake->start();
  const std::string tcp = make_frame({.vlan = 7}).substr(12);
  const std::vector<std::string> sent{tagged(of_type(kLldp)), tagged(of_type(kRoce)), tagged(pvst()),
                                      tagged(tcp, 0x88A8), tagged(tcp, 0x8100)};
  const Sender sender("tx");
  for (const std::string& frame : sent) sender.send_octets(frame);
  ASSERT_TRUE(taker.until_count(sent.size()));
  EXPECT_THAT(octets(taker), ElementsAreArray(sent));
  send_too_long(10);
  ASSERT_TRUE(taker.until([&] { return taker.counters().dropped_by_nic >= 10; }));
  EXPECT_EQ(taker.counters().dropped_by_nic, 10u);
  EXPECT_EQ(lost(taker.counters()), 0u);
}

TEST_F(LiveLosses, EveryTypeOfWhatSwitchesTagIsHandled) {
  const std::map<std::uint16_t, const char*> types{{0x8100, "802.1Q"},
                                                   {0x88A8, "802.1ad"},
                                                   {0x9100, "QinQ"},
                                                   {0x88CC, "LLDP"},
                                                   {0x8915, "RoCE"},
                                                   {0x8847, "MPLS"},
                                                   {0x8848, "MPLS multicast"},
                                                   {0x8863, "PPPoE discovery"},
                                                   {0x8864, "PPPoE session"},
                                                   {0x8906, "FCoE"},
                                                   {0x8914, "FIP"},
                                                   {0x88A2, "AoE"},
                                                   {0x88F7, "PTP"},
                                                   {0x8809, "slow protocols"},
                                                   {0x8902, "CFM"},
                                                   {0x9000, "loopback"},
                                                   {0x88E5, "MACsec"},
                                                   {0x888E, "EAPOL"},
                                                   {0x8909, "Cisco metadata"},
                                                   {0x22F3, "TRILL"},
                                                   {0x8903, "FabricPath"},
                                                   {0x8035, "RARP"},
                                                   {0x8922, "VMware beacon"},
                                                   {0x886F, "NLB heartbeat"},
                                                   {0x86DD, "IPv6"},
                                                   {0x0800, "IPv4"},
                                                   {0x0806, "ARP"}};
  auto intake = open(capture_of("rx"));
  Taker taker(*intake);
  intake->start();
  const Sender sender("tx");
  std::uint64_t sent = 0;
  for (const auto& [type, name] : types) {
    const std::uint64_t before = dropped("rx");
    sender.send_octets(tagged(of_type(type)));
    ASSERT_TRUE(taker.until_count(++sent)) << name;
    EXPECT_EQ(dropped("rx"), before) << name;
  }
  // The kernel still counts what it has no handler of.
  sender.send_octets(tagged(of_type(kUnhandled)));
  EXPECT_TRUE(taker.until([&] { return dropped("rx") > 0; }));
  EXPECT_EQ(dropped("rx"), 1u);
}

TEST_F(LiveLosses, HandlersServeEveryInterfaceAndThoseMadeAgainWithoutPrivileges) {
  make_cable("tx2", "rx2");
  IntakeOptions options = capture_of("rx");
  options.interfaces.push_back(capture_of("rx2").interfaces[0]);
  const auto intake = open(options);
  Taker taker(*intake);
  {
    const WithoutPrivileges for_the_readers;
    intake->start();
  }
  const auto send = [&](std::uint64_t until) {
    for (const char* from : {"tx", "tx2"}) Sender(from).send_octets(tagged(of_type(kLldp)));
    ASSERT_TRUE(taker.until_count(until));
    EXPECT_EQ(dropped("rx"), 0u);
    EXPECT_EQ(dropped("rx2"), 0u);
  };
  send(2);
  ip("link del dev tx");
  ASSERT_TRUE(taker.until([&] { return !taker.counters().up; }));
  make_cable("tx", "rx");
  ASSERT_TRUE(taker.until([&] { return taker.counters().up && taker.counters().capturing; }));
  send(4);
}

TEST_F(LiveLosses, HandlersGoWithTheCapture) {
  open(capture_of("rx")).reset();
  Sender("tx").send_octets(tagged(of_type(kLldp)));
  const auto deadline = steady_clock::now() + kForever;
  while (dropped("rx") == 0 && steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(dropped("rx"), 1u);
}

}  // namespace
}  // namespace iwarpscope::capture::test
