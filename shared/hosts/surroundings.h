// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a capture shows about hosts and listeners, beyond single queue pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "hosts/openings.h"
#include "hosts/plain_smb.h"
#include "hosts/port_mapper.h"
#include "hosts/refused_access.h"
#include "net/decoder.h"
#include "verdict/capture_span.h"

namespace iwarpscope::hosts {

/// Sees every packet before shards do, and every queue pair at the end. Costs little: of TCP it reads SYN, RST and port
/// 445 only, of SCTP INIT, INIT ACK and ABORT. Bounded as its parts are.
class Surroundings {
 public:
  /// `most`: Limits::max_host_facts, of which the parts have fixed shares.
  explicit Surroundings(std::size_t most)
      : most_(most),
        openings_(share(most, 4)),
        plain_smb_(share(most, 1)),
        port_mapper_(share(most, 1)),
        refused_access_(share(most, 1)) {}

  void see(const net::Decoding& decoded) {
    if (const auto* packet = std::get_if<net::TcpPacket>(&decoded)) {
      constexpr std::uint8_t kOpensOrResets = net::tcp_flag::syn | net::tcp_flag::rst;
      if (packet->has(kOpensOrResets)) see_opening(*packet);
      if (packet->source.port == kSmbPort || packet->destination.port == kSmbPort) plain_smb_.see(*packet);
    } else if (const auto* sctp = std::get_if<net::SctpPacket>(&decoded)) {
      openings_.see(*sctp);
    } else if (const auto* datagram = std::get_if<net::UdpDatagram>(&decoded)) {
      port_mapper_.see(*datagram);
    }
  }
  /// At the end of the capture, each queue pair once.
  void see(const qp::QpRecord& record, const verdict::CaptureSpan& capture);
  /// After all queue pairs.
  void tell(findings::CaptureFindings& to, const verdict::CaptureSpan& capture);

  [[nodiscard]] const FailedOpenings& refused() const noexcept { return openings_.refused(); }
  [[nodiscard]] FailedOpenings unanswered() const { return openings_.unanswered(); }
  /// Forgets all that it saw, as if it were new; what was discarded() is still counted.
  void restart() {
    const std::uint64_t before = discarded();
    *this = Surroundings(most_);
    discarded_before_ = before;
  }

  /// What found no room in a table.
  [[nodiscard]] std::uint64_t discarded() const noexcept {
    return discarded_before_ + openings_.discarded() + plain_smb_.discarded() + port_mapper_.discarded() +
           refused_access_.discarded();
  }
  /// What is kept in those tables: now, and at most.
  template <class A>
  void archive(A& a) {
    a(discarded_before_, openings_, plain_smb_, port_mapper_, refused_access_, one_sided_);
  }
  [[nodiscard]] std::size_t size() const noexcept {
    return openings_.size() + plain_smb_.size() + port_mapper_.size() + refused_access_.size();
  }
  [[nodiscard]] std::size_t room() const noexcept {
    return openings_.room() + plain_smb_.room() + port_mapper_.room() + refused_access_.room();
  }

 private:
  static constexpr std::size_t kShares = 11;  // room() of openings takes two of each
  static std::size_t share(std::size_t most, std::size_t shares) {
    return std::max<std::size_t>(most / kShares * shares, 1);
  }
  void see_opening(const net::TcpPacket& packet);

  std::size_t most_;
  std::uint64_t discarded_before_ = 0;
  Openings openings_;
  PlainSmb plain_smb_;
  PortMapper port_mapper_;
  RefusedAccess refused_access_;
  bool one_sided_ = false;
};

}  // namespace iwarpscope::hosts
