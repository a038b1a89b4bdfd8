// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/address.h"

#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "net/tcp_packet.h"

namespace iwarpscope::net {
namespace {

IpAddress v6(std::array<unsigned, 8> groups) {
  IpAddress address;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    address.octets[2 * i] = static_cast<std::uint8_t>(groups[i] >> 8);
    address.octets[2 * i + 1] = static_cast<std::uint8_t>(groups[i]);
  }
  return address;
}

TEST(IpAddress, Ipv4IsDottedDecimal) {
  const auto address = IpAddress::v4(0x0A4D01FFu);
  EXPECT_TRUE(address.is_v4());
  EXPECT_EQ(address.text(), "10.77.1.255");
}

TEST(IpAddress, IsReadFromItsText) {
  for (const char* text : {"10.77.1.255", "::", "fd77::2", "2001:db8::1:0:0:1"}) {
    const auto address = IpAddress::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
  }
  EXPECT_EQ(IpAddress::parse("::ffff:10.77.1.255"), IpAddress::v4(0x0A4D01FFu));
  for (const char* none : {"", "host", "10.77.1", "10.77.1.256", "fd77::2::", "[::1]", "10.0.0.1/8", " ::1"}) {
    EXPECT_FALSE(IpAddress::parse(none)) << none;
  }
}

// Each case of RFC 5952 §4.
TEST(IpAddress, Ipv6TextIsCanonical) {
  EXPECT_EQ(v6({0, 0, 0, 0, 0, 0, 0, 0}).text(), "::");
  EXPECT_EQ(v6({0, 0, 0, 0, 0, 0, 0, 1}).text(), "::1");
  EXPECT_EQ(v6({0xfd77, 0, 0, 0, 0, 0, 0, 0}).text(), "fd77::");
  EXPECT_EQ(v6({0xfd77, 0, 0, 0, 0, 0, 0, 2}).text(), "fd77::2");
  EXPECT_EQ(v6({0x2001, 0xdb8, 0, 1, 1, 1, 1, 1}).text(), "2001:db8:0:1:1:1:1:1");
  EXPECT_EQ(v6({0x2001, 0xdb8, 0, 0, 1, 0, 0, 1}).text(), "2001:db8::1:0:0:1");
  EXPECT_EQ(v6({0x2001, 0, 0, 1, 0, 0, 0, 1}).text(), "2001:0:0:1::1");
  EXPECT_EQ(v6({0xabcd, 1, 2, 3, 4, 5, 6, 0xef}).text(), "abcd:1:2:3:4:5:6:ef");
}

TEST(IpAddress, Ipv6IsNotV4) {
  EXPECT_FALSE(v6({0, 0, 0, 0, 0, 0, 0x0A00, 1}).is_v4());
}

FlowKey flow(std::uint32_t source, std::uint16_t source_port, std::uint32_t destination, std::uint16_t port,
             std::uint32_t overlay = 0) {
  TcpPacket packet;
  packet.source = {IpAddress::v4(source), source_port};
  packet.destination = {IpAddress::v4(destination), port};
  packet.overlay = overlay;
  return packet.flow();
}

TEST(FlowKey, BothDirectionsHaveOneKeyAndHash) {
  const auto there = flow(0x0A000001, 1000, 0x0A000002, 5355);
  const auto back = flow(0x0A000002, 5355, 0x0A000001, 1000);
  EXPECT_EQ(there, back);
  EXPECT_EQ(stable_hash(there), stable_hash(back));
}

TEST(FlowKey, OneAddressIsOrderedByPort) {
  EXPECT_EQ(flow(0x7F000001, 9, 0x7F000001, 8), flow(0x7F000001, 8, 0x7F000001, 9));
}

TEST(StableHash, EachFieldMatters) {
  const auto base = stable_hash(flow(0x0A000001, 1000, 0x0A000002, 5355));
  EXPECT_NE(base, stable_hash(flow(0x0A000003, 1000, 0x0A000002, 5355)));
  EXPECT_NE(base, stable_hash(flow(0x0A000001, 1001, 0x0A000002, 5355)));
  EXPECT_NE(base, stable_hash(flow(0x0A000001, 1000, 0x0A000004, 5355)));
  EXPECT_NE(base, stable_hash(flow(0x0A000001, 1000, 0x0A000002, 5356)));
  // The two directions of one connection may have different ones.
  EXPECT_EQ(base, stable_hash(flow(0x0A000001, 1000, 0x0A000002, 5355, 1)));
}

TEST(Endpoint, AsText) {
  EXPECT_EQ((Endpoint{IpAddress::v4(0x0A000001), 4420}).text(), "10.0.0.1:4420");
  Endpoint six;
  six.address.octets[0] = 0xFD;
  six.address.octets[15] = 1;
  six.port = 1;
  EXPECT_EQ(six.text(), "[fd00::1]:1");
}

TEST(StableHash, HasTheSameValueInEveryBuild) {
  EXPECT_EQ(stable_hash(flow(0x0A000001, 1000, 0x0A000002, 5355)), 7775360099334688386u);
}

// One hundred thousand neighbouring flows: no collision in 64 bits, and every bit is set in about half of them.
TEST(StableHash, NeighbouringFlowsSpread) {
  constexpr unsigned kFlows = 100'000;
  std::set<std::uint64_t> seen;
  std::array<unsigned, 64> ones{};
  for (unsigned i = 0; i < kFlows; ++i) {
    const auto hash =
        stable_hash(flow(0x0A000001 + i / 1000, static_cast<std::uint16_t>(32768 + i % 1000), 0x0A010001, 5355));
    seen.insert(hash);
    for (unsigned bit = 0; bit < 64; ++bit) ones[bit] += static_cast<unsigned>(hash >> bit) & 1u;
  }
  EXPECT_EQ(seen.size(), kFlows);
  for (unsigned bit = 0; bit < 64; ++bit) {
    EXPECT_GT(ones[bit], kFlows * 48 / 100) << "bit " << bit;
    EXPECT_LT(ones[bit], kFlows * 52 / 100) << "bit " << bit;
  }
}

}  // namespace
}  // namespace iwarpscope::net
