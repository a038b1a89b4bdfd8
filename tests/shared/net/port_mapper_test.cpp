// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <variant>

#include "net/decoder.h"
#include "net/port_mapper_message.h"
#include "vectors.h"

namespace iwarpscope::net::test {
namespace {

// A Request of iwpmd: version 0, type 0, IPv4; the peer's mapped port 41000; who listens is 10.0.0.2:5000, who connects
// 10.0.0.1:40000; handle 0x1122334455667788.
const std::string kRequest =
    "04 00 a028 1388 9c40 1122334455667788"
    "0a000001 000000000000000000000000"
    "0a000002 000000000000000000000000"
    "0a000001 000000000000000000000000";

std::string ipv4_udp(const std::string& ports, const std::string& payload) {
  const std::size_t octets = hex(payload).size();
  char length[5], total[5];
  std::snprintf(length, sizeof length, "%04x", unsigned{static_cast<std::uint16_t>(octets + 8)});
  std::snprintf(total, sizeof total, "%04x", unsigned{static_cast<std::uint16_t>(octets + 28)});
  return std::string("4500") + total + "00010000 4011 0000 0a000001 0a000002" + ports + length + "0000" + payload;
}
const std::string kRequestFrame = ipv4_udp("c351 0f5f", kRequest);

TEST(PortMapperMessage, RequestIsReadFieldByField) {
  const Buffer octets = hex(kRequest);
  const auto parsed = PortMapperMessage::parse(octets);
  ASSERT_TRUE(std::holds_alternative<PortMapperMessage>(parsed));
  const auto& message = std::get<PortMapperMessage>(parsed);
  EXPECT_EQ(message.version(), 0u);
  EXPECT_EQ(message.type(), PortMapperType::request);
  EXPECT_EQ(message.ip_version(), 4u);
  EXPECT_EQ(message.association(), 0x1122334455667788u);
  EXPECT_EQ(message.accepting(), (Endpoint{IpAddress::v4(0x0A000002), 5000}));
  EXPECT_EQ(message.connecting(), (Endpoint{IpAddress::v4(0x0A000001), 40000}));
}

TEST(PortMapperMessage, Ipv6AddressesTakeAllSixteenOctets) {
  const Buffer octets =
      hex("16 00 0000 1388 9c40 0000000000000001"
          "fd000000000000000000000000000001 fd000000000000000000000000000002");
  const auto parsed = PortMapperMessage::parse(octets);
  const auto& message = std::get<PortMapperMessage>(parsed);
  EXPECT_EQ(message.type(), PortMapperType::accept);
  EXPECT_EQ(message.accepting().address.text(), "fd00::2");
  EXPECT_EQ(message.connecting().address.text(), "fd00::1");
}

TEST(PortMapperMessage, CutAnywhereIsShort) {
  const Buffer octets = hex(kRequest);
  for (std::size_t cut = 0; cut < PortMapperMessage::kOctets; ++cut) {
    const Buffer prefix(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(cut));
    const auto parsed = PortMapperMessage::parse(prefix);
    ASSERT_TRUE(std::holds_alternative<Short>(parsed)) << cut;
    EXPECT_EQ(std::get<Short>(parsed).have, cut);
  }
}

TEST(Decoder, DatagramsOfThePortMapperAreHandedOut) {
  for (const auto& [ports, source, destination] :
       {std::tuple{"c351 0f5f", 50001, 3935}, std::tuple{"0f5f c351", 3935, 50001}}) {
    const Buffer octets = hex(ipv4_udp(ports, kRequest));
    Decoder decoder;
    const auto decoded = decoder.decode(frame_of(octets, LinkType::raw_ip));
    ASSERT_TRUE(std::holds_alternative<UdpDatagram>(decoded)) << ports;
    const auto& datagram = std::get<UdpDatagram>(decoded);
    EXPECT_EQ(datagram.source, (Endpoint{IpAddress::v4(0x0A000001), static_cast<std::uint16_t>(source)}));
    EXPECT_EQ(datagram.destination, (Endpoint{IpAddress::v4(0x0A000002), static_cast<std::uint16_t>(destination)}));
    EXPECT_EQ(datagram.payload.size(), 64u);
  }
}

TEST(Decoder, DatagramsOfOtherPortsAreNoPacket) {
  const Buffer octets = hex(ipv4_udp("c351 0f60", kRequest));
  Decoder decoder;
  const auto decoded = decoder.decode(frame_of(octets, LinkType::raw_ip));
  ASSERT_TRUE(std::holds_alternative<NoPacket>(decoded));
  EXPECT_EQ(std::get<NoPacket>(decoded), NoPacket::other_protocol);
}

TEST(Decoder, ADatagramCutByTheSnapLengthKeepsWhatWasCaptured) {
  const Buffer whole = hex(kRequestFrame);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const Buffer prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    Decoder decoder;
    const auto decoded = decoder.decode(frame_of(prefix, LinkType::raw_ip, whole.size()));
    const auto* datagram = std::get_if<UdpDatagram>(&decoded);
    ASSERT_EQ(datagram != nullptr, cut >= 28) << cut;
    if (datagram != nullptr) {
      EXPECT_EQ(datagram->payload.size(), cut - 28);
    }
    EXPECT_EQ(decoder.statistics().truncated_frames, 1u);
  }
}

TEST(Decoder, AnOverlayFromThePortOfThePortMapperIsAnOverlay) {
  const Buffer octets = hex(ipv4_udp("0f5f 12b5", "0800000000002a00"));
  Decoder decoder;
  EXPECT_TRUE(std::holds_alternative<NoPacket>(decoder.decode(frame_of(octets, LinkType::raw_ip))));
}

}  // namespace
}  // namespace iwarpscope::net::test
