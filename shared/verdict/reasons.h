// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Why a connection was refused or ended early, as far as its startup shows.
#pragma once

#include <optional>

#include "verdict/diagnosis.h"
#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// The remark on what Request and Reply disagree about.
[[nodiscard]] std::optional<Remark> disagreement(const mpa::StartupFrame& request, const mpa::StartupFrame& reply,
                                                 bool over_sctp);

/// The end whose startup frame asks for more than the other end's allows, or does not match it. `remark`: of
/// disagreement().
[[nodiscard]] Direction asking_end(const Remark& remark) noexcept;

/// The rule of startup that was broken first (by `breaker`), if one was; null: none.
[[nodiscard]] const qp::NotedFinding* broken_startup_rule(const Facts& facts,
                                                          std::optional<Direction> breaker = std::nullopt) noexcept;

/// A Request with an undefined revision: a receiver may refuse it. Null: none.
[[nodiscard]] const qp::NotedFinding* unknown_revision(const Facts& facts) noexcept;

/// A verdict that names the broken rule and the end that broke it, and so blames that end. `arguments`: the other ones
/// of the row.
[[nodiscard]] Diagnosis over_rule(const Facts& facts, VerdictId id, std::vector<Argument> arguments,
                                  const qp::NotedFinding& broken);

/// "An SSH server": spoke before the MPA Request. Empty: nothing did, or nothing known.
[[nodiscard]] std::string_view program_of_banner(const Facts& facts) noexcept;
/// Names the program that spoke before the MPA Request, if it is a known one (else false).
bool name_program(const Facts& facts, Diagnosis& diagnosis);

}  // namespace iwarpscope::verdict
