// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/plain_smb.h"

#include <gtest/gtest.h>

#include <array>

#include "shared/hosts/kit.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;
using test::Reported;
using test::segment;

TEST(PlainSmb, CountsPairsThatFindNoRoom) {
  PlainSmb smb;
  const std::array<std::byte, 8> message{std::byte{0},    std::byte{0},   std::byte{0},   std::byte{4},
                                         std::byte{0xFE}, std::byte{'S'}, std::byte{'M'}, std::byte{'B'}};
  net::TcpPacket packet = segment(1, net::tcp_flag::ack);
  packet.destination.port = kSmbPort;
  packet.payload = message;
  packet.payload_length = 8;
  for (std::uint32_t i = 0; i < 4100; ++i) {
    packet.source.address = net::IpAddress::v4(i);
    smb.see(packet);
  }
  EXPECT_EQ(smb.discarded(), 4u);
  Reported reported;
  smb.tell(reported.to, Openings{});
  EXPECT_EQ(reported.count(FindingId::tcp_smb_without_rdma), 20u);  // of the others nothing new is to be said
}

}  // namespace
}  // namespace iwarpscope::hosts
