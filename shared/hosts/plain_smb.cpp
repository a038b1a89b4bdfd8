// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/plain_smb.h"

#include <fmt/format.h>

#include <string>

#include "base/wording.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;

constexpr std::size_t kMostTalks = 20;

InGroup<std::pair<net::IpAddress, net::IpAddress>> pair_of(const net::IpAddress& x, const net::IpAddress& y,
                                                           std::uint32_t tap_group) noexcept {
  return {x < y ? std::pair{x, y} : std::pair{y, x}, tap_group};
}

/// A TCP transport header (a zero octet, then the length) with an SMB message after it: of version 1, of version 2 and
/// 3, encrypted or compressed. Source: [MS-SMB2] §2.1, §2.2.1, §2.2.41, §2.2.42.
bool begins_smb(Octets payload) noexcept {
  constexpr std::size_t kTransport = 4, kIdentifier = 4;
  if (payload.size() < kTransport + kIdentifier || to_u8(payload[0]) != 0) return false;
  const std::uint32_t identifier = load_be<std::uint32_t>(payload.subspan(kTransport));
  return (identifier & 0xFFFFFFu) == 0x534D42u && (identifier >> 24) >= 0xFCu;
}

}  // namespace

void PlainSmb::see(const net::TcpPacket& packet) {
  if (packet.payload_length == 0) return;
  const auto key = pair_of(packet.source.address, packet.destination.address, packet.tap_group);
  auto it = talks_.find(key);
  if (it == talks_.end()) {
    if (!begins_smb(packet.payload)) return;
    if (talks_.size() >= most_) {
      ++discarded_;
      return;
    }
    it = talks_.emplace(key, Talk{}).first;
    it->second.frame = packet.frame;
    it->second.server = packet.destination.port == kSmbPort ? packet.destination.address : packet.source.address;
  }
  it->second.octets += packet.payload_length;
}

void PlainSmb::see(const qp::QpRecord& record) {
  const auto it = talks_.find(pair_of(record.a.address, record.b.address, record.tap_group));
  if (it == talks_.end()) return;
  const bool by_port = record.a.port == kSmbDirectPort || record.b.port == kSmbDirectPort;
  if (!by_port && record.ulp != "smb-direct") return;
  const auto& [a, b] = record.directions;
  if (a.fpdus + b.fpdus != 0) {
    it->second.has_direct = true;
  } else {
    ++it->second.failed_qps;
  }
}

void PlainSmb::tell(findings::CaptureFindings& to, const Openings& openings) const {
  std::size_t reported = 0;
  for (const auto& [group_pair, talk] : talks_) {
    const auto& [pair, tap_group] = group_pair;
    if (talk.has_direct || ++reported > kMostTalks) continue;
    const net::IpAddress& client = pair.first == talk.server ? pair.second : pair.first;
    const std::uint64_t refused = openings.failures(client, {{talk.server, kSmbDirectPort}, tap_group});
    std::string text =
        fmt::format("{} and {} exchanged {} of SMB over TCP port {}, beginning in frame {}", client.text(),
                    talk.server.text(), counted(talk.octets, "octet"), kSmbPort, talk.frame.value);
    if (talk.failed_qps + refused != 0) {
      text += fmt::format("; {} to port {} failed", counted(talk.failed_qps + refused, "attempt"), kSmbDirectPort);
    } else {
      text += fmt::format("; no host tried port {}", kSmbDirectPort);
    }
    to.tell(FindingId::tcp_smb_without_rdma, 1, text + ".", {talk.frame});
  }
}

}  // namespace iwarpscope::hosts
