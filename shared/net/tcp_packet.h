// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A TCP segment as it was found in a frame.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"
#include "net/address.h"

namespace iwarpscope::net {

/// TCP flags. Source: RFC 9293 §3.1.
namespace tcp_flag {
inline constexpr std::uint8_t fin = 0x01;
inline constexpr std::uint8_t syn = 0x02;
inline constexpr std::uint8_t rst = 0x04;
inline constexpr std::uint8_t psh = 0x08;
inline constexpr std::uint8_t ack = 0x10;
inline constexpr std::uint8_t urg = 0x20;
}  // namespace tcp_flag

/// What a checksum says about a TCP segment. Source: RFC 9293 §3.1.
enum class Checksum : std::uint8_t {
  good,
  bad,
  offloaded,  ///< holds only the pseudo-header's sum, as a capture on a sending host with checksum offload shows it
  unknown,    ///< the capture cut the TCP segment
};

/// One TCP segment. Borrows the payload from the frame, or from the defragmenter when IP fragments were joined, until
/// the next call of the decoder. Units: octets.
struct TcpPacket {
  FrameNumber frame;  ///< the frame that completed it
  TimePoint time;     ///< of that frame
  Endpoint source;
  Endpoint destination;
  std::uint32_t overlay = 0;    ///< as in FlowKey
  std::uint32_t interface = 0;  ///< as in Frame
  std::uint32_t tap_group = 0;  ///< as in FlowKey
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgment = 0;          ///< meaningful with tcp_flag::ack
  std::uint16_t window = 0;                  ///< unscaled
  std::uint8_t flags = 0;                    ///< tcp_flag
  std::uint8_t ttl = 0;                      ///< IPv4 TTL or IPv6 hop limit
  std::uint16_t ip_id = 0;                   ///< 0 on IPv6
  bool dont_fragment = false;                ///< IPv4 DF; true on IPv6
  bool fragmented = false;                   ///< came as more than one IP fragment
  bool shortened = false;                    ///< an IP length promises more octets than the frame had on the wire
  bool options_cut = false;                  ///< the capture lacks the last of the TCP header
  bool ip_checksum_good = false;             ///< IPv4 header checksum; false on IPv6
  bool ip_checksum_wrong = false;            ///< the same; false where the field is 0: not filled in
  std::optional<std::uint16_t> mss;          ///< options, RFC 9293 §3.7.1
  std::optional<std::uint8_t> window_scale;  ///< RFC 7323 §2
  std::optional<std::uint32_t> timestamp;    ///< TSval, RFC 7323 §3
  Octets payload;                            ///< as far as captured
  std::uint32_t payload_length = 0;          ///< on the wire; more than payload.size() when the capture cut it

  /// The TCP header with its options, as captured, and what the checksum's pseudo-header needs. Private to checksum().
  Octets tcp_header;

  /// All but the octets, which it borrows.
  template <class A>
  void archive(A& a) {
    a(frame, time, source, destination, overlay, interface, tap_group, sequence, acknowledgment, window, flags, ttl,
      ip_id);
    a(dont_fragment, fragmented, shortened, options_cut, ip_checksum_good, ip_checksum_wrong, mss, window_scale,
      timestamp);
    a(payload_length);
  }

  [[nodiscard]] bool has(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
  [[nodiscard]] bool truncated() const noexcept { return payload.size() < payload_length; }
  [[nodiscard]] FlowKey flow() const noexcept {
    return source < destination ? FlowKey{source, destination, overlay, tap_group}
                                : FlowKey{destination, source, overlay, tap_group};
  }
};

/// A payload's ones-complement sum and what the checksum field says. Reads every octet once: call it once a TCP
/// segment, and only for connections that matter.
struct ChecksumResult {
  Checksum verdict = Checksum::unknown;
  std::uint16_t payload_sum = 0;  ///< folded, in network order as if the payload began on an even octet
};
[[nodiscard]] ChecksumResult checksum(const TcpPacket& packet) noexcept;

}  // namespace iwarpscope::net
