// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Views of SCTP chunks and of the parameters in INIT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/octets.h"

namespace iwarpscope::sctp {

/// Chunk types this layer reads; all others are passed over by their length. Source: RFC 9260 §3.2, RFC 3758 §3.2.
namespace chunk_type {
inline constexpr std::uint8_t data = 0;
inline constexpr std::uint8_t init = 1;
inline constexpr std::uint8_t init_ack = 2;
inline constexpr std::uint8_t sack = 3;
inline constexpr std::uint8_t abort = 6;
inline constexpr std::uint8_t shutdown = 7;
inline constexpr std::uint8_t shutdown_ack = 8;
inline constexpr std::uint8_t cookie_echo = 10;
inline constexpr std::uint8_t shutdown_complete = 14;
inline constexpr std::uint8_t auth = 15;            ///< RFC 4895 §4.1
inline constexpr std::uint8_t i_data = 64;          ///< RFC 8260 §2.1
inline constexpr std::uint8_t pad = 132;            ///< RFC 4820 §3
inline constexpr std::uint8_t forward_tsn = 192;    ///< RFC 3758 §3.2
inline constexpr std::uint8_t i_forward_tsn = 194;  ///< RFC 8260 §2.3.1
}  // namespace chunk_type

/// What all chunks begin with: 4 octets, big-endian. Source: RFC 9260 §3.2. Borrows the packet.
class ChunkHeader {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<ChunkHeader> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return ChunkHeader{octets.first<kOctets>()};
  }
  [[nodiscard]] std::uint8_t type() const noexcept { return to_u8(octets_[0]); }
  [[nodiscard]] std::uint8_t flags() const noexcept { return to_u8(octets_[1]); }
  /// Octets of the chunk with this header and without the pad after it. Less than 4 is malformed.
  [[nodiscard]] std::size_t length() const noexcept { return load_be<std::uint16_t, 2>(octets_); }

 private:
  explicit ChunkHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// DATA without its user data: 16 octets, big-endian. Source: RFC 9260 §3.3.1. Borrows the packet.
class DataHeader {
 public:
  static constexpr std::size_t kOctets = 16;
  [[nodiscard]] static Decoded<DataHeader> parse(Octets chunk) noexcept {
    if (chunk.size() < kOctets) return Short{kOctets, chunk.size()};
    return DataHeader{chunk.first<kOctets>()};
  }
  [[nodiscard]] bool unordered() const noexcept { return (to_u8(octets_[1]) & 0x04u) != 0; }  ///< U
  [[nodiscard]] bool begins() const noexcept { return (to_u8(octets_[1]) & 0x02u) != 0; }     ///< B
  [[nodiscard]] bool ends() const noexcept { return (to_u8(octets_[1]) & 0x01u) != 0; }       ///< E
  [[nodiscard]] std::uint32_t tsn() const noexcept { return load_be<std::uint32_t, 4>(octets_); }
  [[nodiscard]] std::uint16_t stream() const noexcept { return load_be<std::uint16_t, 8>(octets_); }
  [[nodiscard]] std::uint32_t ppid() const noexcept { return load_be<std::uint32_t, 12>(octets_); }

 private:
  explicit DataHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// I-DATA without its user data: 20 octets, big-endian, of which the TSN is read. Source: RFC 8260 §2.1. Borrows the
/// packet.
class InterleavedHeader {
 public:
  static constexpr std::size_t kOctets = 20;
  [[nodiscard]] static Decoded<InterleavedHeader> parse(Octets chunk) noexcept {
    if (chunk.size() < kOctets) return Short{kOctets, chunk.size()};
    return InterleavedHeader{chunk.first<kOctets>()};
  }
  [[nodiscard]] std::uint32_t tsn() const noexcept { return load_be<std::uint32_t, 4>(octets_); }

 private:
  explicit InterleavedHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Payload Protocol Identifiers of DDP. Source: RFC 5043 §5.2.
inline constexpr std::uint32_t kSegmentPpid = 16;
inline constexpr std::uint32_t kControlPpid = 17;

/// INIT or INIT ACK without its parameters: 20 octets, big-endian. Source: RFC 9260 §3.3.2, §3.3.3. Borrows the packet.
class InitHeader {
 public:
  static constexpr std::size_t kOctets = 20;
  [[nodiscard]] static Decoded<InitHeader> parse(Octets chunk) noexcept {
    if (chunk.size() < kOctets) return Short{kOctets, chunk.size()};
    return InitHeader{chunk.first<kOctets>()};
  }
  /// The verification tag of all packets to the sender of this chunk.
  [[nodiscard]] std::uint32_t initiate_tag() const noexcept { return load_be<std::uint32_t, 4>(octets_); }
  [[nodiscard]] std::uint16_t outbound_streams() const noexcept { return load_be<std::uint16_t, 12>(octets_); }
  [[nodiscard]] std::uint16_t inbound_streams() const noexcept { return load_be<std::uint16_t, 14>(octets_); }
  [[nodiscard]] std::uint32_t initial_tsn() const noexcept { return load_be<std::uint32_t, 16>(octets_); }

