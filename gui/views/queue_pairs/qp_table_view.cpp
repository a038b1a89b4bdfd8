// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/queue_pairs/qp_table_view.h"

#include <QCheckBox>
#include <QDataStream>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIODevice>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <utility>

#include "iwarpscope/v1/status.pb.h"
#include "models/health.h"
#include "models/queue_pairs/qp_columns.h"
#include "models/words.h"
#include "views/colors.h"
#include "views/column_fit.h"
#include "views/empty_note.h"
#include "views/plots/time_note.h"
#include "views/queue_pairs/qp_delegate.h"
#include "views/table_style.h"

namespace iwarpscope::gui {
namespace {

constexpr quint32 kStateMark = 0x51505433;  // "QPT3"

QString pair_name(const QModelIndex& pair) {
  return pair.siblingAtColumn(static_cast<int>(QpColumn::ends)).data().toString();
}

}  // namespace

QpTableView::QpTableView(Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent),
      session_(session),
      selection_(selection),
      model_(new QpModel(this)),
      filter_(new FilterBar(this)),
      tree_(new QTreeView(this)),
      group_(new QCheckBox(tr("&Group by host pair"), this)),
      counts_(new QLabel(this)) {
  make_tree();
  make_actions();
  auto* columns = new QToolButton(this);
  columns->setText(tr("Columns"));
  columns->setAccessibleName(tr("Columns to show"));
  columns->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(columns);
  columns->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fill_columns(*menu); });
  group_->setAccessibleName(tr("Group by host pair"));
  counts_->setAccessibleDescription(tr("Number of queue pairs shown"));
  auto* above = new QHBoxLayout;
  above->addWidget(filter_, 1);
  above->addWidget(group_);
  above->addWidget(columns);
  above->addWidget(counts_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  above->setContentsMargins(0, 0, fontMetrics().horizontalAdvance(QLatin1Char('0')), 0);
  layout->addLayout(above);
  make_notes(*layout);
  layout->addWidget(tree_, 1);
  setFocusProxy(tree_);
  connect_all();
  show_counts();
}

/// Above the table, or in its place.
void QpTableView::make_notes(QVBoxLayout& layout) {
  model_->follow(selection_);
  time_note_ = new TimeNote(
      selection_,
      [this] {
        const auto hidden = static_cast<int>(model_->hidden_by_time());
        return hidden == 0 ? tr("All queue pairs were active in this time.")
                           : tr("%n queue pair(s) that were not active in this time are hidden.", nullptr, hidden);
      },
      this);
  layout.addWidget(time_note_);
  empty_ = new EmptyNote(*tree_);
  clear_filter_ = empty_->add_button(tr("C&lear the filter"), tr("Clear the filter of queue pairs"));
  connect(clear_filter_, &QPushButton::clicked, this, [this] { filter_->set_text({}); });
  all_of_time_ = empty_->add_button(tr("Show whole &time"), tr("Show the whole time in all views"));
  connect(all_of_time_, &QPushButton::clicked, this, [this] { selection_.set_range({}); });
}

QString QpTableView::empty_sentence() const {
  if (model_->shown() != 0) return {};
  if (model_->known() == 0) {
    const StatusPtr& status = session_.status();
    QString no_iwarp = status ? no_iwarp_sentence(*status) : QString();
    if (!no_iwarp.isEmpty()) return no_iwarp;
    const bool is_reading = session_.source().is_file() && session_.link().state != Link::State::failed;
    return is_reading ? tr("No queue pairs yet: the capture is being read.") : tr("No queue pairs yet.");
  }
  const auto hidden = [](std::size_t count) { return static_cast<int>(count); };
  if (model_->hidden_by_filter() == model_->known() && !counted_.isEmpty() && filter_->text() == counted_) {
    return tr("The queue pairs that the page Site counts here are no longer kept, or have not arrived yet. Hidden by "
              "the "
              "filter: %L1.")
        .arg(static_cast<qulonglong>(model_->known()));
  }
  if (model_->hidden_by_filter() == model_->known()) {
    return tr("No queue pair matches the filter: %n hidden.", nullptr, hidden(model_->known()));
  }
  return tr("No queue pair that matches the filter was active in the marked time: %n hidden.", nullptr,
            hidden(model_->known()));
}

