// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every verdict on a queue pair, and every remark that may follow one: declared once, shown everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "qp/verdict_record.h"

namespace iwarpscope::verdict {

/// Names and codes are lasting: a new row goes to the end of its group and takes the group's next number.
enum class VerdictId : std::uint8_t {
  // Startup
  startup_rejected,                // V-01
  startup_rejected_over_rule,      // V-02
  startup_one_sided,               // V-03
  startup_answer_not_captured,     // V-04
  startup_both_initiated,          // V-05
  startup_ended_over_rule,         // V-06
  startup_reset_instead,           // V-07
  startup_closed_instead,          // V-08
  startup_session_turned_away,     // V-09
  startup_shut_down_instead,       // V-10
  startup_gave_up,                 // V-11
  startup_gave_up_lost,            // V-12
  startup_gave_up_unacknowledged,  // V-13
  startup_left_early,              // V-14
  startup_waiting,                 // V-15
  startup_no_answer,               // V-16
  startup_request_lost,            // V-17
  startup_request_unacknowledged,  // V-18
  startup_rtr_missing,             // V-19
  startup_ready,                   // V-20
  startup_left_over_rule,          // V-21
  startup_left,                    // V-22
  startup_dropped_over_rule,       // V-23
  startup_dropped,                 // V-24
  startup_reset_after_reply,       // V-25
  startup_closed_unused,           // V-26
  startup_fpdus_not_captured,      // V-27
  startup_gave_up_over_rule,       // V-28
  startup_dropped_without_rtr,     // V-29
  startup_left_own_rule,           // V-127
  startup_left_inside_answer,      // V-128
  // How it ended
  end_closed,                  // V-30
  end_closed_as_captured,      // V-31
  end_closed_end_unknown,      // V-32
  end_closed_over_rule,        // V-33
  end_closed_open_for_hole,    // V-34
  end_closed_after_waiting,    // V-35
  end_closed_open,             // V-36
  end_reset_over_rule,         // V-37
  end_reset_unacknowledged,    // V-38
  end_reset,                   // V-39
  end_reset_as_captured,       // V-40
  end_reset_end_unknown,       // V-41
  end_reset_open_for_hole,     // V-42
  end_reset_after_waiting,     // V-43
  end_reset_open_lost,         // V-44
  end_reset_open,              // V-45
  end_half_one_sided,          // V-46
  end_half_closing,            // V-47
  end_half_closed,             // V-48
  end_half_silent,             // V-49
  end_replaced,                // V-120
  end_replaced_end_unknown,    // V-121
  end_replaced_open_for_hole,  // V-122
  end_replaced_open,           // V-123
  end_half_acknowledged,       // V-124
  end_reset_stopped,           // V-125
  end_reset_inside_fpdu,       // V-126
  // Open
  open_window_closed,    // V-110
  open_lost,             // V-111
  open_unacknowledged,   // V-112
  open_no_answer,        // V-113
  open_inside_message,   // V-114
  open_inside_fpdu,      // V-115
  open_unused,           // V-116
  open_in_use,           // V-117
  open_idle,             // V-118
  open_idle_after_send,  // V-119
  // Terminate
  terminate_over_rule,                // V-50
  terminate_over_named_rule,          // V-51
  terminate_before_rule,              // V-52
  terminate_over_other_rule,          // V-53
  terminate_rtr_kinds_differ,         // V-54
  terminate_crc_never_right,          // V-55
  terminate_crc_wrong_at_tap,         // V-56
  terminate_crc_not_in_use,           // V-57
  terminate_crc_unchecked,            // V-58
  terminate_crc_not_captured,         // V-59
  terminate_crc_unfinished,           // V-60
  terminate_crc_wrong_after_tap,      // V-61
  terminate_markers_wrong_after_tap,  // V-62
  terminate_claim_false,              // V-63
  terminate_names_unsent,             // V-64
  terminate_rtr_refused,              // V-65
  terminate_extension_refused,        // V-66
  terminate_rtr_mismatch_unsaid,      // V-67
  terminate_no_receive,               // V-68
  terminate_receive_smaller,          // V-69
  terminate_read_sink,                // V-70
  terminate_unreadable,               // V-71
  terminate_crc_by_sender,            // V-72
  terminate_crc_and_framing,          // V-73
  terminate_over_last_rule,           // V-74
  terminate_usual_stag,               // V-75
  terminate_usual_bounds,             // V-76
  terminate_usual_rights,             // V-77
  terminate_usual_protection_domain,  // V-78
  terminate_usual_offset,             // V-79
  terminate_usual_invalidate,         // V-80
  terminate_usual_protection,         // V-81
  terminate_usual_rdmap_version,      // V-82
  terminate_usual_opcode,             // V-83
  terminate_usual_stream,             // V-84
  terminate_usual_rnic,               // V-85
  terminate_usual_operation,          // V-86
  terminate_usual_stag_or_rights,     // V-87
  terminate_usual_ddp_version,        // V-88
  terminate_usual_queue,              // V-89
  terminate_usual_no_receive,         // V-90
  terminate_usual_msn,                // V-91
  terminate_usual_mo,                 // V-92
  terminate_usual_too_long,           // V-93
  terminate_usual_ddp,                // V-94
  terminate_usual_llp,                // V-95
  terminate_usual_markers,            // V-96
  terminate_usual_startup_frame,      // V-97
  terminate_usual_startup_local,      // V-98
  terminate_usual_ird,                // V-99
  terminate_usual_rtr,                // V-100
  terminate_usual_siw_receive,        // V-101
  terminate_usual_siw_stag,           // V-102
  terminate_usual_siw_stream,         // V-103
  terminate_usual_cxgb4_msn,          // V-104
  terminate_usual_local,              // V-105
  terminate_usual_unregistered,       // V-106
  terminate_usual_request_queue,      // V-107
  terminate_usual_takes_none,         // V-108
  terminate_usual_cannot_occur,       // V-109
};

inline constexpr VerdictId kLastVerdict = VerdictId::terminate_usual_cannot_occur;

/// A sentence that may follow any verdict: why, what was wrong on the way, what limits it.
enum class RemarkId : std::uint8_t {
  reason_markers_asked,       // VR-01
  reason_crc_not_granted,     // VR-02
  reason_crc_not_asked,       // VR-03
  reason_reply_asks_markers,  // VR-04
  reason_revision,            // VR-05
  reason_answer_plain,        // VR-06
  reason_answer_enhanced,     // VR-07
  reason_enhanced_bit,        // VR-08
  reason_peer_to_peer,        // VR-09
  reason_ord,                 // VR-10
  reason_reply_ord,           // VR-11
  reason_private_data,        // VR-12
  reason_not_on_wire,         // VR-13
  reason_rule,                // VR-14
  reason_other_program,       // VR-15
  reason_ulp_limits,          // VR-16
  reason_not_mpa,             // VR-17
  reason_too_many_wait,       // VR-18
  reason_spoke_first,         // VR-19
  open_request,               // VR-20
  open_message,               // VR-21
  open_fpdu,                  // VR-22
  open_all_requests,          // VR-23
  open_only_request,          // VR-24
  open_requests,              // VR-25
  may_be_artefact,            // VR-26
  reset_is_usual,             // VR-27
  not_sent_again,             // VR-28
  whose_turn,                 // VR-29
  rule_broken,                // VR-30
  rule_broken_by,             // VR-31
  damaged,                    // VR-32
  suspicious,                 // VR-33
  siw_gso,                    // VR-34
  open_still_waiting,         // VR-35
  either_end,                 // VR-36
  unfit_answer,               // VR-37
  repaired,                   // VR-38
  sent_again,                 // VR-39
  limit_frames_lost,          // VR-40
  limit_interface_down,       // VR-41
  limit_other_path,           // VR-42
  limit_one_sided,            // VR-43
  limit_gap,                  // VR-44
  limit_reset_shows_more,     // VR-45
  limit_end_missing,          // VR-46
  limit_framing_lost,         // VR-47
  limit_frames_cut,           // VR-48
  limit_closed_so_soon,       // VR-49
  limit_abort,                // VR-50
  limit_no_answer,            // VR-51
  limit_joined_late,          // VR-52
  limit_skipped,              // VR-53
  limit_reaction,             // VR-54
  limit_request_unfinished,   // VR-55
  limit_crc_inferred,         // VR-56
  slow_request,               // VR-60
  slow_reply,                 // VR-61
  slow_path,                  // VR-62
  earlier_plain,              // VR-63
  earlier_revision,           // VR-64
  earlier_attempt,            // VR-65
  fpdu_length,                // VR-66
  named_program,              // VR-67
  named_message,              // VR-80
  named_untagged,             // VR-81
  named_untagged_so_far,      // VR-82
  named_tagged,               // VR-83
  named_tagged_so_far,        // VR-84
  named_read,                 // VR-85
  named_atomic,               // VR-86
  usually_other_error,        // VR-87
  broken_before,              // VR-88
  lacks_extension,            // VR-89
  cause_unseen,               // VR-90
  crc_by_sender,              // VR-91
  markers_not_known,          // VR-92
  rule_means,                 // VR-93
};

inline constexpr RemarkId kLastRemark = RemarkId::rule_means;

/// Which end or part is blamed, where nothing limits the verdict.
enum class BlameRule : std::uint8_t {
  initiator,  ///< A, where startup was seen
  responder,  ///< B, where startup was seen
  who,        ///< the end that the argument `who` names
  peer,       ///< the other end
  breaker,    ///< the end that broke the rule which the sentence names
  asker,      ///< the end whose startup frame asks for what the other end's does not allow
  path,
  capture,
  none,
  unknown,
};

/// Shape: `sentence` and `next` are templates with named values ("{who}", argument.h), one or two sentences of at most
/// 25 words each; ASCII. `next` may be empty where nothing went wrong.
struct VerdictRow {
  VerdictId id;
  std::string_view name;  ///< "startup.rejected": group, then what happened
  std::string_view code;  ///< "V-01"
  qp::Outcome outcome;
  BlameRule blame;
  qp::Confidence confidence;  ///< at most
  std::string_view sentence;
  std::string_view next;
  bool says_how_to_capture = false;  ///< `next` does: of the remarks with it, those that say so too need not
};

/// What a remark does to the verdict before it.
enum class Effect : std::uint8_t {
  adds,      ///< its `next` follows the verdict's
  explains,  ///< its `next` replaces the verdict's
  limits,    ///< its `next` follows the verdict's, if that is of something that went wrong
};

struct RemarkRow {
  RemarkId id;
  std::string_view name;  ///< "likely-reason"
  std::string_view code;  ///< "VR-01"
  Effect effect;
  qp::Confidence confidence;  ///< of a verdict with it, at most
  std::string_view sentence;
  std::string_view next;
  BlameRule blame = BlameRule::none;  ///< the verdict's with it; none: as it was
  bool says_how_to_capture = false;   ///< as in VerdictRow
};

/// Every row, in the order of its enumeration. Live as long as the program.
[[nodiscard]] std::span<const VerdictRow> verdicts() noexcept;
[[nodiscard]] std::span<const RemarkRow> remarks() noexcept;

/// Precondition: `id` is one of the enumerators.
[[nodiscard]] const VerdictRow& row(VerdictId id) noexcept;
[[nodiscard]] const RemarkRow& row(RemarkId id) noexcept;

/// The row whose name or code is `name_or_code`, in upper or lower case. Fails with nullptr. A verdict and a remark may
/// have the same name.
[[nodiscard]] const VerdictRow* find_verdict(std::string_view name_or_code) noexcept;
[[nodiscard]] const RemarkRow* find_remark(std::string_view name_or_code) noexcept;

/// "the Initiator", "{who}", "the path"...: names in braces are those of the sentence.
[[nodiscard]] std::string_view name(BlameRule rule) noexcept;

}  // namespace iwarpscope::verdict
