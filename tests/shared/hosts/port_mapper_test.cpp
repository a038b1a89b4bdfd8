// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/port_mapper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "shared/hosts/kit.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;
using test::kAsked;
using test::kAsker;
using test::kSecond;
using test::Reported;

/// A port mapper message, and the datagram around it.
class Message {
 public:
  Message(unsigned type, std::uint64_t association, std::uint16_t port = 5000, unsigned magic = 4) {
    octets_[0] = static_cast<std::byte>(type << 4 | magic);
    octets_[4] = static_cast<std::byte>(port >> 8);
    octets_[5] = static_cast<std::byte>(port);
    for (std::size_t i = 0; i < 8; ++i) octets_[8 + i] = static_cast<std::byte>(association >> (56 - 8 * i));
    octets_[32] = std::byte{10};
    octets_[35] = std::byte{2};
    const bool asks = type == 0 || type == 2;
    datagram.frame = FrameNumber{1};
    datagram.source = asks ? net::Endpoint{kAsker, 50000} : net::Endpoint{kAsked, 3935};
    datagram.destination = asks ? net::Endpoint{kAsked, 3935} : net::Endpoint{kAsker, 50000};
  }
  [[nodiscard]] const net::UdpDatagram& get(std::size_t octets = 48) {
    datagram.payload = Octets(octets_).first(octets);
    return datagram;
  }
  net::UdpDatagram datagram;

 private:
  std::array<std::byte, 48> octets_{};
};

TEST(PortMapper, ForgetsTheOldestExchangeAndCountsIt) {
  PortMapper mapper;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    Message request(0, i);
    request.datagram.time = TimePoint{static_cast<std::int64_t>(i) * kSecond / 1000};
    mapper.see(request.get());
  }
  EXPECT_EQ(mapper.discarded(), 5000u - 4096u);
  Reported reported;
  mapper.tell(reported.to, false, {});
  ASSERT_EQ(reported.findings.size(), 1u);
  EXPECT_EQ(reported.findings.front().id, FindingId::port_mapper_unanswered);
  EXPECT_EQ(reported.findings.front().seen, "4096");
}

/// Requests about one listener, with other handles and a second apart; of the others one is answered.
std::size_t unanswered(bool one_is_answered) {
  PortMapper mapper;
  for (std::uint64_t i = 0; i < 4; ++i) {
    Message request(0, i);
    request.datagram.time = TimePoint{static_cast<std::int64_t>(i) * kSecond};
    mapper.see(request.get());
    if (i == 1 && one_is_answered) mapper.see(Message(3, i).get());
  }
  Reported reported;
  mapper.tell(reported.to, false, {});
  return reported.count(FindingId::port_mapper_unanswered);
}

TEST(PortMapper, ThatAnswersOnceIsNotSilentWhereTheCaptureLacksAnswers) {
  EXPECT_EQ(unanswered(false), 1u);
  EXPECT_EQ(unanswered(true), 0u);
}

TEST(PortMapper, OfAListenerOnAllAddressesIsTheHostThatSpeaks) {
  PortMapper mapper;
  Message request(0, 1), accept(1, 1, 45000);
  mapper.see(request.get());
  std::array<std::byte, 48> any{};
  std::copy(accept.get().payload.begin(), accept.get().payload.end(), any.begin());
  any[32] = any[35] = std::byte{0};
  net::UdpDatagram datagram = accept.datagram;
  datagram.payload = any;
  mapper.see(datagram);
  Reported unused;
  mapper.tell(unused.to, false, {});
  EXPECT_EQ(unused.count(FindingId::port_mapper_unused), 1u);
  mapper.see_connection({{kAsked, 45000}});
  Reported used;
  mapper.tell(used.to, false, {});
  EXPECT_EQ(used.count(FindingId::port_mapper_unused), 0u);
}

TEST(PortMapper, WhatIsNoMessageOfItIsPassedOver) {
  PortMapper mapper;
  for (std::size_t octets = 0; octets < 48; ++octets) mapper.see(Message(0, 1).get(octets));
  mapper.see(Message(0, 1, 5000, 5).get());  // neither IPv4 nor IPv6
  mapper.see(Message(4, 1).get());           // version 1
  Message stray(0, 1);                       // a Request that goes from the port
  std::swap(stray.datagram.source, stray.datagram.destination);
  mapper.see(stray.get());
  Reported reported;
  mapper.tell(reported.to, false, {});
  EXPECT_TRUE(reported.findings.empty());
}

TEST(PortMapper, ARefusalIsReportedWhereSilenceIsNot) {
  PortMapper mapper;
  mapper.see(Message(0, 1).get());
  mapper.see(Message(0, 2, 5001).get());
  mapper.see(Message(3, 2, 5001).get());
  Reported reported;
  mapper.tell(reported.to, true, {});
  ASSERT_EQ(reported.findings.size(), 1u);
  EXPECT_EQ(reported.findings.front().id, FindingId::port_mapper_rejected);
}

}  // namespace
}  // namespace iwarpscope::hosts
