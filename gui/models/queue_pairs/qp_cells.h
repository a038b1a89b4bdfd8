// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the columns of the table of queue pairs take from a queue pair, add up, show and sort by.
#pragma once

#include <QString>
#include <QVariant>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/queue_pairs/qp_columns.h"

namespace iwarpscope::gui::qp_cells {

// Words.

[[nodiscard]] QString unknown();
[[nodiscard]] QString no_value();
[[nodiscard]] QVariant known_text(const QString& text);
[[nodiscard]] QVariant big(std::uint64_t value);
[[nodiscard]] QString two_lines(const QString& first, const QString& second);
[[nodiscard]] QString flag_value(std::optional<bool> flag);
[[nodiscard]] QString flag_word(const QpRow& row, std::optional<bool> flag);
[[nodiscard]] QString inferred(const QString& text, bool is);
[[nodiscard]] QString more(const QpRow& row, const QString& text);

// Order.

/// The first sixteen characters: enough to sort names.
[[nodiscard]] QpSortKey text_key(std::string_view text) noexcept;
[[nodiscard]] QpSortKey address_key(const net::IpAddress& address) noexcept;
/// Maps signed numbers to unsigned ones in the same order.
[[nodiscard]] std::uint64_t from_signed(std::int64_t value) noexcept;
[[nodiscard]] std::uint64_t flag_rank(std::optional<bool> flag) noexcept;

// Sums.

[[nodiscard]] bool is_first(const QpRow& sum) noexcept;
/// Its A is the B of the sum.
[[nodiscard]] bool is_turned(const QpRow& row, const QpRow& sum) noexcept;
template <class T>
void keep_if_same(const T& value, T& sum, bool is_first) {
  if (is_first) sum = value;
  if (sum != value) sum = T{};
}

// Values of each direction: from A to B, from B to A.

using EachWay = std::array<std::uint64_t, 2>;
[[nodiscard]] EachWay each(const live::QpView& view, std::uint64_t (*of)(const qp::DirectionRecord&) noexcept);
[[nodiscard]] std::uint64_t total(const live::QpView& view, std::uint64_t qp::DirectionRecord::*of) noexcept;
[[nodiscard]] std::uint64_t both_ways(const EachWay& values) noexcept;
void add_each_way(const QpRow& row, QpRow& sum, EachWay QpRow::*values) noexcept;
template <EachWay QpRow::*values>
QVariant both_ways_value(const QpRow& row) {
  return big(both_ways(row.*values));
}
template <EachWay QpRow::*values>
QpSortKey both_ways_key(const QpRow& row) {
  return {both_ways(row.*values), 0};
}
template <EachWay QpRow::*values, QString (*words)(std::uint64_t)>
QString each_way_tip(const QpRow& row, const QString& meaning) {
  const auto& [a, b] = row.*values;
  return two_lines(meaning, QpWords::tr("A \u2192 B: %1; B \u2192 A: %2").arg(words(a), words(b)));
}

// Columns that need more than a line.

[[nodiscard]] QString number_cell(const QpRow& row);
void take_ends(const live::QpView& view, QpRow& row);
[[nodiscard]] QString ends_cell(const QpRow& row);
[[nodiscard]] QVariant ends_value(const QpRow& row);
void take_state(const live::QpView& view, QpRow& row);
[[nodiscard]] QString state_cell(const QpRow& row);
void take_verdict(const live::QpView& view, QpRow& row);
[[nodiscard]] QString verdict_tip(const QpRow& row, const QString& meaning);
void take_findings(const live::QpView& view, QpRow& row);
void add_findings(const QpRow& row, QpRow& sum);
[[nodiscard]] QString worst_cell(const QpRow& row);
/// By severity, then by number of findings.
[[nodiscard]] QpSortKey worst_key(const QpRow& row);
[[nodiscard]] QString worst_tip(const QpRow& row, const QString& meaning);
void take_rate(const live::QpView& view, QpRow& row);
[[nodiscard]] std::uint64_t whole_rate(const QpRow& row);
[[nodiscard]] QString rate_cell(const QpRow& row);
[[nodiscard]] QpSortKey rate_key(const QpRow& row);
void take_activity(const live::QpView& view, QpRow& row);
/// Adds counts of the same seconds; those older than the newest minute are left out.
void add_activity(const QpRow& row, QpRow& sum);
[[nodiscard]] QVariant activity_value(const QpRow& row);
[[nodiscard]] QString depth_word(std::optional<std::uint16_t> depth);
void take_waiting(const live::QpView& view, QpRow& row);
[[nodiscard]] QString outstanding_cell(const QpRow& row);
void take_depth(const live::QpView& view, QpRow& row);
[[nodiscard]] QString depth_cell(const QpRow& row);
[[nodiscard]] QVariant depth_value(const QpRow& row);
[[nodiscard]] QString crc_cell(const QpRow& row);
void add_markers(const QpRow& row, QpRow& sum);
[[nodiscard]] QString markers_cell(const QpRow& row);
[[nodiscard]] QVariant markers_value(const QpRow& row);
void take_messages(const live::QpView& view, QpRow& row);
void take_gaps(const live::QpView& view, QpRow& row);

}  // namespace iwarpscope::gui::qp_cells
