// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_row.h"

#include "findings/catalogue.h"
#include "models/queue_pairs/qp_columns.h"

namespace iwarpscope::gui {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

std::optional<findings::Severity> QpRow::severity() const noexcept {
  if (!worst) return std::nullopt;
  return findings::rule(*worst).severity;
}

std::tuple<int, int, std::uint64_t> badness(const live::QpView& view) {
  const auto& verdict = view.record.verdict;
  const bool is_bad = verdict && qp::ended_badly(verdict->outcome);
  const auto& worst = view.findings.worst;
  const int severity = worst ? static_cast<int>(findings::rule(*worst).severity) + 1 : 0;
  return {is_bad ? 0 : 1, -severity, view.record.qp};
}

QpRow row_of(const live::QpView& view) {
  QpRow row;
  for (const QpColumnTraits& column : qp_columns()) column.take(view, row);
  return row;
}

double rate_at(const QpRow& row, std::int64_t capture_time_ns) noexcept {
  const bool is_old = row.ended || (capture_time_ns != 0 && row.last_second + 2 < capture_time_ns / kSecond);
  return is_old ? 0 : row.rate_then;
}

}  // namespace iwarpscope::gui
