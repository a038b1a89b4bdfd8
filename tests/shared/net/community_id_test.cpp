// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/community_id.h"

#include <gtest/gtest.h>

#include <string>

namespace iwarpscope::net {
namespace {

Endpoint end(const std::string& address, std::uint16_t port) {
  return {IpAddress::parse(address).value_or(IpAddress{}), port};
}

// The first two and the SCTP one are from the baseline files of the specification.
TEST(CommunityId, KnownConnectionsHaveTheirKnownIds) {
  const Endpoint a = end("128.232.110.120", 34855), b = end("66.35.250.204", 80);
  EXPECT_EQ(community_id(a, b, Transport::tcp), "1:LQU9qZlK+B5F3KDmev6m5PMibrg=");
  EXPECT_EQ(community_id(a, b, Transport::tcp, 1), "1:3V71V58M3Ksw/yuFALMcW0LAHvc=");
  EXPECT_EQ(community_id(end("192.168.170.8", 7), end("192.168.170.56", 80), Transport::sctp),
            "1:jQgCxbku+pNGw8WPbEc/TS/uTpQ=");
  EXPECT_EQ(community_id(end("fe80::200:86ff:fe05:80fa", 1022), end("fe80::260:97ff:fe07:69ea", 1023), Transport::tcp),
            "1:5ce8PFshc1P/+o8X+J/IWPxm6bY=");
  EXPECT_EQ(community_id(end("3ffe:507:0:1:200:86ff:fe05:80da", 2025), end("3ffe:501:410:0:2c0:dfff:fe47:33e", 22),
                         Transport::tcp, 65535),
            "1:7nq16cRXYePu/bnAm+ZLKuIvho8=");
}

TEST(CommunityId, BothDirectionsHaveOne) {
  const Endpoint a = end("10.0.0.1", 4000), b = end("10.0.0.1", 5000);  // the ports alone put them in order
  EXPECT_EQ(community_id(a, b, Transport::tcp), "1:7/sC/6I25Kzn/NrOBdNZehxk0B8=");
  EXPECT_EQ(community_id(b, a, Transport::tcp), community_id(a, b, Transport::tcp));
  EXPECT_NE(community_id(a, b, Transport::sctp), community_id(a, b, Transport::tcp));
}

}  // namespace
}  // namespace iwarpscope::net
