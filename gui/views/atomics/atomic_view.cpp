// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/atomics/atomic_view.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "findings/catalogue.h"
#include "models/findings/finding_table.h"
#include "models/words.h"
#include "views/plots/time_note.h"
#include "views/table_actions.h"
#include "views/text_button.h"

namespace iwarpscope::gui {
namespace {

void dress_atomics(QTreeView& table) {
  table.setRootIsDecorated(false);
  table.setUniformRowHeights(true);
  table.setAlternatingRowColors(true);
  table.header()->setSectionResizeMode(QHeaderView::ResizeToContents);
}

/// -1: the index is invalid.
int source_row(const QAbstractProxyModel& proxy, const QModelIndex& index) {
  return index.isValid() ? proxy.mapToSource(index).row() : -1;
}

}  // namespace

AtomicView::AtomicView(const MessageStore& store, MessageStore::AskMessages ask, Selection& selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      words_model_(store, std::move(ask)),
      words_shown_(selection, words_model_,
                   [this](int row, const TimeRange& range) {
                     const auto& uses = words_model_.history().words().at(words_model_.word(row)).uses;
                     return std::any_of(uses.begin(), uses.end(),
                                        [&](const AtomicUse& use) { return range.contains(use.invoked); });
                   }),
      uses_shown_(selection, uses_model_,
                  [this](int row, const TimeRange& range) { return range.contains(uses_model_.at(row).invoked); }),
      words_(new QTreeView(this)),
      uses_(new QTreeView(this)),
      sentence_(new QLabel(this)),
      links_(new QLabel(this)),
      others_(new TextButton({}, this)),
      progress_(new QProgressBar(this)) {
  setAccessibleName(tr("Atomics"));
  setWhatsThis(
      tr("Lists each 64-bit word that Atomic Operations used, and its operations in an order that explains each result "
         "(RFC 7306 §5). If no such order exists, the contradiction is marked and its finding is shown (AT-14 or "
         "AT-15). Enter shows an operation in all other views. Links lead to the findings. A finding chosen in another "
         "view selects its word here."));
  words_->setModel(&words_shown_);
  words_->setAccessibleName(tr("Words"));
  uses_->setModel(&uses_shown_);
  uses_->setAccessibleName(tr("History of the word"));
  uses_->setAccessibleDescription(tr("Enter shows the request in all views."));
  dress_tables();
  links_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  links_->setAccessibleDescription(tr("Findings on this word"));
  links_->setWordWrap(true);
  sentence_->setWordWrap(true);
  sentence_->setAccessibleDescription(tr("Result of the history check"));
  progress_->setAccessibleName(tr("Progress of reading other queue pairs"));
  progress_->hide();
  lay_out();
  setFocusProxy(words_);
  connect(words_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AtomicView::choose);
  connect(links_, &QLabel::linkActivated, this,
          [this](const QString& link) { emit finding_wanted(link.section(QLatin1Char(':'), 1).toULongLong()); });
  connect(&selection_, &Selection::focused, this, &AtomicView::follow);
  connect(&words_model_, &AtomicWordsModel::changed, this, &AtomicView::choose);
  connect(&words_model_, &AtomicWordsModel::asked, this, &AtomicView::tell_asked);
  connect(&words_model_, &AtomicWordsModel::progressed, this, [this](quint64 done, quint64 most) {
    progress_->setRange(0, 1000);
    progress_->setValue(most == 0 ? 1000 : static_cast<int>(1000 * done / most));
  });
  connect(others_, &QPushButton::clicked, this, &AtomicView::ask_or_cancel);
  connect(uses_, &QTreeView::activated, this, &AtomicView::look_at);
  choose();
}

void AtomicView::lay_out() {
  auto* const upper = new QWidget(this);
  auto* const above = new QVBoxLayout(upper);
  above->setContentsMargins(0, 0, 0, 0);
  auto* const row = new QHBoxLayout;
  row->addWidget(others_);
  row->addWidget(progress_, 1);
  row->addStretch();
  above->addLayout(row);
  above->addWidget(words_, 1);
  auto* const lower = new QWidget(this);
  auto* const below = new QVBoxLayout(lower);
  below->setContentsMargins(0, 0, 0, 0);
  below->addWidget(sentence_);
  below->addWidget(links_);
  below->addWidget(uses_, 1);
  auto* const split = new QSplitter(Qt::Vertical, this);
  split->addWidget(upper);
  split->addWidget(lower);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 2);
  auto* const note = new TimeNote(
      selection_,
      [this] {
        QString text =
            tr("%n operation(s) on this word outside the marked time are hidden. The order is that of all operations.",
               nullptr, uses_shown_.hidden());
        if (const int words = words_shown_.hidden(); words != 0) {
          text += QLatin1Char(' ') + tr("%n word(s) outside the marked time are hidden.", nullptr, words);
        }
        return text;
      },
      this);
  note->follow(words_shown_);
  note->follow(uses_shown_);
  auto* const all = new QVBoxLayout(this);
  all->addWidget(note);
  all->addWidget(split, 1);
}

void AtomicView::set_qp(const std::optional<live::QpView>& qp) {
  if (qp && wanted_ && wanted_->qp != qp->record.qp) wanted_.reset();
  if (!qp || qp->record.qp != qp_) asked_by_itself_ = false;
  qp_ = qp ? std::optional(qp->record.qp) : std::nullopt;
  words_model_.set_qp(qp);
}

void AtomicView::set_all(std::vector<live::QpView> qps) {
  all_ = std::move(qps);
  tell_others();
  ask_where_needed();
}

void AtomicView::dress_tables() {
  dress_atomics(*words_);
  dress_atomics(*uses_);
  // Masks make the text of an operation long; the remark comes before it.
  uses_->header()->moveSection(AtomicUsesModel::kVerdict, AtomicUsesModel::kOperation);
  new TableActions(*words_, QStringLiteral("atomic-words"));
  new TableActions(*uses_, QStringLiteral("atomics"), [this](const QModelIndex& index) {
    const live::FindingView* const reported = uses_model_.finding(source_row(uses_shown_, index));
    return reported == nullptr ? QString() : QString::fromStdString(reported->finding.text);
  });
  auto* const to_finding = new QAction(tr("Show Its &Finding"), uses_);
  uses_->addAction(to_finding);
  connect(to_finding, &QAction::triggered, this, [this] {
    const QModelIndex current = uses_->currentIndex();
    const live::FindingView* const reported =
        current.isValid() ? uses_model_.finding(source_row(uses_shown_, current)) : nullptr;
    if (reported != nullptr) emit finding_wanted(reported->sequence);
  });
}

void AtomicView::set_findings(std::span<const live::FindingView> findings) {
  words_model_.set_findings(findings);
}

void AtomicView::follow(const Focus& focus) {
  wanted_ = focus;
  go_where_wanted();
}

/// Messages of a queue pair that was just chosen arrive later.
void AtomicView::go_where_wanted() {
  if (!wanted_ || !wanted_->qp || !wanted_->direction || !wanted_->message) return;
  const auto place = words_model_.history().find(*wanted_->qp, *wanted_->direction, *wanted_->message);
  const int word = place ? words_model_.row_of(place->word) : -1;
  if (word < 0) return;
  const Focus wanted = *std::exchange(wanted_, std::nullopt);
  // A user who follows a link wants to see its target.
  const bool is_hidden = !words_shown_.mapFromSource(words_model_.index(word, 0)).isValid();
  if (is_hidden) selection_.set_range({});
  if (source_row(words_shown_, words_->currentIndex()) != word) {
    words_->setCurrentIndex(words_shown_.mapFromSource(words_model_.index(word, 0)));
  }
  const int use = uses_model_.row_of(*wanted.qp, *wanted.direction, *wanted.message);
  if (use < 0) return;
  if (!uses_shown_.mapFromSource(uses_model_.index(use, 0)).isValid()) selection_.set_range({});
  uses_->setCurrentIndex(uses_shown_.mapFromSource(uses_model_.index(use, 0)));
}

void AtomicView::show_links(const AtomicFindings& findings) {
  constexpr std::size_t kMostLinks = 8;
  QStringList links;
  for (const live::FindingView& view : findings) {
    if (static_cast<std::size_t>(links.size()) == kMostLinks) {
      links << tr("and %n more", nullptr, static_cast<int>(findings.size() - kMostLinks)).toHtmlEscaped();
      break;
    }
    const QString words = tr("%1 in frame %2")
                              .arg(QString::fromLatin1(findings::rule(view.finding.id).code.data()),
                                   QString::number(place_of(view).frame.value));
    links << QStringLiteral("<a href=\"finding:%1\">%2</a>").arg(view.sequence).arg(words.toHtmlEscaped());
  }
  links_->setVisible(!links.isEmpty());
  links_->setText(tr("Findings on this word: %1").arg(links.join(tr(", "))));
}

void AtomicView::choose() {
  show_word();
  ask_where_needed();
  go_where_wanted();
}

void AtomicView::show_word() {
  tell_others();
  if (!words_->currentIndex().isValid() && words_shown_.rowCount() > 0) {
    // The first word with a contradiction is selected.
    int row = 0;
    for (int i = words_shown_.rowCount() - 1; i >= 0; --i) {
      const WordName& name = words_model_.word(source_row(words_shown_, words_shown_.index(i, 0)));
      if (words_model_.history().words().at(name).count("inconsistent") != 0) row = i;
    }
    words_->setCurrentIndex(words_shown_.index(row, 0));
    return;
  }
  if (words_shown_.rowCount() == 0) {
    uses_model_.show({});
    links_->hide();
    sentence_->setText(words_model_.rowCount() == 0 ? tr("No Atomic Operations were seen.")
                                                    : tr("No Atomic Operations were requested in the marked time."));
    return;
  }
  const int at = source_row(uses_shown_, uses_->currentIndex());
  const WordName word = words_model_.word(source_row(words_shown_, words_->currentIndex()));
  const AtomicFindings findings = words_model_.findings(word);
  uses_model_.show(words_model_.history().words().at(word), findings);
  show_links(findings);
  if (at >= 0 && at < uses_model_.rowCount()) {
    uses_->setCurrentIndex(uses_shown_.mapFromSource(uses_model_.index(at, 0)));
  }
  QString text = uses_model_.sentence();
  if (const std::uint64_t left_out = words_model_.history().left_out(); left_out != 0) {
    text += QLatin1Char(' ') + tr("%Ln request(s) were left out to limit memory.", nullptr, plural(left_out));
  }
  sentence_->setText(text);
}

void AtomicView::tell_others() {
  if (words_model_.is_asking()) {
    others_->setText(tr("&Cancel"));
    others_->setEnabled(true);
  } else {
    const auto count = static_cast<int>(words_model_.others(all_).size());
    others_->setText(count == 0 ? tr("No other queue pairs have atomics at this responder")
                                : tr("&Read %n other queue pair(s) of this responder", nullptr, count));
    others_->setEnabled(count != 0);
  }
  others_->setAccessibleName(others_->text().remove(QLatin1Char('&')));
}

void AtomicView::ask_or_cancel() {
  if (words_model_.is_asking()) return words_model_.cancel();
  progress_->setRange(0, 0);
  progress_->show();
  words_model_.ask_others(all_);
  tell_others();
}

void AtomicView::ask_where_needed() {
  if (asked_by_itself_ || words_model_.is_asking() || words_model_.others(all_).empty()) return;
  const auto is_between_qps = [](const live::FindingView& view) {
    return view.finding.id == findings::FindingId::rdmap_atomics_not_linearizable;
  };
  for (int row = 0; row < words_model_.rowCount(); ++row) {
    const AtomicFindings reported = words_model_.findings(words_model_.word(row));
    if (std::none_of(reported.begin(), reported.end(), is_between_qps)) continue;
    asked_by_itself_ = true;
    return ask_or_cancel();
  }
}

void AtomicView::tell_asked(const QString& trouble) {
  progress_->hide();
  others_->setToolTip(trouble);
  tell_others();
}

void AtomicView::look_at(const QModelIndex& index) {
  if (index.isValid()) selection_.look_at(uses_model_.focus(source_row(uses_shown_, index)));
}

}  // namespace iwarpscope::gui
