// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of any link type into net::Decoder.
// Input: frames of {u16 link type, u8 milliseconds since the one before, u8 octets not captured, u16 length, octets}.
#include <array>
#include <memory>
#include <variant>

#include "fuzz/script.h"
#include "net/decoder.h"
#include "net/port_mapper_message.h"

using namespace iwarpscope;

namespace {

constexpr std::array kLinks{net::LinkType::ethernet,  net::LinkType::null,      net::LinkType::raw_ip,
                            net::LinkType::ipv4,      net::LinkType::ipv6,      net::LinkType::openbsd_loop,
                            net::LinkType::linux_sll, net::LinkType::linux_sll2};

/// Reads every octet of the result, for the sanitizers.
std::uint32_t sum(Octets octets) {
  std::uint32_t total = 0;
  for (const std::byte o : octets) total += to_u8(o);
  return total;
}

void use(const net::TcpPacket& packet, const net::Frame& frame) {
  fuzz::require(packet.frame == frame.number, "a TCP segment names the frame that completed it");
  fuzz::require(packet.payload.size() <= packet.payload_length, "not more is captured than was sent");
  fuzz::require(packet.tcp_header.size() >= 20 && packet.tcp_header.size() <= 60, "the TCP header has 20 to 60 octets");
  const net::ChecksumResult checksum = net::checksum(packet);
  fuzz::require(!packet.truncated() || checksum.verdict == net::Checksum::unknown, "what is cut is not judged");
  const net::FlowKey key = packet.flow();
  fuzz::require(!(key.high < key.low), "the lower end comes first");
  volatile std::uint64_t sink = sum(packet.payload) + sum(packet.tcp_header) + net::stable_hash(key);
  (void)sink;
}

void use(const net::SctpPacket& packet, const net::Frame& frame) {
  fuzz::require(packet.frame == frame.number, "an SCTP packet names the frame that completed it");
  fuzz::require(packet.chunks.size() <= packet.chunks_length, "not more is captured than was sent");
  fuzz::require(packet.common_header.size() == 12, "the common header has 12 octets");
  const net::Checksum verdict = net::checksum(packet);
  fuzz::require(!packet.truncated() || verdict == net::Checksum::unknown, "what is cut is not judged");
  volatile std::uint64_t sink = sum(packet.chunks) + sum(packet.common_header) + net::stable_hash(packet.flow());
  (void)sink;
}

void use(const net::UdpDatagram& datagram, const net::Frame& frame) {
  fuzz::require(datagram.frame == frame.number, "a datagram names the frame that completed it");
  const auto parsed = net::PortMapperMessage::parse(datagram.payload);
  const auto* message = std::get_if<net::PortMapperMessage>(&parsed);
  fuzz::require((message != nullptr) == (datagram.payload.size() >= net::PortMapperMessage::kOctets),
                "a port mapper message is as long as its fixed part");
  volatile std::uint64_t sink = sum(datagram.payload);
  if (message != nullptr) {
    sink = sink + message->version() + static_cast<unsigned>(message->type()) + message->association() +
           message->accepting().port + message->accepting().address.octets[15] + message->connecting().port;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Script script(data, size);
  net::DecoderLimits limits;
  limits.max_fragment_octets = 8192;
  limits.max_datagrams = 8;
  net::Decoder decoder(limits);
  net::Frame frame;
  std::uint64_t octets = 0;
  while (!script.is_at_end()) {
    const std::uint16_t link = script.u16();
    frame.number = FrameNumber{frame.number.value + 1};
    frame.link = link < kLinks.size() ? kLinks[link] : static_cast<net::LinkType>(link);
    frame.time.ns += std::int64_t{script.u8()} * 1'000'000'000;
    const std::uint8_t more = script.u8();
    const Octets found = script.octets(script.u16());
    // A separate memory block, so that a read past its end is detected.
    const auto copy = std::make_unique<std::byte[]>(found.size());
    std::copy(found.begin(), found.end(), copy.get());
    frame.octets = {copy.get(), found.size()};
    frame.original_length = static_cast<std::uint32_t>(found.size()) + more;
    octets += found.size();
    const auto decoded = decoder.decode(frame);
    if (const auto* packet = std::get_if<net::TcpPacket>(&decoded)) use(*packet, frame);
    if (const auto* packet = std::get_if<net::SctpPacket>(&decoded)) use(*packet, frame);
    if (const auto* datagram = std::get_if<net::UdpDatagram>(&decoded)) use(*datagram, frame);
  }
  fuzz::require(decoder.statistics().frames == frame.number.value, "every frame is counted");
  fuzz::require(decoder.statistics().octets == octets, "every octet is counted");
  return 0;
}
