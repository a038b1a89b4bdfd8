// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Results about one queue pair as plain values: what reports, displays and APIs show. Nothing here borrows anything.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/interface_set.h"
#include "base/time_point.h"
#include "mpa/startup.h"
#include "net/address.h"
#include "qp/summary.h"
#include "qp/verdict_record.h"
#include "rdmap/opcode.h"

namespace iwarpscope::qp {

/// The response a request got. Durations are measured at the tap, from the request's last octet.
struct ResponseLink {
  std::uint64_t index = 0;  ///< of the response among the messages of the other direction
  std::int64_t first_octet_ns = 0;
  std::int64_t last_octet_ns = 0;
};

struct ReadRequestDetail {
  STag sink_stag;
  TaggedOffset sink_to;
  std::uint32_t size = 0;
  STag source_stag;
  TaggedOffset source_to;
  std::optional<ResponseLink> response;
};
struct ReadResponseDetail {
  std::optional<std::uint64_t> request_index;
};
struct AtomicRequestDetail {
  std::string_view operation;  ///< "fetch_add", "swap", "cmp_swap", "unknown"; static storage
  std::uint32_t request_id = 0;
  STag remote_stag;
  TaggedOffset remote_to;
  std::uint64_t data = 0, mask = 0, compare = 0, compare_mask = 0;
  std::optional<ResponseLink> response;
};
struct AtomicResponseDetail {
  std::optional<std::uint64_t> request_index;
  std::uint32_t request_id = 0;
  std::uint64_t original = 0;
  std::optional<std::uint64_t> result;      ///< what the operation left in memory
  std::optional<std::string_view> verdict;  ///< "verified", "first", "inconsistent", "undecidable"; static storage
};
struct ImmediateDetail {
  std::uint64_t data = 0;
};
/// The message that a Terminate refers to.
struct NamedMessage {
  Direction direction{};
  std::uint64_t index = 0;
};
struct TerminateDetail {
  std::uint8_t layer = 0, error_type = 0, error_code = 0;
  std::string name;  ///< in words
  std::optional<NamedMessage> names;
  std::string_view dialect;  ///< "rfc5040", "siw-le", ...; static storage
  std::optional<std::uint32_t> terminated_length;
  std::vector<std::byte> terminated_ddp;    ///< 14 or 18 octets, or empty
  std::vector<std::byte> terminated_rdmap;  ///< 28 octets, or empty
};

/// One RDMA message. The header fields are those of its first DDP segment.
struct MessageRecord {
  std::uint64_t qp = 0;
  Direction direction{};
  std::uint64_t index = 0;
  rdmap::Opcode opcode{};
  FrameNumber first_frame, last_frame;
  TimePoint first_time, placed_time, delivered_time;
  std::uint64_t ddp_segments = 0;
  std::uint64_t length = 0;
  bool complete = false;
  std::optional<std::array<std::byte, 32>> sha256;  ///< empty without digests; of an incomplete message too: empty
  bool tagged = false;
  STag stag;
  TaggedOffset to;
  QueueNumber qn;
  MessageSequence msn;
  std::optional<STag> invalidate_stag;
  std::variant<std::monostate, ReadRequestDetail, ReadResponseDetail, AtomicRequestDetail, AtomicResponseDetail,
               ImmediateDetail, TerminateDetail>
      detail;
};

enum class State : std::uint8_t {
  mpa_requested,
  mpa_rejected,
  awaiting_first_fpdu,
  rts,
  terminate,
  closing,
  closed,
  error,
  unconfirmed,
};
[[nodiscard]] std::string_view name(State state) noexcept;

enum class Roles : std::uint8_t { mpa, tcp, address };

struct RtrRecord {
  std::string_view kind;  ///< "send", "write", "read"; static storage
  FrameNumber frame;
};

struct StartupRecord {
  std::optional<mpa::StartupFrame> request;
  std::optional<mpa::StartupFrame> reply;
  std::optional<RtrRecord> rtr;
};

/// Outstanding requests of one direction, as their sender knew of them, and the negotiated limit. Times are measured at
/// the tap: from the request that reaches the limit to the end of the response that frees a place.
struct CreditUse {
  std::uint64_t peak = 0;
  std::uint64_t times_at_limit = 0;
  std::int64_t at_limit_ns = 0;
  std::uint64_t over_limit = 0;  ///< requests that were sent above the limit
};
/// Source: RFC 6581 §9.1; RFC 7306 §5.2.2 rule 4 for atomics, whose limit is not negotiated.
struct ReadCreditRecord {
  std::optional<std::uint16_t> limit;  ///< of outstanding reads; without one only the peaks mean anything
  CreditUse reads;
  CreditUse all;  ///< reads and atomics together
};

/// What messages waited for octets before them, between being Placed and being Delivered, as seen at the tap.
/// Source: RFC 5041 §5.3, §5.4.
struct HeadOfLineRecord {
  std::uint64_t messages = 0;  ///< that waited
  std::int64_t total_ns = 0;
  std::int64_t largest_ns = 0;
  std::uint64_t largest_message = 0;  ///< index of the one that waited longest
};

/// The transport's numbers of one direction, which every observer of the connection sees: they show whether two records
/// are about one connection.
struct SequenceRecord {
  std::optional<std::uint32_t> initial;  ///< of the SYN; over SCTP, the Initial TSN. Empty: it was not captured
  std::uint32_t first = 0;           ///< of the octet at offset 0; over SCTP, lowest TSN of the session that was seen
  std::uint64_t octets = 0;          ///< from there to the last octet seen; over SCTP, TSNs: 0 if none was seen
  std::optional<std::uint32_t> fin;  ///< over TCP: of the FIN
  bool acknowledged_only = false;    ///< over TCP: nothing of it was seen but ACKs, from the first to the last one
  std::optional<std::uint32_t> tag;  ///< over SCTP: the Initiate Tag of its sender

