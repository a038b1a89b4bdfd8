// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A script of TCP segments, both directions, into one queue pair: TCP, MPA startup and framing, DDP, RDMAP.
// Input: u8 mode, u32 first sequence numbers, then TCP segments of
//   {u8 kind, i16 sequence (from the one expected), i16 acknowledgment, u16 length, octets}.
// kind: bit 0 direction, bits 1..3 SYN/FIN/RST, bit 4 wrong place allowed, bits 5..6 what the octets become:
// 0 as they are, 1 an FPDU with its length and CRC, 2 the same with a marker in front, 3 cut by the snap length.
#include <array>
#include <string>
#include <vector>

#include "base/crc32c.h"
#include "fuzz/script.h"
#include "qp/tcp_queue_pair.h"
#include "report/json.h"

using namespace iwarpscope;

namespace {

struct Sink final : qp::Events {
  bool is_confirmed = false;
  std::string text;
  std::array<std::uint64_t, 2> messages{};

  void confirmed(FrameNumber) override {
    fuzz::require(!is_confirmed, "a queue pair is confirmed once");
    is_confirmed = true;
  }
  void message(qp::MessageRecord record) override {
    fuzz::require(is_confirmed, "nothing is reported before the queue pair is confirmed");
    ++messages[index(record.direction)];
    text.clear();
    report::append_json(text, record);
  }
  void finding(findings::Finding finding) override {
    fuzz::require(is_confirmed, "nothing is reported before the queue pair is confirmed");
    fuzz::require(!finding.text.empty(), "a finding says what was seen");
    text.clear();
    report::append_json(text, finding);
  }
};

std::vector<std::byte> fpdu(Octets ulpdu, bool marker) {
  std::vector<std::byte> out;
  out.reserve(ulpdu.size() + 16);
  if (marker) out.resize(4);
  out.push_back(static_cast<std::byte>(ulpdu.size() >> 8));
  out.push_back(static_cast<std::byte>(ulpdu.size()));
  out.insert(out.end(), ulpdu.begin(), ulpdu.end());
  while (out.size() % 4 != 0) out.push_back(std::byte{0});
  const std::uint32_t crc = crc32c(out);
  for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::byte>(crc >> shift));
  return out;
}

net::Endpoint endpoint(std::uint8_t last, std::uint16_t port) {
  return {net::IpAddress::v4(0x0A000000U + last), port};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Script script(data, size);
  const std::uint8_t mode = script.u8();
  std::array<std::uint32_t, 2> expected{script.u32(), script.u32()};

  qp::Environment environment(64 << 10);
  environment.messages = (mode & 1U) != 0;
  environment.digest = (mode & 2U) != 0;
  environment.tcp.max_buffered_octets = 16 << 10;
  environment.tcp.max_buffered_chunks = 16;
  environment.max_outstanding_requests = 8;
  environment.findings_per_rule = 5;
  qp::Beginning beginning;
  beginning.a = endpoint(1, 40000);
  beginning.b = endpoint(2, 5000);
  beginning.midstream = (mode & 4U) != 0;
  for (unsigned d = 0; d < 2; ++d) {
    tcp::Origin& origin = beginning.origins[d];
    origin.seen = origin.syn_seen = (mode & 8U) != 0;
    origin.next_sequence = expected[d];
    origin.mss = (mode & 16U) != 0 ? 1460 : 0;
    origin.window_scale = (mode & 32U) != 0 ? 7 : 0xFF;
  }
  Sink sink;
  qp::TcpQueuePair pair(environment, beginning, sink);

  net::TcpPacket packet;
  while (!script.is_at_end()) {
    const std::uint8_t kind = script.u8();
    const auto d = static_cast<Direction>(kind & 1U);
    const auto move = static_cast<std::int16_t>(script.u16());
    const auto move_ack = static_cast<std::int16_t>(script.u16());
    const Octets octets = script.octets(script.u16() % 4096);
    const unsigned form = kind >> 5U & 3U;
    std::vector<std::byte> payload(octets.begin(), octets.end());
    if (form == 1 || form == 2) payload = fpdu(octets, form == 2);
    packet.frame = FrameNumber{packet.frame.value + 1};
    packet.time.ns += 1'000'000;
    packet.source = d == Direction::a_to_b ? beginning.a : beginning.b;
    packet.destination = d == Direction::a_to_b ? beginning.b : beginning.a;
    std::uint32_t& mine = expected[index(d)];
    packet.sequence = mine + static_cast<std::uint32_t>(std::int32_t{move});
    packet.acknowledgment = expected[1 - index(d)] + static_cast<std::uint32_t>(std::int32_t{move_ack});
    packet.flags = static_cast<std::uint8_t>(net::tcp_flag::ack | (kind & 2U) | (kind >> 2U & 1U) | (kind >> 1U & 4U));
    packet.window = 512;
    packet.payload = payload;
    packet.payload_length = static_cast<std::uint32_t>(payload.size());
    if (form == 3) packet.payload = packet.payload.first(packet.payload.size() / 2);
    if (move == 0 || (kind & 16U) == 0) mine = packet.sequence + packet.payload_length;
    pair.feed(d, packet, packet.frame, packet.time);
    if ((kind & 128U) != 0) pair.trim();
  }
  pair.finish(packet.frame, packet.time);
  const qp::QpRecord record = pair.record();
  std::string text;
  report::append_json(text, record);
  fuzz::require(pair.is_confirmed() == sink.is_confirmed, "a confirmed queue pair is reported as confirmed");
  if (sink.is_confirmed && environment.messages) {
    fuzz::require(sink.messages[0] + sink.messages[1] == pair.messages(), "every message is reported once");
  }
  return 0;
}
