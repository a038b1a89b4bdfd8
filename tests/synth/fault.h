// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in one DDP segment or in the FPDU that carries it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "synth/wire/mpa.h"
#include "synth/wire/octets.h"

namespace iwarpscope::synth {

/// Possible faults of a DATA chunk that carries a DDP segment or a session control message.
struct ChunkFaults {
  std::optional<bool> unordered{};  ///< U
  std::optional<std::uint32_t> ppid{};
  std::optional<std::uint16_t> ddp_ssn{};
  std::int32_t ddp_ssn_delta = 0;
};

/// Every field of one DDP segment, its FPDU or its DATA chunk that can be made wrong; fields without a value stay
/// correct. Deltas are added to the correct value. The counters of the stream continue as if nothing were wrong.
struct Alter {
  // DDP and RDMAP
  std::optional<std::uint8_t> ddp_control{};     ///< the whole octet; else its parts:
  std::optional<bool> tagged{};                  ///< only the T bit: the header keeps its form
  std::optional<bool> last{};                    ///< L
  std::optional<std::uint8_t> ddp_version{};     ///< DV, 2 bits
  std::optional<std::uint8_t> ddp_reserved{};    ///< 4 bits
  std::optional<std::uint8_t> rdmap_control{};   ///< the whole octet; else its parts:
  std::optional<std::uint8_t> opcode{};          ///< 4 bits
  std::optional<std::uint8_t> rdmap_version{};   ///< RV, 2 bits
  std::optional<std::uint8_t> rdmap_reserved{};  ///< 2 bits
  std::optional<std::uint32_t> invalidate_stag{};
  std::optional<std::uint32_t> qn{};
  std::optional<std::uint32_t> msn{};
  std::int32_t msn_delta = 0;
  std::optional<std::uint32_t> mo{};
  std::int32_t mo_delta = 0;
  std::optional<std::uint32_t> stag{};
  std::optional<std::uint64_t> to{};
  std::int64_t to_delta = 0;
  std::optional<Buffer> payload{};            ///< octets after the DDP header
  std::optional<std::size_t> ulpdu_octets{};  ///< the ULPDU is cut or filled with zeros to this length
  // the FPDU
  wire::FpduForm fpdu{};          ///< its faults; markers and crc are the connection's
  std::optional<bool> markers{};  ///< this FPDU is written with or without markers
  // the DATA chunk of SCTP
  ChunkFaults chunk{};
  // sending
  bool omit = false;     ///< the DDP segment is not sent at all
  unsigned repeats = 0;  ///< the DDP segment is sent this many additional times
};

/// The type of message for which a fault is made; on others it may be no fault.
enum class Carrier : std::uint8_t {
  send,          ///< any Send of one DDP segment
  send_parts,    ///< a later DDP segment of a Send of several
  send_first,    ///< the first DDP segment of a Send of several
  write_parts,   ///< a later DDP segment of an RDMA Write of several
  write,         ///< an RDMA Write of one DDP segment
  invalidate,    ///< a Send with Invalidate
  read_request,  ///< an RDMA Read Request
  markers,       ///< an FPDU with several Markers
};

/// A fault with a name.
struct NamedFault {
  std::string_view name;
  Carrier carrier;
  std::string_view what;
  Alter alter;
};

/// All faults with names, in the order of the layers.
[[nodiscard]] const std::vector<NamedFault>& faults();
[[nodiscard]] const NamedFault& named_fault(std::string_view name);
/// The fault with this name. Throws std::invalid_argument for an unknown name.
[[nodiscard]] const Alter& fault(std::string_view name);

}  // namespace iwarpscope::synth
