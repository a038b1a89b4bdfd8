// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The text of a row.
#include <QLocale>

#include <array>

#include "models/qp_row.h"
#include "models/words.h"
#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::gui {
namespace {

QString unknown() {
  return QStringLiteral("?");
}
QString nothing() {
  return QStringLiteral("-");
}

QString flag_value(std::optional<bool> flag) {
  return !flag ? QString() : *flag ? QStringLiteral("on") : QStringLiteral("off");
}
QVariant known_text(const QString& text) {
  return text.isEmpty() ? QVariant() : QVariant(text);
}
QVariant big(std::uint64_t value) {
  return QVariant(static_cast<qulonglong>(value));
}

QString ends_text(const QpRow& row) {
  if (row.is_sum())
    return QStringLiteral("%1 \u2194 %2")
        .arg(QString::fromUtf8(row.a.address.text()), QString::fromUtf8(row.b.address.text()));
  return QStringLiteral("%1 \u2192 %2").arg(QString::fromUtf8(row.a.text()), QString::fromUtf8(row.b.text()));
}

QString depth_word(std::optional<std::uint16_t> depth) {
  return depth ? number_text(*depth) : unknown();
}

QString state_text(const QpRow& row) {
  return QString::fromStdString(report::state_text(row.state, row.closed_by, row.sctp_stream.has_value()));
}

struct Column {
  const char* key;
  const char* title;
  const char* meaning;
};
constexpr auto kColumns = std::to_array<Column>({
    {"qp", QT_TRANSLATE_NOOP("QpWords", "QP"), QT_TRANSLATE_NOOP("QpWords", "Number of the queue pair")},
    {"ends", QT_TRANSLATE_NOOP("QpWords", "A \342\206\222 B"),
     QT_TRANSLATE_NOOP("QpWords",
                       "The two ends. A is the Initiator (over SCTP the active side) where the startup was seen "
                       "(RFC 5044 \302\2477.1, RFC 5043 \302\2475)")},
    {"state", QT_TRANSLATE_NOOP("QpWords", "State"),
     QT_TRANSLATE_NOOP("QpWords",
                       "State of the queue pair, from startup to close (RFC 5044 \302\2477, RFC 5043 \302\2475, RFC "
                       "5040 \302\2476.2)")},
    {"outcome", QT_TRANSLATE_NOOP("QpWords", "Verdict"),
     QT_TRANSLATE_NOOP("QpWords", "Outcome of the queue pair and its cause")},
    {"worst_rule", QT_TRANSLATE_NOOP("QpWords", "Worst finding"),
     QT_TRANSLATE_NOOP("QpWords", "The first finding of the highest severity: E error, W warning, N note")},
    {"ulp", QT_TRANSLATE_NOOP("QpWords", "ULP"),
     QT_TRANSLATE_NOOP("QpWords", "Upper Layer Protocol, if it was recognised")},
    {"octets_per_second", QT_TRANSLATE_NOOP("QpWords", "Rate"),
     QT_TRANSLATE_NOOP("QpWords", "ULP payload of both directions, octets per second, now")},
    {"activity", QT_TRANSLATE_NOOP("QpWords", "Last minute"),
     QT_TRANSLATE_NOOP("QpWords",
                       "ULP payload per second: the last 60 s, or the last 60 s before the queue pair ended")},
    {"outstanding", QT_TRANSLATE_NOOP("QpWords", "Outstanding"),
     QT_TRANSLATE_NOOP(
         "QpWords",
         "RDMA Read and Atomic Requests without a response so far, and the limit of each end (RFC 6581 \302\2479.1)")},
    {"read_depth", QT_TRANSLATE_NOOP("QpWords", "IRD/ORD"),
     QT_TRANSLATE_NOOP(
         "QpWords",
         "Limit of outstanding RDMA Reads of A / of B: the sender's ORD, the receiver's IRD (RFC 6581 \302\2479.1)")},
    {"crc", QT_TRANSLATE_NOOP("QpWords", "CRC"),
     QT_TRANSLATE_NOOP("QpWords", "Shows whether CRCs are in use (RFC 5044 \302\2474.4). ~ inferred from the stream")},
    {"markers", QT_TRANSLATE_NOOP("QpWords", "Markers"),
     QT_TRANSLATE_NOOP("QpWords",
                       "Shows whether the streams carry markers. If the directions differ: A's / B's (RFC 5044 "
                       "\302\2474.3). ~ inferred from the stream")},
    {"messages", QT_TRANSLATE_NOOP("QpWords", "Messages"),
     QT_TRANSLATE_NOOP(
         "QpWords",
         "RDMA messages of both directions (RFC 5040 \302\2474). +: at least this many, some octets were skipped")},
    {"payload_octets", QT_TRANSLATE_NOOP("QpWords", "Octets"),
     QT_TRANSLATE_NOOP("QpWords", "ULP payload of both directions. +: at least this many, some octets were skipped")},
    {"retransmitted_octets", QT_TRANSLATE_NOOP("QpWords", "Retransmitted"),
     QT_TRANSLATE_NOOP("QpWords", "Octets that TCP or SCTP sent again")},
    {"gap_octets", QT_TRANSLATE_NOOP("QpWords", "Gaps"),
     QT_TRANSLATE_NOOP("QpWords", "Octets of its TCP streams, or messages over SCTP, that are missing in the capture")},
    {"lost_frames", QT_TRANSLATE_NOOP("QpWords", "Lost frames"),
     QT_TRANSLATE_NOOP("QpWords",
                       "Frames that the capture lost during the lifetime of the queue pair (of any connection)")},
    {"began", QT_TRANSLATE_NOOP("QpWords", "Began"), QT_TRANSLATE_NOOP("QpWords", "Time of its first frame, UTC")},
    {"lasted_seconds", QT_TRANSLATE_NOOP("QpWords", "Lasted"),
     QT_TRANSLATE_NOOP("QpWords", "Time from its first frame to its last")},
});
static_assert(kColumns.size() == kQpColumns);

const Column& at(QpColumn column) {
  return kColumns[static_cast<std::size_t>(column)];
}

}  // namespace