void QpTableView::show_counted(const QString& filter) {
  counted_ = filter;
  filter_->set_text(filter);
}

void QpTableView::show_empty() {
  empty_->say(empty_sentence());
  const bool is_empty = model_->shown() == 0 && model_->known() != 0;
  clear_filter_->setVisible(is_empty && model_->hidden_by_filter() != 0);
  all_of_time_->setVisible(is_empty && model_->hidden_by_time() != 0);
}

void QpTableView::make_tree() {
  tree_->setModel(model_);
  tree_->setItemDelegate(new QpDelegate(tree_));
  tree_->setAccessibleName(tr("Queue pairs"));
  tree_->setAccessibleDescription(tr("One row per queue pair. Enter shows its messages."));
  tree_->setMinimumHeight(3 * fontMetrics().lineSpacing());
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setAlternatingRowColors(true);
  tree_->setSortingEnabled(true);
  tree_->setRootIsDecorated(false);
  tree_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  tree_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  tree_->setSelectionBehavior(QAbstractItemView::SelectRows);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  QHeaderView* header = tree_->header();
  header->setSectionsMovable(true);
  header->setFirstSectionMovable(true);
  header->setStretchLastSection(false);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->sortByColumn(static_cast<int>(QpColumn::verdict), Qt::DescendingOrder);  // the worst first
  // The time of failure is beside the failure; both fit into a window of 1360 pixels.
  header->moveSection(header->visualIndex(static_cast<int>(QpColumn::activity)),
                      header->visualIndex(static_cast<int>(QpColumn::worst)) + 1);
  // Beside the number, and only at a centre.
  header->moveSection(header->visualIndex(static_cast<int>(QpColumn::sensor)), 1);
  tree_->setColumnHidden(static_cast<int>(QpColumn::sensor), true);
  first_header_ = header->saveState();
  TableStyle::apply(*tree_);
  fit_ = new ColumnFit(*tree_);
  tree_->viewport()->installEventFilter(this);
}

void QpTableView::connect_all() {
  filter_->set_occurring([this](const QpField& field) { return model_->occurring(field); });
  connect(filter_, &FilterBar::filter_changed, model_, &QpModel::set_filter);
  connect(group_, &QCheckBox::toggled, this, &QpTableView::set_grouped);
  connect(&session_, &Session::qps_replaced, model_, &QpModel::replace);
  connect(&session_, &Session::qps_changed, model_, &QpModel::change);
  connect(&session_, &Session::qps_dropped, model_, &QpModel::count_discarded);
  connect(&session_, &Session::status_changed, this, &QpTableView::take_status);
  connect(&session_, &Session::link_changed, this, &QpTableView::take_link);
  connect(model_, &QpModel::about_to_rearrange, this, &QpTableView::before_rearranging);
  connect(model_, &QpModel::rearranged, this, &QpTableView::after_rearranging);
  connect(model_, &QpModel::counts_changed, this, &QpTableView::show_counts);
  connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QpTableView::row_selected);
  connect(&selection_, &Selection::qp_changed, this, &QpTableView::qp_changed);
  connect(tree_, &QTreeView::customContextMenuRequested, this, &QpTableView::show_menu);
  connect(tree_->header(), &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
    QMenu menu;
    fill_columns(menu);
    menu.exec(tree_->header()->mapToGlobal(at));
  });
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& index) {
    if (const auto number = model_->number_at(index)) emit activated(*number);
  });
}

void QpTableView::take_status(const StatusPtr& status) {
  show_empty();
  if (!status || !status->has_capture_time_ns()) return;
  model_->set_capture_time(status->capture_time_ns());
  tree_->viewport()->update();  // the last minute has moved
}

void QpTableView::take_link(const Link& link) {
  const bool is_stale = link.state == Link::State::lost || link.state == Link::State::failed;
  if (model_->is_stale() == is_stale) return;
  model_->set_stale(is_stale);
  QPalette colors = QGuiApplication::palette();
  colors.setColor(QPalette::Text, faint_color(colors));
  tree_->setPalette(is_stale ? colors : QPalette());
  show_counts();
}

