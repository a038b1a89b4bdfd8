// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RDMAP headers that follow the DDP header.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "synth/wire/octets.h"

namespace iwarpscope::synth::wire {

/// RDMAP opcodes. Source: RFC 5040 §4.3 Figure 4, RFC 7306 §4.1.
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
};

/// RDMAP control octet. Source: RFC 5040 §4.1.
[[nodiscard]] constexpr std::uint8_t rdmap_control(Opcode opcode, std::uint8_t version = 1, std::uint8_t reserved = 0) {
  return static_cast<std::uint8_t>(((version & 3) << 6) | ((reserved & 3) << 4) |
                                   (static_cast<std::uint8_t>(opcode) & 0xF));
}

/// RDMA Read Request header: 28 octets. Source: RFC 5040 §4.4.
struct ReadRequest {
  STag sink_stag{0x5100};
  TaggedOffset sink_to{0x10000};
  std::uint32_t size = 0;
  STag source_stag{0x5200};
  TaggedOffset source_to{0x20000};
};
[[nodiscard]] Buffer write(const ReadRequest& header);

/// How an implementation lays out its Terminate.
enum class TerminateDialect : std::uint8_t {
  rfc5040,
  siw_little_endian,  ///< nibbles of octet 0 swapped, M D R in bits 0 to 2 of octet 2, as little-endian siw hosts do
  bare,               ///< four octets and no headers at all, as cxgb4 does
};

/// Terminate header: 4 octets, then the quoted headers. M, D and R are set for the headers present, unless set
/// explicitly. Source: RFC 5040 §4.8.
struct Terminate {
  std::uint8_t layer = 0;       ///< 4 bits
  std::uint8_t error_type = 0;  ///< 4 bits
  std::uint8_t error_code = 0;
  std::optional<std::uint16_t> ddp_length{};  ///< DDP Segment Length
  Buffer ddp_header{};                        ///< Terminated DDP Header, 14 or 18 octets
  Buffer rdmap_header{};                      ///< Terminated RDMA Header, 28 octets
  std::optional<bool> m{}, d{}, r{};
  std::uint16_t reserved = 0;  ///< 13 bits
  TerminateDialect dialect = TerminateDialect::rfc5040;
};
[[nodiscard]] Buffer write(const Terminate& header);

/// Atomic operations. Source: RFC 7306 §5.2.1; swap: first draft only.
enum class AtomicOperation : std::uint8_t { fetch_add = 0, swap = 1, cmp_swap = 2 };

/// Atomic Request header: 52 octets. Source: RFC 7306 §5.2.1.
struct AtomicRequest {
  std::uint32_t reserved = 0;  ///< 28 bits
  AtomicOperation operation = AtomicOperation::fetch_add;
  std::uint32_t request_id = 0;
  STag remote_stag{0x5300};
  TaggedOffset remote_to{0x1000};
  std::uint64_t data = 0;
  std::uint64_t mask = 0;
  std::uint64_t compare = 0;
  std::uint64_t compare_mask = ~std::uint64_t{0};
};
[[nodiscard]] Buffer write(const AtomicRequest& header);

/// Atomic Response header: 12 octets. Source: RFC 7306 §5.2.2.
struct AtomicResponse {
  std::uint32_t request_id = 0;
  std::uint64_t original = 0;
};
[[nodiscard]] Buffer write(const AtomicResponse& header);

/// Immediate Data: 8 octets. Source: RFC 7306 §6.3.
[[nodiscard]] Buffer write_immediate(std::uint64_t value);

/// The value that an atomic operation leaves in a word with the value `original`. Source: RFC 7306 §5.2.1.
[[nodiscard]] std::uint64_t apply(const AtomicRequest& request, std::uint64_t original);

}  // namespace iwarpscope::synth::wire
