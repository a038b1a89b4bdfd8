// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The first Terminate of a queue pair, for the steps that judge it. Private to terminate*.cpp.
#pragma once

#include <optional>
#include <vector>

#include "verdict/diagnose.h"
#include "verdict/terminate_evidence.h"

namespace iwarpscope::verdict {

/// Errors of MPA startup: 2/0/4 to 2/0/7. Source: RFC 5044 §8, RFC 6581 §8.
[[nodiscard]] bool is_startup_error(findings::TerminateCode code) noexcept;

/// Its sender reports a failure of its own, which the other end cannot have caused.
[[nodiscard]] bool is_own_failure(const Claim& claim) noexcept;

/// The Terminate that was sent first, if one could be read. Borrows from the record.
[[nodiscard]] std::optional<Claim> first_claim(const Facts& facts);

/// A verdict on it: fills in `who` (its sender), `frame` and `what`, and adds the message that it names.
[[nodiscard]] Diagnosis terminated(const Facts& facts, const Claim& claim, VerdictId id,
                                   std::vector<Argument> more = {});

/// The verdict that the accused end broke a rule which explains it.
[[nodiscard]] Diagnosis over_breach(const Facts& facts, const Claim& claim, const Breach& breach);

/// This rule was broken by the Terminate itself.
[[nodiscard]] bool is_noted_of_it(const Facts& facts, const Claim& claim, findings::FindingId id) noexcept;

/// The Terminate is about FPDUs and came soon after the capture began, and the startup frame is missing that shows
/// whether its sender wants markers. Later it cannot be about markers: both ends have worked with them. Source: RFC
/// 5044 §7.1.1.
[[nodiscard]] bool may_markers_differ(const Facts& facts, const Claim& claim) noexcept;

/// What the Terminate is about may be in what the capture lacks: the message that it names, or octets before it.
[[nodiscard]] bool is_cause_unseen(const Facts& facts, const Claim& claim) noexcept;

// Steps, in files of their own.
[[nodiscard]] std::optional<Diagnosis> for_rule_before_bad_crc(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_crc_seen_wrong(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_crc_not_in_use(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_crc_unseen(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_crc_of_unfinished_fpdu(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_crc_right_at_tap(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_rtr_kinds(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_refused_rtr(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_unsaid_rtr_mismatch(const Facts& facts);
[[nodiscard]] std::optional<Diagnosis> for_usual_cause(const Facts& facts);

}  // namespace iwarpscope::verdict