void QpTableView::set_grouped(bool grouped) {
  tree_->setRootIsDecorated(grouped);
  group_->setChecked(grouped);
  model_->set_grouped(grouped);
  const QModelIndex chosen = selection_.qp() ? model_->index_of(*selection_.qp()) : QModelIndex();
  if (chosen.isValid()) make_current(chosen, true);
}

/// Rows of a daemon do not move under the mouse. A file is read once, wherever the mouse is.
bool QpTableView::eventFilter(QObject* watched, QEvent* event) {
  const bool leaves = event->type() == QEvent::Leave || event->type() == QEvent::Hide;
  if (event->type() == QEvent::Enter && !session_.source().is_file()) model_->set_held(true);
  if (leaves) model_->set_held(false);
  return QWidget::eventFilter(watched, event);
}

// The current row.

/// Follows the selected row, not the current one. Reasons: a table that gets the focus makes its first row current
/// without a choice by the user; a mouse press makes a row current before it selects it; a key selects before it makes
/// current.
void QpTableView::row_selected(const QItemSelection& selected) {
  if (rearranging_) return;
  if (selected.isEmpty()) {
    // A click beside the rows chooses nothing: the row that is shown stays selected.
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (!tree_->selectionModel()->hasSelection() && selection_.qp()) {
            make_current(model_->index_of(*selection_.qp()), false);
          }
        },
        Qt::QueuedConnection);
    return;
  }
  if (const auto number = model_->number_at(selected.first().topLeft())) selection_.set_qp(*number);
}

void QpTableView::qp_changed(const std::optional<std::uint64_t>& qp) {
  const QModelIndex index = qp ? model_->index_of(*qp) : QModelIndex();
  // The focus makes the first row current without selecting it.
  const bool is_selected = tree_->selectionModel()->isSelected(tree_->currentIndex());
  if (index.isValid() && is_selected && model_->number_at(tree_->currentIndex()) == qp) return;
  make_current(index, true);
}

void QpTableView::make_current(const QModelIndex& index, bool scroll) {
  const bool was = std::exchange(rearranging_, true);
  const bool scrolls = tree_->hasAutoScroll();
  tree_->setAutoScroll(false);
  if (index.isValid()) {
    if (scroll && index.parent().isValid()) tree_->expand(index.parent());
    const QModelIndex current = index.siblingAtColumn(std::max(0, tree_->currentIndex().column()));
    tree_->selectionModel()->setCurrentIndex(current, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (scroll) tree_->scrollTo(current);
  } else {
    tree_->selectionModel()->clear();
  }
  tree_->setAutoScroll(scrolls);
  rearranging_ = was;
}

void QpTableView::before_rearranging() {
  rearranging_ = true;
  open_pairs_.clear();
  if (model_->is_grouped()) {
    for (int i = 0; i < model_->rowCount(); ++i) {
      const QModelIndex pair = model_->index(i, 0);
      if (tree_->isExpanded(pair)) open_pairs_.insert(pair_name(pair));
    }
  }
  anchor_ = {.scroll = tree_->verticalScrollBar()->value()};
  const QRect view = tree_->viewport()->rect();
  QModelIndex index = tree_->currentIndex();
  if (!index.isValid() || !tree_->visualRect(index).intersects(view)) {
    if (anchor_.scroll == 0) return;  // a user at the top stays there
    index = tree_->indexAt(QPoint(0, 0));
  }
  anchor_.qp = model_->number_at(index);
  anchor_.top = tree_->visualRect(index).top();
}

void QpTableView::after_rearranging() {
  reopen_pairs();
  QScrollBar& bar = *tree_->verticalScrollBar();
  const QModelIndex chosen = selection_.qp() ? model_->index_of(*selection_.qp()) : QModelIndex();
  if (model_->number_at(tree_->currentIndex()) != selection_.qp() ||
      (chosen.isValid() && !tree_->currentIndex().isValid())) {
    const bool is_pair_current = tree_->currentIndex().isValid() && !model_->number_at(tree_->currentIndex());
    if (!is_pair_current || chosen.isValid()) make_current(chosen, false);
  }
  const QModelIndex anchor = anchor_.qp ? model_->index_of(*anchor_.qp) : QModelIndex();
  const QRect now = anchor.isValid() ? tree_->visualRect(anchor) : QRect();
  if (now.isValid()) {
    bar.setValue(bar.value() + now.top() - anchor_.top);
  } else {
    bar.setValue(anchor_.scroll);
  }
  rearranging_ = false;
}

/// After a reset, all groups are closed.
void QpTableView::reopen_pairs() {
  if (!model_->is_grouped() || open_pairs_.isEmpty()) return;
  for (int i = 0; i < model_->rowCount(); ++i) {
    const QModelIndex pair = model_->index(i, 0);
    if (!tree_->isExpanded(pair) && open_pairs_.contains(pair_name(pair))) tree_->expand(pair);
  }
}

void QpTableView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  emit resized();
}

