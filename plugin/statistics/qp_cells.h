// What a table of queue pairs says of one of them.
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
/// Of a queue pair of which no more than its ends is known yet.
[[nodiscard]] std::vector<std::string> qp_cells(const Connection& connection);

/// " stream 3" of a session over SCTP, as in reports; else nothing.
[[nodiscard]] std::string stream_mark(const Connection& connection);

/// By queue pair number: the first of its most severe findings.
[[nodiscard]] std::vector<std::optional<findings::FindingId>> worst_findings(const Session& session);

}  // namespace iwarpscope::plugin
