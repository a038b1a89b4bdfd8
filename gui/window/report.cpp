// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/report.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSaveFile>
#include <QStringList>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "findings/catalogue.h"
#include "iwarpscope/v1/status.pb.h"
#include "models/health.h"
#include "models/queue_pairs/qp_row.h"
#include "models/summary/qp_html.h"
#include "models/words.h"
#include "report/human.h"
#include "report/qp_words.h"

namespace iwarpscope::gui {
namespace {

constexpr std::size_t kMostFindings = 50;  // of one queue pair

class Report {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

constexpr const char* kStyle = R"(
body { font-family: sans-serif; color: #1a1a1a; background: #ffffff; max-width: 70em; margin: 2em auto; padding: 0 1em;
  line-height: 1.4; }
table { border-collapse: collapse; width: 100%; margin: 0.5em 0; }
th, td { border: 1px solid #999999; padding: 0.25em 0.5em; text-align: left; vertical-align: top; }
thead th { background: #eeeeee; }
h2 { border-bottom: 1px solid #999999; padding-bottom: 0.2em; }
section { margin-top: 2em; }
.error { color: #a83f00; font-weight: bold; }
.warning { color: #8a5200; font-weight: bold; }
.note { color: #005a8c; }
.faint { color: #595959; font-weight: normal; font-size: smaller; }
.conflict { background: #fbe3d6; font-weight: bold; }
.differs { background: #e0eff8; }
.sentence { font-size: larger; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } section { break-before: page; } a { color: inherit; }
  tr, h2, h3 { break-inside: avoid; } h2, h3 { break-after: avoid; } })";

QString text(const std::string& words) {
  return QString::fromStdString(words).toHtmlEscaped();
}
QString row(const QStringList& cells, const char* tag = "td") {
  QString html = QStringLiteral("<tr>");
  for (const QString& cell : cells) html += QStringLiteral("<%1>%2</%1>").arg(QLatin1String(tag), cell);
  return html + QStringLiteral("</tr>\n");
}

QString summary(const ReportContent& content) {
  std::map<std::pair<qp::Outcome, QString>, std::uint64_t>
      outcomes;  // also by sign: a queue pair that ended well may have errors
  std::uint64_t errors = 0, warnings = 0, notes = 0;
  for (const live::QpView& view : content.rows) {
    if (const auto& verdict = view.record.verdict) {
      ++outcomes[{verdict->outcome, outcome_sign(verdict->outcome, view.findings.worst)}];
    }
    errors += view.findings.errors;
    warnings += view.findings.warnings;
    notes += view.findings.notes;
  }
  QStringList counts;
  for (const auto& [outcome, count] : outcomes) {
    QString text = Report::tr("%1 %L2 %3").arg(outcome.second).arg(count).arg(outcome_word(outcome.first));
    if (outcome.second == QStringLiteral("▲")) text = Report::tr("%1, but with errors").arg(text);
    if (outcome.second == QStringLiteral("△")) text = Report::tr("%1, but with warnings").arg(text);
    counts << text;
  }
  QString html = QStringLiteral("<table><tbody>");
  html += row({Report::tr("Queue pairs"), QLocale().toString(static_cast<qulonglong>(content.rows.size()))});
  html += row({Report::tr("Verdicts"), counts.join(Report::tr(", "))});
  html += row({Report::tr("Findings"),
               Report::tr("errors: %L1, warnings: %L2, notes: %L3").arg(errors).arg(warnings).arg(notes)});
  if (content.status) {
    html += row({Report::tr("Frames"), QLocale().toString(static_cast<qulonglong>(content.status->totals().frames()))});
    for (const HealthStage& stage : health_stages(*content.status)) {
      html += row({stage.name.toHtmlEscaped(),
                   Report::tr("%1: %2").arg(health_word(stage.state), stage.value).toHtmlEscaped()});
    }
  }
  return html + QStringLiteral("</tbody></table>\n");
}

/// One column of the table of queue pairs. Cells are HTML.
struct Column {
  const char* title;  ///< not translated
  QString (*cell)(const live::QpView& view, const ReportContent& content);
};
using View = const live::QpView&;
using Content = const ReportContent&;

/// A link to its section, if it has one.
QString number_cell(View view, Content content) {
  const bool is_detailed = std::any_of(content.qps.begin(), content.qps.end(),
                                       [&](const live::QpView& other) { return other.record.qp == view.record.qp; });
  const QString number = QString::number(view.record.qp);
  return is_detailed ? QStringLiteral("<a href=\"#qp%1\">%1</a>").arg(number) : number;
}
QString outcome_cell(View view, Content /*content*/) {
  const auto& verdict = view.record.verdict;
  if (!verdict) return Report::tr("none yet");
  return Report::tr("%1 %2").arg(outcome_sign(verdict->outcome, view.findings.worst), outcome_word(verdict->outcome));
}

constexpr auto kColumns = std::to_array<Column>({
    {QT_TRANSLATE_NOOP("Report", "QP"), number_cell},
    {QT_TRANSLATE_NOOP("Report", "A (Initiator if known)"),
     [](View view, Content) { return text(view.record.a.text()); }},
    {QT_TRANSLATE_NOOP("Report", "B"), [](View view, Content) { return text(view.record.b.text()); }},
    {QT_TRANSLATE_NOOP("Report", "ULP"),
     [](View view, Content) { return text(std::string{view.record.ulp.value_or("-")}); }},
    {QT_TRANSLATE_NOOP("Report", "State"), [](View view, Content) { return text(report::state_text(view.record)); }},
    {QT_TRANSLATE_NOOP("Report", "CRC"), [](View view, Content) { return text(report::crc_cell(view.record)); }},
    {QT_TRANSLATE_NOOP("Report", "Markers"),
     [](View view, Content) { return text(report::markers_cell(view.record)); }},
    {QT_TRANSLATE_NOOP("Report", "Reads A/B"),
     [](View view, Content) { return text(report::depth_cell(view.record)); }},
    {QT_TRANSLATE_NOOP("Report", "Findings E/W/N"),
     [](View view, Content) {
       const live::FindingCounts& f = view.findings;
       return Report::tr("%1/%2/%3").arg(f.errors).arg(f.warnings).arg(f.notes);
     }},
    {QT_TRANSLATE_NOOP("Report", "Outcome"), outcome_cell},
});

QString qp_table(const ReportContent& content) {
  QStringList cells;
  for (const Column& column : kColumns) cells << Report::tr(column.title);
  QString html = QStringLiteral("<table><thead>") + row(cells, "th") + QStringLiteral("</thead><tbody>\n");
  for (const live::QpView& view : content.rows) {
    cells.clear();
    for (const Column& column : kColumns) cells << column.cell(view, content);
    html += row(cells);
  }
  return html + QStringLiteral("</tbody></table>\n");
}

QString qp_section(const live::QpView& view, const std::vector<live::FindingView>& all) {
  std::vector<live::FindingView> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](const live::FindingView& finding) { return finding.finding.qp == view.record.qp; });
  const QString number = QString::number(view.record.qp);
  QString html =
      QStringLiteral("<section id=\"qp%1\">\n<h2>%2</h2>\n")
          .arg(number, Report::tr("QP %1: %2").arg(number, ends_text(view.record.a, view.record.b)).toHtmlEscaped());
  if (const QString losses = loss_sentence(nullptr, &view); !losses.isEmpty()) {
    html += QStringLiteral("<p class=\"warning\">%1</p>").arg(losses.toHtmlEscaped());
  }
  html += verdict_html(view, Links::none);
  html += QStringLiteral("<h2>%1</h2>\n").arg(Report::tr("Handshake"));
  html += handshake_html(view.record);
  html += QStringLiteral("<h2>%1</h2>\n").arg(Report::tr("Findings"));
  html += findings_html(own, Links::none, kMostFindings);
  return html + QStringLiteral("</section>\n");
}

/// Findings that belong to no queue pair; empty: none.
QString capture_section(const std::vector<live::FindingView>& all) {
  std::vector<live::FindingView> some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some),
               [](const live::FindingView& view) { return !view.finding.qp; });
  if (some.empty()) return {};
  return QStringLiteral("<section>\n<h2>%1</h2>\n%2</section>\n")
      .arg(Report::tr("Findings that belong to no queue pair"), findings_html(some, Links::none, kMostFindings));
}

}  // namespace

QString report_html(const ReportContent& content) {
  const QString title = Report::tr("iwarpscope report: %1").arg(content.title).toHtmlEscaped();
  QString html = QStringLiteral(
                     "<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n<meta name="
                     "\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%2</title>\n"
                     "<style>%3</style>\n</head>\n<body>\n<h1>%2</h1>\n")
                     .arg(QLocale().bcp47Name(), title, QLatin1String(kStyle));
  QStringList warnings;
  if (content.status) warnings << no_iwarp_sentence(*content.status) << capture_faults(*content.status);
  warnings << loss_sentence(content.status.get(), nullptr);
  for (const QString& warning : warnings) {
    if (!warning.isEmpty()) html += QStringLiteral("<p class=\"warning\">%1</p>\n").arg(warning.toHtmlEscaped());
  }
  html += QStringLiteral("<h2>%1</h2>\n").arg(Report::tr("Summary"));
  html += summary(content);
  html += QStringLiteral("<h2>%1</h2>\n").arg(Report::tr("Queue pairs"));
  html += qp_table(content);
  if (content.left_out != 0) {
    html += QStringLiteral("<p>%1</p>\n")
                .arg(Report::tr("%n of them are not shown in detail.", nullptr, static_cast<int>(content.left_out)));
  }
  for (const live::QpView& view : content.qps) html += qp_section(view, content.finds);
  if (!content.of_one_qp) html += capture_section(content.finds);
  return html + QStringLiteral("</body>\n</html>\n");
}

ReportMaker::ReportMaker(Session& session, QpRows rows, std::vector<live::FindingView> findings,
                         std::optional<std::uint64_t> only_qp, QObject* parent)
    : QObject(parent), session_(session) {
  if (only_qp) std::erase_if(rows, [&](const live::QpView& view) { return view.record.qp != *only_qp; });
  std::sort(rows.begin(), rows.end(),
            [](const live::QpView& l, const live::QpView& r) { return badness(l) < badness(r); });
  const std::size_t count = std::min(rows.size(), kMostQps);
  for (std::size_t i = count; i > 0; --i) wanted_.push_back(rows[i - 1].record.qp);
  content_ = {session.source().title(), session.status(), std::move(rows), {}, std::move(findings), 0,
              only_qp.has_value()};
  content_.left_out = content_.rows.size() - count;
}

void ReportMaker::start() {
  next();
}

void ReportMaker::next() {
  if (wanted_.empty()) return emit made(report_html(content_));
  session_.ask_qp(wanted_.back(), this, [this](const tl::expected<live::QpView, api::Failure>& answer) {
    if (!answer && answer.error().kind != api::Failure::Kind::not_found) {
      return emit failed(QString::fromStdString(answer.error().sentence));
    }
    answer ? content_.qps.push_back(*answer) : void(++content_.left_out);
    wanted_.pop_back();
    next();
  });
}

QString write_report(const QString& html, const QString& name) {
  QSaveFile file(name);
  const QByteArray octets = html.toUtf8();
  if (file.open(QIODevice::WriteOnly) && file.write(octets) == octets.size() && file.commit()) return {};
  return Report::tr("%1 cannot be written: %2.").arg(name, file.errorString());
}

}  // namespace iwarpscope::gui
