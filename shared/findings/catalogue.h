// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The rule catalogue: every finding this analyser can raise, declared once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "findings/refused_with.h"

namespace iwarpscope::findings {

/// One enumerator for each rule, in catalogue order. The enumerator is the rule's name with '.' and '-' as '_'.
/// The comment is the rule's code. Names and codes are lasting: never reused, never renumbered. The numeric value of an
/// enumerator is not; it changes when a rule is added.
enum class FindingId : std::uint16_t {
  // MPA startup
  mpa_request_key_wrong,                // MS-01
  mpa_reply_key_wrong,                  // MS-02
  mpa_both_sent_request,                // MS-03
  mpa_startup_slow,                     // MS-04
  mpa_request_reject_bit,               // MS-05
  mpa_startup_reserved_bits,            // MS-06
  mpa_revision_unknown,                 // MS-07
  mpa_revision_0_settings,              // MS-08
  mpa_enhanced_below_revision_2,        // MS-09
  mpa_enhanced_data_missing,            // MS-10
  mpa_private_data_too_long,            // MS-11
  mpa_startup_cut_short,                // MS-12
  mpa_fpdu_before_reply,                // MS-13
  mpa_reply_before_request,             // MS-14
  mpa_reply_to_malformed_request,       // MS-15
  mpa_fpdu_after_malformed_reply,       // MS-16
  mpa_enhanced_bit_differs,             // MS-17
  mpa_enhanced_reply_below_revision_2,  // MS-18
  mpa_reply_revision_higher,            // MS-19
  mpa_closed_without_reply,             // MS-20
  mpa_fpdu_after_reject,                // MS-21
  mpa_closed_after_reject,              // MS-22
  mpa_responder_sends_first,            // MS-23
  mpa_peer_to_peer_differs,             // MS-24
  mpa_rtr_without_peer_to_peer,         // MS-25
  mpa_request_offers_no_rtr,            // MS-26
  mpa_reply_offers_no_rtr,              // MS-27
  mpa_rtr_mismatch_not_terminated,      // MS-28
  mpa_rtr_missing,                      // MS-29
  mpa_reply_ord_too_high,               // MS-30
  mpa_reply_ird_too_low,                // MS-31
  mpa_unnegotiated_ord_not_answered,    // MS-32
  mpa_unnegotiated_ird_not_answered,    // MS-33
  mpa_unnegotiated_depth_not_asked,     // MS-34
  mpa_read_rtr_with_zero_ird,           // MS-35
  mpa_enhanced_asks_nothing,            // MS-36
  mpa_crc_off,                          // MS-37
  mpa_legacy_read_depths,               // MS-38
  mpa_unnegotiated_rtr,                 // MS-39
  mpa_first_fpdu_unreadable,            // MS-40

  // MPA FPDU
  mpa_ulpdu_length_invalid,     // MF-01
  mpa_ulpdu_above_mulpdu,       // MF-02
  mpa_pad_not_zero,             // MF-03
  mpa_crc_mismatch,             // MF-04
  mpa_crc_not_judged,           // MF-05
  mpa_marker_missing,           // MF-06
  mpa_marker_unexpected,        // MF-07
  mpa_first_marker_wrong,       // MF-08
  mpa_marker_reserved_bits,     // MF-09
  mpa_marker_pointer_low_bits,  // MF-10
  mpa_marker_pointer_wrong,     // MF-11
  mpa_marker_pointer_zero,      // MF-12
  mpa_markers_disagree,         // MF-13
  mpa_closed_inside_fpdu,       // MF-14
  mpa_marker_at_end,            // MF-15
  mpa_fpdu_not_aligned,         // MF-16
  mpa_fpdu_split,               // MF-17
  tcp_retransmission_differs,   // MF-18
  mpa_crc_mismatch_reaction,    // MF-19
  mpa_reported_error_not_seen,  // MF-20
  tcp_data_after_fin,           // MF-21
  mpa_fpdu_small,               // MF-22
  mpa_ip_fragmented,            // MF-23
  mpa_framing_lost,             // MF-24
  mpa_crc_not_computed,         // MF-25
  mpa_boundary_not_found,       // MF-26
  mpa_fpdu_ends_elsewhere,      // MF-27

