// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// All fields of the plugin: their filter names, and how they are shown.
#pragma once

#include <cstdint>

#include "epan/wireshark.h"

namespace iwarpscope::plugin {

/// One enumerator per row of field_rows.cpp, in the same order.
enum class Field : std::uint16_t {
  // The queue pair
  qp,
  end_a,
  end_b,
  direction,
  stream_offset,
  shown_in,
  fpdus_not_shown,
  verdict,
  verdict_sentence,
  verdict_code,
  verdict_outcome,
  verdict_blame,
  verdict_confidence,
  verdict_next,
  private_data_words,
  // MPA startup
  mpa_key,
  mpa_request,
  mpa_reply,
  mpa_flag_markers,
  mpa_flag_crc,
  mpa_flag_reject,
  mpa_flag_enhanced,
  mpa_reserved,
  mpa_revision,
  mpa_pd_length,
  mpa_private_data,
  mpa_enhanced,
  mpa_peer_to_peer,
  mpa_rtr_send,
  mpa_ird,
  mpa_rtr_write,
  mpa_rtr_read,
  mpa_ord,
  mpa_legacy,
  mpa_legacy_ird,
  mpa_legacy_ord,
  private_nvme,
  private_nvme_format,
  private_nvme_qid,
  private_nvme_hrqsize,
  private_nvme_hsqsize,
  private_rpc,
  private_rpc_version,
  private_rpc_invalidate,
  private_rpc_send_size,
  private_rpc_receive_size,
  // DDP over SCTP
  sctp,
  sctp_tsn,
  sctp_stream,
  sctp_ppid,
  sctp_fragment,
  sctp_ssn,
  sctp_session,
  sctp_length,
  sctp_chunks,
  sctp_chunk_in,
  sctp_repeated,
  sctp_repeats,
  sctp_shown_in,
  sctp_function_code,
  sctp_phase,
  sctp_answered_in,
  sctp_answers,
  // MPA FPDUs
  fpdu,
  ulpdu_length,
  pad,
  crc,
  crc_status,
  crc_bad,
  markers,
  marker,
  marker_reserved,
  marker_pointer,
  fpdu_first_frame,
  placed_in,
  delivered_in,
  // DDP
  ddp,
  ddp_control,
  ddp_tagged,
  ddp_last,
  ddp_reserved,
  ddp_version,
  ddp_ulp_reserved,
  ddp_stag,
  ddp_to,
  ddp_qn,
  ddp_msn,
  ddp_mo,
  // RDMAP
  rdmap,
  rdmap_control,
  rdmap_version,
  rdmap_reserved,
  rdmap_opcode,
  rdmap_invalidate_stag,
  read_sink_stag,
  read_sink_to,
  read_size,
  read_source_stag,
  read_source_to,
  atomic_reserved,
  atomic_operation,
  atomic_request_id,
  atomic_stag,
  atomic_to,
  atomic_data,
  atomic_mask,
  atomic_compare,
  atomic_compare_mask,
  atomic_original_id,
  atomic_original,
  atomic_result,
  atomic_verdict,
  immediate_data,
  payload,
  // Terminates
  terminate,
  terminate_layer,
  terminate_type,
  terminate_code,
  terminate_error,
  terminate_m,
  terminate_d,
  terminate_r,
  terminate_reserved,
  terminate_dialect,
  terminate_length,
  terminate_ddp,
  terminate_rdmap,
  terminate_names,
  // The message
  message_index,
  message_position,
  message_length,
  message_segments,
  message_complete,
  message_first_frame,
  message_ends_in,
  request_in,
  response_in,
  time_first,
  time_last,
  head_of_line,
  outstanding,
  outstanding_limit,
  stag_first_seen,
  // Findings
  finding,
  finding_code,
  finding_name,
  finding_severity,
  finding_about,
  finding_qp,
  finding_direction,
  finding_message,
  finding_frame,
  finding_seen,
  finding_expected,
  finding_text,
  finding_what,
  finding_why,
  finding_next,
  finding_reference,
  // Fields that only the built-in dissectors distinguish: always hidden
  built_in_crc,
  built_in_crc_check,
  built_in_type_rdma,
  built_in_type_ddp,
  built_in_type_llp,
  built_in_code_rdma,
  built_in_code_tagged,
  built_in_code_untagged,
  built_in_code_llp,
  built_in_header_control,
  built_in_reserved,
  built_in_add_data,
  built_in_add_mask,
  built_in_swap_data,
  built_in_swap_mask,
  built_in_fragments,
  built_in_fragment,
  built_in_reassembled,
  count,
};

/// Registers all of them, and the fields of the built-in dissectors with the same meanings.
void register_fields(int protocol);
/// A tree is displayed, or a filter, a column or a statistic needs one of the fields. Otherwise the fields are not
/// needed.
[[nodiscard]] bool is_looked_at(const proto_tree* tree) noexcept;
/// Its number in epan.
[[nodiscard]] int id_of(Field field) noexcept;

/// Adds a hidden field.
void add_hidden(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length);
// Six parameters: those of epan's own proto_tree_add_uint(), in the order which readers of dissectors know.
void add_hidden_number(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length, std::uint64_t value);

// Each adds a field, and the hidden fields of the built-in dissectors with the same meaning. `at` and `length`: its
// position in `tvb`. `generated`: the value was not on the wire. They fail like all functions of epan: by longjmp.

/// Read from the octets at `at`, big-endian.
proto_item* add(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length);
/// A number that is not in the octets in this form.
// Six parameters: those of epan's own proto_tree_add_uint(), in the order which readers of dissectors know.
proto_item* add_number(proto_tree* tree, Field field, tvbuff_t* tvb, int at, int length, std::uint64_t value);
proto_item* add_generated(proto_tree* tree, Field field, tvbuff_t* tvb, std::uint64_t value);
/// Frame 0 is not shown.
void add_frame(proto_tree* tree, Field field, tvbuff_t* tvb, std::uint32_t frame);
void add_time(proto_tree* tree, Field field, tvbuff_t* tvb, std::int64_t ns);
/// `text` is copied.
proto_item* add_text(proto_tree* tree, Field field, tvbuff_t* tvb, const char* text);

}  // namespace iwarpscope::plugin
