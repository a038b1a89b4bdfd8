// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/logs/log_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include <set>
#include <utility>

#include "views/headings.h"
#include "views/plots/time_note.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {
namespace {

constexpr int kReadAfterMs = 250;
constexpr int kLookAgainAfterMs = 2000;

void dress_lines(QTreeView& table) {
  table.setRootIsDecorated(false);
  table.setUniformRowHeights(true);
  table.setAllColumnsShowFocus(true);
  table.setAlternatingRowColors(true);
}

}  // namespace

LogView::LogView(Session& session, Selection& selection, const FindingTable& findings, AllQps all, QWidget* parent)
    : QWidget(parent), session_(session), selection_(selection), findings_(findings), all_(std::move(all)) {
  setAccessibleName(tr("Lines of a log"));
  setWhatsThis(
      tr("Paste lines of a host's log here: from dmesg (siw, cxgb4, irdma, qedr, nvme, NFS and SMB over RDMA) or the "
         "text of an SMBDirect event. Each known line is explained in one sentence, with the related rules and the "
         "queue pairs that may be meant. Queue pairs are found by addresses, ports, STags, the code of a Terminate, "
         "and findings. The lines do not leave this window."));
  auto* const split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(make_box());
  split->addWidget(make_answer());
  split->setChildrenCollapsible(false);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 1);
  auto* const whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(split);
  setFocusProxy(box_);
  for (QTimer* timer : {&reading_, &looking_}) timer->setSingleShot(true);
  connect(&reading_, &QTimer::timeout, this, &LogView::read);
  connect(&looking_, &QTimer::timeout, this, &LogView::look_for_qps);
  connect(box_, &QPlainTextEdit::textChanged, this, [this] { reading_.start(kReadAfterMs); });
  const auto again = [this] {
    if (meaning_model_.rowCount() != 0 && !looking_.isActive()) looking_.start(kLookAgainAfterMs);
  };
  connect(&session_, &Session::qps_replaced, this, again);
  connect(&session_, &Session::qps_changed, this, again);
  connect(&findings_, &QAbstractItemModel::modelReset, this, again);
  connect(&findings_, &QAbstractItemModel::rowsInserted, this, again);
  connect(&selection_, &Selection::range_changed, this, &LogView::look_for_qps);
  read();
}

QWidget* LogView::make_box() {
  auto* const left = new QWidget(this);
  box_ = new QPlainTextEdit(left);
  box_->setAccessibleName(tr("Lines of a log"));
  box_->setPlaceholderText(tr("Paste lines of dmesg or of the Event Viewer here."));
  box_->setTabChangesFocus(true);
  box_->setLineWrapMode(QPlainTextEdit::NoWrap);
  understood_ = new QLabel(left);
  keep_from_edge(*understood_);
  understood_->setAccessibleDescription(tr("Number of known lines"));
  understood_->setWordWrap(true);
  meanings_ = new QTreeView(left);
  meanings_->setModel(&meaning_model_);
  meanings_->setAccessibleName(tr("Known lines"));
  dress_lines(*meanings_);
  meanings_->header()->setSectionResizeMode(LogMeaningTable::kDriver, QHeaderView::ResizeToContents);
  meanings_->header()->setSectionResizeMode(LogMeaningTable::kMeaning, QHeaderView::Stretch);
  meanings_->setColumnHidden(LogMeaningTable::kLine, true);
  new TableActions(*meanings_, QStringLiteral("log-lines"), [](const QModelIndex& row) {
    return row.siblingAtColumn(LogMeaningTable::kMeaning).data().toString();
  });
  auto* const column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(box_, 1);
  column->addWidget(understood_);
  column->addWidget(meanings_, 1);
  connect(meanings_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LogView::show_meaning);
  return left;
}

QWidget* LogView::make_answer() {
  auto* const right = new QWidget(this);
  text_ = new HtmlView(tr("Meaning of the line"), right);
  text_->setPlaceholderText(tr("What the chosen line means, and which queue pairs it may refer to."));
  head_ = new QLabel(right);
  head_->setWordWrap(true);
  keep_from_edge(*head_);
  head_->setAccessibleDescription(tr("Queue pairs that the line may refer to"));
  matches_ = new QTreeView(right);
  matches_->setModel(&match_model_);
  matches_->setAccessibleName(tr("Queue pairs that the line may refer to"));
  matches_->setAccessibleDescription(tr("Enter chooses the queue pair in all views."));
  dress_lines(*matches_);
  matches_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  new TableActions(*matches_, QStringLiteral("queue-pairs-of-a-log-line"));
  auto* const column = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(text_, 1);
  column->addWidget(head_);
  note_ = new TimeNote(
      selection_,
      [this] {
        return tr("%n queue pair(s) that were not active in this time are left out.", nullptr,
                  static_cast<int>(hidden_));
      },
      right);
  column->addWidget(note_);
  column->addWidget(matches_, 1);
  connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
    if (link.scheme() == QLatin1String("rule")) emit rule_wanted(link.path());
  });
  connect(matches_, &QAbstractItemView::pressed, this, &LogView::choose);
  connect(matches_, &QAbstractItemView::activated, this, &LogView::choose);
  return right;
}

