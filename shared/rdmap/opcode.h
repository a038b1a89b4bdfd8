// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RDMAP opcodes, and what each of them implies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"

namespace iwarpscope::rdmap {

/// The RDMA messages. Values 0..11 are the opcodes on the wire; 12..15 are `unknown`.
/// Source: RFC 5040 §4.1 Figure 4, RFC 7306 §4.1, RFC 6580 §3.4.
enum class Opcode : std::uint8_t {
  rdma_write = 0,
  rdma_read_request = 1,
  rdma_read_response = 2,
  send = 3,
  send_invalidate = 4,
  send_se = 5,
  send_se_invalidate = 6,
  terminate = 7,
  immediate = 8,
  immediate_se = 9,
  atomic_request = 10,
  atomic_response = 11,
  unknown = 12,
};
/// Enumerators of Opcode: extent of a table indexed by it.
inline constexpr std::size_t kOpcodes = static_cast<std::size_t>(Opcode::unknown) + 1;
/// The last one that an RFC defines.
inline constexpr Opcode kLastOpcode{kOpcodes - 2};

/// The RDMAP control octet: RV, two reserved bits, opcode. Source: RFC 5040 §4.1.
struct Control {
  std::uint8_t octet = 0;

  /// 0 RDMAC, 1 IETF; 2 and 3 are undefined.
  [[nodiscard]] constexpr std::uint8_t version() const noexcept { return static_cast<std::uint8_t>(octet >> 6); }
  /// The reserved bits as a number, 0..3.
  [[nodiscard]] constexpr std::uint8_t reserved() const noexcept {
    return static_cast<std::uint8_t>((octet >> 4) & 0x03);
  }
  /// The opcode as a number, 0..15.
  [[nodiscard]] constexpr std::uint8_t code() const noexcept { return static_cast<std::uint8_t>(octet & 0x0F); }
  [[nodiscard]] constexpr Opcode opcode() const noexcept {
    return code() < static_cast<std::uint8_t>(Opcode::unknown) ? static_cast<Opcode>(code()) : Opcode::unknown;
  }
};

/// What an opcode does, whatever its variants (SE, Invalidate) are.
enum class Kind : std::uint8_t {
  write,
  read_request,
  read_response,
  send,
  terminate,
  immediate,
  atomic_request,
  atomic_response,
  unknown,
};

/// What an opcode calls for. Source: RFC 5040 §4.1 Figure 4, §4.2 Figure 5; RFC 7306 §4.1 Figure 2, §4.2.
struct OpcodeTraits {
  Opcode opcode;
  Kind kind;
  std::string_view name;          ///< as reports print it
  std::string_view title;         ///< in words, for sentences
  std::string_view short_title;   ///< where there is little room
  std::string_view section;       ///< of the RFC that says what it does
  std::optional<bool> tagged;     ///< T; empty: not known
  std::optional<QueueNumber> qn;  ///< untagged: the queue it belongs to
  std::uint32_t header_octets;    ///< RDMAP header after the DDP header; of a Terminate the part that is always there
  bool invalidates;               ///< the DDP header carries an Invalidate STag
  bool has_payload;               ///< ULP payload follows
  bool is_extension;              ///< of RFC 7306
};

/// One row for each enumerator, in their order.
inline constexpr std::array<OpcodeTraits, kOpcodes> kOpcodeTraits{{
    {Opcode::rdma_write, Kind::write, "rdma_write", "RDMA Write", "Write", "RFC 5040 §5.1", true, std::nullopt, 0,
     false, true, false},
    {Opcode::rdma_read_request, Kind::read_request, "rdma_read_request", "RDMA Read Request", "Read Request",
     "RFC 5040 §5.2.1", false, QueueNumber{1}, 28, false, false, false},
    {Opcode::rdma_read_response, Kind::read_response, "rdma_read_response", "RDMA Read Response", "Read Response",
     "RFC 5040 §5.2.2", true, std::nullopt, 0, false, true, false},
    {Opcode::send, Kind::send, "send", "Send", "Send", "RFC 5040 §5.3", false, QueueNumber{0}, 0, false, true, false},
    {Opcode::send_invalidate, Kind::send, "send_invalidate", "Send with Invalidate", "Send Inv", "RFC 5040 §5.3", false,
     QueueNumber{0}, 0, true, true, false},
    {Opcode::send_se, Kind::send, "send_se", "Send with SE", "Send SE", "RFC 5040 §5.3", false, QueueNumber{0}, 0,
     false, true, false},
    {Opcode::send_se_invalidate, Kind::send, "send_se_invalidate", "Send with SE and Invalidate", "Send SE Inv",
     "RFC 5040 §5.3", false, QueueNumber{0}, 0, true, true, false},
    {Opcode::terminate, Kind::terminate, "terminate", "Terminate", "Terminate", "RFC 5040 §5.4", false, QueueNumber{2},
     4, false, false, false},
    {Opcode::immediate, Kind::immediate, "immediate", "Immediate Data", "Immediate", "RFC 7306 §6", false,
     QueueNumber{0}, 8, false, false, true},
    {Opcode::immediate_se, Kind::immediate, "immediate_se", "Immediate Data with SE", "Immediate SE", "RFC 7306 §6",
     false, QueueNumber{0}, 8, false, false, true},
    {Opcode::atomic_request, Kind::atomic_request, "atomic_request", "Atomic Request", "Atomic Request", "RFC 7306 §5",
     false, QueueNumber{1}, 52, false, false, true},
    {Opcode::atomic_response, Kind::atomic_response, "atomic_response", "Atomic Response", "Atomic Response",
     "RFC 7306 §5", false, QueueNumber{3}, 12, false, false, true},
    {Opcode::unknown, Kind::unknown, "unknown", "message of unknown opcode", "unknown opcode", "RFC 5040 §4.1",
     std::nullopt, std::nullopt, 0, false, true, false},
}};

/// The row of `opcode`. Precondition: one of the enumerators.
[[nodiscard]] constexpr const OpcodeTraits& traits(Opcode opcode) noexcept {
  return kOpcodeTraits[static_cast<std::size_t>(opcode)];
}
/// The opcode of an RDMAP control octet.
[[nodiscard]] constexpr Opcode opcode_of(std::uint8_t rdmap_control) noexcept {
  return Control{rdmap_control}.opcode();
}
/// As reports print it: "rdma_write" ... "unknown".
[[nodiscard]] constexpr std::string_view name(Opcode opcode) noexcept {
  return traits(opcode).name;
}
/// In words: "RDMA Write" ... "message of unknown opcode".
[[nodiscard]] constexpr std::string_view title(Opcode opcode) noexcept {
  return traits(opcode).title;
}
[[nodiscard]] constexpr Kind kind(Opcode opcode) noexcept {
  return traits(opcode).kind;
}
/// One of the four Sends: with or without SE, with or without Invalidate. Immediate Data is none of them, though it
/// goes to the same queue. Source: RFC 5040 §4.1 Figure 4.
[[nodiscard]] constexpr bool is_send(Opcode opcode) noexcept {
  return kind(opcode) == Kind::send;
}
/// It calls for a response. Source: RFC 5040 §5.2, RFC 7306 §5.
[[nodiscard]] constexpr bool is_request(Opcode opcode) noexcept {
  return kind(opcode) == Kind::read_request || kind(opcode) == Kind::atomic_request;
}
/// It answers a request; an RNIC sends it without its software. Source: RFC 5040 §5.2, RFC 7306 §5.
[[nodiscard]] constexpr bool is_response(Opcode opcode) noexcept {
  return kind(opcode) == Kind::read_response || kind(opcode) == Kind::atomic_response;
}
/// Its delivery ends the wait for a receive buffer: Sends and Immediate Data. Source: RFC 5040 §3, RFC 7306 §6.
[[nodiscard]] constexpr bool is_received(Opcode opcode) noexcept {
  return kind(opcode) == Kind::send || kind(opcode) == Kind::immediate;
}
/// Octets of the RDMAP header of fixed size after the DDP header; of a Terminate the 4 that are always there.
[[nodiscard]] constexpr std::uint32_t header_octets(Opcode opcode) noexcept {
  return traits(opcode).header_octets;
}

}  // namespace iwarpscope::rdmap
