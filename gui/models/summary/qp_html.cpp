// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/summary/qp_html.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

#include "findings/catalogue.h"
#include "models/findings/finding_table.h"
#include "models/logs/log_excerpts.h"
#include "models/summary/handshake_card.h"
#include "models/words.h"
#include "report/human.h"

namespace iwarpscope::gui {
namespace {

class Html {
  Q_DECLARE_TR_FUNCTIONS(Html)
};

QString as_html(std::string_view text) {
  return QString::fromUtf8(text).toHtmlEscaped();
}

QString paragraph(const QString& label, const QString& html) {
  return QStringLiteral("<p><b>%1</b> %2</p>").arg(label.toHtmlEscaped(), html);
}

QString frame_html(FrameNumber frame) {
  const QString words = Html::tr("frame %1").arg(frame.value).toHtmlEscaped();
  return QStringLiteral("<a href=\"frame:%1\">%2</a>").arg(frame.value).arg(words);
}

QString frames_html(const std::vector<FrameNumber>& frames, const std::function<QString(FrameNumber)>& remark = {}) {
  QStringList words;
  for (const FrameNumber frame : frames) {
    const QString said = remark ? remark(frame) : QString();
    words << (said.isEmpty() ? frame_html(frame)
                             : QStringLiteral("%1 (%2)").arg(frame_html(frame), said.toHtmlEscaped()));
  }
  return words.join(QStringLiteral(", "));
}

QString cell(const QString& text, const char* tag = "td", const char* kind = "") {
  QString html = text.toHtmlEscaped();
  html.replace(QLatin1Char('\n'), QStringLiteral("<br>"));
  return QStringLiteral("<%1 class=\"%2\">%3</%1>").arg(QLatin1String(tag), QLatin1String(kind), html);
}

QString table(const QString& head, const QString& rows) {
  return QStringLiteral(
             "<table border=\"1\" cellspacing=\"0\" cellpadding=\"4\" width=\"100%\" "
             "style=\"margin-top:6px;margin-bottom:12px\">"
             "<thead><tr>%1</tr>"
             "</thead><tbody>%2</tbody></table>")
      .arg(head, rows);
}

QString field_row(const HandshakeCard::Field& field) {
  using Difference = HandshakeCard::Difference;
  const char* kind = field.difference == Difference::conflict  ? "conflict"
                     : field.difference == Difference::differs ? "differs"
                                                               : "";
  QStringList remarks;
  for (const QString& words : {difference_text(field.difference), field.remark}) {
    if (!words.isEmpty()) remarks << words;
  }
  return QStringLiteral("<tr><th align=\"left\">%1<br><span class=\"faint\">%2</span></th>%3%4%5</tr>")
      .arg(field.label.toHtmlEscaped(), field.meaning.toHtmlEscaped(), cell(field.request, "td", kind),
           cell(field.reply, "td", kind), cell(remarks.join(QLatin1Char('\n')), "td", kind));
}

const char* severity_class(findings::Severity severity) {
  switch (severity) {
    case findings::Severity::error: return "error";
    case findings::Severity::warning: return "warning";
    case findings::Severity::note: break;
  }
  return "note";
}

QString rule_name_html(const findings::Rule& rule) {
  const QString name = QStringLiteral("%1 %2").arg(as_html(rule.code), as_html(rule.name));
  return QStringLiteral("<a href=\"rule:%1\">%2</a>").arg(as_html(rule.code), name);
}

/// For a verdict that the queue pair ended well: the error or warning found in it.
QString flaw_html(findings::Severity severity, const findings::Rule& rule) {
  const QString label =
      severity == findings::Severity::error ? Html::tr("An error was found:") : Html::tr("A warning was found:");
  return QStringLiteral("<p><b class=\"%1\">%2</b> %3: %4</p>")
      .arg(QLatin1String(severity_class(severity)), label.toHtmlEscaped(), rule_name_html(rule), as_html(rule.what));
}

QString finding_html(const live::FindingView& view, bool with_rule) {
  const findings::Rule& rule = findings::rule(view.finding.id);
  const QString name = rule_name_html(rule);
  QString html = QStringLiteral("<h3><span class=\"%1\">%2 %3</span> %4</h3>")
                     .arg(QLatin1String(severity_class(rule.severity)), severity_sign(rule.severity),
                          severity_word(rule.severity).toHtmlEscaped(), name);
  const std::vector<FrameNumber> frames =
      view.finding.frames.empty() ? std::vector{view.finding.frame} : view.finding.frames;
  const std::string time = report::time_of_day(place_of(view).time);
  const bool has_frame = frames.front() != FrameNumber{};  // a finding of a centre about several taps has none
  const QString place = has_frame ? QStringLiteral("%1, %2").arg(frames_html(frames), as_html(time)) : as_html(time);
  html += QStringLiteral("<p>%1 (%2)</p>").arg(as_html(view.finding.text), place);
  if (with_rule) html += rule_html(rule);
  return html;
}

}  // namespace

QString verdict_html(const live::QpView& view, const std::function<QString(FrameNumber)>& remark) {
  const qp::QpRecord& record = view.record;
  if (!record.verdict) return QStringLiteral("<p>%1</p>").arg(Html::tr("No verdict yet.").toHtmlEscaped());
  const qp::VerdictRecord& verdict = *record.verdict;
  const auto& worst = view.findings.worst;
  const bool repaired = is_repaired(record);
  const auto found =
      flaw(verdict.outcome, worst ? std::optional(findings::rule(*worst).severity) : std::nullopt, repaired);
  const bool is_bad = verdict.outcome == qp::Outcome::failed || verdict.outcome == qp::Outcome::stalled;
  const char* kind = is_bad                                    ? "error"
                     : verdict.outcome == qp::Outcome::refused ? "warning"
                     : verdict.outcome == qp::Outcome::completed && !found
                         ? "completed"
                         : severity_class(found.value_or(findings::Severity::note));
  QString html = QStringLiteral("<h2><span class=\"%1\">%2 %3</span></h2>")
                     .arg(QLatin1String(kind), outcome_sign(verdict.outcome, worst, repaired),
                          verdict_headline(record).toHtmlEscaped());
  if (found && *found != findings::Severity::note) html += flaw_html(*found, findings::rule(*worst));
  html += QStringLiteral("<p class=\"sentence\">%1</p>").arg(as_html(verdict.text));
  html += paragraph(Html::tr("How sure:"), confidence_sentence(verdict.confidence).toHtmlEscaped());
  if (!verdict.evidence.empty()) html += paragraph(Html::tr("Evidence:"), frames_html(verdict.evidence, remark));
  if (!verdict.next.empty()) html += paragraph(Html::tr("Check next:"), as_html(verdict.next));
  if (!verdict.code.empty()) {
    html +=
        paragraph(Html::tr("Verdict code:"), QStringLiteral("%1 %2").arg(as_html(verdict.code), as_html(verdict.id)));
  }
  return html;
}

QString handshake_html(const qp::QpRecord& record) {
  const HandshakeCard card = handshake_card(record);
  QString html;
  for (const QString& sentence : card.sentences) html += QStringLiteral("<p>%1</p>").arg(sentence.toHtmlEscaped());
  if (!card.fields.empty()) {
    QString rows;
    for (const HandshakeCard::Field& field : card.fields) rows += field_row(field);
    html += QStringLiteral("<h3>%1</h3>").arg(Html::tr("Requested by each end").toHtmlEscaped());
    html += table(cell(Html::tr("Field"), "th") + cell(card.request_from, "th") + cell(card.reply_from, "th") +
                      cell(Html::tr("Difference"), "th"),
                  rows);
  }
  QString rows;
  for (const HandshakeCard::Setting& setting : card.settings) {
    rows += QStringLiteral("<tr><th align=\"left\">%1<br><span class=\"faint\">%2</span></th>%3%4</tr>")
                .arg(setting.label.toHtmlEscaped(), setting.meaning.toHtmlEscaped(), cell(setting.a_to_b),
                     cell(setting.b_to_a));
  }
  html += QStringLiteral("<h3>%1</h3>").arg(Html::tr("Settings in use").toHtmlEscaped());
  html +=
      table(cell(Html::tr("Setting"), "th") + cell(Html::tr("A to B"), "th") + cell(Html::tr("B to A"), "th"), rows);
  return html;
}

QString findings_html(const std::vector<live::FindingView>& findings, std::size_t most) {
  if (findings.empty()) return QStringLiteral("<p>%1</p>").arg(Html::tr("No findings.").toHtmlEscaped());
  QString html;
  std::set<findings::FindingId> explained;
  for (std::size_t i = 0; i < std::min(most, findings.size()); ++i) {
    html += finding_html(findings[i], explained.insert(findings[i].finding.id).second);
  }
  if (findings.size() > most) {
    const int more = static_cast<int>(findings.size() - most);
    html += QStringLiteral("<p>%1</p>").arg(Html::tr("... and %n more.", nullptr, more).toHtmlEscaped());
  }
  return html;
}

QString finding_lines_html(const std::vector<live::FindingView>& findings, std::size_t more) {
  QString html;
  for (const live::FindingView& view : findings) {
    const findings::Rule& rule = findings::rule(view.finding.id);
    html += QStringLiteral("<p><span class=\"%1\">%2 %3</span> %4: %5 <a href=\"finding:%6\">%7</a></p>")
                .arg(QLatin1String(severity_class(rule.severity)), severity_sign(rule.severity),
                     severity_word(rule.severity).toHtmlEscaped(), rule_name_html(rule), as_html(view.finding.text),
                     QString::number(view.sequence), Html::tr("Show in the list of findings").toHtmlEscaped());
  }
  if (more == 0) return html;
  return html + QStringLiteral("<p>%1</p>").arg(Html::tr("... and %n more.", nullptr, plural(more)).toHtmlEscaped());
}

QString rule_html(const findings::Rule& rule) {
  QString html = paragraph(Html::tr("What it means:"), as_html(rule.what));
  html += paragraph(Html::tr("Why:"), as_html(rule.why));
  html += paragraph(Html::tr("Check next:"), as_html(rule.next));
  if (QStringList lines = log_excerpts(rule); !lines.isEmpty()) {
    for (QString& line : lines) line = QStringLiteral("<code>%1</code>").arg(line.toHtmlEscaped());
    html += paragraph(Html::tr("In the hosts' logs:"), lines.join(QStringLiteral("<br>")));
  }
  html += paragraph(Html::tr("Reference:"), as_html(rule.reference));
  return html;
}

}  // namespace iwarpscope::gui
