// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The items of a frame, as plain values: results of the core, kept as long as the capture is open.
#pragma once

#include <cstdint>
#include <limits>

#include "base/ids.h"
#include "base/time_point.h"
#include "mpa/fpdu.h"
#include "rdmap/opcode.h"
#include "rdmap/terminate.h"
#include "sctp/session_machine.h"

namespace iwarpscope::plugin {

/// Frame numbers have 32 bits in Wireshark; 0 means "none".
using Frame = std::uint32_t;
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Octets kept by an OctetStore. Lives as long as the store.
struct Kept {
  const std::byte* data = nullptr;
  std::uint32_t size = 0;
  [[nodiscard]] Octets view() const noexcept { return {data, size}; }
};

/// A marker as it was sent. Source: RFC 5044 §4.2.
struct MarkerEntry {
  StreamOffset at;
  std::uint32_t value = 0;  ///< its four octets, big-endian
};

/// One FPDU of a direction. Over SCTP: a DDP segment, which is a message of its session; its position is its DDP-SSN,
/// and its ULPDU follows the DDP-SSN.
struct FpduEntry {
  StreamOffset start, end;         ///< including its markers
  Kept octets;                     ///< the ULPDU, if it is not contiguous in the frame that shows it
  std::uint32_t at = kNone;        ///< otherwise its position in that frame
  std::uint32_t message = kNone;   ///< index of its RDMA message; kNone: it could not be decoded as a DDP segment
  std::uint32_t position = 0;      ///< position of its payload in the message, if known
  std::uint32_t ulpdu_length = 0;  ///< by which it was read
  std::uint32_t captured = 0;      ///< octets of the ULPDU that were captured
  std::uint32_t crc_seen = 0;
  std::uint32_t first_marker = 0;  ///< index into Half::markers
  std::uint32_t chunk = kNone;     ///< over SCTP: its first DATA chunk, index into Session::chunk()
  std::uint16_t markers = 0;
  std::uint16_t length_field = 0;  ///< ULPDU_Length as it was sent
  Frame first = 0, last = 0,
        delivered = 0;  ///< frames of its first octet, of its latest octet, and with which it was complete in order
  Frame shown = 0;      ///< frame that shows its tree
  mpa::CrcVerdict crc{};
  bool ends_message = false;
};

/// Result check of an atomic operation. Source: RFC 7306 §5.
enum class AtomicVerdict : std::uint8_t { none, verified, first, inconsistent, undecidable };

/// One RDMA message of a direction.
struct MessageEntry {
  rdmap::Opcode opcode{};
  bool tagged = false;
  bool ended = false;
  bool complete = false;
  bool has_result = false;
  AtomicVerdict verdict{};
  Frame first = 0, last = 0;  ///< frames of its first and of its latest octet
  Frame shown = 0;            ///< frame that shows its last FPDU; 0: it has not ended
  Frame stag_first = 0;       ///< frame in which its STag was first seen on the queue pair
  std::uint32_t first_fpdu = 0;
  std::uint32_t peer = kNone;     ///< request of a response, or response of a request: index in the other direction
  std::uint32_t outstanding = 0;  ///< for a request: number of outstanding requests including it, as seen at the tap
  std::uint32_t ddp_segments = 0;
  std::uint64_t length = 0;  ///< payload octets after the DDP headers
  TimePoint first_time, placed_time, delivered_time;
  std::int64_t first_octet_ns = 0, last_octet_ns = 0;  ///< for a request: time to its response's first and last octet
  std::uint64_t result = 0;                            ///< has_result: value of the word after the atomic operation
  std::uint32_t named = kNone;  ///< for a Terminate: the message of the other direction that it refers to
  Kept octets;                  ///< all octets, if it had several DDP segments and was kept

  [[nodiscard]] std::int64_t wait_ns() const noexcept { return elapsed_ns(placed_time, delivered_time); }
  /// The message needs a response.
  [[nodiscard]] bool is_request() const noexcept { return rdmap::is_request(opcode); }
};

/// A decoded Terminate. Offsets are from the first octet after its DDP header. Source: RFC 5040 §4.8.
struct TerminateEntry {
  std::uint32_t message = 0;  ///< index in its direction
  std::uint8_t layer = 0, error_type = 0, error_code = 0;
  bool m = false, d = false, r = false;
  bool has_length = false;
  rdmap::TerminateDialect dialect{};
  std::uint16_t reserved = 0, ddp_segment_length = 0;
  std::uint16_t ddp_at = 0, ddp_octets = 0;      ///< Terminated DDP header; 0 octets: none
  std::uint16_t rdmap_at = 0, rdmap_octets = 0;  ///< Terminated RDMA header
};

/// A DATA chunk of PPID 16 or 17, or a copy of one. Source: RFC 9260 §3.3.1, RFC 5043 §5.2.
struct ChunkEntry {
  std::uint32_t association = 0;     ///< its own index
  std::uint32_t connection = kNone;  ///< connection of its message; kNone: not known
  std::uint32_t index = 0;           ///< for the message: as Item::index
  std::uint32_t next = kNone;        ///< the chunk of the same message with the next TSN
  std::uint32_t repeats = kNone;     ///< the earlier chunk with the same TSN
  std::uint32_t tsn = 0;
  std::uint32_t at = kNone;    ///< position of its user data in its frame; kNone: IP fragments were joined
  std::uint32_t captured = 0;  ///< number of these octets
  std::uint32_t length = 0;    ///< number of these octets on the wire
  std::uint32_t ppid = 0;
  Frame frame = 0;
  std::uint16_t stream = 0;
  Direction direction{};    ///< of the message
  bool is_control = false;  ///< the message is a session control message
  bool begins = false, ends = false;
  bool again = false;  ///< its TSN was seen before
  bool copy = false;   ///< from an identical copy of a packet
  [[nodiscard]] bool is_repeated() const noexcept { return again || copy; }
};

/// A session control message, with the data that startup frames do not have. Source: RFC 5043 §5.2.3.
struct ControlEntry {
  std::uint16_t code = 0;      ///< 0: could not be decoded
  std::uint16_t ssn = 0;       ///< DDP-SSN
  sctp::SessionPhase phase{};  ///< after the message was processed
  Kept octets;                 ///< from the function code on, if they are not contiguous in the frame that shows it
  std::uint32_t at = kNone;    ///< otherwise their position in that frame
  std::uint32_t captured = 0, length = 0;  ///< number of these octets
  std::uint32_t chunk = kNone;             ///< its first DATA chunk, index into Session::chunk()
  std::uint32_t peer = kNone;              ///< answer of an Initiate, Initiate of an answer: into Connection::startup
  Frame first = 0, last = 0, delivered = 0, shown = 0;  ///< as FpduEntry's
};

/// TCP payload of a followed connection in a frame.
struct PayloadEntry {
  std::uint32_t connection = kNone;
  Direction direction{};
  bool has_offset = false;
  StreamOffset offset;       ///< of its first octet
  std::uint32_t at = kNone;  ///< its position in the frame; kNone: IP fragments were joined
  std::uint32_t size = 0;    ///< as captured
};

/// An item of a frame's tree.
struct Item {
  enum class Kind : std::uint8_t { startup, fpdu, finding };
  Kind kind{};
  Direction direction{};         ///< startup, fpdu
  std::uint32_t connection = 0;  ///< startup, fpdu
  std::uint32_t index = 0;       ///< into Connection::startup, Half::fpdus or Session::finding()
};

}  // namespace iwarpscope::plugin
