// What a capture tells about hosts and listeners, beyond single queue pairs.
#pragma once

#include <cstdint>
#include <variant>

#include "analysis/openings.h"
#include "analysis/plain_smb.h"
#include "analysis/port_mapper.h"
#include "analysis/refused_access.h"
#include "analysis/verdict.h"
#include "net/decoder.h"

namespace iwarpscope::analysis {

/// Sees every packet before shards do, and every queue pair at the end. Costs little: of TCP it reads SYN, RST and port
/// 445 only. Bounded as its parts are.
class Surroundings {
 public:
  void see(const net::Decoding& decoded) {
    if (const auto* packet = std::get_if<net::TcpPacket>(&decoded)) {
      constexpr std::uint8_t kOpensOrResets = net::tcp_flag::syn | net::tcp_flag::rst;
      if (packet->has(kOpensOrResets)) see_opening(*packet);
      if (packet->source.port == kSmbPort || packet->destination.port == kSmbPort) plain_smb_.see(*packet);
    } else if (const auto* datagram = std::get_if<net::UdpDatagram>(&decoded)) {
      port_mapper_.see(*datagram);
    }
  }
  /// At the end of the capture, each queue pair once.
  void see(const qp::QpRecord& record, const CaptureSpan& capture);
  /// After all queue pairs.
  void tell(CaptureFindings& to, const CaptureSpan& capture);

  [[nodiscard]] const FailedOpenings& refused() const noexcept { return openings_.refused(); }
  [[nodiscard]] FailedOpenings unanswered() const { return openings_.unanswered(); }
  /// What found no room in a table.
  [[nodiscard]] std::uint64_t forgotten() const noexcept {
    return openings_.forgotten() + plain_smb_.forgotten() + port_mapper_.forgotten() + refused_access_.forgotten();
  }
  /// What is kept in those tables: now, and at most.
  [[nodiscard]] std::size_t size() const noexcept {
    return openings_.size() + plain_smb_.size() + port_mapper_.size() + refused_access_.size();
  }
  [[nodiscard]] static constexpr std::size_t room() noexcept {
    return Openings::room() + PlainSmb::room() + PortMapper::room() + RefusedAccess::room();
  }

 private:
  void see_opening(const net::TcpPacket& packet);

  Openings openings_;
  PlainSmb plain_smb_;
  PortMapper port_mapper_;
  RefusedAccess refused_access_;
  bool one_sided_ = false;
};

}  // namespace iwarpscope::analysis