  // DDP
  ddp_header_short,             // DD-01
  ddp_version_changed,          // DD-02
  ddp_version_wrong,            // DD-03
  ddp_reserved_bits,            // DD-04
  ddp_queue_unknown,            // DD-05
  ddp_first_msn_wrong,          // DD-06
  ddp_msn_out_of_sequence,      // DD-07
  ddp_message_changed,          // DD-08
  ddp_rsvdulp_changed,          // DD-09
  ddp_first_mo_not_zero,        // DD-10
  ddp_mo_wrong,                 // DD-11
  ddp_offset_decreases,         // DD-12
  ddp_last_misplaced,           // DD-13
  ddp_message_too_long,         // DD-14
  ddp_zero_length_not_alone,    // DD-15
  ddp_stag_changed,             // DD-16
  ddp_to_not_contiguous,        // DD-17
  ddp_to_wraps,                 // DD-18
  ddp_messages_interleaved,     // DD-19
  ddp_models_interleaved,       // DD-20
  ddp_message_unfinished,       // DD-21
  ddp_segment_after_terminate,  // DD-22
  ddp_answered_after_error,     // DD-23

  // RDMAP
  rdmap_version_wrong,                     // RM-01
  rdmap_reserved_bits,                     // RM-02
  rdmap_opcode_unassigned,                 // RM-03
  rdmap_opcode_experimental,               // RM-03F (opcode F only)
  rdmap_buffer_model_wrong,                // RM-04
  rdmap_queue_wrong,                       // RM-05
  rdmap_invalidate_stag_not_zero,          // RM-06
  rdmap_read_request_malformed,            // RM-07
  rdmap_read_request_to_wraps,             // RM-08
  rdmap_read_response_unrequested,         // RM-09
  rdmap_read_response_stag_wrong,          // RM-10
  rdmap_read_response_to_wrong,            // RM-11
  rdmap_read_response_length_wrong,        // RM-12
  rdmap_zero_length_read_response_wrong,   // RM-13
  rdmap_responses_out_of_order,            // RM-14
  rdmap_response_before_request,           // RM-15
  rdmap_read_request_unanswered,           // RM-16
  rdmap_too_many_reads,                    // RM-17
  rdmap_terminate_malformed,               // RM-18
  rdmap_message_after_terminate,           // RM-19
  rdmap_terminate_reserved_bits,           // RM-20
  rdmap_terminate_code_unregistered,       // RM-21
  rdmap_terminate_length_wrong,            // RM-22
  rdmap_terminate_trailing_zeros,          // RM-22Z (only zero octets too many)
  rdmap_terminate_flags_inconsistent,      // RM-23
  rdmap_terminate_rdma_header_unexpected,  // RM-24
  rdmap_terminate_ddp_header_unexpected,   // RM-25
  rdmap_terminate_ddp_header_missing,      // RM-26
  rdmap_terminate_names_unsent,            // RM-27
  rdmap_terminate_segment_length_wrong,    // RM-28
  rdmap_terminate_rdma_header_wrong,       // RM-29
  rdmap_terminate_not_first_error,         // RM-30
  rdmap_terminate_claim_false,             // RM-31
  rdmap_error_ignored,                     // RM-32
  rdmap_reset_after_terminate,             // RM-33
  rdmap_not_rdma,                          // RM-34
  rdmap_stag_used_after_invalidate,        // RM-35
  rdmap_stag_invalidated_twice,            // RM-36
  rdmap_response_to_invalidated_stag,      // RM-37
  rdmap_read_contradicts_write,            // RM-38
  rdmap_overlapping_placement,             // RM-39
  rdmap_invalidate_stag_zero,              // RM-40

