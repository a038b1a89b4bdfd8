// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What listeners say before the end that opened the connection has sent any octet, as an SSH or SMTP server does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/flow_table.h"
#include "net/tcp_packet.h"
#include "qp/tcp_queue_pair.h"

namespace iwarpscope::analysis {

/// For connections that are no queue pairs (yet): the latest banners.
class Banners {
 public:
  /// `packet` is of `flow`, which has not noted it. Only the first octets after a SYN-ACK that was seen are kept, and
  /// only if the other end had sent none: octets that the capture lacks cannot come before them.
  void note(std::uint32_t index, const Flow& flow, const net::TcpPacket& packet, bool from_low);
  /// Null: not known. Valid until note().
  [[nodiscard]] const qp::Banner* of(std::uint32_t index, const Flow& flow, bool of_low) const;
  template <class A>
  void archive(A& a) {
    a(ring_, next_);
    a.check(ring_.size() <= kMost && next_ < kMost);
  }

 private:
  static constexpr std::size_t kMost = 256;
  struct Entry {
    std::uint32_t flow = 0;
    bool of_low = false;
    FrameNumber first;  ///< of the flow
    qp::Banner banner;
  };
  std::vector<Entry> ring_;
  std::size_t next_ = 0;
};

}  // namespace iwarpscope::analysis
