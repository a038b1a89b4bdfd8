// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_columns.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <limits>

#include "findings/catalogue.h"
#include "models/words.h"
#include "mpa/startup.h"
#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::gui {
namespace {

// Words.

QString unknown() {
  return QStringLiteral("?");
}
QString no_value() {
  return QStringLiteral("-");
}
QVariant known_text(const QString& text) {
  return text.isEmpty() ? QVariant() : QVariant(text);
}
QVariant big(std::uint64_t value) {
  return QVariant(static_cast<qulonglong>(value));
}
QString two_lines(const QString& first, const QString& second) {
  return QStringLiteral("%1\n%2").arg(first, second);
}
QString flag_value(std::optional<bool> flag) {
  return !flag ? QString() : *flag ? QStringLiteral("on") : QStringLiteral("off");
}
QString flag_word(const QpRow& row, std::optional<bool> flag) {
  if (row.sctp_stream) return no_value();  // a term of MPA
  return !flag ? unknown() : *flag ? QpWords::tr("on") : QpWords::tr("off");
}
QString inferred(const QString& text, bool is) {
  return is ? QStringLiteral("%1~").arg(text) : text;
}
QString more(const QpRow& row, const QString& text) {
  return row.at_least ? QStringLiteral("%1+").arg(text) : text;
}

// Order.

/// The first sixteen characters: enough to sort names.
QpSortKey text_key(std::string_view text) noexcept {
  const auto eight = [&](std::size_t from) {
    std::uint64_t key = 0;
    for (std::size_t i = from; i < from + 8; ++i) {
      key = key << 8 | (i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U);
    }
    return key;
  };
  return {eight(0), eight(8)};
}

QpSortKey address_key(const net::IpAddress& address) noexcept {
  QpSortKey key;
  for (std::size_t i = 0; i < 8; ++i) {
    key.high = key.high << 8 | address.octets[i];
    key.low = key.low << 8 | address.octets[i + 8];
  }
  return key;
}

/// Maps signed numbers to unsigned ones in the same order.
std::uint64_t from_signed(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

std::uint64_t flag_rank(std::optional<bool> flag) noexcept {
  return !flag ? 0 : *flag ? 2 : 1;
}

// Sums.

bool is_first(const QpRow& sum) noexcept {
  return sum.queue_pairs == 1;
}
/// Its A is the B of the sum.
bool is_turned(const QpRow& row, const QpRow& sum) noexcept {
  return row.a.address != sum.a.address;
}
template <class T>
void keep_if_same(const T& value, T& sum, bool is_first) {
  if (is_first) sum = value;
  if (sum != value) sum = T{};
}

// Values of each direction: from A to B, from B to A.

using EachWay = std::array<std::uint64_t, 2>;

EachWay each(const live::QpView& view, std::uint64_t (*of)(const qp::DirectionRecord&) noexcept) {
  return {of(view.record.directions[0]), of(view.record.directions[1])};
}
std::uint64_t total(const live::QpView& view, std::uint64_t qp::DirectionRecord::*of) noexcept {
  return view.record.directions[0].*of + view.record.directions[1].*of;
}
std::uint64_t both_ways(const EachWay& values) noexcept {
  return values[0] + values[1];
}
void add_each_way(const QpRow& row, QpRow& sum, EachWay QpRow::*values) noexcept {
  const bool turned = is_turned(row, sum);
  for (std::size_t d = 0; d < 2; ++d) (sum.*values)[d] += (row.*values)[turned ? 1 - d : d];
}
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

QString number_cell(const QpRow& row) {
  if (!row.is_sum()) return QString::number(row.number);
  return row.queue_pairs == 1 ? QpWords::tr("1 QP") : QpWords::tr("%1 QPs").arg(number_text(row.queue_pairs));
}

void take_ends(const live::QpView& view, QpRow& row) {
  row.a = view.record.a;
  row.b = view.record.b;
  row.sctp_stream = view.record.sctp_stream;
}
QString ends_cell(const QpRow& row) {
  const auto text = [](const std::string& end) { return QString::fromUtf8(end); };
  if (row.is_sum()) return QStringLiteral("%1 \u2194 %2").arg(text(row.a.address.text()), text(row.b.address.text()));
  const QString ends = QStringLiteral("%1 \u2192 %2").arg(text(row.a.text()), text(row.b.text()));
  return row.sctp_stream ? QpWords::tr("%1 stream %2").arg(ends, number_text(*row.sctp_stream)) : ends;
}
QVariant ends_value(const QpRow& row) {
  return QStringLiteral("%1 %2").arg(QString::fromUtf8(row.a.text()), QString::fromUtf8(row.b.text()));
}

void take_state(const live::QpView& view, QpRow& row) {
  row.state = view.record.state;
  row.closed_by = view.record.closed_by.value_or("");
  row.ended = view.ended;
}
QString state_cell(const QpRow& row) {
  if (row.is_sum()) return row.ended ? QpWords::tr("all ended") : QpWords::tr("open");
  return QString::fromStdString(report::state_text(row.state, row.closed_by, row.sctp_stream.has_value()));
}

void take_verdict(const live::QpView& view, QpRow& row) {
  const auto& verdict = view.record.verdict;
  if (!verdict) return;
  row.outcome = verdict->outcome;
  row.blame = verdict->blame;
  row.confidence = verdict->confidence;
  row.verdict_code = verdict->code;
  row.verdict_id = verdict->id;
}
QString verdict_tip(const QpRow& row, const QString& meaning) {
  if (!row.outcome || row.is_sum()) return meaning;
  return two_lines(meaning, QpWords::tr("Outcome: %1; caused by: %2; how sure: %3")
                                .arg(QString::fromUtf8(qp::name(*row.outcome)), QString::fromUtf8(qp::name(row.blame)),
                                     QString::fromUtf8(qp::name(row.confidence))));
}

void take_findings(const live::QpView& view, QpRow& row) {
  row.errors = view.findings.errors;
  row.warnings = view.findings.warnings;
  row.notes = view.findings.notes;
  row.worst = view.findings.worst;
}
void add_findings(const QpRow& row, QpRow& sum) {
  if (row.worst && (!sum.worst || *row.severity() > *sum.severity())) sum.worst = row.worst;
  sum.errors += row.errors;
  sum.warnings += row.warnings;
  sum.notes += row.notes;
}
QString worst_cell(const QpRow& row) {
  if (!row.worst) return no_value();
  return QStringLiteral("%1 %2").arg(severity_sign(*row.severity()),
                                     QString::fromUtf8(findings::rule(*row.worst).code));
}
/// By severity, then by number of findings.
QpSortKey worst_key(const QpRow& row) {
  const auto severity = row.severity();
  if (!severity) return {};
  const std::uint64_t count = *severity == findings::Severity::error     ? row.errors
                              : *severity == findings::Severity::warning ? row.warnings
                                                                         : row.notes;
  return {1 + static_cast<std::uint64_t>(*severity), count};
}
QString worst_tip(const QpRow& row, const QString& meaning) {
  if (!row.worst) return two_lines(meaning, QpWords::tr("No findings."));
  const findings::Rule& rule = findings::rule(*row.worst);
  const QString counts = QpWords::tr("Errors: %1, warnings: %2, notes: %3")
                             .arg(number_text(row.errors), number_text(row.warnings), number_text(row.notes));
  return QStringLiteral("%1 %2 (%3), %4\n%5\n%6")
      .arg(severity_word(rule.severity), QString::fromUtf8(rule.code), QString::fromUtf8(rule.name),
           QString::fromUtf8(rule.reference), QString::fromUtf8(rule.what), counts);
}

void take_rate(const live::QpView& view, QpRow& row) {
  row.rate_then = view.activity.octets_per_second();
  row.rate = view.ended ? 0 : row.rate_then;
}
std::uint64_t whole_rate(const QpRow& row) {
  return static_cast<std::uint64_t>(std::clamp(row.rate, 0.0, 1e18));
}
QString rate_cell(const QpRow& row) {
  return row.rate <= 0 ? no_value() : QpWords::tr("%1/s").arg(QpWords::octets(whole_rate(row)));
}
QpSortKey rate_key(const QpRow& row) {
  return {whole_rate(row), 0};
}

void take_activity(const live::QpView& view, QpRow& row) {
  constexpr std::int64_t kLatestSecond = 100'000'000'000;  // data from the daemon is not trusted
  row.activity = view.activity.octets;
  row.last_second = std::clamp<std::int64_t>(view.activity.last_second, 0, kLatestSecond);
}
constexpr auto kSeconds = static_cast<std::int64_t>(live::Activity::kSeconds);

/// Adds counts of the same seconds; those older than the newest minute are left out.
void add_activity(const QpRow& row, QpRow& sum) {
  if (row.last_second > sum.last_second) {
    const auto by = static_cast<std::size_t>(std::min(row.last_second - sum.last_second, kSeconds));
    std::shift_left(sum.activity.begin(), sum.activity.end(), static_cast<std::ptrdiff_t>(by));
    std::fill(sum.activity.end() - static_cast<std::ptrdiff_t>(by), sum.activity.end(), 0U);
    sum.last_second = row.last_second;
  }
  const std::int64_t age = sum.last_second - row.last_second;
  for (std::int64_t i = age; i < kSeconds; ++i) {
    std::uint32_t& second = sum.activity[static_cast<std::size_t>(i - age)];
    const std::uint64_t both = std::uint64_t{second} + row.activity[static_cast<std::size_t>(i)];
    second = static_cast<std::uint32_t>(std::min<std::uint64_t>(both, std::numeric_limits<std::uint32_t>::max()));
  }
}

QVariant activity_value(const QpRow& row) {
  QStringList values;
  for (const std::uint32_t second : row.activity) values << QString::number(second);
  return values.join(QLatin1Char(' '));
}

QString depth_word(std::optional<std::uint16_t> depth) {
  return depth ? number_text(*depth) : unknown();
}

void take_waiting(const live::QpView& view, QpRow& row) {
  for (std::size_t d = 0; d < 2; ++d) {
    const auto& waiting = view.record.summary.directions[d].waiting;
    row.waiting[d] = waiting ? waiting->count : 0;
  }
}
QString outstanding_cell(const QpRow& row) {
  if (both_ways(row.waiting) == 0) return no_value();
  if (row.is_sum()) return number_text(both_ways(row.waiting));
  const auto of = [&](std::size_t d) {
    return QStringLiteral("%1 %2/%3")
        .arg(QLatin1String(d == 0 ? "A" : "B"), number_text(row.waiting[d]), depth_word(row.depth[d]));
  };
  if (row.waiting[1] == 0) return of(0);
  return row.waiting[0] == 0 ? of(1) : QStringLiteral("%1  %2").arg(of(0), of(1));
}

void take_depth(const live::QpView& view, QpRow& row) {
  for (std::size_t d = 0; d < 2; ++d) {
    const auto depth = view.record.read_depth[d];
    if (depth != mpa::kDepthNotNegotiated) row.depth[d] = depth;
  }
}
QString depth_cell(const QpRow& row) {
  if (row.is_sum()) return {};
  return QStringLiteral("%1/%2").arg(depth_word(row.depth[0]), depth_word(row.depth[1]));
}
QVariant depth_value(const QpRow& row) {
  if (!row.depth[0] && !row.depth[1]) return {};
  const auto of = [](std::optional<std::uint16_t> depth) { return depth ? QString::number(*depth) : unknown(); };
  return QStringLiteral("%1/%2").arg(of(row.depth[0]), of(row.depth[1]));
}

QString crc_cell(const QpRow& row) {
  if (row.is_sum() && !row.crc) return {};
  return inferred(flag_word(row, row.crc), row.crc && row.crc_inferred);
}

void add_markers(const QpRow& row, QpRow& sum) {
  auto markers = row.markers;
  if (is_turned(row, sum)) std::swap(markers[0], markers[1]);
  keep_if_same(markers, sum.markers, is_first(sum));
  sum.markers_inferred |= row.markers_inferred;
}
QString markers_cell(const QpRow& row) {
  const auto& [a, b] = row.markers;
  if (row.is_sum() && !a && !b) return {};
  const QString text = a == b ? flag_word(row, a) : QStringLiteral("%1/%2").arg(flag_word(row, a), flag_word(row, b));
  return inferred(text, (a || b) && row.markers_inferred);
}
QVariant markers_value(const QpRow& row) {
  const QString a = flag_value(row.markers[0]), b = flag_value(row.markers[1]);
  if (a == b) return known_text(a);
  return QStringLiteral("%1/%2").arg(a.isEmpty() ? unknown() : a, b.isEmpty() ? unknown() : b);
}

void take_messages(const live::QpView& view, QpRow& row) {
  row.messages = each(view, report::message_count);
  row.at_least = report::is_at_least(view.record.directions[0]) || report::is_at_least(view.record.directions[1]);
}

void take_gaps(const live::QpView& view, QpRow& row) {
  row.gaps = total(view, &qp::DirectionRecord::capture_gap_octets);
  row.gap_messages = total(view, &qp::DirectionRecord::capture_gap_messages);
}

constexpr auto kColumns = std::to_array<QpColumnTraits>({
    {.column = QpColumn::number,
     .key = "qp",
     .title = QT_TRANSLATE_NOOP("QpWords", "QP"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "Number of the queue pair"),
     .letters = 7,
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
     .letters = 36,
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
     .letters = 16,
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
     .letters = 13,
     .most_first = true,
     .take = take_verdict,
     .add =
         [](const QpRow& row, QpRow& sum) {
           if (severity_order(row.outcome) > severity_order(sum.outcome)) sum.outcome = row.outcome;
         },
     .cell = [](const QpRow& row) { return row.outcome ? outcome_word(*row.outcome) : no_value(); },
     .value = [](const QpRow& row) -> QVariant {
       return row.outcome ? QVariant(QString::fromUtf8(qp::name(*row.outcome))) : QVariant();
     },
     .sort =
         [](const QpRow& row) {
           // Of one outcome, those with the worst findings are the worst.
           const std::uint64_t worst = row.severity() ? 1 + static_cast<std::uint64_t>(*row.severity()) : 0;
           return QpSortKey{4 * static_cast<std::uint64_t>(severity_order(row.outcome)) + worst, row.errors};
         },
     .tip = verdict_tip},
    {.column = QpColumn::worst,
     .key = "worst_rule",
     .title = QT_TRANSLATE_NOOP("QpWords", "Worst finding"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "The first finding of the highest severity: E error, W warning, N note"),
     .letters = 12,
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
     .letters = 11,
     .take = [](const live::QpView& view, QpRow& row) { row.ulp = view.record.ulp.value_or(""); },
     .add = [](const QpRow& row, QpRow& sum) { keep_if_same(row.ulp, sum.ulp, is_first(sum)); },
     .cell = [](const QpRow& row) { return row.ulp.empty() ? no_value() : QString::fromUtf8(row.ulp); },
     .value = [](const QpRow& row) -> QVariant { return known_text(QString::fromUtf8(row.ulp)); },
     .sort = [](const QpRow& row) { return text_key(row.ulp); }},
    {.column = QpColumn::rate,
     .key = "octets_per_second",
     .title = QT_TRANSLATE_NOOP("QpWords", "Rate"),
     .meaning = QT_TRANSLATE_NOOP("QpWords", "ULP payload of both directions, octets per second, now"),
     .letters = 13,
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
     .letters = 13,
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
     .letters = 12,
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
     .letters = 9,
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
     .letters = 7,
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
     .letters = 9,
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
     .letters = 10,
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
     .letters = 11,
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
     .letters = 12,
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
     .letters = 11,
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
     .letters = 11,
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
     .letters = 22,
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
     .letters = 12,
     .is_number = true,
     .most_first = true,
     .take = [](const live::QpView& view, QpRow& row) { row.last = view.record.last_time; },
     .add = [](const QpRow& row, QpRow& sum) { sum.last = is_first(sum) ? row.last : std::max(sum.last, row.last); },
     .cell =
         [](const QpRow& row) { return QString::fromUtf8(report::human_duration(elapsed_ns(row.began, row.last))); },
     .value = [](const QpRow& row) -> QVariant { return static_cast<double>(elapsed_ns(row.began, row.last)) * 1e-9; },
     .sort = [](const QpRow& row) { return QpSortKey{from_signed(elapsed_ns(row.began, row.last))}; }},
});

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    if (kColumns[i].column != static_cast<QpColumn>(i)) return false;
  }
  return kColumns.size() == static_cast<std::size_t>(kQpColumns);
}
static_assert(is_in_order(), "one row for each QpColumn, in its order");

}  // namespace

std::span<const QpColumnTraits, kQpColumns> qp_columns() noexcept {
  return kColumns;
}
const QpColumnTraits& traits(QpColumn column) noexcept {
  return kColumns[static_cast<std::size_t>(column)];
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

QString QpWords::octets(std::uint64_t octets) {
  if (octets == 1) return tr("1 octet");
  if (octets < 1024) return tr("%1 octets").arg(octets);
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(octets) / 1024;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return QStringLiteral("%1 %2").arg(QLocale().toString(value, 'f', digits), QLatin1String(kUnits[unit]));
}

QString QpWords::search_text(const QpRow& row) {
  QString text;
  for (const QpColumnTraits& column : kColumns) {
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
