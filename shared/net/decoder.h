// From a captured frame to the TCP segment in it.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "net/frame.h"
#include "net/tcp_packet.h"

namespace iwarpscope::net {

/// Why a frame gave no transport packet.
enum class NoPacket : std::uint8_t {
  other_protocol,      ///< decoded, but neither TCP nor a tunnel that holds it
  fragment_held,       ///< an IP fragment that waits for the rest of its datagram
  unsupported_link,    ///< link type unknown to this decoder
  malformed,           ///< headers contradict their lengths
  truncated,           ///< the capture cut the headers
};

struct Statistics {
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;                ///< captured
  std::uint64_t truncated_frames = 0;      ///< captured less than was on the wire
  std::uint64_t ip_fragments = 0;
  std::uint64_t fragments_dropped = 0;     ///< given up: limits, time-out, contradictory or overlapping fragments
  std::uint64_t unsupported_link = 0;
  std::uint64_t malformed = 0;
};

struct DecoderLimits {
  std::size_t max_fragment_octets = 4u << 20;       ///< held for incomplete datagrams, in all
  std::size_t max_datagrams = 4096;                 ///< incomplete at one time
  std::int64_t fragment_timeout_ns = 30'000'000'000;  ///< RFC 791 §3.2, RFC 8200 §4.5
  unsigned max_encapsulations = 8;                  ///< tags, labels and tunnels in one frame
};

/// Decodes link layer, tags, tunnels and IP; joins IP fragments. One per capture; frames in capture order. Never throws
/// on any input. What it returns borrows the frame's octets, or the decoder's own until the next call.
class Decoder {
 public:
  explicit Decoder(const DecoderLimits& limits = {});
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  [[nodiscard]] std::variant<NoPacket, TcpPacket> decode(const Frame& frame);
  [[nodiscard]] const Statistics& statistics() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::net
