// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/wrong_field.h"

#include <algorithm>
#include <array>

namespace iwarpscope::fields {
namespace {

using enum findings::FindingId;

struct Row {
  findings::FindingId id;
  FieldName field;
};

constexpr FieldName kKey{"MPA", "Key"}, kM{"MPA", "M (markers)"}, kC{"MPA", "C (CRC)"}, kR{"MPA", "R (rejected)"},
    kS{"MPA", "S (enhanced)"}, kRev{"MPA", "Rev"}, kPdLength{"MPA", "PD_Length"}, kA{"MPA", "A (peer-to-peer)"},
    kB{"MPA", "B (RTR by Send)"}, kIrd{"MPA", "IRD"}, kOrd{"MPA", "ORD"}, kFlagBits{"MPA", "Reserved"},
    kLength{"MPA", "ULPDU_Length"}, kPad{"MPA", "PAD"}, kCrc{"MPA", "CRC"}, kMarker{"MPA", "Marker FPDUPTR"},
    kMarkerBits{"MPA", "Marker reserved"}, kFpdu{"MPA", "FPDU"};
constexpr FieldName kT{"DDP", "T"}, kL{"DDP", "L"}, kDdpBits{"DDP", "Reserved"}, kDv{"DDP", "DV"}, kQn{"DDP", "QN"},
    kMsn{"DDP", "MSN"}, kMo{"DDP", "MO"}, kStag{"DDP", "STag"}, kTo{"DDP", "TO"}, kSsn{"DDP", "DDP-SSN"};
constexpr FieldName kRv{"RDMAP", "RV"}, kRdmapBits{"RDMAP", "Reserved"}, kOpcode{"RDMAP", "Opcode"},
    kInvalidate{"RDMAP", "Invalidate STag"}, kRsvdUlp{"RDMAP", "RsvdULP"}, kSourceTo{"RDMAP", "Source TO"},
    kSinkStag{"RDMAP", "Sink STag"}, kError{"RDMAP", "Error Code"}, kHdrCt{"RDMAP", "HdrCt"},
    kTerminateBits{"RDMAP", "Terminate reserved"}, kTerminatedDdp{"RDMAP", "Terminated DDP Header"},
    kTerminatedRdma{"RDMAP", "Terminated RDMA Header"}, kSegmentLength{"RDMAP", "DDP Segment Length"},
    kAOpCode{"RDMAP", "AOpCode"}, kAtomicBits{"RDMAP", "Atomic reserved"}, kRequestId{"RDMAP", "Request Identifier"},
    kResponseId{"RDMAP", "Original Request Identifier"}, kOriginal{"RDMAP", "Original Remote Data Value"},
    kRemoteTo{"RDMAP", "Remote TO"}, kCompare{"RDMAP", "Compare Data"};
constexpr FieldName kCode{"MPA", "Function Code"}, kChunk{"SCTP", "U, B, E"}, kPpid{"SCTP", "PPID"},
    kSctpCrc{"SCTP", "CRC32c"}, kStreams{"SCTP", "Outbound streams"}, kTcpFlags{"TCP", "Flags"},
    kWindow{"TCP", "Window"}, kSctpWindow{"SCTP", "Receive window"}, kTcpSum{"TCP", "Checksum"},
    kSequence{"TCP", "Sequence number"}, kTsn{"SCTP", "TSN"}, kChunkType{"SCTP", "Chunk type"};

constexpr auto kStartup = std::to_array<Row>({
    {mpa_request_key_wrong, kKey},
    {mpa_reply_key_wrong, kKey},
    {mpa_both_sent_request, kKey},
    {mpa_request_reject_bit, kR},
    {mpa_startup_reserved_bits, kFlagBits},
    {mpa_revision_unknown, kRev},
    {mpa_revision_0_settings, kRev},
    {mpa_enhanced_below_revision_2, kS},
    {mpa_enhanced_data_missing, kPdLength},
    {mpa_private_data_too_long, kPdLength},
    {mpa_startup_cut_short, kPdLength},
    {mpa_reply_before_request, kKey},
    {mpa_enhanced_bit_differs, kS},
    {mpa_enhanced_reply_below_revision_2, kRev},
    {mpa_reply_revision_higher, kRev},
    {mpa_peer_to_peer_differs, kA},
    {mpa_rtr_without_peer_to_peer, kA},
    {mpa_request_offers_no_rtr, kB},
    {mpa_reply_offers_no_rtr, kB},
    {mpa_reply_ord_too_high, kOrd},
    {mpa_reply_ird_too_low, kIrd},
    {mpa_unnegotiated_ord_not_answered, kOrd},
    {mpa_unnegotiated_ird_not_answered, kIrd},
    {mpa_unnegotiated_depth_not_asked, kIrd},
    {mpa_read_rtr_with_zero_ird, kIrd},
    {mpa_enhanced_asks_nothing, kS},
    {mpa_crc_off, kC},
    {mpa_rejected, kR},
    {mpa_reply_to_malformed_request, kKey},
    {mpa_closed_after_reject, kTcpFlags},
});
constexpr auto kFpdus = std::to_array<Row>({
    {mpa_ulpdu_length_invalid, kLength},
    {mpa_ulpdu_above_mulpdu, kLength},
    {mpa_pad_not_zero, kPad},
    {mpa_crc_mismatch, kCrc},
    {mpa_crc_not_computed, kCrc},
    {mpa_marker_missing, kFpdu},
    {mpa_marker_unexpected, kMarker},
    {mpa_first_marker_wrong, kMarker},
    {mpa_marker_reserved_bits, kMarkerBits},
    {mpa_marker_pointer_low_bits, kMarker},
    {mpa_marker_pointer_wrong, kMarker},
    {mpa_marker_pointer_zero, kMarker},
    {mpa_markers_disagree, kMarker},
    {mpa_marker_at_end, kMarker},
    {mpa_fpdu_not_aligned, kFpdu},
    {mpa_fpdu_split, kFpdu},
    {mpa_fpdu_small, kLength},
    {mpa_closed_inside_fpdu, kFpdu},
    {mpa_fpdu_before_reply, kFpdu},
    {mpa_fpdu_after_malformed_reply, kFpdu},
    {mpa_responder_sends_first, kFpdu},
    {mpa_rtr_mismatch_not_terminated, kFpdu},
    {mpa_rtr_missing, kFpdu},
    {mpa_unnegotiated_rtr, kFpdu},
    {mpa_framing_lost, kLength},
    {mpa_fpdu_ends_elsewhere, kLength},
    {mpa_reported_error_not_seen, kError},
});
constexpr auto kDdp = std::to_array<Row>({
    {ddp_header_short, kLength},
    {ddp_version_changed, kDv},
    {ddp_version_wrong, kDv},
    {ddp_reserved_bits, kDdpBits},
    {ddp_queue_unknown, kQn},
    {ddp_first_msn_wrong, kMsn},
    {ddp_msn_out_of_sequence, kMsn},
    {ddp_message_changed, kOpcode},
    {ddp_rsvdulp_changed, kOpcode},
    {ddp_first_mo_not_zero, kMo},
    {ddp_mo_wrong, kMo},
    {ddp_offset_decreases, kMo},
    {ddp_last_misplaced, kL},
    {ddp_zero_length_not_alone, kLength},
    {ddp_stag_changed, kStag},
    {ddp_to_not_contiguous, kTo},
    {ddp_to_wraps, kTo},
    {ddp_segment_after_terminate, kOpcode},
    {ddp_messages_interleaved, kMsn},
    {ddp_models_interleaved, kT},
    {sctp_ddp_ssn_wrong, kSsn},
    {ddp_message_too_long, kLength},
    {ddp_answered_after_error, kOpcode},
});
constexpr auto kRdmap = std::to_array<Row>({
    {rdmap_version_wrong, kRv},
    {rdmap_reserved_bits, kRdmapBits},
    {rdmap_opcode_unassigned, kOpcode},
    {rdmap_opcode_experimental, kOpcode},
    {rdmap_buffer_model_wrong, kT},
    {rdmap_queue_wrong, kQn},
    {rdmap_invalidate_stag_not_zero, kRsvdUlp},
    {rdmap_invalidate_stag_zero, kInvalidate},
    {rdmap_read_request_malformed, kLength},
    {rdmap_read_request_to_wraps, kSourceTo},
    {rdmap_read_response_unrequested, kOpcode},
    {rdmap_read_response_stag_wrong, kStag},
    {rdmap_read_response_to_wrong, kTo},
    {rdmap_read_response_length_wrong, kLength},
    {rdmap_zero_length_read_response_wrong, kTo},
    {rdmap_responses_out_of_order, kOpcode},
    {rdmap_too_many_reads, kOpcode},
    {rdmap_terminate_malformed, kLength},
    {rdmap_message_after_terminate, kOpcode},
    {rdmap_terminate_reserved_bits, kTerminateBits},
    {rdmap_terminate_code_unregistered, kError},
    {rdmap_terminate_length_wrong, kLength},
    {rdmap_terminate_trailing_zeros, kLength},
    {rdmap_terminate_flags_inconsistent, kHdrCt},
    {rdmap_terminate_rdma_header_unexpected, kTerminatedRdma},
    {rdmap_terminate_ddp_header_unexpected, kTerminatedDdp},
    {rdmap_terminate_ddp_header_missing, kHdrCt},
    {rdmap_terminate_names_unsent, kTerminatedDdp},
    {rdmap_terminate_segment_length_wrong, kSegmentLength},
    {rdmap_terminate_rdma_header_wrong, kTerminatedRdma},
    {rdmap_terminate_claim_false, kError},
    {rdmap_terminate_sent, kError},
    {rdmap_stag_used_after_invalidate, kStag},
    {rdmap_stag_invalidated_twice, kInvalidate},
    {rdmap_response_to_invalidated_stag, kStag},
    {stag_other_stream, kStag},
    {stag_guessing, kStag},
    {rdmap_response_before_request, kOpcode},
    {rdmap_read_request_unanswered, kMsn},
    {rdmap_terminate_not_first_error, kTerminatedDdp},
    {rdmap_error_ignored, kOpcode},
    {rdmap_reset_after_terminate, kTcpFlags},
    {rdmap_reset_inside_message, kTcpFlags},
    {rdmap_read_contradicts_write, kTo},
    {rdmap_overlapping_placement, kTo},
    {rdmap_read_queue_flooded, kOpcode},
    {rdmap_small_send_flood, kOpcode},
    {stag_written_after_completion, kStag},
    {stag_read_of_written_buffer, kStag},
    {stag_invalidated_while_in_use, kInvalidate},
    {stag_predictable, kStag},
});
constexpr auto kAtomics = std::to_array<Row>({
    {rdmap_atomic_request_size, kLength},
    {rdmap_atomic_response_size, kLength},
    {rdmap_immediate_size, kLength},
    {rdmap_atomic_operation_unknown, kAOpCode},
    {rdmap_atomic_reserved_bits, kAtomicBits},
    {rdmap_atomic_fetchadd_compare, kCompare},
    {rdmap_atomic_misaligned, kRemoteTo},
    {rdmap_atomic_misaligned_answered, kRemoteTo},
    {rdmap_atomic_identifier_wrong, kResponseId},
    {rdmap_atomic_response_msn_wrong, kMsn},
    {rdmap_atomic_response_unrequested, kResponseId},
    {rdmap_too_many_atomics, kOpcode},
    {rdmap_atomic_results_inconsistent, kOriginal},
    {rdmap_extension_version_wrong, kRv},
    {rdmap_extension_draft_queue, kQn},
    {rdmap_atomic_identifier_repeated, kRequestId},
    {rdmap_atomic_request_unanswered, kRequestId},
    {rdmap_atomics_not_linearizable, kOriginal},
    {rdmap_extension_refused, kError},
});
constexpr auto kTransport = std::to_array<Row>({
    {sctp_other_payload, kPpid},
    {sctp_ordered_chunk, kChunk},
    {sctp_function_code_unknown, kCode},
    {sctp_terminate_private_data, kCode},
    {sctp_session_sequence_wrong, kCode},
    {sctp_answer_kind_wrong, kCode},
    {sctp_enhanced_data_missing, kCode},
    {sctp_fragmented, kChunk},
    {sctp_stream_counts_differ, kStreams},
    {sctp_both_sent_initiate, kCode},
    {sctp_wrong_checksum, kSctpCrc},
    {sctp_checksum_offload, kSctpCrc},
    {sctp_zero_window, kSctpWindow},
    {tcp_wrong_checksum, kTcpSum},
    {tcp_checksum_offload, kTcpSum},
    {tcp_zero_window, kWindow},
    {tcp_connection_reset, kTcpFlags},
    {tcp_retransmissions, kSequence},
    {tcp_out_of_order, kSequence},
    {tcp_data_after_fin, kSequence},
    {tcp_ignored_control, kTcpFlags},
    {tcp_forged_segments, kSequence},
    {tcp_retransmission_differs, kSequence},
    {capture_copies_differ, kSequence},
    {sctp_private_data_too_long, kCode},
    {sctp_segment_before_session, kSsn},
    {sctp_segment_before_acknowledgment, kSsn},
    {sctp_stream_reused_early, kCode},
    {sctp_retransmissions, kTsn},
    {sctp_out_of_order, kTsn},
    {sctp_association_aborted, kChunkType},
});

/// The errors of Terminates that are about an STag or a TO. Sources: RFC 5040 §4.8, RFC 5041 §7.2.
constexpr std::array<std::string_view, 5> kStagErrors{"0/1/00", "0/1/02", "0/1/03", "1/1/00", "1/1/02"};
constexpr std::array<std::string_view, 4> kToErrors{"0/1/01", "0/1/04", "1/1/01", "1/1/03"};
/// Where messages have them: those of requests are about the memory of the other end.
constexpr std::array kStags{FieldName{"RDMAP", "Source STag"}, FieldName{"RDMAP", "Remote STag"}, kStag};
constexpr std::array kTos{kSourceTo, kRemoteTo, kTo};

template <class Rows>
constexpr FieldName find(const Rows& rows, findings::FindingId id) noexcept {
  const auto row = std::ranges::find(rows, id, &Row::id);
  return row == rows.end() ? FieldName{} : row->field;
}

/// A window that is not zero did not close, and that of an RST means nothing.
bool is_closed_window(const FieldList& list, const Field& window) {
  const auto is_of_reset = [](const Field& f) {
    return f.layer == kTcpFlags.layer && f.name == kTcpFlags.name && f.value.find("RST") != std::string::npos;
  };
  return window.value == "0" && std::ranges::none_of(list.fields, is_of_reset);
}

/// The unit that holds the stream offset: the last one that begins at or before it.
std::optional<StreamOffset> unit_at(const FieldList& list, StreamOffset offset) {
  std::optional<StreamOffset> found;
  for (const Field& field : list.fields) {
    if (field.unit && *field.unit <= offset && (!found || *found < *field.unit)) found = field.unit;
  }
  return found;
}

}  // namespace

FieldName field_of(findings::FindingId id) noexcept {
  for (const FieldName& name : {find(kStartup, id), find(kFpdus, id), find(kDdp, id), find(kRdmap, id),
                                find(kAtomics, id), find(kTransport, id)}) {
    if (!name.name.empty()) return name;
  }
  return {};
}

std::optional<std::size_t> wrong_field(const FieldList& list, const findings::Finding& finding, bool offsets_agree) {
  const FieldName name = field_of(finding.id);
  if (name.name.empty()) return std::nullopt;
  std::optional<StreamOffset> unit;
  if (finding.offset && offsets_agree) unit = unit_at(list, *finding.offset);
  // The place of a tagged DDP segment in its message is its TO.
  const bool is_place = name.name == kMo.name;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < list.fields.size(); ++i) {
    const Field& field = list.fields[i];
    const bool is_named = field.name == name.name || (is_place && field.name == kTo.name);
    if (field.layer != name.layer || !is_named) continue;
    if (unit && field.unit && *field.unit != *unit) continue;
    if (finding.id == tcp_zero_window && !is_closed_window(list, field)) continue;
    const bool has_value = !finding.seen.empty() && field.value.starts_with(finding.seen);
    if (has_value) return i;
    if (!best) best = i;
  }
  return best;
}

std::optional<std::size_t> refused_field(const FieldList& list, const findings::Finding& finding) {
  const auto is_of = [&](const auto& errors) { return std::ranges::find(errors, finding.seen) != errors.end(); };
  const bool is_stag = is_of(kStagErrors);
  if (!is_stag && !is_of(kToErrors)) return std::nullopt;
  for (const FieldName& name : is_stag ? kStags : kTos) {
    const auto is_it = [&](const Field& f) { return f.layer == name.layer && f.name == name.name; };
    const auto first = std::ranges::find_if(list.fields, is_it);
    if (first == list.fields.end()) continue;
    const auto differs = [&](const Field& f) { return is_it(f) && f.value != first->value; };
    if (std::ranges::any_of(list.fields, differs)) return std::nullopt;
    return static_cast<std::size_t>(first - list.fields.begin());
  }
  return std::nullopt;
}

}  // namespace iwarpscope::fields
