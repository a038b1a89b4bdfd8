// What a frame shows, as plain values: results of the core, kept for as long as the capture is open.
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

/// Frame numbers are 32 bits in Wireshark; 0 is "none".
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

/// One FPDU of a direction. Over SCTP a DDP segment, which is a message of its session: its place is its DDP-SSN, its
/// ULPDU what follows that.
struct FpduEntry {
  StreamOffset start, end;         ///< with its markers
  Kept octets;                     ///< the ULPDU, when it does not stand in one piece in the frame that shows it
  std::uint32_t at = kNone;        ///< else where it stands there
  std::uint32_t message = kNone;   ///< index of its RDMA message; kNone: it could not be read as a DDP segment
  std::uint32_t position = 0;      ///< of its payload in the message, as known
  std::uint32_t ulpdu_length = 0;  ///< as ULPDU_Length says
  std::uint32_t captured = 0;      ///< octets of the ULPDU that were captured
  std::uint32_t crc_seen = 0;
  std::uint32_t first_marker = 0;  ///< index into Half::markers
  std::uint32_t chunk = kNone;     ///< over SCTP: its first DATA chunk, index into Session::chunk()
  std::uint16_t markers = 0;
  Frame first = 0, last = 0, delivered = 0;  ///< its first octet; its latest octet; where its last came in order
  Frame shown = 0;                           ///< whose tree it is in
  mpa::CrcVerdict crc{};
  bool ends_message = false;
};

/// What is known of an atomic operation's result. Source: RFC 7306 §5.
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
  Frame shown = 0;            ///< where its last FPDU is shown; 0: it has not ended
  Frame stag_first = 0;       ///< where its STag was first seen on the queue pair
  std::uint32_t first_fpdu = 0;
  std::uint32_t peer = kNone;     ///< request of a response, response of a request: index in the other direction
  std::uint32_t outstanding = 0;  ///< of a request: how many there are with it, as seen at the tap
  std::uint32_t ddp_segments = 0;
  std::uint64_t length = 0;  ///< payload octets after the DDP headers
  TimePoint first_time, placed_time, delivered_time;
  std::int64_t first_octet_ns = 0, last_octet_ns = 0;  ///< of a request: until its response's first and last octet
  std::uint64_t result = 0;                            ///< has_result: what the atomic operation left in memory
  std::uint32_t named = kNone;  ///< of a Terminate: the message of the other direction that it speaks of
  Kept octets;                  ///< all of it, when it came in several DDP segments and was kept

  [[nodiscard]] std::int64_t wait_ns() const noexcept { return elapsed_ns(placed_time, delivered_time); }
  /// Something answers it.
  [[nodiscard]] bool is_request() const noexcept {
    return opcode == rdmap::Opcode::rdma_read_request || opcode == rdmap::Opcode::atomic_request;
  }
};

/// A Terminate that could be read. Offsets are from its first octet behind the DDP header. Source: RFC 5040 §4.8.
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
  std::uint32_t association = 0;     ///< index of its own
  std::uint32_t connection = kNone;  ///< whose message it is a part of; kNone: of none that is known
  std::uint32_t index = 0;           ///< of the message: as Item::index
  std::uint32_t next = kNone;        ///< the chunk of the same message with the next TSN
  std::uint32_t repeats = kNone;     ///< the chunk that brought the same TSN before
  std::uint32_t tsn = 0;
  std::uint32_t at = kNone;    ///< where its user data stands in its frame; kNone: IP fragments were joined
  std::uint32_t captured = 0;  ///< octets of it
  std::uint32_t length = 0;    ///< of it on the wire
  std::uint32_t ppid = 0;
  Frame frame = 0;
  std::uint16_t stream = 0;
  Direction direction{};    ///< of the message
  bool is_control = false;  ///< the message is a session control message
  bool begins = false, ends = false;
  bool again = false;  ///< its TSN had come before
  bool copy = false;   ///< of an identical copy of a packet
  [[nodiscard]] bool is_repeated() const noexcept { return again || copy; }
};

/// A session control message, with what no startup frame says. Source: RFC 5043 §5.2.3.
struct ControlEntry {
  std::uint16_t code = 0;      ///< 0: none could be read
  std::uint16_t ssn = 0;       ///< DDP-SSN
  sctp::SessionPhase phase{};  ///< once it was taken
  Kept octets;                 ///< from the function code on, when they do not stand in one piece where it is shown
  std::uint32_t at = kNone;    ///< else where they stand there
  std::uint32_t captured = 0, length = 0;  ///< of these octets
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
  std::uint32_t at = kNone;  ///< where it stands in the frame; kNone: it does not, IP fragments were joined
  std::uint32_t size = 0;    ///< as captured
};

/// Something that belongs into a frame's tree.
struct Item {
  enum class Kind : std::uint8_t { startup, fpdu, finding };
  Kind kind{};
  Direction direction{};         ///< startup, fpdu
  std::uint32_t connection = 0;  ///< startup, fpdu
  std::uint32_t index = 0;       ///< into Connection::startup, Half::fpdus or Session::finding()
};

}  // namespace iwarpscope::plugin
