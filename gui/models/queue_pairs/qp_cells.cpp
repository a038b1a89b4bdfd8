// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_cells.h"

#include <algorithm>
#include <limits>

#include "findings/catalogue.h"
#include "models/words.h"
#include "mpa/startup.h"
#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::gui {

QString QpWords::octets(std::uint64_t octets) {
  return QString::fromStdString(report::human_octets(octets));
}

namespace qp_cells {

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

bool is_turned(const QpRow& row, const QpRow& sum) noexcept {
  return row.a.address != sum.a.address;
}

// Values of each direction: from A to B, from B to A.

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
  row.continued = view.continued;
}

QString state_cell(const QpRow& row) {
  if (row.is_sum()) return row.ended ? QpWords::tr("all ended") : QpWords::tr("open");
  return QString::fromStdString(report::state_text(row.state, row.closed_by, row.sctp_stream.has_value()));
}

void take_verdict(const live::QpView& view, QpRow& row) {
  const auto& verdict = view.record.verdict;
  if (!verdict) return;
  row.outcome = verdict->outcome;
  row.repaired = is_repaired(view.record);
  row.blame = verdict->blame;
  row.confidence = verdict->confidence;
  row.verdict_code = verdict->code;
  row.verdict_id = verdict->id;
}

QString verdict_tip(const QpRow& row, const QString& meaning) {
  if (!row.outcome || row.is_sum()) return meaning;
  const QString repaired = row.repaired ? QpWords::tr("Losses, damage or waits on the path were repaired.") : QString();
  return two_lines(repaired.isEmpty() ? meaning : two_lines(meaning, repaired),
                   QpWords::tr("Outcome: %1; caused by: %2; how sure: %3")
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
  return row.rate <= 0 ? no_value() : rate_words(row.rate);
}

QpSortKey rate_key(const QpRow& row) {
  return {whole_rate(row), 0};
}

void take_activity(const live::QpView& view, QpRow& row) {
  constexpr std::int64_t kLatestSecond = 100'000'000'000;  // data from the daemon is not trusted
  row.activity = view.activity.octets;
  row.last_second = std::clamp<std::int64_t>(view.activity.last_second, 0, kLatestSecond);
}

namespace {
constexpr auto kSeconds = static_cast<std::int64_t>(live::Activity::kSeconds);
}  // namespace

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

}  // namespace qp_cells
}  // namespace iwarpscope::gui
