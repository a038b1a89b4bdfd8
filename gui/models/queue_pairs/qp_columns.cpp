// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_columns.h"

#include <algorithm>
#include <array>

#include "findings/catalogue.h"
#include "models/queue_pairs/qp_cells.h"
#include "models/words.h"
#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::gui {
namespace qp_cells {
namespace {

constexpr auto kColumns = std::to_array<QpColumnTraits>({
    {.column = QpColumn::number,
     .key = "qp",
     .title = QT_TRANSLATE_NOOP("QpWords", "QP"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "Number of the queue pair"),
     .is_number = true,
     .take = [](const live::QpView& view, QpRow& row) { row.number = view.record.qp; },
     .add = [](const QpRow& row,
               QpRow& sum) { sum.number = is_first(sum) ? row.number : std::min(sum.number, row.number); },
     .cell = number_cell,
     .value = [](const QpRow& row) { return big(row.is_sum() ? row.queue_pairs : row.number); },
     .sort = [](const QpRow& row) { return QpSortKey{row.is_sum() ? row.queue_pairs : row.number}; }},
    {.column = QpColumn::ends,
     .key = "ends",
     .title = QT_TRANSLATE_NOOP("QpWords", "A \342\206\222 B"),
     .meaning =
         QT_TRANSLATE_NOOP("QpWords",
                           "The two ends. A is the Initiator (over SCTP the active side) where the startup was seen "
                           "(RFC 5044 \302\2477.1, RFC 5043 \302\2475)"),
     .take = take_ends,
     .cell = ends_cell,
     .value = ends_value,
     .sort = [](const QpRow& row) { return address_key(row.a.address); }},
    {.column = QpColumn::state,
     .key = "state",
     .title = QT_TRANSLATE_NOOP("QpWords", "State"),
     .meaning = QT_TRANSLATE_NOOP(
         "QpWords",
         "State of the queue pair, from startup to close (RFC 5044 \302\2477, RFC 5043 \302\2475, RFC "
         "5040 \302\2476.2)"),
     .take = take_state,
     .add = [](const QpRow& row, QpRow& sum) { sum.ended &= row.ended; },
     .cell = state_cell,
     .value = [](const QpRow& row) -> QVariant { return QString::fromUtf8(qp::name(row.state)); },
     .sort =
         [](const QpRow& row) {
           return QpSortKey{static_cast<std::uint64_t>(row.state), row.ended};
         }},
    {.column = QpColumn::verdict,
     .key = "outcome",
     .title = QT_TRANSLATE_NOOP("QpWords", "Verdict"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "Outcome of the queue pair and its cause"),
     .most_first = true,
     .take = take_verdict,
     .add =
         [](const QpRow& row, QpRow& sum) {
           if (severity_order(row.outcome) > severity_order(sum.outcome)) sum.outcome = row.outcome;
           sum.repaired |= row.repaired;
         },
     .cell = [](const QpRow& row) { return row.outcome ? outcome_word(*row.outcome) : no_value(); },
     .value = [](const QpRow& row) -> QVariant {
       return row.outcome ? QVariant(QString::fromUtf8(qp::name(*row.outcome))) : QVariant();
     },
     .sort =
         [](const QpRow& row) {
           // Within one outcome, those with the worst findings are the worst; of those, what was repaired.
           const std::uint64_t worst = row.severity() ? 1 + static_cast<std::uint64_t>(*row.severity()) : 0;
           const std::uint64_t within = row.repaired ? 2 * std::max<std::uint64_t>(worst, 1) + 1 : 2 * worst;
           return QpSortKey{8 * static_cast<std::uint64_t>(severity_order(row.outcome)) + within, row.errors};
         },
     .tip = verdict_tip},
    {.column = QpColumn::worst,
     .key = "worst_rule",
     .title = QT_TRANSLATE_NOOP("QpWords", "Worst finding"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "The first finding of the highest severity: E error, W warning, N note"),
     .most_first = true,
     .take = take_findings,
     .add = add_findings,
     .cell = worst_cell,
     .value = [](const QpRow& row) -> QVariant {
       return row.worst ? QVariant(QString::fromUtf8(findings::rule(*row.worst).code)) : QVariant();
     },
     .sort = worst_key,
     .tip = worst_tip},
    {.column = QpColumn::ulp,
     .key = "ulp",
     .title = QT_TRANSLATE_NOOP("QpWords", "ULP"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "Upper Layer Protocol, if it was recognised"),
     .take = [](const live::QpView& view, QpRow& row) { row.ulp = view.record.ulp.value_or(""); },
     .add = [](const QpRow& row, QpRow& sum) { keep_if_same(row.ulp, sum.ulp, is_first(sum)); },
     .cell = [](const QpRow& row) { return row.ulp.empty() ? no_value() : QString::fromUtf8(row.ulp); },
     .value = [](const QpRow& row) -> QVariant { return known_text(QString::fromUtf8(row.ulp)); },
     .sort = [](const QpRow& row) { return text_key(row.ulp); }},
    {.column = QpColumn::rate,
     .key = "octets_per_second",
     .title = QT_TRANSLATE_NOOP("QpWords", "Rate"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "ULP payload of both directions, octets per second, now"),
     .is_number = true,
     .most_first = true,
     .take = take_rate,
     .add = [](const QpRow& row, QpRow& sum) { sum.rate += row.rate; },
     .cell = rate_cell,
     .value = [](const QpRow& row) -> QVariant { return row.rate; },
     .sort = rate_key},
    {.column = QpColumn::activity,
     .key = "activity",
     .title = QT_TRANSLATE_NOOP("QpWords", "Activity"),
     .meaning = QT_TRANSLATE_NOOP(
         "QpWords", "ULP payload per second: the last 60 s, or the last 60 s before the queue pair ended"),
     .most_first = true,
     .take = take_activity,
     .add = add_activity,
     .cell = [](const QpRow& /*row*/) { return QString(); },
     .value = activity_value,
     .sort = rate_key},
    {.column = QpColumn::outstanding,
     .key = "outstanding",
     .title = QT_TRANSLATE_NOOP("QpWords", "Outstanding"),
     .meaning = QT_TRANSLATE_NOOP(
         "QpWords",
         "RDMA Read and Atomic Requests without a response so far, and the limit of each end (RFC 6581 \302\2479.1)"),
     .most_first = true,
     .take = take_waiting,
     .add = [](const QpRow& row, QpRow& sum) { add_each_way(row, sum, &QpRow::waiting); },
     .cell = outstanding_cell,
     .value = both_ways_value<&QpRow::waiting>,
     .sort = both_ways_key<&QpRow::waiting>,
     .tip = each_way_tip<&QpRow::waiting, number_text>},
    {.column = QpColumn::depth,
     .key = "read_depth",
     .title = QT_TRANSLATE_NOOP("QpWords", "IRD/ORD"),
     .meaning = QT_TRANSLATE_NOOP(
         "QpWords",
         "Limit of outstanding RDMA Reads of A / of B: the sender's ORD, the receiver's IRD (RFC 6581 \302\2479.1)"),
     .most_first = true,
     .take = take_depth,
     .cell = depth_cell,
     .value = depth_value,
     .sort =
         [](const QpRow& row) {
           return QpSortKey{row.depth[0].value_or(0), row.depth[1].value_or(0)};
         }},
    {.column = QpColumn::crc,
     .key = "crc",
     .title = QT_TRANSLATE_NOOP("QpWords", "CRC"),
     .meaning = QT_TRANSLATE_NOOP("QpWords",
                                  "Shows whether CRCs are in use (RFC 5044 \302\2474.4). ~ inferred from the stream"),
     .take =
         [](const live::QpView& view, QpRow& row) {
           row.crc = view.record.crc_in_use;
           row.crc_inferred = view.record.crc_inferred;
         },
     .add =
         [](const QpRow& row, QpRow& sum) {
           keep_if_same(row.crc, sum.crc, is_first(sum));
           sum.crc_inferred |= row.crc_inferred;
         },
     .cell = crc_cell,
     .value = [](const QpRow& row) -> QVariant { return known_text(flag_value(row.crc)); },
     .sort =
         [](const QpRow& row) {
           return QpSortKey{flag_rank(row.crc), row.crc_inferred};
         }},
    {.column = QpColumn::markers,
     .key = "markers",
     .title = QT_TRANSLATE_NOOP("QpWords", "Markers"),
     .meaning =
         QT_TRANSLATE_NOOP("QpWords",
                           "Shows whether the streams carry markers. If the directions differ: A's / B's (RFC 5044 "
                           "\302\2474.3). ~ inferred from the stream"),
     .take =
         [](const live::QpView& view, QpRow& row) {
           row.markers = view.record.markers;
           row.markers_inferred = view.record.markers_inferred;
         },
     .add = add_markers,
     .cell = markers_cell,
     .value = markers_value,
     .sort =
         [](const QpRow& row) {
           return QpSortKey{flag_rank(row.markers[0]) + flag_rank(row.markers[1]), row.markers_inferred};
         }},
    {.column = QpColumn::messages,
     .key = "messages",
     .title = QT_TRANSLATE_NOOP("QpWords", "Messages"),
     .meaning = QT_TRANSLATE_NOOP(
         "QpWords",
         "RDMA messages of both directions (RFC 5040 \302\2474). +: at least this many, some octets were skipped"),
     .is_number = true,
     .most_first = true,
     .take = take_messages,
     .add =
         [](const QpRow& row, QpRow& sum) {
           add_each_way(row, sum, &QpRow::messages);
           sum.at_least |= row.at_least;
         },
     .cell = [](const QpRow& row) { return more(row, number_text(both_ways(row.messages))); },
     .value = both_ways_value<&QpRow::messages>,
     .sort = both_ways_key<&QpRow::messages>,
     .tip = each_way_tip<&QpRow::messages, number_text>},
    {.column = QpColumn::octets,
     .key = "payload_octets",
     .title = QT_TRANSLATE_NOOP("QpWords", "Octets"),
     .meaning = QT_TRANSLATE_NOOP("QpWords",
                                  "ULP payload of both directions. +: at least this many, some octets were skipped"),
     .is_number = true,
     .most_first = true,
     .take = [](const live::QpView& view, QpRow& row) { row.octets = each(view, report::payload_octets); },
     .add = [](const QpRow& row, QpRow& sum) { add_each_way(row, sum, &QpRow::octets); },
     .cell = [](const QpRow& row) { return more(row, QpWords::octets(both_ways(row.octets))); },
     .value = both_ways_value<&QpRow::octets>,
     .sort = both_ways_key<&QpRow::octets>,
     .tip = each_way_tip<&QpRow::octets, QpWords::octets>},
    {.column = QpColumn::retransmitted,
     .key = "retransmitted_octets",
     .title = QT_TRANSLATE_NOOP("QpWords", "Retransmitted"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "Octets that TCP or SCTP sent again"),
     .is_number = true,
     .most_first = true,
     .take = [](const live::QpView& view,
                QpRow& row) { row.retransmitted = total(view, &qp::DirectionRecord::retransmitted_octets); },
     .add = [](const QpRow& row, QpRow& sum) { sum.retransmitted += row.retransmitted; },
     .cell = [](const QpRow& row) { return row.retransmitted == 0 ? no_value() : QpWords::octets(row.retransmitted); },
     .value = [](const QpRow& row) { return big(row.retransmitted); },
     .sort = [](const QpRow& row) { return QpSortKey{row.retransmitted}; }},
    {.column = QpColumn::gaps,
     .key = "gap_octets",
     .title = QT_TRANSLATE_NOOP("QpWords", "Gaps"),
     .meaning = QT_TRANSLATE_NOOP("QpWords",
                                  "Octets of its TCP streams, or messages over SCTP, that are missing in the capture"),
     .is_number = true,
     .most_first = true,
     .take = take_gaps,
     .add =
         [](const QpRow& row, QpRow& sum) {
           sum.gaps += row.gaps;
           sum.gap_messages += row.gap_messages;
         },
     .cell =
         [](const QpRow& row) {
           return row.gaps + row.gap_messages == 0 ? no_value() : gap_words(row.gaps, row.gap_messages);
         },
     .value = [](const QpRow& row) { return big(row.gaps + row.gap_messages); },
     .sort = [](const QpRow& row) { return QpSortKey{row.gaps + row.gap_messages}; }},
    {.column = QpColumn::lost_frames,
     .key = "lost_frames",
     .title = QT_TRANSLATE_NOOP("QpWords", "Lost frames"),
     .meaning = QT_TRANSLATE_NOOP(
         "QpWords", "Frames that the capture lost during the lifetime of the queue pair (of any connection)"),
     .is_number = true,
     .most_first = true,
     .take = [](const live::QpView& view, QpRow& row) { row.lost_frames = view.losses.frames(); },
     .add =
         [](const QpRow& row, QpRow& sum) {  // they may be the same frames
           sum.lost_frames = std::max(sum.lost_frames, row.lost_frames);
         },
     .cell = [](const QpRow& row) { return row.lost_frames == 0 ? no_value() : number_text(row.lost_frames); },
     .value = [](const QpRow& row) { return big(row.lost_frames); },
     .sort = [](const QpRow& row) { return QpSortKey{row.lost_frames}; }},
    {.column = QpColumn::began,
     .key = "began",
     .title = QT_TRANSLATE_NOOP("QpWords", "Began"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "Time of its first frame, UTC"),
     .most_first = true,
     .take = [](const live::QpView& view, QpRow& row) { row.began = view.record.first_time; },
     .add = [](const QpRow& row,
               QpRow& sum) { sum.began = is_first(sum) ? row.began : std::min(sum.began, row.began); },
     .cell = [](const QpRow& row) { return QString::fromUtf8(report::date_time(row.began)).left(23); },
     .value = [](const QpRow& row) -> QVariant { return QString::fromUtf8(report::date_time(row.began)); },
     .sort = [](const QpRow& row) { return QpSortKey{from_signed(row.began.ns)}; },
     .tip = [](const QpRow& row,
               const QString& meaning) { return two_lines(meaning, QString::fromUtf8(report::date_time(row.began))); }},
    {.column = QpColumn::lasted,
     .key = "lasted_seconds",
     .title = QT_TRANSLATE_NOOP("QpWords", "Lasted"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "Time from its first frame to its last"),
     .is_number = true,
     .most_first = true,
     .take = [](const live::QpView& view, QpRow& row) { row.last = view.record.last_time; },
     .add = [](const QpRow& row, QpRow& sum) { sum.last = is_first(sum) ? row.last : std::max(sum.last, row.last); },
     .cell =
         [](const QpRow& row) { return QString::fromUtf8(report::human_duration(elapsed_ns(row.began, row.last))); },
     .value = [](const QpRow& row) -> QVariant { return static_cast<double>(elapsed_ns(row.began, row.last)) * 1e-9; },
     .sort = [](const QpRow& row) { return QpSortKey{from_signed(elapsed_ns(row.began, row.last))}; }},
    {.column = QpColumn::sensor,
     .key = "sensor",
     .title = QT_TRANSLATE_NOOP("QpWords", "Sensor"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "The sensor that saw the queue pair, when a centre answers"),
     .take = [](const live::QpView& view,
                QpRow& row) { row.sensor = view.name.origin ? view.name.origin->sensor : std::string(); },
     .add = [](const QpRow& row, QpRow& sum) { keep_if_same(row.sensor, sum.sensor, is_first(sum)); },
     .cell = [](const QpRow& row) { return row.sensor.empty() ? no_value() : QString::fromStdString(row.sensor); },
     .value = [](const QpRow& row) -> QVariant { return known_text(QString::fromStdString(row.sensor)); },
     .sort = [](const QpRow& row) { return text_key(row.sensor); }},
});

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    if (kColumns[i].column != static_cast<QpColumn>(i)) return false;
  }
  return kColumns.size() == static_cast<std::size_t>(kQpColumns);
}
static_assert(is_in_order(), "one row for each QpColumn, in its order");

}  // namespace
}  // namespace qp_cells

std::span<const QpColumnTraits, kQpColumns> qp_columns() noexcept {
  return qp_cells::kColumns;
}
const QpColumnTraits& traits(QpColumn column) noexcept {
  return qp_cells::kColumns[static_cast<std::size_t>(column)];
}

QString QpWords::title(QpColumn column) {
  return tr(traits(column).title);
}
QString QpWords::meaning(QpColumn column) {
  return tr(traits(column).meaning);
}
QString QpWords::tip(const QpRow& row, QpColumn column) {
  const auto tip = traits(column).tip;
  return tip == nullptr ? meaning(column) : tip(row, meaning(column));
}

QString QpWords::search_text(const QpRow& row) {
  QString text;
  for (const QpColumnTraits& column : qp_columns()) {
    const QString word = column.cell(row);
    if (word.size() < 2 && column.column != QpColumn::number) continue;  // "-" and "?" say nothing
    text += word;
    text += QLatin1Char('\n');
  }
  if (row.worst) {
    text += severity_word(*row.severity());
    text += QLatin1Char(' ');
    text += QString::fromUtf8(findings::rule(*row.worst).name);
  }
  return text.toLower();
}

}  // namespace iwarpscope::gui
