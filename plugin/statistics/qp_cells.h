// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The cells of one queue pair in a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "findings/catalogue.h"
#include "session/session.h"
#include "statistics/text_table.h"

namespace iwarpscope::plugin {

/// The columns, in the order of qp_cells().
[[nodiscard]] std::span<const Column> qp_columns() noexcept;
[[nodiscard]] std::vector<std::string> qp_cells(const qp::QpRecord& record, std::optional<findings::FindingId> worst);
/// For a queue pair of which only the ends are known so far.
[[nodiscard]] std::vector<std::string> qp_cells(const Connection& connection);

/// " stream 3" for a session over SCTP, as in reports; else empty.
[[nodiscard]] std::string stream_mark(const Connection& connection);

/// By queue pair number: the first one of its most severe findings.
[[nodiscard]] std::vector<std::optional<findings::FindingId>> worst_findings(const Session& session);

}  // namespace iwarpscope::plugin