int QpTableView::wanted_height() const {
  const QModelIndex first = model_->index(0, 0);
  const int row = first.isValid() ? tree_->visualRect(first).height() : 0;
  constexpr std::size_t kMostRows = 1000;  // more than a window has
  const auto rows = static_cast<int>(std::min(model_->shown(), kMostRows));
  const int around = height() - tree_->viewport()->height();
  const int note = empty_->isHidden() ? 0 : empty_->sizeHint().height();
  return around + std::max(note, std::max(rows, 1) * std::max(row, fontMetrics().height()));
}

void QpTableView::show_sensors() {
  const StatusPtr& status = session_.status();
  const bool is_centre = status && status->centre();
  if (std::exchange(is_centre_, is_centre) != is_centre)
    tree_->setColumnHidden(static_cast<int>(QpColumn::sensor), !is_centre);
}

void QpTableView::show_counts() {
  show_sensors();
  const auto text = [](std::size_t n) { return QLocale().toString(static_cast<qulonglong>(n)); };
  QString sentence = model_->shown() == model_->known()
                         ? tr("QPs: %1").arg(text(model_->known()))
                         : tr("QPs: %1 of %2").arg(text(model_->shown()), text(model_->known()));
  if (const std::uint64_t older = model_->discarded(); older != 0) {
    sentence = tr("%1; %Ln older one(s) were discarded", nullptr, plural(older)).arg(sentence);
  }
  time_note_->refresh();
  show_empty();
  counts_->setText(model_->is_stale() ? tr("%1, stale").arg(sentence) : sentence);
}

// State and export.

QList<int> QpTableView::shown_columns() const {
  QList<int> columns;
  for (int visual = 0; visual < kQpColumns; ++visual) {
    const int column = tree_->header()->logicalIndex(visual);
    if (!tree_->isColumnHidden(column)) columns << column;
  }
  return columns;
}

TableExport QpTableView::shown() const {
  return {.model = *model_, .columns = shown_columns(), .value_role = static_cast<int>(QpRole::value)};
}

QByteArray QpTableView::save_state() const {
  QByteArray state;
  QDataStream out(&state, QIODevice::WriteOnly);
  out.setVersion(QDataStream::Qt_6_4);
  out << kStateMark << tree_->header()->saveState() << fit_->dragged() << group_->isChecked() << filter_->history();
  out << (filter_->is_valid() ? filter_->text() : QString());
  return state;
}

bool QpTableView::restore_state(const QByteArray& state) {
  QDataStream in(state);
  in.setVersion(QDataStream::Qt_6_4);
  quint32 mark = 0;
  QByteArray header;
  QMap<int, double> dragged;
  bool grouped = false;
  QStringList history;
  QString filter;
  in >> mark;
  if (mark != kStateMark) return false;
  in >> header >> dragged >> grouped >> history >> filter;
  if (in.status() != QDataStream::Ok || !fit_->restore(header, dragged)) return false;
  tree_->setColumnHidden(static_cast<int>(QpColumn::number), false);
  filter_->set_history(history);
  filter_->set_text(filter);
  set_grouped(grouped);
  return true;
}

void QpTableView::reset_layout() {
  fit_->restore(first_header_, {});
  filter_->set_text({});
  set_grouped(false);
}

}  // namespace iwarpscope::gui