  // RFC 7306: Atomic Operations and Immediate Data
  rdmap_atomic_request_size,          // AT-01
  rdmap_atomic_response_size,         // AT-02
  rdmap_immediate_size,               // AT-03
  rdmap_atomic_operation_unknown,     // AT-04
  rdmap_atomic_reserved_bits,         // AT-05
  rdmap_atomic_fetchadd_compare,      // AT-06
  rdmap_atomic_misaligned,            // AT-07
  rdmap_atomic_misaligned_answered,   // AT-08
  rdmap_atomic_identifier_wrong,      // AT-09
  rdmap_atomic_response_msn_wrong,    // AT-10
  rdmap_atomic_response_unrequested,  // AT-11
  rdmap_atomic_request_unanswered,    // AT-12
  rdmap_too_many_atomics,             // AT-13
  rdmap_atomic_results_inconsistent,  // AT-14
  rdmap_atomics_not_linearizable,     // AT-15
  rdmap_extension_version_wrong,      // AT-16
  rdmap_extension_draft_queue,        // AT-17
  rdmap_extension_refused,            // AT-18
  rdmap_atomic_word_mixed_use,        // AT-19
  rdmap_atomic_identifier_repeated,   // AT-20

  // DDP over SCTP
  sctp_adaptation_missing,             // SC-01
  sctp_other_payload,                  // SC-02
  sctp_ordered_chunk,                  // SC-03
  sctp_ddp_ssn_wrong,                  // SC-04
  sctp_function_code_unknown,          // SC-05
  sctp_private_data_too_long,          // SC-06
  sctp_terminate_private_data,         // SC-07
  sctp_session_sequence_wrong,         // SC-08
  sctp_segment_before_session,         // SC-09
  sctp_segment_before_acknowledgment,  // SC-10
  sctp_session_not_terminated,         // SC-11
  sctp_answer_kind_wrong,              // SC-12
  sctp_enhanced_data_missing,          // SC-13
  sctp_fragmented,                     // SC-14
  sctp_stream_counts_differ,           // SC-15
  sctp_stream_reused_early,            // SC-16
  sctp_too_many_outstanding,           // SC-17
  sctp_terminate_on_every_stream,      // SC-18
  sctp_both_sent_initiate,             // SC-19
  sctp_wrong_checksum,                 // SC-20
  sctp_retransmissions,                // SC-21
  sctp_out_of_order,                   // SC-22
  sctp_zero_window,                    // SC-23
  sctp_checksum_offload,               // SC-24
  sctp_association_aborted,            // SC-25
  sctp_forged_packets,                 // SC-26

  // What RFC 5042 warns of
  stag_other_stream,              // SX-01
  stag_guessing,                  // SX-02
  stag_bounds_probing,            // SX-03
  stag_written_after_completion,  // SX-04
  stag_read_after_completion,     // SX-05
  stag_read_of_written_buffer,    // SX-06
  rdmap_read_queue_flooded,       // SX-07
  rdmap_small_send_flood,         // SX-08
  stag_invalidated_while_in_use,  // SX-09
  mpa_many_startups,              // SX-10
  stag_predictable,               // SX-11
  mpa_clear_text,                 // SX-13

  // The capture itself
  capture_gap,                   // CA-01
  capture_truncated_frames,      // CA-02
  capture_mirror_duplicates,     // CA-03
  capture_one_sided,             // CA-04
  capture_joined_midstream,      // CA-05
  capture_inferred_settings,     // CA-06
  capture_interface_drops,       // CA-07
  capture_truncated_file,        // CA-08
  capture_clock_went_back,       // CA-09
  capture_buffer_limit,          // CA-10
  capture_table_limit,           // CA-11
  capture_framing_lost,          // CA-12
  capture_findings_limit,        // CA-13
  capture_fragments_incomplete,  // CA-14
  capture_fragments_limit,       // CA-15
  capture_undecodable_link,      // CA-16
  capture_malformed_frames,      // CA-17
  capture_iwarp_unconfirmed,     // CA-18
  capture_damaged_file,          // CA-19
  capture_cut_framing,           // CA-20
  capture_model_limit,           // CA-21
  capture_interleaved,           // CA-22
  capture_copies_differ,         // CA-23

  // TCP
  tcp_wrong_checksum,     // TC-01
  tcp_checksum_offload,   // TC-02
  tcp_retransmissions,    // TC-03
  tcp_out_of_order,       // TC-04
  tcp_zero_window,        // TC-05
  tcp_connection_reset,   // TC-06
  tcp_hole_never_filled,  // TC-07
  tcp_smb_without_rdma,   // TC-08
  tcp_ignored_control,    // TC-09
  tcp_forged_segments,    // TC-10