 private:
  explicit InitHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Parameter types. Source: RFC 9260 §3.3.2.1, RFC 5061 §4.2.6.
namespace parameter_type {
inline constexpr std::uint16_t ipv4_address = 5;
inline constexpr std::uint16_t ipv6_address = 6;
inline constexpr std::uint16_t adaptation_indication = 0xC006;
}  // namespace parameter_type
inline constexpr std::uint32_t kDdpIndication = 1;  ///< Source: RFC 5043 §5.1

/// What the parameters of an INIT or INIT ACK say of the adaptation layer and of addresses. Source: RFC 5061 §4.2.6,
/// RFC 9260 §3.3.2.1.
struct Adaptation {
  bool complete = false;  ///< all parameters were captured and read: what is not here was not sent
  std::optional<std::uint32_t> indication;
  std::size_t addresses = 0;  ///< of its sender, as far as they are listed: with several it may use several paths

  [[nodiscard]] bool is_ddp() const noexcept { return indication == kDdpIndication; }
};
/// `chunk` as captured; `length` as its header says. Total on any octets.
[[nodiscard]] Adaptation read_adaptation(Octets chunk, std::size_t length) noexcept;

/// SACK without its blocks: 16 octets, big-endian. Source: RFC 9260 §3.3.4. Borrows the packet.
class SackHeader {
 public:
  static constexpr std::size_t kOctets = 16;
  static constexpr std::size_t kBlockOctets = 4;
  [[nodiscard]] static Decoded<SackHeader> parse(Octets chunk) noexcept {
    if (chunk.size() < kOctets) return Short{kOctets, chunk.size()};
    return SackHeader{chunk.first<kOctets>()};
  }
  [[nodiscard]] std::uint32_t cumulative_tsn() const noexcept { return load_be<std::uint32_t, 4>(octets_); }
  /// Advertised Receiver Window Credit (a_rwnd): octets that its sender has room for.
  [[nodiscard]] std::uint32_t window() const noexcept { return load_be<std::uint32_t, 8>(octets_); }
  /// Gap Ack Blocks that follow; as many of them as were captured can be read.
  [[nodiscard]] std::size_t blocks() const noexcept { return load_be<std::uint16_t, 12>(octets_); }

 private:
  explicit SackHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// SHUTDOWN, FORWARD TSN or I-FORWARD-TSN as far as it is read: 8 octets, big-endian. Source: RFC 9260 §3.3.8,
/// RFC 3758 §3.2, RFC 8260 §2.3.1.
class CumulativeTsn {
 public:
  static constexpr std::size_t kOctets = 8;
  [[nodiscard]] static Decoded<CumulativeTsn> parse(Octets chunk) noexcept {
    if (chunk.size() < kOctets) return Short{kOctets, chunk.size()};
    return CumulativeTsn{chunk.first<kOctets>()};
  }
  [[nodiscard]] std::uint32_t value() const noexcept { return load_be<std::uint32_t, 4>(octets_); }

 private:
  explicit CumulativeTsn(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// What an Error Cause begins with: 4 octets, big-endian. Source: RFC 9260 §3.3.10. Borrows the chunk.
class ErrorCause {
 public:
  static constexpr std::size_t kOctets = 4;
  [[nodiscard]] static Decoded<ErrorCause> parse(Octets octets) noexcept {
    if (octets.size() < kOctets) return Short{kOctets, octets.size()};
    return ErrorCause{octets.first<kOctets>()};
  }
  [[nodiscard]] std::uint16_t code() const noexcept { return load_be<std::uint16_t, 0>(octets_); }

 private:
  explicit ErrorCause(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// One chunk of a packet.
struct Chunk {
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
  Octets octets;           ///< header and value without the pad, as far as captured
  std::size_t length = 0;  ///< of them on the wire
};

/// The chunks of a packet, one after another. Ends where the octets end, or where a length contradicts them.
class ChunkWalk {
 public:
  /// `length`: of the chunks on the wire.
  ChunkWalk(Octets captured, std::size_t length) noexcept : rest_(captured), left_(length) {}
  /// Nothing at the end.
  [[nodiscard]] std::optional<Chunk> next() noexcept;
  /// A chunk is shorter than its header, or longer than the packet.
  [[nodiscard]] bool is_malformed() const noexcept { return malformed_; }

 private:
  Octets rest_;
  std::size_t left_;
  bool malformed_ = false;
};

/// User data of PPID 16 and 17: the DDP-SSN, 2 octets. Source: RFC 5043 §5.2.2, §5.2.3. Borrows the chunk.
class UserMessage {
 public:
  static constexpr std::size_t kOctets = 2;
  [[nodiscard]] static Decoded<UserMessage> parse(Octets user_data) noexcept {
    if (user_data.size() < kOctets) return Short{kOctets, user_data.size()};
    return UserMessage{user_data.first<kOctets>()};
  }
  [[nodiscard]] std::uint16_t ssn() const noexcept { return load_be<std::uint16_t, 0>(octets_); }

 private:
  explicit UserMessage(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

/// Session control after the DDP-SSN, without its Private Data: 2 octets. Source: RFC 5043 §5.2.3. Borrows the chunk.
class ControlHeader {
 public:
  static constexpr std::size_t kOctets = 2;
  [[nodiscard]] static Decoded<ControlHeader> parse(Octets after_ssn) noexcept {
    if (after_ssn.size() < kOctets) return Short{kOctets, after_ssn.size()};
    return ControlHeader{after_ssn.first<kOctets>()};
  }
  [[nodiscard]] std::uint16_t function_code() const noexcept { return load_be<std::uint16_t, 0>(octets_); }

 private:
  explicit ControlHeader(std::span<const std::byte, kOctets> o) noexcept : octets_(o) {}
  std::span<const std::byte, kOctets> octets_;
};

}  // namespace iwarpscope::sctp
