// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which TCP segments a receiver dropped for their checksum, and which only look wrong because of offload.
#pragma once

#include <cstdint>

#include "net/tcp_packet.h"

namespace iwarpscope::tcp {

/// How a TCP segment is treated.
enum class Trust : std::uint8_t {
  verified,    ///< the checksum is right
  unverified,  ///< taken, but its octets prove nothing: offloaded, cut, or a sender whose checksums are never right
  rejected,    ///< its receiver dropped it
};

/// One direction's checksums. A wrong one is believed to be damage only if the sender has shown right ones, more than
/// wrong ones that were taken before: one chance match in a capture full of unfinished checksums must not turn all
/// others into damage. Source: ours; RFC 9293 §3.1.
class ChecksumPolicy {
 public:
  /// From what the flow table saw.
  void start(bool good_seen, bool bad_seen) noexcept {
    if (good_seen) good_ = 1;
    if (bad_seen && !good_seen) unjudged_ = 1;
  }

  [[nodiscard]] Trust judge(net::Checksum verdict) noexcept {
    switch (verdict) {
      case net::Checksum::good:
        count(good_, unjudged_);
        wrong_run_ = 0;
        return Trust::verified;
      case net::Checksum::offloaded:
        count(unjudged_, good_);
        offloaded_ = true;
        return Trust::unverified;
      case net::Checksum::unknown: return Trust::unverified;
      case net::Checksum::bad:
        if (good_ > unjudged_ && !is_chance_match()) return Trust::rejected;
        count(unjudged_, good_);
        return Trust::unverified;
    }
    return Trust::unverified;
  }

  /// Whether this direction's checksums are those of a capture on the sending host.
  [[nodiscard]] bool looks_offloaded() const noexcept { return offloaded_ || (unjudged_ > 0 && unjudged_ >= good_); }
  template <class A>
  void archive(A& a) {
    a(good_, unjudged_, wrong_run_, offloaded_);
  }

 private:
  /// Counts one wrong checksum of a sender that showed right ones: nothing but wrong ones after very few right ones
  /// says that those were right by chance, or that only what has no payload is right in this capture.
  [[nodiscard]] bool is_chance_match() noexcept {
    if (wrong_run_ < kMostRejected) ++wrong_run_;
    if (wrong_run_ < kMostRejected || good_ >= kMostRejected) return false;
    unjudged_ = good_;
    return true;
  }

  /// Counts one; near the top both are halved, which keeps their order.
  static void count(std::uint16_t& one, std::uint16_t& other) noexcept {
    if (++one == 0xFFFF) {
      one = 0x7FFF;
      other = static_cast<std::uint16_t>(other / 2);
    }
  }

  static constexpr std::uint8_t kMostRejected = 4;  // ours

  std::uint16_t good_ = 0;
  std::uint16_t unjudged_ = 0;
  std::uint8_t wrong_run_ = 0;  ///< rejected since the last right one
  bool offloaded_ = false;
};

}  // namespace iwarpscope::tcp
