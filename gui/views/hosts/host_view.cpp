// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/hosts/host_view.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

#include "iwarpscope/v1/status.pb.h"
#include "models/words.h"
#include "views/colors.h"
#include "views/headings.h"
#include "views/local_keys.h"
#include "views/plots/time_note.h"
#include "views/table_actions.h"
#include "views/text_button.h"

namespace iwarpscope::gui {
namespace {

/// Draws the cell in the colour of its verdict; its text contains the sign and the word.
class OutcomeDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant outcome = index.data(HostTable::outcome_role);
    if (!outcome.isValid()) return;
    const auto worst = static_cast<qp::Outcome>(outcome.toInt());
    const QColor base = option->palette.color(QPalette::Base);
    option->backgroundBrush = mixed(outcome_color(worst, option->palette), base, is_dark(option->palette) ? 0.3 : 0.2);
    option->font.setBold(qp::ended_badly(worst));
  }
};

QString hidden_qps(std::size_t count) {
  return count == 0
             ? HostView::tr("All queue pairs were active in this time.")
             : HostView::tr("%n queue pair(s) that were not active in this time are left out.", nullptr, plural(count));
}

}  // namespace

HostView::HostView(Session& session, Selection& selection, QWidget* parent) : QWidget(parent), selection_(selection) {
  setAccessibleName(tr("Hosts"));
  setWhatsThis(
      tr("Shows which hosts use RDMA with each other: one row per Initiator, one column per Responder, the worst "
         "first. A cell shows the worst verdict of all queue pairs between the two hosts and the letter of their worst "
         "finding. Enter or a click on a cell filters the table to these queue pairs. The menu of the right mouse "
         "button is about the worst of them. The list on the right shows the "
         "worst queue pairs of the capture: Enter or a click chooses one."));
  auto* const split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(make_left());
  split->addWidget(make_right());
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  split->setSizes({1000, 1000});
  auto* const all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  note_ = new TimeNote(
      selection_, [this] { return hidden_qps(hosts_.outside(selection_.range())); }, this);
  all->addWidget(note_);
  all->addWidget(split, 1);
  setFocusProxy(matrix_);
  connect(&selection_, &Selection::range_changed, this, &HostView::refresh);
  connect(&session, &Session::qps_replaced, this, &HostView::replace);
  connect(&session, &Session::qps_changed, this, &HostView::change);
  connect(&session, &Session::status_changed, this, &HostView::take_status);
  show_hosts();
  show_worst();
}

QWidget* HostView::make_left() {
  auto* const left = new QWidget(this);
  words_ = new QLineEdit(left);
  words_->setObjectName(QLatin1String(kFilterField));
  words_->setAccessibleName(tr("Words to find in hosts"));
  words_->setPlaceholderText(tr("An address, a verdict, a rule…"));
  words_->setClearButtonEnabled(true);
  auto* const all = new TextButton(tr("Show &all queue pairs"), left);
  all->setAccessibleName(tr("Show all queue pairs in the table"));
  count_ = new QLabel(left);
  keep_from_edge(*count_);
  count_->setAccessibleDescription(tr("Number of host pairs shown"));
  make_matrix();
  auto* const axes = new QLabel(tr("Rows: Initiators. Columns: Responders. The worst come first."), left);
  keep_from_edge(*axes);
  axes->setAccessibleDescription(tr("Contents of the matrix"));
  axes->setWordWrap(true);
  auto* const row = new QHBoxLayout;
  row->addWidget(words_, 1);
  row->addWidget(all);
  auto* const below = new QHBoxLayout;
  below->addWidget(axes, 1);
  below->addWidget(count_);
  below->setContentsMargins(0, 0, fontMetrics().averageCharWidth(), 0);
  auto* const column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(row);
  column->addLayout(below);
  column->addWidget(matrix_, 1);
  connect(words_, &QLineEdit::textChanged, this, [this](const QString& words) {
    table_.set_words(words);
    count();
  });
  connect(all, &QPushButton::clicked, this, [this] { emit filter_wanted({}); });
  return left;
}

void HostView::make_matrix() {
  matrix_ = new QTableView(this);
  matrix_->setModel(&table_);
  matrix_->setItemDelegate(new OutcomeDelegate(matrix_));
  matrix_->setAccessibleName(tr("Initiators and Responders"));
  matrix_->setAccessibleDescription(tr("Rows are Initiators, columns Responders. Enter shows their queue pairs."));
  matrix_->setSelectionMode(QAbstractItemView::SingleSelection);
  matrix_->setCornerButtonEnabled(false);
  for (auto* corner : matrix_->findChildren<QAbstractButton*>()) corner->setAccessibleName(tr("Corner"));
  matrix_->setTabKeyNavigation(false);
  matrix_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  matrix_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  const QFontMetrics metrics = fontMetrics();
  matrix_->horizontalHeader()->setDefaultSectionSize(metrics.horizontalAdvance(QStringLiteral("192.168.100.100")) +
                                                     2 * metrics.averageCharWidth());
  matrix_->horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
  matrix_->verticalHeader()->setTextElideMode(Qt::ElideMiddle);
  matrix_->verticalHeader()->setDefaultSectionSize(metrics.height() * 7 / 4);
  (new TableActions(*matrix_, QStringLiteral("hosts"), [this](const QModelIndex& index) {
    return sentence(index);
  }))->set_row_key(QStringLiteral("initiator"));
  connect(matrix_, &QAbstractItemView::clicked, this, &HostView::choose_pair);
  connect(matrix_, &QAbstractItemView::activated, this, &HostView::choose_pair);
  connect(matrix_, &QAbstractItemView::pressed, this, &HostView::choose_worst);
  connect(matrix_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) { current_ = table_.key_at(index); });
}