  // The port mapper
  port_mapper_unanswered,  // PM-01
  port_mapper_rejected,    // PM-02
  port_mapper_unused,      // PM-03

  // What ended or refused a connection
  mpa_rejected,                // QP-01
  rdmap_terminate_sent,        // QP-02
  rdmap_reset_inside_message,  // QP-03
  rdmap_failed_otherwise,      // QP-04

  // A site: then against now, and several taps of one connection
  site_failures_rose,        // SI-01
  site_latency_rose,         // SI-02
  site_rate_changed,         // SI-03
  site_loss_between_taps,    // SI-10
  site_damage_between_taps,  // SI-11
};

/// error: a peer violated the protocol, or data is wrong. warning: harmful or suspicious. note: information.
enum class Severity : std::uint8_t { note, warning, error };

/// What a rule is about. If a loss of the capture could explain a finding, it is about the capture.
enum class About : std::uint8_t { peer, path, capture };

/// How often one queue pair reports a rule: each time it is broken, once in each direction, or once. The rule's
/// occurrences are always counted. A rule about no queue pair counts the capture as one.
enum class Repeat : std::uint8_t { each, per_direction, per_qp };

/// What a violation of the rule can explain about a connection.
enum class Explains : std::uint8_t {
  ending,   ///< why an end closed, reset or terminated it
  startup,  ///< the same, and why it was refused or ended before the first FPDU
  nothing,  ///< nothing: it only reports what was outstanding, or how the connection ended
};

/// One row of the catalogue. Every text is non-empty, static and ASCII but for the section sign in `reference`.
struct Rule {
  FindingId id;
  std::string_view name;  ///< "mpa.crc-mismatch": layer, then what is wrong
  std::string_view code;  ///< "MF-04": family, then number
  Severity severity;
  About about;
  Repeat repeat;
  std::string_view reference;  ///< "RFC 5044 §4.4", or "no RFC"
  std::string_view what;       ///< what is wrong, in one or two sentences
  std::string_view why;        ///< what usually causes it, or why it matters
  std::string_view next;       ///< what to check next
  RefusedWith refused_with{};  ///< the Terminate with which a receiver refuses a violation; empty: none
  Explains explains = Explains::ending;
};

/// Rules whose codes begin alike, and what they are about.
struct Family {
  std::string_view prefix;  ///< "MF"
  std::string_view title;   ///< "MPA FPDU"
};

/// Every rule, in the order of FindingId. Lives as long as the program.
[[nodiscard]] std::span<const Rule> rules() noexcept;

/// The row of `id`. Precondition: `id` is one of the enumerators.
[[nodiscard]] const Rule& rule(FindingId id) noexcept;

/// The row whose name or code is `name_or_code`, in upper or lower case. Fails with nullptr.
[[nodiscard]] const Rule* find_rule(std::string_view name_or_code) noexcept;

/// Every family, in the order of its first rule.
[[nodiscard]] std::span<const Family> families() noexcept;

/// The family of a row of this catalogue.
[[nodiscard]] const Family& family(const Rule& row) noexcept;

/// The rule is about what Full Operation carries: FPDUs, DDP segments and RDMA messages (families MF, DD, RM, AT).
[[nodiscard]] bool is_about_full_operation(const Rule& row) noexcept;

/// A receiver may refuse a message or startup frame that violates it. Notes are not refused.
[[nodiscard]] bool is_refused(const Rule& row) noexcept;

/// The words reports use: "note", "warning", "error".
[[nodiscard]] std::string_view name(Severity severity) noexcept;
/// "peer", "path", "capture".
[[nodiscard]] std::string_view name(About about) noexcept;
/// "each", "per direction", "per queue pair".
[[nodiscard]] std::string_view name(Repeat repeat) noexcept;
/// "ending", "startup", "nothing".
[[nodiscard]] std::string_view name(Explains explains) noexcept;

}  // namespace iwarpscope::findings
