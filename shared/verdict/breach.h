// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Broken rules that explain how a connection ended.
#pragma once

#include <optional>

#include "verdict/diagnosis.h"
#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// The rule only repeats that something was outstanding, or how the connection ended.
[[nodiscard]] bool is_consequence(findings::FindingId id) noexcept;

/// MS-40 of an end of which not one FPDU was read, although the capture lacks nothing; null: none.
[[nodiscard]] const qp::NotedFinding* sent_no_fpdus(const Facts& facts) noexcept;

/// The first error of `breaker` up to a frame, without consequences; null: none.
[[nodiscard]] const qp::NotedFinding* first_error(const Facts& facts, Direction breaker, FrameNumber until) noexcept;

/// The broken rule that explains the reset `end`: an error of the other end. An error after which the resetting end
/// sent more messages does not explain it. Null: none.
[[nodiscard]] const qp::NotedFinding* explains_reset(const Facts& facts, const End& end) noexcept;

/// `f` is about which end may send first, and `end` follows it at once: then it is the reaction to it, whatever else
/// was in transit.
[[nodiscard]] bool is_at_once_after_startup(const Facts& facts, const qp::NotedFinding& f, const End& end) noexcept;

/// Adds a remark on the first error, or else on the first suspicious finding about an end.
void mention_findings(const Facts& facts, Diagnosis& diagnosis);

/// The same, but the blame stays as it is.
void mention_without_blame(const Facts& facts, Diagnosis& diagnosis);

/// The same, where the other end of `by` seems to be the cause. No end is blamed if the error is one of `by`, if the
/// capture may lack the real cause, or if `by` did something suspicious and the other end sent nothing after it.
void mention_either_end(const Facts& facts, Direction by, Diagnosis& diagnosis);

/// The other end sent a message after this error, in the order of the capture: it may have ignored the error.
[[nodiscard]] bool carried_on_after(const Facts& facts, const qp::NotedFinding& error) noexcept;

}  // namespace iwarpscope::verdict
