// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/summary/verdict_view.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <memory>

#include "findings/catalogue.h"
#include "models/summary/qp_html.h"
#include "models/words.h"
#include "report/restart_words.h"
#include "views/local_keys.h"
#include "views/plots/time_note.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {
namespace {

constexpr std::size_t kMostInPane = 100;  // in this pane; the list of findings has all of them
constexpr std::size_t kMostOfNoQp = 10;   // likewise
constexpr std::size_t kMostBesideQp = 3;  // also, before those of the chosen queue pair

}  // namespace

VerdictView::VerdictView(Selection& selection, const FindingTable& findings, QWidget* parent)
    : QWidget(parent), selection_(selection), findings_(findings), text_(new HtmlView(tr("Verdict"), this)) {
  setAccessibleName(tr("Verdict of the queue pair"));
  setWhatsThis(
      tr("Shows the outcome of the queue pair in one sentence, its cause, the confidence, the frames that show it, and "
         "what to check next. The findings follow, the worst first, with the full text of their rules. A link to a "
         "frame moves all other views to that frame."));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(new TimeNote(
      selection_, [] { return tr("The verdict and the findings are for the whole lifetime of the queue pair."); },
      this));
  layout->addWidget(text_);
  setFocusProxy(text_);
  text_->setContextMenuPolicy(Qt::CustomContextMenu);
  copy_ = (new LocalKeys(*this))->add(tr("Copy &Sentence"), kCopySentence);
  connect(copy_, &QAction::triggered, this, &VerdictView::copy_sentence);
  connect(text_, &QWidget::customContextMenuRequested, this, &VerdictView::show_menu);
  connect(text_, &QTextBrowser::anchorClicked, this, &VerdictView::go);
  connect(text_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
          &VerdictView::resized);
  connect(&selection_, &Selection::range_changed, this, &VerdictView::show_all);
  connect(&findings_, &QAbstractItemModel::modelReset, this, &VerdictView::show_all);
  connect(&findings_, &QAbstractItemModel::rowsInserted, this, &VerdictView::show_all);
  clear();
}

int VerdictView::wanted_height() const {
  return static_cast<int>(std::ceil(text_->document()->size().height())) + height() - text_->viewport()->height();
}

void VerdictView::set_qp(const live::QpView& qp) {
  if (!qp_ || qp_->record.qp != qp.record.qp) clock_.clear();
  qp_ = qp;
  show_all();
}

void VerdictView::clear() {
  qp_.reset();
  clock_.clear();
  show_all();
}

void VerdictView::set_hint(const QString& hint) {
  if (hint == hint_) return;
  hint_ = hint;
  if (!qp_) show_all();
}

void VerdictView::note(const MessageRows& page) {
  clock_.note(page.messages);
  if (selection_.range()) show_all();
}

QString VerdictView::place_in_time(FrameNumber frame) const {
  if (!selection_.range()) return {};
  switch (clock_.where(frame, *selection_.range())) {
    case FrameClock::Where::in: return tr("in the marked time");
    case FrameClock::Where::out: return tr("outside the marked time");
    case FrameClock::Where::unknown: break;
  }
  return tr("time not known");
}

QString VerdictView::sentence() const {
  if (!qp_ || !qp_->record.verdict) return {};
  return tr("QP %1 (%2): %3")
      .arg(qp_->record.qp)
      .arg(ends_text(qp_->record.a, qp_->record.b), QString::fromStdString(qp_->record.verdict->text));
}

void VerdictView::copy_sentence() {
  if (sentence().isEmpty()) return;
  QGuiApplication::clipboard()->setText(sentence());
  tell(*this, tr("Sentence copied to the clipboard."));
}

void VerdictView::show_menu(const QPoint& at) {
  const std::unique_ptr<QMenu> menu(text_->createStandardContextMenu(at));
  menu->addSeparator();
  menu->addActions(actions());
  menu->exec(text_->viewport()->mapToGlobal(at));
}

/// Findings without a queue pair, such as connections that never became one. Notes are shown only if there is no
/// verdict.
QString VerdictView::of_no_qp() const {
  const auto least = qp_ ? findings::Severity::warning : findings::Severity::note;
  const FindingTable::OfNoQp some = findings_.of_no_qp(least, qp_ ? kMostBesideQp : kMostOfNoQp);
  if (some.worst.empty()) return {};
  return QStringLiteral("<h2>%1</h2>").arg(tr("Findings that belong to no queue pair").toHtmlEscaped()) +
         finding_lines_html(some.worst, some.more);
}

void VerdictView::show_all() {
  copy_->setEnabled(!sentence().isEmpty());
  if (!qp_) {
    shown_.clear();
    setProperty("rule", {});
    const QString hint = hint_.isEmpty() ? tr("Choose a queue pair to see its verdict.") : hint_;
    text_->show_html(QStringLiteral("<p>%1</p>").arg(hint.toHtmlEscaped()) + of_no_qp());
    return;
  }
  shown_ = findings_.of_qp(qp_->record.qp);
  std::stable_sort(shown_.begin(), shown_.end(), [](const live::FindingView& one, const live::FindingView& other) {
    return findings::rule(one.finding.id).severity > findings::rule(other.finding.id).severity;
  });
  const QString ends = ends_text(qp_->record.a, qp_->record.b).toHtmlEscaped();
  QString html = QStringLiteral("<p class=\"faint\">%1</p>").arg(tr("QP %1, %2").arg(qp_->record.qp).arg(ends));
  if (qp_->continued) {
    const QString words = QString::fromUtf8(report::kContinued).toHtmlEscaped();
    html += QStringLiteral("<p class=\"faint\">%1</p>").arg(words);
  }
  clock_.note(qp_->record);
  for (const live::FindingView& view : shown_) clock_.note(view);
  html += verdict_html(*qp_, [this](FrameNumber frame) { return place_in_time(frame); });
  html += of_no_qp();
  html += QStringLiteral("<h2>%1</h2>").arg(tr("Findings"));
  const bool is_missing = shown_.empty() && qp_->findings.worst;
  html +=
      is_missing
          ? QStringLiteral("<p>%1</p>").arg(tr("Not available: not loaded yet, or already discarded.").toHtmlEscaped())
          : findings_html(shown_, kMostInPane);
  text_->show_html(html);
  const auto& worst = qp_->findings.worst;
  const std::string_view code = worst ? findings::rule(*worst).code : std::string_view{};
  setProperty("rule", QString::fromUtf8(code));
}

TimePoint VerdictView::time_of(FrameNumber frame) const {
  for (const live::FindingView& view : shown_) {
    if (place_of(view).frame == frame) return place_of(view).time;
    if (view.finding.frame == frame) return view.finding.time;
  }
  const qp::QpRecord& record = qp_->record;
  return frame == record.first_frame ? record.first_time : record.last_time;
}

void VerdictView::go(const QUrl& link) {
  if (link.scheme() == QLatin1String("rule")) return emit rule_wanted(link.path());
  bool is_number = false;
  const auto number = link.path().toULongLong(&is_number);
  if (link.scheme() == QLatin1String("finding")) return emit finding_wanted(number);
  const FrameNumber frame{number};
  if (!is_number || !qp_) return;
  Focus focus{qp_->record.qp, frame, time_of(frame), {}, {}};
  for (const live::FindingView& view : shown_) {
    if (view.finding.frame != frame && place_of(view).frame != frame) continue;
    focus.direction = view.finding.direction;
    focus.message = view.finding.message;
    break;
  }
  emit frame_wanted(focus);
}

}  // namespace iwarpscope::gui
