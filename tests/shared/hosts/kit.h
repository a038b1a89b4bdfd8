// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the tests of hosts have in common: two hosts, packets and queue pairs of theirs, and what is reported of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "findings/capture_findings.h"
#include "net/tcp_packet.h"
#include "qp/records.h"

namespace iwarpscope::hosts::test {

inline const net::IpAddress kAsker = net::IpAddress::v4(0x0A000001), kAsked = net::IpAddress::v4(0x0A000002);
inline constexpr std::int64_t kSecond = 1'000'000'000;

/// What is reported at the end of a capture of this length.
struct Reported final : findings::Reporter {
  explicit Reported(std::int64_t end_ns = 10 * kSecond) : to(*this, {FrameNumber{1000}, TimePoint{end_ns}}) {}
  void raise(findings::Finding finding) override { findings.push_back(std::move(finding)); }

  [[nodiscard]] std::size_t count(findings::FindingId id) const {
    return static_cast<std::size_t>(std::ranges::count(findings, id, &findings::Finding::id));
  }
  /// What the first finding of the rule has seen; empty without one.
  [[nodiscard]] std::string seen(findings::FindingId id) const {
    const auto found = std::ranges::find(findings, id, &findings::Finding::id);
    return found == findings.end() ? std::string() : found->seen;
  }

  std::vector<findings::Finding> findings;
  findings::CaptureFindings to;
};

/// To or from port 5000 of kAsked, in the frame with the number of the other port.
inline net::TcpPacket segment(std::uint16_t port, std::uint8_t flags, bool from_opener = true,
                              std::uint32_t sequence = 1, std::int64_t time_ns = 0) {
  net::TcpPacket packet;
  packet.frame = FrameNumber{port};
  packet.time = TimePoint{time_ns};
  packet.acknowledgment = 2;
  packet.source = {kAsker, port};
  packet.destination = {kAsked, 5000};
  if (!from_opener) std::swap(packet.source, packet.destination);
  packet.flags = flags;
  packet.sequence = sequence;
  return packet;
}

}  // namespace iwarpscope::hosts::test
