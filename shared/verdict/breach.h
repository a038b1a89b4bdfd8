// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Broken rules that explain how a connection ended.
#pragma once

#include <optional>

#include "verdict/diagnosis.h"
#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// Only says once more that something was outstanding, or how it ended.
[[nodiscard]] bool is_consequence(findings::FindingId id) noexcept;

/// The first error of `breaker` up to a frame; null: none. A consequence is none.
[[nodiscard]] const qp::NotedFinding* first_error(const Facts& facts, Direction breaker, FrameNumber until) noexcept;

/// The broken rule that explains the reset `end`: an error of the other end that the resetting end reacted to. It has
/// carried on with messages of its own after an error that it did not mind. Null: none explains it.
[[nodiscard]] const qp::NotedFinding* explains_reset(const Facts& facts, const End& end) noexcept;

/// Startup was decided by who sends first: an end that follows at once is the answer to it, whatever else was on its
/// way then.
[[nodiscard]] bool is_at_once_after_startup(const Facts& facts, const qp::NotedFinding& f, const End& end) noexcept;

/// Adds what was wrong on the way: the first error, else the first thing suspicious about an end.
void mention_findings(const Facts& facts, Diagnosis& diagnosis);

/// The same where something else decided who is blamed.
void mention_without_blame(const Facts& facts, Diagnosis& diagnosis);

/// The same where the other end of `by` seems to be the cause. If the error is one of `by`, no end is blamed; nor where
/// the capture may lack the real cause, or where `by` did something suspicious and the other end sent nothing after it.
void mention_either_end(const Facts& facts, Direction by, Diagnosis& diagnosis);

/// The other end sent a message after this error, in the order of the capture: it may not have minded.
[[nodiscard]] bool carried_on_after(const Facts& facts, const qp::NotedFinding& error) noexcept;

}  // namespace iwarpscope::verdict
