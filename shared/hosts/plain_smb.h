// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SMB over plain TCP between hosts that might speak SMB Direct.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "findings/capture_findings.h"
#include "hosts/in_group.h"
#include "hosts/openings.h"
#include "net/tcp_packet.h"
#include "qp/records.h"

namespace iwarpscope::hosts {

/// Ports of SMB. Source: [MS-SMB2] §2.1, [MS-SMBD] §2.1.
inline constexpr std::uint16_t kSmbPort = 445;
inline constexpr std::uint16_t kSmbDirectPort = 5445;

/// Follows SMB on TCP port 445 by pair of hosts. Bounded: pairs that find no room are counted.
class PlainSmb {
 public:
  explicit PlainSmb(std::size_t most = 4096) : most_(most) {}
  /// Takes a TCP segment to or from port 445.
  void see(const net::TcpPacket& packet);
  /// Takes a queue pair at the end of the capture.
  void see(const qp::QpRecord& record);
  [[nodiscard]] std::uint64_t discarded() const noexcept { return discarded_; }
  [[nodiscard]] std::size_t size() const noexcept { return talks_.size(); }
  [[nodiscard]] std::size_t room() const noexcept { return most_; }

  void tell(findings::CaptureFindings& to, const Openings& openings) const;

  template <class A>
  void archive(A& a) {
    a(talks_, discarded_);
    a.check(talks_.size() <= most_);
  }

 private:
  std::size_t most_;
  struct Talk {
    FrameNumber frame;  ///< of its first message
    net::IpAddress server;
    std::uint64_t octets = 0;
    std::uint64_t failed_qps = 0;  ///< SMB Direct connections that failed
    bool has_direct = false;       ///< one that carried messages
  };
  std::map<InGroup<std::pair<net::IpAddress, net::IpAddress>>, Talk> talks_;  ///< the lower address first
  std::uint64_t discarded_ = 0;
};

}  // namespace iwarpscope::hosts