  friend bool operator==(const SequenceRecord&, const SequenceRecord&) = default;
};

/// Octets of one direction's stream, by their offset.
struct OctetsRecord {
  std::int64_t offset = 0;  ///< as relative() of the first one
  std::uint64_t octets = 0;

  friend bool operator==(const OctetsRecord&, const OctetsRecord&) = default;
};

/// Over TCP: the first ranges that losses on the path left behind at this place of it. See tcp::LossTraces.
struct LossTracesRecord {
  std::vector<OctetsRecord> sent_again, filled_late;
  bool more = false;  ///< there were others

  friend bool operator==(const LossTracesRecord&, const LossTracesRecord&) = default;
};

struct DirectionRecord {
  std::uint64_t tcp_segments = 0, stream_octets = 0, retransmitted_octets = 0, out_of_order_segments = 0;
  std::uint64_t retransmitted_segments = 0;  ///< TCP segments
  std::uint64_t fpdu_octets = 0;             ///< as the FPDUs' length fields say, with markers, pads and CRCs
  std::uint64_t capture_gap_octets = 0;      ///< of the TCP stream: the capture lacks them
  std::uint64_t capture_gap_messages = 0;    ///< over SCTP, where a message that was not seen has no length
  std::uint64_t fpdus = 0, markers = 0, crc_ok = 0, crc_bad = 0, crc_unjudged = 0;
  std::uint64_t ddp_segments = 0;
  std::array<std::uint64_t, rdmap::kOpcodes> messages{};        ///< by opcode
  std::array<std::uint64_t, rdmap::kOpcodes> payload_octets{};  ///< by opcode: ULP payload
  std::uint64_t max_outstanding_reads = 0;  ///< at least: counts only requests whose response cannot have been missed
  std::optional<ReadCreditRecord> read_credit;  ///< empty: no request, or none that could be counted
  HeadOfLineRecord head_of_line;
  std::uint64_t incomplete_messages = 0;
  bool captured = true;               ///< false: it was there, but none of its payload is in the capture
  std::uint64_t cut_octets = 0;       ///< of the stream: cut off by the snap length
  std::uint64_t unframed_octets = 0;  ///< of the stream: passed over where no FPDU boundary was known
  bool cut_framing = false;           ///< a cut took an FPDU boundary with it
  // TCP segments that their receiver dropped, by the reason.
  std::uint64_t dropped_wrong_checksum = 0, dropped_no_ack_flag = 0, dropped_beyond_window = 0;
  std::uint64_t dropped_wrong_acknowledgment = 0, dropped_old_timestamp = 0, dropped_cut_short = 0;
  std::uint64_t dropped_control = 0, dropped_doubtful = 0;
  std::optional<SequenceRecord> sequence;
  LossTracesRecord loss_traces;

  [[nodiscard]] bool has_capture_gap() const noexcept { return capture_gap_octets != 0 || capture_gap_messages != 0; }
};

/// An STag that messages of the queue pair used.
struct StagUse {
  Direction owner{};  ///< direction of the octets that go to its owner
  STag stag;
  FrameNumber first_frame;
  std::optional<FrameNumber> announced_frame, invalidated_frame;
  bool written = false, read = false, atomic = false, read_sink = false;
  std::uint64_t begin = 0, end = 0;  ///< TO of the accesses: [begin, end); equal: no access
};

/// The limits that the ends of an upper layer announced to each other.
struct UlpLimitsRecord {
  std::string sentence;
  bool compatible = true;
};

struct QpRecord {
  std::uint64_t qp = 0;
  std::optional<std::uint16_t> sctp_stream;  ///< stream identifier; empty: over TCP
  net::Endpoint a, b;
  std::uint32_t tap_group = 0;  ///< as in net::FlowKey
  Roles roles{};
  bool joined_midstream = false;
  State state{};
  FrameNumber first_frame, last_frame;
  TimePoint first_time, last_time;
  InterfaceSet interfaces = InterfaceSet::all();  ///< of the capture: where frames of it are to be seen
  std::optional<std::string_view> closed_by;      ///< "fin", "rst"; static storage
  std::optional<StartupRecord> startup;
  std::optional<bool> crc_in_use;
  bool crc_inferred = false;
  std::array<std::optional<bool>, 2> markers{};
  bool markers_inferred = false;
  std::array<std::optional<std::uint16_t>, 2> read_depth{};
  std::optional<std::uint8_t> rdmap_version, ddp_version;
  std::optional<std::string_view> ulp;        ///< "nvme", "nfs", "smb-direct", "iser", "rping"...; static storage
  std::optional<UlpLimitsRecord> negotiated;  ///< SMB Direct: by its first messages
  std::vector<StagUse> stags;                 ///< by first frame; at most kMostStags of them
  std::uint64_t stags_known = 0;              ///< how many are known in all; those discarded do not count
  static constexpr std::size_t kMostStags = 16;
  std::array<DirectionRecord, 2> directions;
  Summary summary;
  std::optional<VerdictRecord> verdict;  ///< added when the whole capture is known
};

/// It has a verdict, which says so.
[[nodiscard]] inline bool ended_badly(const QpRecord& record) noexcept {
  return record.verdict && ended_badly(record.verdict->outcome);
}

}  // namespace iwarpscope::qp