void LogView::read() {
  const QString text = box_->toPlainText();
  meaning_model_.show(LogReader::read(text));
  const int known = meaning_model_.rowCount();
  if (text.trimmed().isEmpty()) {
    understood_->setText(tr("Each known line is explained here."));
  } else if (known == 0) {
    understood_->setText(tr(
        "None of these lines is known. Known are lines from siw, cxgb4, irdma, qedr, nvme, NFS, SMB and SMBDirect."));
  } else {
    understood_->setText(tr("%n type(s) of known lines were found.", nullptr, known));
  }
  if (known != 0) meanings_->setCurrentIndex(meaning_model_.index(0, 0));
  show_meaning();
}

void LogView::show_meaning() {
  const QModelIndex current = meanings_->currentIndex();
  if (!current.isValid()) {
    text_->show_html({});
    setProperty("rule", QString());
    return look_for_qps();
  }
  const LogMeaning& meaning = meaning_model_.at(current.row());
  QString html = QStringLiteral("<p class=\"faint\">%1</p><p>%2</p>")
                     .arg(meaning.line.toHtmlEscaped(), meaning.sentence.toHtmlEscaped());
  if (!meaning.rules.empty()) {
    html += QStringLiteral("<p>%1</p><ul>").arg(tr("Look for these findings:").toHtmlEscaped());
    for (const findings::Rule* rule : meaning.rules) {
      html += QStringLiteral("<li><a href=\"rule:%1\">%1</a> %2</li>")
                  .arg(QString::fromUtf8(rule->code), QString::fromUtf8(rule->what).toHtmlEscaped());
    }
    html += QStringLiteral("</ul>");
  }
  text_->show_html(html);
  setProperty("rule", meaning.rules.empty() ? QString() : QString::fromUtf8(meaning.rules.front()->code));
  look_for_qps();
}

void LogView::look_for_qps() {
  ++generation_;
  looking_.stop();
  found_.clear();
  asked_ = 0;
  const QModelIndex current = meanings_->currentIndex();
  if (current.isValid()) {
    std::vector<live::FindingView> findings;
    for (int row = 0; row < findings_.rowCount(); ++row) findings.push_back(findings_.at(row));
    found_ = LogReader::matches(meaning_model_.at(current.row()), all_(), findings);
  }
  drop_those_outside();
  match_model_.show(found_);
  tell_matches();
  if (current.isValid() && !meaning_model_.at(current.row()).clues.stags.empty()) ask_next();
}

void LogView::drop_those_outside() {
  const std::size_t before = found_.size();
  if (const auto& range = selection_.range()) {
    std::set<std::uint64_t> inside;
    for (const live::QpView& view : all_()) {
      if (range->touches(view.record.first_time, view.record.last_time)) inside.insert(view.record.qp);
    }
    std::erase_if(found_, [&](const LogMatch& match) { return !inside.contains(match.qp); });
  }
  hidden_ = before - found_.size();
  note_->refresh();
}

/// Only complete queue pair records have STags: they are requested one after the other.
void LogView::ask_next() {
  if (asked_ >= found_.size()) {
    match_model_.show(found_);
    return tell_matches();
  }
  session_.ask_qp(found_[asked_].qp, this,
                  [this, generation = generation_](const tl::expected<live::QpView, api::Failure>& whole) {
                    const QModelIndex current = meanings_->currentIndex();
                    if (generation != generation_ || !current.isValid()) return;
                    LogMatch& match = found_[asked_++];
                    if (whole) LogReader::add_stags(meaning_model_.at(current.row()).clues, whole->record, match);
                    ask_next();
                  });
}

void LogView::tell_matches() {
  const int found = match_model_.rowCount();
  if (!meanings_->currentIndex().isValid()) {
    head_->clear();
  } else if (found == 0) {
    head_->setText(tr("No queue pair matches this line."));
  } else {
    head_->setText(tr("%n queue pair(s) may be meant, the most likely first.", nullptr, found));
  }
}

void LogView::choose(const QModelIndex& index) {
  if (index.isValid()) selection_.set_qp(match_model_.at(index.row()).qp);
}

}  // namespace iwarpscope::gui