QWidget* HostView::make_right() {
  auto* const right = new QWidget(this);
  ranking_ = new QComboBox(right);
  ranking_->setAccessibleName(tr("Sort order of the worst queue pairs"));
  ranking_->addItem(tr("by errors"), static_cast<int>(Ranking::errors));
  ranking_->addItem(tr("by longest wait"), static_cast<int>(Ranking::waits));
  ranking_->addItem(tr("by traffic"), static_cast<int>(Ranking::traffic));
  auto* const label = new QLabel(tr("&Worst queue pairs"), right);
  label->setBuddy(ranking_);
  worst_ = new QTreeView(right);
  worst_->setModel(&ranked_);
  worst_->setAccessibleName(tr("Worst queue pairs"));
  worst_->setAccessibleDescription(tr("Enter chooses the queue pair in all views."));
  worst_->setRootIsDecorated(false);
  worst_->setUniformRowHeights(true);
  worst_->setAllColumnsShowFocus(true);
  worst_->setAlternatingRowColors(true);
  worst_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  new TableActions(*worst_, QStringLiteral("worst-queue-pairs"));
  auto* const row = new QHBoxLayout;
  row->addWidget(label);
  row->addWidget(ranking_);
  row->addStretch();
  auto* const column = new QVBoxLayout(right);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(row);
  column->addWidget(worst_, 1);
  connect(ranking_, &QComboBox::currentIndexChanged, this, &HostView::show_worst);
  connect(worst_, &QAbstractItemView::pressed, this, &HostView::choose_qp);
  connect(worst_, &QAbstractItemView::activated, this, &HostView::choose_qp);
  return right;
}

void HostView::replace(const QpRows& qps) {
  hosts_.replace(qps);
  refresh();
}

void HostView::change(const QpRows& qps) {
  hosts_.change(qps);
  refresh();
}

void HostView::take_status(const StatusPtr& status) {
  if (!status || !status->has_capture_time_ns()) return;
  hosts_.set_capture_time(status->capture_time_ns());
  refresh();
}

/// Summing needs time, and is not visible while other views cover this one.
void HostView::refresh() {
  if (!isVisible()) return;
  show_hosts();
  show_worst();
  note_->refresh();
}

void HostView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

/// When hosts appear or disappear, the current cell and its position stay.
void HostView::show_hosts() {
  const auto kept = current_;
  const int across = matrix_->horizontalScrollBar()->value(), down = matrix_->verticalScrollBar()->value();
  table_.show(hosts_.sums(selection_.range()));
  const QModelIndex index = kept ? table_.index_of(*kept) : QModelIndex();
  if (index.isValid() && matrix_->currentIndex() != index) {
    matrix_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    matrix_->horizontalScrollBar()->setValue(across);
    matrix_->verticalScrollBar()->setValue(down);
  }
  current_ = kept;
  count();
}

void HostView::show_worst() {
  const QModelIndex current = worst_->currentIndex();
  const auto kept = current.isValid() ? std::optional(ranked_.at(current.row()).number) : std::nullopt;
  ranked_.show(
      hosts_.worst(static_cast<Ranking>(ranking_->currentData().toInt()), WorstTable::kMost, selection_.range()));
  const int row = kept ? ranked_.row_of(*kept) : -1;
  if (row >= 0 && worst_->currentIndex().row() != row) worst_->setCurrentIndex(ranked_.index(row, 0));
}

void HostView::count() {
  const QString shown = number_text(table_.pairs_shown()), all = number_text(table_.pairs());
  QString text = shown == all ? tr("Pairs: %1").arg(all) : tr("Pairs: %1 of %2").arg(shown, all);
  if (table_.hosts_left_out() != 0) {
    text += QStringLiteral("; ") +
            tr("%Ln host(s) with the least severe results are left out", nullptr, plural(table_.hosts_left_out()));
  }
  if (hosts_.left_out() != 0) text = tr("%1; too many queue pairs, not all are counted").arg(text);
  count_->setText(text);
}

void HostView::choose_pair(const QModelIndex& index) {
  if (table_.at(index) == nullptr) return;
  const HostsKey key = *table_.key_at(index);
  emit filter_wanted(
      QStringLiteral("initiator == %1 and responder == %2")
          .arg(QString::fromStdString(key.initiator.text()), QString::fromStdString(key.responder.text())));
}

/// The menu of a cell is about its worst queue pair.
void HostView::choose_worst(const QModelIndex& index) {
  const HostsSum* const sum = table_.at(index);
  if (sum != nullptr && QGuiApplication::mouseButtons().testFlag(Qt::RightButton)) selection_.set_qp(sum->worst_qp);
}

void HostView::choose_qp(const QModelIndex& index) {
  if (index.isValid()) selection_.set_qp(ranked_.at(index.row()).number);
}

QString HostView::sentence(const QModelIndex& index) const {
  return table_.at(index) == nullptr ? QString()
                                     : index.data(Qt::ToolTipRole).toString().replace(QLatin1Char('\n'), tr("; "));
}

}  // namespace iwarpscope::gui
