// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// From a captured frame to the TCP segment, SCTP packet or UDP datagram in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "net/frame.h"
#include "net/no_packet.h"
#include "net/sctp_packet.h"
#include "net/tcp_packet.h"
#include "net/udp_datagram.h"

namespace iwarpscope::net {

struct Statistics {
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;             ///< captured
  std::uint64_t truncated_frames = 0;   ///< captured less than was on the wire, or than an IP length says was
  std::uint64_t mirror_cut_frames = 0;  ///< those of them that a mirror cut: they end before their IP length
  std::uint64_t ip_fragments = 0;
  std::uint64_t fragments_dropped = 0;         ///< given up: limits, time-out, contradictory or overlapping fragments
  std::uint64_t fragments_over_limit = 0;      ///< those of them given up to keep the limits
  std::uint64_t fragments_over_datagrams = 0;  ///< those of these given up because too many datagrams were incomplete
  std::uint64_t fragments_waiting = 0;         ///< held now, of datagrams not complete yet
  std::uint64_t fragment_octets = 0;           ///< held now: what counts against DecoderLimits::max_fragment_octets
  std::uint64_t fragmented_datagrams = 0;      ///< held now: what counts against DecoderLimits::max_datagrams
  std::uint64_t unsupported_link = 0;
  std::uint64_t malformed = 0;
  std::uint64_t beyond_frame = 0;       ///< those of them whose IP length lies beyond the frame, and no mirror cut them
  std::uint64_t truncated_headers = 0;  ///< frames the capture cut before the TCP or SCTP header was whole
  std::uint64_t too_deep = 0;           ///< frames with more encapsulations than the limit, or endless extensions
};

struct DecoderLimits {
  std::size_t max_fragment_octets = 4u << 20;         ///< held for incomplete datagrams, in all
  std::size_t max_datagrams = 4096;                   ///< incomplete at one time
  std::int64_t fragment_timeout_ns = 30'000'000'000;  ///< RFC 791 §3.2, RFC 8200 §4.5
  unsigned max_encapsulations = 8;                    ///< tags, labels and tunnels in one frame
};

/// What a frame gave.
using Decoding = std::variant<NoPacket, TcpPacket, UdpDatagram, SctpPacket>;

/// Decodes link layer, tags, tunnels and IP; joins IP fragments. One per capture; frames in capture order. Never throws
/// on any input. What it returns borrows the frame's octets, or the decoder's own until the next call.
class Decoder {
 public:
  explicit Decoder(const DecoderLimits& limits = {});
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  [[nodiscard]] Decoding decode(const Frame& frame);
  [[nodiscard]] const Statistics& statistics() const noexcept;

  /// What waits to be put together, and what was counted.
  template <class A>
  void archive(A& a);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::net