QString QpWords::title(QpColumn column) {
  return tr(at(column).title);
}
QString QpWords::meaning(QpColumn column) {
  return tr(at(column).meaning);
}
QString QpWords::key(QpColumn column) {
  return QLatin1String(at(column).key);
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

QString QpWords::cell(const QpRow& row, QpColumn column) {
  const auto flag = [&](std::optional<bool> on) {
    if (row.sctp_stream) return nothing();  // a term of MPA
    return !on ? unknown() : *on ? tr("on") : tr("off");
  };
  const auto inferred = [](const QString& text, bool is) { return is ? QStringLiteral("%1~").arg(text) : text; };
  const auto more = [&](const QString& text) { return row.at_least ? QStringLiteral("%1+").arg(text) : text; };
  switch (column) {
    case QpColumn::number:
      if (!row.is_sum()) return QString::number(row.number);
      return row.queue_pairs == 1 ? tr("1 QP") : tr("%1 QPs").arg(number_text(row.queue_pairs));
    case QpColumn::ends:
      return row.sctp_stream ? tr("%1 stream %2").arg(ends_text(row), number_text(*row.sctp_stream)) : ends_text(row);
    case QpColumn::state: return row.is_sum() ? (row.ended ? tr("all ended") : tr("open")) : state_text(row);
    case QpColumn::verdict: return row.outcome ? outcome_word(*row.outcome) : nothing();
    case QpColumn::worst:
      return row.worst ? QStringLiteral("%1 %2").arg(severity_sign(*row.severity()),
                                                     QString::fromUtf8(findings::rule(*row.worst).code))
                       : nothing();
    case QpColumn::ulp: return row.ulp.empty() ? nothing() : QString::fromUtf8(row.ulp);
    case QpColumn::rate:
      return row.rate <= 0 ? nothing() : tr("%1/s").arg(octets(static_cast<std::uint64_t>(std::min(row.rate, 1e18))));
    case QpColumn::activity: return {};
    case QpColumn::outstanding: {
      if (row.waiting[0] + row.waiting[1] == 0) return nothing();
      if (row.is_sum()) return number_text(row.waiting[0] + row.waiting[1]);
      const auto of = [&](std::size_t d) {
        return QStringLiteral("%1 %2/%3")
            .arg(QLatin1String(d == 0 ? "A" : "B"), number_text(row.waiting[d]), depth_word(row.depth[d]));
      };
      if (row.waiting[1] == 0) return of(0);
      return row.waiting[0] == 0 ? of(1) : QStringLiteral("%1  %2").arg(of(0), of(1));
    }
    case QpColumn::depth:
      if (row.is_sum()) return {};
      return QStringLiteral("%1/%2").arg(depth_word(row.depth[0]), depth_word(row.depth[1]));
    case QpColumn::crc:
      if (row.is_sum() && !row.crc) return {};
      return inferred(flag(row.crc), row.crc && row.crc_inferred);
    case QpColumn::markers: {
      const auto& [a, b] = row.markers;
      if (row.is_sum() && !a && !b) return {};
      const QString text = a == b ? flag(a) : QStringLiteral("%1/%2").arg(flag(a), flag(b));
      return inferred(text, (a || b) && row.markers_inferred);
    }
    case QpColumn::messages: return more(number_text(row.messages[0] + row.messages[1]));
    case QpColumn::octets: return more(octets(row.octets[0] + row.octets[1]));
    case QpColumn::retransmitted: return row.retransmitted == 0 ? nothing() : octets(row.retransmitted);
    case QpColumn::gaps: return row.gaps + row.gap_messages == 0 ? nothing() : gap_words(row.gaps, row.gap_messages);
    case QpColumn::lost_frames: return row.lost_frames == 0 ? nothing() : number_text(row.lost_frames);
    case QpColumn::began: return QString::fromUtf8(report::date_time(row.began)).left(23);
    case QpColumn::lasted: return QString::fromUtf8(report::human_duration(elapsed_ns(row.began, row.last)));
  }
  return {};
}

QString QpWords::tip(const QpRow& row, QpColumn column) {
  const auto two_lines = [](const QString& first, const QString& second) {
    return QStringLiteral("%1\n%2").arg(first, second);
  };
  const auto each_way = [&](const QString& a, const QString& b) {
    return two_lines(meaning(column), tr("A \u2192 B: %1; B \u2192 A: %2").arg(a, b));
  };
  switch (column) {
    case QpColumn::worst: {
      if (!row.worst) return two_lines(meaning(column), tr("No findings."));
      const findings::Rule& rule = findings::rule(*row.worst);
      const QString counts = tr("Errors: %1, warnings: %2, notes: %3")
                                 .arg(number_text(row.errors), number_text(row.warnings), number_text(row.notes));
      return QStringLiteral("%1 %2 (%3), %4\n%5\n%6")
          .arg(severity_word(rule.severity), QString::fromUtf8(rule.code), QString::fromUtf8(rule.name),
               QString::fromUtf8(rule.reference), QString::fromUtf8(rule.what), counts);
    }
    case QpColumn::verdict:
      if (!row.outcome || row.is_sum()) return meaning(column);
      return two_lines(meaning(column),
                       tr("Outcome: %1; caused by: %2; how sure: %3")
                           .arg(QString::fromUtf8(qp::name(*row.outcome)), QString::fromUtf8(qp::name(row.blame)),
                                QString::fromUtf8(qp::name(row.confidence))));
    case QpColumn::messages: return each_way(number_text(row.messages[0]), number_text(row.messages[1]));
    case QpColumn::octets: return each_way(octets(row.octets[0]), octets(row.octets[1]));
    case QpColumn::outstanding: return each_way(number_text(row.waiting[0]), number_text(row.waiting[1]));
    case QpColumn::began: return two_lines(meaning(column), QString::fromUtf8(report::date_time(row.began)));
    default: return meaning(column);
  }
}

QVariant QpWords::value(const QpRow& row, QpColumn column) {
  switch (column) {
    case QpColumn::number: return big(row.is_sum() ? row.queue_pairs : row.number);
    case QpColumn::ends:
      return QStringLiteral("%1 %2").arg(QString::fromUtf8(row.a.text()), QString::fromUtf8(row.b.text()));
    case QpColumn::state: return QString::fromUtf8(qp::name(row.state));
    case QpColumn::verdict: return row.outcome ? QVariant(QString::fromUtf8(qp::name(*row.outcome))) : QVariant();
    case QpColumn::worst: return row.worst ? QVariant(QString::fromUtf8(findings::rule(*row.worst).code)) : QVariant();
    case QpColumn::ulp: return known_text(QString::fromUtf8(row.ulp));
    case QpColumn::rate: return row.rate;
    case QpColumn::activity: {
      QStringList values;
      for (const std::uint32_t second : row.activity) values << QString::number(second);
      return values.join(QLatin1Char(' '));
    }
    case QpColumn::outstanding: return big(row.waiting[0] + row.waiting[1]);
    case QpColumn::depth: {
      if (!row.depth[0] && !row.depth[1]) return {};
      const auto of = [](std::optional<std::uint16_t> depth) { return depth ? QString::number(*depth) : unknown(); };
      return QStringLiteral("%1/%2").arg(of(row.depth[0]), of(row.depth[1]));
    }
    case QpColumn::crc: return known_text(flag_value(row.crc));
    case QpColumn::markers: {
      const QString a = flag_value(row.markers[0]), b = flag_value(row.markers[1]);
      if (a == b) return known_text(a);
      return QStringLiteral("%1/%2").arg(a.isEmpty() ? unknown() : a, b.isEmpty() ? unknown() : b);
    }
    case QpColumn::messages: return big(row.messages[0] + row.messages[1]);
    case QpColumn::octets: return big(row.octets[0] + row.octets[1]);
    case QpColumn::retransmitted: return big(row.retransmitted);
    case QpColumn::gaps: return big(row.gaps + row.gap_messages);
    case QpColumn::lost_frames: return big(row.lost_frames);
    case QpColumn::began: return QString::fromUtf8(report::date_time(row.began));
    case QpColumn::lasted: return static_cast<double>(elapsed_ns(row.began, row.last)) * 1e-9;
  }
  return {};
}

QString QpWords::search_text(const QpRow& row) {
  QString text;
  for (int i = 0; i < kQpColumns; ++i) {
    const QString word = cell(row, static_cast<QpColumn>(i));
    if (word.size() < 2 && i != 0) continue;  // "-" and "?" say nothing
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
