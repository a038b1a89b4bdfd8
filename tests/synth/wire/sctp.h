// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SCTP packets and chunks, and their contents for DDP.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "synth/wire/address.h"
#include "synth/wire/mpa.h"
#include "synth/wire/octets.h"
#include "synth/wire/tcp.h"

namespace iwarpscope::synth::wire {

/// Common header: 12 octets. It contains the CRC32c of header and chunks with its low octet first; Checksum::zero
/// leaves 0, pseudo_header_only leaves the value of a sending host with checksum offload, which is also 0. Source: RFC
/// 9260 §3.1, §6.8, App. A.
struct Sctp {
  std::uint16_t source_port = 40000;
  std::uint16_t destination_port = 5000;
  std::uint32_t verification_tag = 0;
  Checksum checksum = Checksum::right;
};
/// The SCTP packet with chunks that are already written, in sequence.
[[nodiscard]] Buffer write(const Sctp& header, Octets chunks);

/// Chunk types. Source: RFC 9260 §3.2.
enum class ChunkType : std::uint8_t {
  data = 0,
  init = 1,
  init_ack = 2,
  sack = 3,
  heartbeat = 4,
  heartbeat_ack = 5,
  abort = 6,
  shutdown = 7,
  shutdown_ack = 8,
  error = 9,
  cookie_echo = 10,
  cookie_ack = 11,
  shutdown_complete = 14,
};

/// Any chunk: type, flags, length and value, padded with zeros to 4 octets, which the length does not count.
/// Source: RFC 9260 §3.2.
struct Chunk {
  ChunkType type = ChunkType::data;
  std::uint8_t flags = 0;
  Buffer value{};
  std::optional<std::uint16_t> length{};  ///< a wrong length
};
[[nodiscard]] Buffer write(const Chunk& chunk);

/// DATA. A user message in several chunks has B in its first and E in its last. Source: RFC 9260 §3.3.1.
struct Data {
  std::uint32_t tsn = 0;
  std::uint16_t stream = 0;
  std::uint16_t ssn = 0;   ///< ignored with U
  std::uint32_t ppid = 0;  ///< Payload Protocol Identifier
  bool unordered = true;   ///< U
  bool begin = true;       ///< B
  bool end = true;         ///< E
  bool immediate = false;  ///< I
  Buffer user_data{};
  std::optional<std::uint16_t> length{};  ///< a wrong length
};
[[nodiscard]] Buffer write(const Data& chunk);

/// INIT or INIT ACK: the fixed part, then parameters in the order given here. Source: RFC 9260 §3.3.2, §3.3.3.
struct Init {
  bool ack = false;
  std::uint32_t initiate_tag = 1;
  std::uint32_t window = 1U << 20;
  std::uint16_t outbound_streams = 1;
  std::uint16_t inbound_streams = 1;
  std::uint32_t initial_tsn = 1;
  std::vector<Address> addresses{};           ///< parameters 5 and 6, of the sender
  std::optional<Buffer> cookie{};             ///< parameter 7, State Cookie, of an INIT ACK
  std::optional<std::uint32_t> adaptation{};  ///< parameter 0xC006, Adaptation Layer Indication: RFC 5061 §4.2.6
  Buffer parameters{};                        ///< more parameters, unchanged
};
[[nodiscard]] Buffer write(const Init& chunk);
/// A parameter of INIT, or an error cause: type, length, value, padded to 4 octets. Source: RFC 9260 §3.2.1, §3.3.10.
[[nodiscard]] Buffer write_parameter(std::uint16_t type, Octets value);

/// SACK. Gap blocks count from the cumulative TSN. Source: RFC 9260 §3.3.4.
struct Sack {
  std::uint32_t cumulative_tsn = 0;
  std::uint32_t window = 1U << 20;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> gaps{};  ///< first and last TSN of each, as distances
  std::vector<std::uint32_t> duplicates{};
};
[[nodiscard]] Buffer write(const Sack& chunk);

/// HEARTBEAT or HEARTBEAT ACK with its Heartbeat Info. Source: RFC 9260 §3.3.5, §3.3.6.
struct Heartbeat {
  bool ack = false;
  Buffer info{};
};
[[nodiscard]] Buffer write(const Heartbeat& chunk);

/// ABORT with one error cause or none. T says that the verification tag is the sender's own, not that of the receiver.
/// Source: RFC 9260 §3.3.7, §3.3.10, §8.5.1.
struct Abort {
  bool reflected = false;                ///< T
  std::optional<std::uint16_t> cause{};  ///< 12: user-initiated abort, 13: protocol violation
  Buffer cause_info{};
};
[[nodiscard]] Buffer write(const Abort& chunk);

/// SHUTDOWN. Source: RFC 9260 §3.3.8.
struct Shutdown {
  std::uint32_t cumulative_tsn = 0;
};
[[nodiscard]] Buffer write(const Shutdown& chunk);

// ---- DDP over SCTP ----

inline constexpr std::uint32_t kDdpAdaptation = 1;        ///< RFC 5043 §5.1
inline constexpr std::uint32_t kDdpSegmentPpid = 16;      ///< RFC 5043 §5.2
inline constexpr std::uint32_t kSessionControlPpid = 17;  ///< RFC 5043 §5.2

/// Function codes of DDP Stream Session Control. Source: RFC 5043 §5.2.3, RFC 6581 §7.
enum class SessionFunction : std::uint16_t {
  initiate = 1,
  accept = 2,
  reject = 3,
  terminate = 4,
  enhanced_initiate = 5,
  enhanced_accept = 6,
  enhanced_reject = 7,
};

/// User data of a DDP Segment Chunk: DDP-SSN and the DDP segment. Source: RFC 5043 §5.2.2.
[[nodiscard]] Buffer write_ddp_segment(std::uint16_t ddp_ssn, Octets segment);

/// User data of a DDP Stream Session Control chunk: DDP-SSN, function code, enhanced data if any, Private Data.
/// Source: RFC 5043 §5.2.3, RFC 6581 §7, §9.
struct SessionControl {
  SessionFunction function = SessionFunction::initiate;
  std::optional<EnhancedData> enhanced{};
  Buffer private_data{};  ///< the ULP's
};
[[nodiscard]] Buffer write(const SessionControl& control, std::uint16_t ddp_ssn);

}  // namespace iwarpscope::synth::wire
