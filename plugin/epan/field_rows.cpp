// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/field_rows.h"

#include <iterator>
#include <string_view>

#include "epan/crc_words.h"
#include "rdmap/headers.h"
#include "rdmap/opcode.h"
#include "sctp/chunk.h"
#include "sctp/session.h"

namespace iwarpscope::plugin {
namespace {

/// The strings of the enumerators up to `kLast`. `words` must return literals.
template <auto kLast>
constexpr auto value_strings(std::string_view (*words)(decltype(kLast))) {
  std::array<value_string, static_cast<std::size_t>(kLast) + 2>
      strings{};  // the last one stays empty and ends the array
  for (std::uint32_t i = 0; i + 1 < strings.size(); ++i) {
    strings[i] = {i, words(static_cast<decltype(kLast)>(i)).data()};
  }
  return strings;
}

constexpr std::string_view phase_words(sctp::SessionPhase phase) {
  switch (phase) {
    case sctp::SessionPhase::idle: return "idle";
    case sctp::SessionPhase::opening: return "opening";
    case sctp::SessionPhase::withdrawn: return "closed by the active side before an answer";
    case sctp::SessionPhase::open: return "open";
    case sctp::SessionPhase::active_closed: return "closed by the active side";
    case sctp::SessionPhase::passive_closed: return "closed by the passive side";
    case sctp::SessionPhase::closed: return "closed";
    case sctp::SessionPhase::rejected: return "rejected";
    case sctp::SessionPhase::refused: return "refused";
    case sctp::SessionPhase::joined: break;
  }
  return "joined mid-stream";
}

constexpr auto kOpcodes = value_strings<rdmap::kLastOpcode>(rdmap::title);
constexpr auto kOperations = value_strings<rdmap::AOpCode::cmp_swap>(rdmap::title);
constexpr auto kCrc = value_strings<mpa::CrcVerdict::incomplete>(crc_words);
constexpr value_string kDirections[] = {{0, "A to B"}, {1, "B to A"}, {0, nullptr}};
constexpr value_string kQueues[] = {
    {0, "Send"}, {1, "RDMA Read and Atomic Request"}, {2, "Terminate"}, {3, "Atomic Response"}, {0, nullptr}};
constexpr value_string kLayers[] = {{0, "RDMA"}, {1, "DDP"}, {2, "LLP"}, {0, nullptr}};
constexpr value_string kPpids[] = {
    {sctp::kSegmentPpid, "DDP segment"}, {sctp::kControlPpid, "DDP stream session control"}, {0, nullptr}};
constexpr value_string kFragments[] = {{3, "whole message"}, {2, "first"}, {0, "middle"}, {1, "last"}, {0, nullptr}};
constexpr value_string kFunctionCodes[] = {{sctp::function_code::initiate, "Initiate"},
                                           {sctp::function_code::accept, "Accept"},
                                           {sctp::function_code::reject, "Reject"},
                                           {sctp::function_code::terminate, "Session Terminate"},
                                           {sctp::function_code::enhanced_initiate, "Enhanced Initiate"},
                                           {sctp::function_code::enhanced_accept, "Enhanced Accept"},
                                           {sctp::function_code::enhanced_reject, "Enhanced Reject"},
                                           {sctp::function_code::experimental, "experimental"},
                                           {0, nullptr}};
constexpr auto kPhases = value_strings<sctp::SessionPhase::joined>(phase_words);
constexpr value_string kNotNegotiated[] = {{0x3FFF, "not negotiated"}, {0, nullptr}};
constexpr value_string kVersions[] = {{0, "RDMA Consortium"}, {1, "IETF"}, {0, nullptr}};

constexpr int kHex = BASE_HEX, kDec = BASE_DEC, kDecHex = BASE_DEC_HEX;

#define IWARPSCOPE_NONE FT_NONE, BASE_NONE, 0
// One or two lines per row: clang-format would put each member on its own line.
// clang-format off
const FieldRow kRows[] = {
    // The queue pair
    {Field::qp, "Queue pair", "iwarp.qp", FT_UINT64, kDec, 0,
     "Number of the queue pair, in the order in which connections were recognised as queue pairs"},
    {Field::end_a, "End A", "iwarp.a", FT_STRING, BASE_NONE, 0,
     "The MPA Initiator; without startup, the end that opened the TCP connection, or the lower address"},
    {Field::end_b, "End B", "iwarp.b", FT_STRING, BASE_NONE, 0, "The other end"},
    {Field::direction, "Direction", "iwarp.direction", FT_UINT8, kDec, 0, "Direction of the octets", kDirections},
    {Field::stream_offset, "Stream offset", "iwarp.stream_offset", FT_INT64, kDec, 0,
     "Offset of the first octet, counted from the first one after the SYN; without a SYN, from the first one seen"},
    {Field::shown_in, "FPDU of these octets is shown in frame", "iwarp.shown_in", FT_FRAMENUM, BASE_NONE, 0,
     "Frame with which the FPDU could be Delivered"},
    {Field::fpdus_not_shown, "FPDUs not shown", "iwarp.fpdus_not_shown", FT_UINT64, kDec, 0,
     "This frame made more than five thousand FPDUs deliverable; only the first five thousand are shown"},
    {Field::verdict, "Verdict", "iwarp.verdict", FT_STRING, BASE_NONE, 0,
     "Outcome of the queue pair at the end of the capture, and its cause"},
    {Field::verdict_sentence, "Verdict", "iwarp.verdict.sentence", FT_STRING, BASE_NONE, 0,
     "One sentence of the verdict"},
    {Field::verdict_code, "Code", "iwarp.verdict.code", FT_STRING, BASE_NONE, 0,
     "Code of the verdict in docs/verdicts.md"},
    {Field::verdict_outcome, "Outcome", "iwarp.verdict.outcome", FT_STRING, BASE_NONE, 0,
     "completed, refused, failed, stalled, running or unknown"},
    {Field::verdict_blame, "Caused by", "iwarp.verdict.blame", FT_STRING, BASE_NONE, 0,
     "a, b, path, capture, none or unknown"},
    {Field::verdict_confidence, "Confidence", "iwarp.verdict.confidence", FT_STRING, BASE_NONE, 0,
     "certain: the wire shows it; likely: it is the usual cause; limited: missing octets could show another cause"},
    {Field::verdict_next, "Next", "iwarp.verdict.next", FT_STRING, BASE_NONE, 0, "What to check next"},
    {Field::private_data_words, "Private Data in words", "iwarp.mpa.private_data.text", FT_STRING, BASE_NONE, 0},
    // MPA startup
    {Field::mpa_key, "Key", "iwarp.mpa.key", FT_STRING, BASE_NONE, 0, "RFC 5044 §7.1.1"},
    {Field::mpa_request, "MPA Request", "iwarp.mpa.request", IWARPSCOPE_NONE, nullptr, nullptr,
     {{{"iwarp_mpa.req"}, {"iwarp_mpa.key.req", FT_BYTES}}}},
    {Field::mpa_reply, "MPA Reply", "iwarp.mpa.reply", IWARPSCOPE_NONE, nullptr, nullptr,
     {{{"iwarp_mpa.rep"}, {"iwarp_mpa.key.rep", FT_BYTES}}}},
    {Field::mpa_flag_markers, "M: markers", "iwarp.mpa.flags.markers", FT_BOOLEAN, 8, 0x80,
     "The sender wants to receive markers", nullptr, {{{"iwarp_mpa.marker_flag", FT_BOOLEAN, 8, 0x80}}}},
    {Field::mpa_flag_crc, "C: CRC", "iwarp.mpa.flags.crc", FT_BOOLEAN, 8, 0x40,
     "The sender wants CRCs; one end is enough", nullptr, {{{"iwarp_mpa.crc_flag", FT_BOOLEAN, 8, 0x40}}}},
    {Field::mpa_flag_reject, "R: rejected", "iwarp.mpa.flags.reject", FT_BOOLEAN, 8, 0x20,
     "The Responder rejects the connection", nullptr, {{{"iwarp_mpa.rej_flag", FT_BOOLEAN, 8, 0x20}}}},
    {Field::mpa_flag_enhanced, "S: enhanced data", "iwarp.mpa.flags.enhanced", FT_BOOLEAN, 8, 0x10,
     "Four octets of enhanced data come before the Private Data (RFC 6581 §6)", nullptr,
     {{{"iwarp_mpa.enhanced_flag", FT_BOOLEAN, 8, 0x10}}}},
    {Field::mpa_reserved, "Reserved", "iwarp.mpa.flags.reserved", FT_UINT8, kHex, 0x0F,
     "Linux siw sets 0x8 to offer FPDUs above one TCP segment", nullptr, {{{"iwarp_mpa.res", FT_UINT8, kHex, 0x0F}}}},
    {Field::mpa_revision, "Revision", "iwarp.mpa.revision", FT_UINT8, kDec, 0,
     "0: RDMA Consortium, 1: RFC 5044, 2: RFC 6581", nullptr, {{{"iwarp_mpa.rev", FT_UINT8, kDec, 0}}}},
    {Field::mpa_pd_length, "PD_Length", "iwarp.mpa.pd_length", FT_UINT16, kDec, 0, "Octets, at most 512", nullptr,
     {{{"iwarp_mpa.pdlength", FT_UINT16, kDec, 0}}}},
    {Field::mpa_private_data, "Private Data", "iwarp.mpa.private_data", FT_BYTES, BASE_NONE, 0,
     "Data that the upper layers of both ends exchange", nullptr, {{{"iwarp_mpa.privatedata", FT_BYTES}}}},
    {Field::mpa_enhanced, "Enhanced data", "iwarp.mpa.enhanced", IWARPSCOPE_NONE, "RFC 6581 §9", nullptr,
     {{{"iwarp_mpa.enhanced"}}}},
    {Field::mpa_peer_to_peer, "A: peer-to-peer", "iwarp.mpa.enhanced.peer_to_peer", FT_BOOLEAN, 16, 0x8000,
     "The Initiator sends an RTR first", nullptr, {{{"iwarp_mpa.enhanced.a", FT_BOOLEAN, 16, 0x8000}}}},
    {Field::mpa_rtr_send, "B: zero-length Send as RTR", "iwarp.mpa.enhanced.rtr_send", FT_BOOLEAN, 16, 0x4000, nullptr,
     nullptr, {{{"iwarp_mpa.enhanced.b", FT_BOOLEAN, 16, 0x4000}}}},
    {Field::mpa_ird, "IRD", "iwarp.mpa.enhanced.ird", FT_UINT16, kDec | BASE_SPECIAL_VALS, 0x3FFF,
     "Number of incoming RDMA Read Requests that the sender of this frame can accept at a time", kNotNegotiated,
     {{{"iwarp_mpa.enhanced.ird", FT_UINT16, kDec, 0x3FFF}}}},
    {Field::mpa_rtr_write, "C: zero-length RDMA Write as RTR", "iwarp.mpa.enhanced.rtr_write", FT_BOOLEAN, 16, 0x8000,
     nullptr, nullptr, {{{"iwarp_mpa.enhanced.c", FT_BOOLEAN, 16, 0x8000}}}},
    {Field::mpa_rtr_read, "D: zero-length RDMA Read as RTR", "iwarp.mpa.enhanced.rtr_read", FT_BOOLEAN, 16, 0x4000,
     nullptr, nullptr, {{{"iwarp_mpa.enhanced.D", FT_BOOLEAN, 16, 0x4000}}}},
    {Field::mpa_ord, "ORD", "iwarp.mpa.enhanced.ord", FT_UINT16, kDec | BASE_SPECIAL_VALS, 0x3FFF,
     "Number of RDMA Read Requests that the sender of this frame wants to have outstanding", kNotNegotiated,
     {{{"iwarp_mpa.enhanced.ord", FT_UINT16, kDec, 0x3FFF}}}},
    {Field::mpa_legacy, "Legacy IRD and ORD", "iwarp.mpa.legacy", IWARPSCOPE_NONE,
     "IRD and ORD in the Private Data, in the format of SMB Direct (MS-SMBD)", nullptr, {{{"iwarp_mpa.legacy"}}}},
    {Field::mpa_legacy_ird, "IRD", "iwarp.mpa.legacy.ird", FT_UINT32, kDec, 0, nullptr, nullptr,
     {{{"iwarp_mpa.legacy.ird", FT_UINT32, kDec, 0}}}},
    {Field::mpa_legacy_ord, "ORD", "iwarp.mpa.legacy.ord", FT_UINT32, kDec, 0, nullptr, nullptr,
     {{{"iwarp_mpa.legacy.ord", FT_UINT32, kDec, 0}}}},
    {Field::private_nvme, "NVMe over Fabrics", "iwarp.mpa.private_data.nvme", IWARPSCOPE_NONE,
     "RDMA_CM_REQUEST or RDMA_CM_ACCEPT Private Data of NVMe over RDMA"},
    {Field::private_nvme_format, "Record format", "iwarp.mpa.private_data.nvme.recfmt", FT_UINT16, kDec, 0},
    {Field::private_nvme_qid, "Queue", "iwarp.mpa.private_data.nvme.qid", FT_UINT16, kDec, 0, "0 is the Admin Queue"},
    {Field::private_nvme_hrqsize, "RDMA QP host receive queue size", "iwarp.mpa.private_data.nvme.hrqsize", FT_UINT16,
     kDec, 0},
    {Field::private_nvme_hsqsize, "RDMA QP host send queue size", "iwarp.mpa.private_data.nvme.hsqsize", FT_UINT16,
     kDec, 0},
    {Field::private_rpc, "RPC over RDMA", "iwarp.mpa.private_data.rpcrdma", IWARPSCOPE_NONE, "RFC 8797 §4"},
    {Field::private_rpc_version, "Version", "iwarp.mpa.private_data.rpcrdma.version", FT_UINT8, kDec, 0},
    {Field::private_rpc_invalidate, "R: accepts remote invalidation", "iwarp.mpa.private_data.rpcrdma.invalidate",
     FT_BOOLEAN, 8, 0x01},
    {Field::private_rpc_send_size, "Largest Send", "iwarp.mpa.private_data.rpcrdma.send_size", FT_UINT32, kDec, 0,
     "Maximum number of octets that the sender sends inline"},
    {Field::private_rpc_receive_size, "Largest receive", "iwarp.mpa.private_data.rpcrdma.receive_size", FT_UINT32, kDec,
     0, "Maximum number of octets that the sender accepts inline"},
    // DDP over SCTP
    {Field::sctp, "DDP over SCTP", "iwarp.sctp", IWARPSCOPE_NONE,
     "A DDP segment, a session control message, or a DATA chunk with a part of one (RFC 5043 §5.2)"},
    {Field::sctp_tsn, "TSN", "iwarp.sctp.tsn", FT_UINT32, kDec, 0,
     "TSN of the DATA chunk; for a message, of its first DATA chunk"},
    {Field::sctp_stream, "Stream identifier", "iwarp.sctp.stream", FT_UINT16, kDec, 0, "RFC 9260 §3.3.1"},
    {Field::sctp_ppid, "Payload Protocol Identifier", "iwarp.sctp.ppid", FT_UINT32, kDec, 0, nullptr, kPpids},
    {Field::sctp_fragment, "Fragment", "iwarp.sctp.fragment", FT_UINT8, kDec, 0x03,
     "B and E bits of the chunk: which part of a message it carries", kFragments},
    {Field::sctp_ssn, "DDP-SSN", "iwarp.sctp.ddp_ssn", FT_UINT16, kDec, 0,
     "DDP Stream Sequence Number, from 0 in each direction of a session (RFC 5043 §5.2.2)"},
    {Field::sctp_session, "Session on the stream", "iwarp.sctp.session", FT_UINT32, kDec, 0,
     "Number of the session, from 0 on each stream"},
    {Field::sctp_length, "Length", "iwarp.sctp.length", FT_UINT32, kDec, 0, "Octets of the message after its DDP-SSN"},
    {Field::sctp_chunks, "DATA chunks", "iwarp.sctp.chunks", FT_UINT32, kDec, 0,
     "Number of DATA chunks that carried the message"},
    {Field::sctp_chunk_in, "Another chunk in frame", "iwarp.sctp.chunk_in", FT_FRAMENUM, BASE_NONE, 0,
     "Frame with another part of the message"},
    {Field::sctp_repeated, "Duplicate", "iwarp.sctp.repeated", FT_BOOLEAN, BASE_NONE, 0,
     "A chunk with this TSN was seen before, or the packet was captured twice"},
    {Field::sctp_repeats, "Repeats the chunk in frame", "iwarp.sctp.repeats", FT_FRAMENUM, BASE_NONE, 0},
    {Field::sctp_shown_in, "Message of this chunk is shown in frame", "iwarp.sctp.shown_in", FT_FRAMENUM, BASE_NONE, 0,
     "Frame with which the message was complete and next in the order of DDP-SSNs"},
    {Field::sctp_function_code, "Function code", "iwarp.sctp.function_code", FT_UINT16, kDec, 0,
     "Function code of the session control message (RFC 5043 §5.2.3, RFC 6581 §7)", kFunctionCodes},
    {Field::sctp_phase, "Session", "iwarp.sctp.phase", FT_UINT8, kDec, 0, "Phase of the session after this message",
     kPhases.data()},
    {Field::sctp_answered_in, "Answered in frame", "iwarp.sctp.answered_in", FT_FRAMENUM, BASE_NONE, 0,
     "Accept, Reject or Session Terminate that answers this Initiate", FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE)},
    {Field::sctp_answers, "Answers the Initiate in frame", "iwarp.sctp.answers", FT_FRAMENUM, BASE_NONE, 0, nullptr,
     FRAMENUM_TYPE(FT_FRAMENUM_REQUEST)},
    // MPA FPDUs
    {Field::fpdu, "FPDU", "iwarp.mpa.fpdu", IWARPSCOPE_NONE, "RFC 5044 §4.1", nullptr, {{{"iwarp_mpa.fpdu"}}}},
    {Field::ulpdu_length, "ULPDU_Length", "iwarp.mpa.ulpdu_length", FT_UINT16, kDec, 0, "Octets", nullptr,
     {{{"iwarp_mpa.ulpdulength", FT_UINT16, kDec, 0}}}},
    {Field::pad, "PAD", "iwarp.mpa.pad", FT_BYTES, BASE_NONE, 0, nullptr, nullptr, {{{"iwarp_mpa.pad", FT_BYTES}}}},
    {Field::crc, "CRC", "iwarp.mpa.crc", FT_UINT32, kHex, 0, "CRC32c, as a number (RFC 5044 §4.4)"},
    {Field::crc_status, "CRC status", "iwarp.mpa.crc.status", FT_UINT8, kDec, 0, nullptr, kCrc.data()},
    {Field::crc_bad, "Bad CRC", "iwarp.mpa.crc.bad", FT_BOOLEAN, BASE_NONE, 0, "The CRC does not match the octets"},
    {Field::markers, "Markers", "iwarp.mpa.markers", FT_UINT16, kDec, 0, "Number of markers in this FPDU", nullptr,
     {{{"iwarp_mpa.markers"}}}},
    {Field::marker, "Marker", "iwarp.mpa.marker", FT_UINT32, kHex, 0, "RFC 5044 §4.2"},
    {Field::marker_reserved, "Reserved", "iwarp.mpa.marker.reserved", FT_UINT16, kHex, 0, nullptr, nullptr,
     {{{"iwarp_mpa.marker_res", FT_UINT16, kHex, 0}}}},
    {Field::marker_pointer, "FPDUPTR", "iwarp.mpa.marker.fpduptr", FT_UINT16, kDec, 0,
     "Octets from the start of the FPDU to the marker", nullptr, {{{"iwarp_mpa.marker_fpduptr", FT_UINT16, kDec, 0}}}},
    {Field::fpdu_first_frame, "Begins in frame", "iwarp.mpa.fpdu.first_frame", FT_FRAMENUM, BASE_NONE, 0,
     "Frame with the first octet of the FPDU"},
    {Field::placed_in, "Placed in frame", "iwarp.placed_in", FT_FRAMENUM, BASE_NONE, 0,
     "Frame with which all octets had arrived, so that they could be Placed (RFC 5041 §5.3)"},
    {Field::delivered_in, "Delivered in frame", "iwarp.delivered_in", FT_FRAMENUM, BASE_NONE, 0,
     "Frame with which these and all earlier octets had arrived"},
    // DDP
    {Field::ddp, "DDP", "iwarp.ddp", IWARPSCOPE_NONE, "RFC 5041 §4", nullptr, {{{"iwarp_ddp"}}}},
    {Field::ddp_control, "DDP control", "iwarp.ddp.control", FT_UINT8, kHex, 0, nullptr, nullptr,
     {{{"iwarp_ddp.control_field"}}}},
    {Field::ddp_tagged, "T: Tagged", "iwarp.ddp.tagged", FT_BOOLEAN, 8, 0x80, nullptr, nullptr,
     {{{"iwarp_ddp.tagged_flag", FT_BOOLEAN, 8, 0x80}}}},
    {Field::ddp_last, "L: Last", "iwarp.ddp.last", FT_BOOLEAN, 8, 0x40, "Last DDP segment of its message", nullptr,
     {{{"iwarp_ddp.last_flag", FT_BOOLEAN, 8, 0x40}}}},
    {Field::ddp_reserved, "Reserved", "iwarp.ddp.reserved", FT_UINT8, kHex, 0x3C, nullptr, nullptr,
     {{{"iwarp_ddp.rsvd", FT_UINT8, kHex, 0x3C}}}},
    {Field::ddp_version, "DV: version", "iwarp.ddp.version", FT_UINT8, kDec, 0x03, nullptr, kVersions,
     {{{"iwarp_ddp.dv", FT_UINT8, kDec, 0x03}}}},
    {Field::ddp_ulp_reserved, "Reserved for the ULP", "iwarp.ddp.rsvdulp", FT_BYTES, BASE_NONE, 0,
     "RDMAP control octet and, in an Untagged segment, the Invalidate STag", nullptr,
     {{{"iwarp_ddp.rsvdulp", FT_BYTES}}}},
    {Field::ddp_stag, "STag", "iwarp.ddp.stag", FT_UINT32, kHex, 0, "STag of the Data Sink's buffer", nullptr,
     {{{"iwarp_ddp.stag", FT_UINT32, kHex, 0}, {"iwarp_ddp.tagged"}}}},
    {Field::ddp_to, "TO", "iwarp.ddp.to", FT_UINT64, kHex, 0, "Tagged Offset of the first octet", nullptr,
     {{{"iwarp_ddp.tagged_offset", FT_UINT64, kHex, 0}}}},
    {Field::ddp_qn, "QN", "iwarp.ddp.qn", FT_UINT32, kDec, 0, "Queue Number", kQueues,
     {{{"iwarp_ddp.qn", FT_UINT32, kDec, 0}, {"iwarp_ddp.untagged"}}}},
    {Field::ddp_msn, "MSN", "iwarp.ddp.msn", FT_UINT32, kDec, 0, "Message Sequence Number on the queue, from 1",
     nullptr, {{{"iwarp_ddp.msn", FT_UINT32, kDec, 0}}}},
    {Field::ddp_mo, "MO", "iwarp.ddp.mo", FT_UINT32, kDec, 0, "Message Offset in octets", nullptr,
     {{{"iwarp_ddp.mo", FT_UINT32, kDec, 0}}}},
    // RDMAP
    {Field::rdmap, "RDMAP", "iwarp.rdmap", IWARPSCOPE_NONE, "RFC 5040 §4, RFC 7306", nullptr, {{{"iwarp_rdma"}}}},
    {Field::rdmap_control, "RDMAP control", "iwarp.rdmap.control", FT_UINT8, kHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.control_field"}}}},
    {Field::rdmap_version, "RV: version", "iwarp.rdmap.version", FT_UINT8, kDec, 0xC0, nullptr, kVersions,
     {{{"iwarp_rdma.version", FT_UINT8, kDec, 0xC0}}}},
    {Field::rdmap_reserved, "Reserved", "iwarp.rdmap.reserved", FT_UINT8, kHex, 0x30, nullptr, nullptr,
     {{{"iwarp_rdma.rsv", FT_UINT8, kHex, 0x30}}}},
    {Field::rdmap_opcode, "Opcode", "iwarp.rdmap.opcode", FT_UINT8, kHex, 0x0F, nullptr, kOpcodes.data(),
     {{{"iwarp_rdma.opcode", FT_UINT8, kHex, 0x0F}}}},
    {Field::rdmap_invalidate_stag, "Invalidate STag", "iwarp.rdmap.invalidate_stag", FT_UINT32, kHex, 0,
     "The receiver invalidates this STag before it delivers the Send", nullptr,
     {{{"iwarp_rdma.inval_stag", FT_UINT32, kDec, 0}}}},
    {Field::read_sink_stag, "Data Sink STag", "iwarp.rdmap.read.sink_stag", FT_UINT32, kHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.sinkstag", FT_UINT32, kHex, 0}, {"iwarp_rdma.rr"}}}},
    {Field::read_sink_to, "Data Sink TO", "iwarp.rdmap.read.sink_to", FT_UINT64, kHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.sinkto", FT_UINT64, kHex, 0}}}},
    {Field::read_size, "RDMARDSZ", "iwarp.rdmap.read.size", FT_UINT32, kDec, 0, "Number of octets to read", nullptr,
     {{{"iwarp_rdma.rdmardsz", FT_UINT32, kDec, 0}}}},
    {Field::read_source_stag, "Data Source STag", "iwarp.rdmap.read.source_stag", FT_UINT32, kHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.srcstag", FT_UINT32, kHex, 0}}}},
    {Field::read_source_to, "Data Source TO", "iwarp.rdmap.read.source_to", FT_UINT64, kHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.srcto", FT_UINT64, kHex, 0}}}},
    {Field::atomic_reserved, "Reserved", "iwarp.rdmap.atomic.reserved", FT_UINT32, kHex, 0xFFFFFFF0, nullptr, nullptr,
     {{{"iwarp_rdma.atomic.reserved", FT_UINT32, kDec, 0xFFFFFFF0}}}},
    {Field::atomic_operation, "Operation", "iwarp.rdmap.atomic.operation", FT_UINT32, kDec, 0x0000000F,
     "RFC 7306 §5.2.1; Swap is from its first draft only", kOperations.data(),
     {{{"iwarp_rdma.atomic.opcode", FT_UINT32, kDec, 0x0000000F}}}},
    {Field::atomic_request_id, "Request Identifier", "iwarp.rdmap.atomic.request_id", FT_UINT32, kDec, 0, nullptr,
     nullptr, {{{"iwarp_rdma.atomic.request_identifier", FT_UINT32, kDec, 0}}}},
    {Field::atomic_stag, "Remote STag", "iwarp.rdmap.atomic.stag", FT_UINT32, kHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.atomic.remote_stag", FT_UINT32, kDec, 0}}}},
    {Field::atomic_to, "Remote TO", "iwarp.rdmap.atomic.to", FT_UINT64, kHex, 0, "Tagged Offset of the 64-bit word",
     nullptr, {{{"iwarp_rdma.atomic.remote_tagged_offset", FT_UINT64, kDec, 0}}}},
    {Field::atomic_data, "Add or Swap Data", "iwarp.rdmap.atomic.data", FT_UINT64, kDecHex, 0},
    {Field::atomic_mask, "Add or Swap Mask", "iwarp.rdmap.atomic.mask", FT_UINT64, kHex, 0},
    {Field::atomic_compare, "Compare Data", "iwarp.rdmap.atomic.compare", FT_UINT64, kDecHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.atomic.compare_data", FT_UINT64, kDec, 0}}}},
    {Field::atomic_compare_mask, "Compare Mask", "iwarp.rdmap.atomic.compare_mask", FT_UINT64, kHex, 0, nullptr,
     nullptr, {{{"iwarp_rdma.atomic.compare_mask", FT_UINT64, kHex, 0}}}},
    {Field::atomic_original_id, "Original Request Identifier", "iwarp.rdmap.atomic.original_request_id", FT_UINT32,
     kDec, 0, nullptr, nullptr, {{{"iwarp_rdma.atomic.original_request_identifier", FT_UINT32, kDec, 0}}}},
    {Field::atomic_original, "Original Remote Data Value", "iwarp.rdmap.atomic.original", FT_UINT64, kDecHex, 0,
     "Value of the word before the operation", nullptr,
     {{{"iwarp_rdma.atomic.original_remote_data_value", FT_UINT64, kDec, 0}}}},
    {Field::atomic_result, "Result", "iwarp.rdmap.atomic.result", FT_UINT64, kDecHex, 0,
     "Value of the word after the operation"},
    {Field::atomic_verdict, "Result check", "iwarp.rdmap.atomic.verdict", FT_STRING, BASE_NONE, 0,
     "verified: the operations of all queue pairs on the word explain the result; first: no earlier value is "
     "known; inconsistent: they cannot explain it; undecidable"},
    {Field::immediate_data, "Immediate Data", "iwarp.rdmap.immediate", FT_UINT64, kHex, 0, "RFC 7306 §6.3"},
    {Field::payload, "Payload", "iwarp.payload", FT_BYTES, BASE_NONE, 0,
     "Upper layer octets in this DDP segment"},
    // Terminates
    {Field::terminate, "Terminate", "iwarp.rdmap.terminate", IWARPSCOPE_NONE, "RFC 5040 §4.8", nullptr,
     {{{"iwarp_rdma.terminate"}, {"iwarp_rdma.term_ctrl"}}}},
    {Field::terminate_layer, "Layer", "iwarp.rdmap.terminate.layer", FT_UINT8, kDec, 0, nullptr, kLayers,
     {{{"iwarp_rdma.term_layer", FT_UINT8, kHex, 0}}}},
    {Field::terminate_type, "Error type", "iwarp.rdmap.terminate.type", FT_UINT8, kDec, 0, nullptr, nullptr,
     {{{"iwarp_rdma.term_etype", FT_UINT8, kHex, 0}}}},
    {Field::terminate_code, "Error code", "iwarp.rdmap.terminate.code", FT_UINT8, kDec, 0, nullptr, nullptr,
     {{{"iwarp_rdma.term_errcode", FT_UINT8, kHex, 0}}}},
    {Field::terminate_error, "Error", "iwarp.rdmap.terminate.error", FT_STRING, BASE_NONE, 0, "Text of the error"},
    {Field::terminate_m, "M: DDP Segment Length present", "iwarp.rdmap.terminate.m", FT_BOOLEAN, BASE_NONE, 0, nullptr,
     nullptr, {{{"iwarp_rdma.term_hdrct_m", FT_BOOLEAN, 8, 0x80}}}},
    {Field::terminate_d, "D: DDP header present", "iwarp.rdmap.terminate.d", FT_BOOLEAN, BASE_NONE, 0, nullptr,
     nullptr, {{{"iwarp_rdma.hdrct_d", FT_BOOLEAN, 8, 0x40}}}},
    {Field::terminate_r, "R: RDMA header present", "iwarp.rdmap.terminate.r", FT_BOOLEAN, BASE_NONE, 0, nullptr,
     nullptr, {{{"iwarp_rdma.hdrct_r", FT_BOOLEAN, 8, 0x20}}}},
    {Field::terminate_reserved, "Reserved", "iwarp.rdmap.terminate.reserved", FT_UINT16, kHex, 0, nullptr, nullptr,
     {{{"iwarp_rdma.term_rsvd", FT_UINT16, kHex, 0}}}},
    {Field::terminate_dialect, "Layout", "iwarp.rdmap.terminate.dialect", FT_STRING, BASE_NONE, 0,
     "rfc5040, or the name of an implementation with a different layout"},
    {Field::terminate_length, "DDP Segment Length", "iwarp.rdmap.terminate.ddp_length", FT_UINT16, kDec, 0,
     "Length of the DDP segment that the Terminate refers to", nullptr, {{{"iwarp_rdma.term_ddp_seg_len", FT_BYTES}}}},
    {Field::terminate_ddp, "Terminated DDP header", "iwarp.rdmap.terminate.ddp_header", FT_BYTES, BASE_NONE, 0, nullptr,
     nullptr, {{{"iwarp_rdma.term_ddp_h", FT_BYTES}}}},
    {Field::terminate_rdmap, "Terminated RDMA header", "iwarp.rdmap.terminate.rdma_header", FT_BYTES, BASE_NONE, 0,
     nullptr, nullptr, {{{"iwarp_rdma.term_rdma_h", FT_BYTES}}}},
    {Field::terminate_names, "Refers to the message in frame", "iwarp.rdmap.terminate.message_in", FT_FRAMENUM,
     BASE_NONE, 0, "First frame of the message that the Terminate refers to"},
    // The message
    {Field::message_index, "Message", "iwarp.message", FT_UINT64, kDec, 0,
     "Index of the RDMA message in its direction, from 0"},
    {Field::message_position, "Position in the message", "iwarp.message.position", FT_UINT32, kDec, 0,
     "Octets of payload before this DDP segment"},
    {Field::message_length, "Length of the message", "iwarp.message.length", FT_UINT64, kDec, 0,
     "Number of octets after the DDP headers, in all DDP segments together", nullptr,
     {{{"iwarp_rdma.send.reassembled.length", FT_UINT32, kDec, 0}}}},
    {Field::message_segments, "DDP segments", "iwarp.message.ddp_segments", FT_UINT32, kDec, 0, nullptr, nullptr,
     {{{"iwarp_rdma.send.fragment.count", FT_UINT32, kDec, 0}}}},
    {Field::message_complete, "Complete", "iwarp.message.complete", FT_BOOLEAN, BASE_NONE, 0,
     "All DDP segments were captured, and none is damaged"},
    {Field::message_first_frame, "Message begins in frame", "iwarp.message.first_frame", FT_FRAMENUM, BASE_NONE, 0},
    {Field::message_ends_in, "Message ends in frame", "iwarp.message.ends_in", FT_FRAMENUM, BASE_NONE, 0, nullptr,
     nullptr, {{{"iwarp_rdma.send.reassembled_in", FT_FRAMENUM}}}},
    {Field::request_in, "Request in frame", "iwarp.request_in", FT_FRAMENUM, BASE_NONE, 0, nullptr,
     FRAMENUM_TYPE(FT_FRAMENUM_REQUEST)},
    {Field::response_in, "Response in frame", "iwarp.response_in", FT_FRAMENUM, BASE_NONE, 0,
     "Frame with the last octet of the response", FRAMENUM_TYPE(FT_FRAMENUM_RESPONSE)},
    {Field::time_first, "Time to the first octet of the response", "iwarp.response_time.first", FT_RELATIVE_TIME,
     BASE_NONE, 0, "At the tap, from the last octet of the request"},
    {Field::time_last, "Time to the last octet of the response", "iwarp.response_time", FT_RELATIVE_TIME, BASE_NONE, 0,
     "At the tap, from the last octet of the request"},
    {Field::head_of_line, "Head-of-line wait", "iwarp.head_of_line_wait", FT_RELATIVE_TIME, BASE_NONE, 0,
     "Time from Placed to Delivered: the message waited for earlier octets of the stream"},
    {Field::outstanding, "Outstanding requests", "iwarp.outstanding", FT_UINT32, kDec, 0,
     "Including this one, as seen at the tap: RDMA Reads; for an Atomic Request, RDMA Reads and atomics"},
    {Field::outstanding_limit, "Limit of outstanding reads", "iwarp.outstanding.limit", FT_UINT32, kDec, 0,
     "Limit negotiated in the startup (RFC 6581 §9.1)"},
    {Field::stag_first_seen, "STag first seen in frame", "iwarp.stag.first_frame", FT_FRAMENUM, BASE_NONE, 0,
     "First use on this queue pair with this owner"},
    // Findings
    {Field::finding, "Finding", "iwarp.finding", FT_STRING, BASE_NONE, 0, "Code of the rule and what was seen"},
    {Field::finding_code, "Code", "iwarp.finding.code", FT_STRING, BASE_NONE, 0,
     "Code of the rule in docs/rules.md, for example MF-04"},
    {Field::finding_name, "Name", "iwarp.finding.name", FT_STRING, BASE_NONE, 0, "mpa.crc-mismatch"},
    {Field::finding_severity, "Severity", "iwarp.finding.severity", FT_STRING, BASE_NONE, 0, "error, warning or note"},
    {Field::finding_about, "About", "iwarp.finding.about", FT_STRING, BASE_NONE, 0, "peer, path or capture"},
    {Field::finding_qp, "Queue pair", "iwarp.finding.qp", FT_UINT64, kDec, 0},
    {Field::finding_direction, "Direction", "iwarp.finding.direction", FT_UINT8, kDec, 0, nullptr, kDirections},
    {Field::finding_message, "Message", "iwarp.finding.message", FT_UINT64, kDec, 0},
    {Field::finding_frame, "Frame", "iwarp.finding.frame", FT_FRAMENUM, BASE_NONE, 0, "Frame that shows the finding"},
    {Field::finding_seen, "Seen", "iwarp.finding.seen", FT_STRING, BASE_NONE, 0},
    {Field::finding_expected, "Expected", "iwarp.finding.expected", FT_STRING, BASE_NONE, 0},
    {Field::finding_text, "Details", "iwarp.finding.text", FT_STRING, BASE_NONE, 0, "What was seen"},
    {Field::finding_what, "What", "iwarp.finding.what", FT_STRING, BASE_NONE, 0, "What is wrong"},
    {Field::finding_why, "Why", "iwarp.finding.why", FT_STRING, BASE_NONE, 0, "What usually causes it"},
    {Field::finding_next, "Next", "iwarp.finding.next", FT_STRING, BASE_NONE, 0, "What to check next"},
    {Field::finding_reference, "Reference", "iwarp.finding.reference", FT_STRING, BASE_NONE, 0},
    // Fields that only the built-in dissectors distinguish: always hidden
    {Field::built_in_crc, "CRC", "iwarp_mpa.crc", FT_UINT32, kHex, 0, "Its four octets, big-endian"},
    {Field::built_in_crc_check, "CRC check", "iwarp_mpa.crc_check", FT_UINT32, kHex, 0, "Its four octets, big-endian"},
    {Field::built_in_type_rdma, "Error type", "iwarp_rdma.term_etype_rdma", FT_UINT8, kHex, 0},
    {Field::built_in_type_ddp, "Error type", "iwarp_rdma.term_etype_ddp", FT_UINT8, kHex, 0},
    {Field::built_in_type_llp, "Error type", "iwarp_rdma.term_etype_llp", FT_UINT8, kHex, 0},
    {Field::built_in_code_rdma, "Error code", "iwarp_rdma.term_errcode_rdma", FT_UINT8, kHex, 0},
    {Field::built_in_code_tagged, "Error code", "iwarp_rdma.term_errcode_ddp_tagged", FT_UINT8, kHex, 0},
    {Field::built_in_code_untagged, "Error code", "iwarp_rdma.term_errcode_ddp_untagged", FT_UINT8, kHex, 0},
    {Field::built_in_code_llp, "Error code", "iwarp_rdma.term_errcode_llp", FT_UINT8, kHex, 0},
    {Field::built_in_header_control, "Header control bits", "iwarp_rdma.term_hdrct", IWARPSCOPE_NONE},
    {Field::built_in_reserved, "Reserved", "iwarp_rdma.reserved", FT_BYTES, BASE_NONE, 0},
    {Field::built_in_add_data, "Add Data", "iwarp_rdma.atomic.add_data", FT_UINT64, kDec, 0},
    {Field::built_in_add_mask, "Add Mask", "iwarp_rdma.atomic.add_mask", FT_UINT64, kHex, 0},
    {Field::built_in_swap_data, "Swap Data", "iwarp_rdma.atomic.swap_data", FT_UINT64, kDec, 0},
    {Field::built_in_swap_mask, "Swap Mask", "iwarp_rdma.atomic.swap_mask", FT_UINT64, kHex, 0},
    {Field::built_in_fragments, "DDP segments", "iwarp_rdma.send.fragments", IWARPSCOPE_NONE},
    {Field::built_in_fragment, "DDP segment", "iwarp_rdma.send.fragment", FT_FRAMENUM, BASE_NONE, 0},
    {Field::built_in_reassembled, "Reassembled Send", "iwarp_rdma.send.reassembled.data", FT_BYTES, BASE_NONE, 0},
};
// clang-format on
#undef IWARPSCOPE_NONE
static_assert(std::size(kRows) == kFields);

}  // namespace

std::span<const FieldRow, kFields> field_rows() noexcept {
  return kRows;
}

}  // namespace iwarpscope::plugin
