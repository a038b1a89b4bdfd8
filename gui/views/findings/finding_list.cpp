// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/findings/finding_list.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "findings/catalogue.h"
#include "iwarpscope/v1/status.pb.h"
#include "models/atomics/atomic_words.h"
#include "models/site/sensor_table.h"
#include "models/words.h"
#include "views/colors.h"
#include "views/headings.h"
#include "views/local_keys.h"
#include "views/plots/time_note.h"
#include "views/sensor_box.h"
#include "views/sentence_delegate.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {
namespace {

/// Draws the severity cells in their colour; their text contains the sign and the word.
class SeverityDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto severity = static_cast<findings::Severity>(index.data(FindingTable::severity_role).toInt());
    option->palette.setColor(QPalette::Text, severity_color(severity, option->palette));
    option->font.setBold(severity == findings::Severity::error);
  }
};

}  // namespace

FindingList::FindingList(Selection& selection, FindingTable& findings, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      findings_(findings),
      filter_(new FindingFilter(findings, selection, this)) {
  setAccessibleName(tr("Findings of all queue pairs"));
  setWhatsThis(
      tr("Lists all findings of all queue pairs, sorted by the time of the first frame that shows them. The earliest "
         "error or warning between two hosts is marked: later findings are often its consequence. Enter shows the "
         "frame in all other views. F1 shows the rule."));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(make_bar());
  auto* const note = new TimeNote(
      selection_, [this] { return TimeNote::hidden_rows(filter_->hidden_by_time()); }, this);
  note->follow(*filter_);
  layout->addWidget(note);
  chosen_ = new QLabel(this);
  keep_from_edge(*chosen_);
  chosen_->setAccessibleDescription(tr("Text of the chosen finding"));
  chosen_->setTextFormat(Qt::PlainText);
  chosen_->setWordWrap(true);
  chosen_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  chosen_->hide();
  make_table();
  layout->addWidget(table_, 1);
  layout->addWidget(chosen_);
  setFocusProxy(table_);
  connect(&selection_, &Selection::qp_changed, this, [this](const std::optional<std::uint64_t>& qp) {
    if (one_qp_->isChecked()) filter_->set_qp(qp);
  });
  // Signals of the table, because rows can be hidden. The filter has processed the change already.
  for (const QAbstractItemModel* model :
       {static_cast<QAbstractItemModel*>(filter_), static_cast<QAbstractItemModel*>(&findings_)}) {
    connect(model, &QAbstractItemModel::modelReset, this, &FindingList::count);
    connect(model, &QAbstractItemModel::rowsInserted, this, &FindingList::count);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &FindingList::count);
    connect(model, &QAbstractItemModel::dataChanged, this, &FindingList::count);
  }
  count();
}

QWidget* FindingList::make_bar() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins({});
  severity_ = new QComboBox(bar);
  severity_->setAccessibleName(tr("Lowest severity shown"));
  severity_->addItem(tr("All severities"), static_cast<int>(findings::Severity::note));
  severity_->addItem(tr("Warnings and errors"), static_cast<int>(findings::Severity::warning));
  severity_->addItem(tr("Errors only"), static_cast<int>(findings::Severity::error));
  text_ = new QLineEdit(bar);
  text_->setObjectName(QLatin1String(kFilterField));
  text_->setAccessibleName(tr("Words to find in findings"));
  text_->setPlaceholderText(tr("Words to find: a rule, an address, ..."));
  text_->setClearButtonEnabled(true);
  first_ = new QCheckBox(tr("What ca&me first"), bar);
  first_->setAccessibleName(tr("Only the earliest error or warning between two hosts"));
  one_qp_ = new QCheckBox(tr("This queue &pair"), bar);
  one_qp_->setAccessibleName(tr("Only findings of the chosen queue pair"));
  count_ = new QLabel(bar);
  keep_from_edge(*count_);
  count_->setAccessibleDescription(tr("Number of findings shown"));
  sensor_ = new SensorBox(tr("Only findings of this sensor"), bar);
  sensor_->hide();
  connect(sensor_, &SensorBox::chosen, filter_, &FindingFilter::set_sensor);
  row->addWidget(severity_);
  row->addWidget(sensor_);
  row->addWidget(text_, 1);
  row->addWidget(first_);
  row->addWidget(one_qp_);
  row->addWidget(count_);
  connect(severity_, &QComboBox::currentIndexChanged, this,
          [this] { filter_->set_at_least(static_cast<findings::Severity>(severity_->currentData().toInt())); });
  connect(text_, &QLineEdit::textChanged, filter_, &FindingFilter::set_text);
  connect(first_, &QCheckBox::toggled, filter_, &FindingFilter::set_first_only);
  connect(one_qp_, &QCheckBox::toggled, this,
          [this](bool on) { filter_->set_qp(on ? selection_.qp() : std::nullopt); });
  return bar;
}

void FindingList::make_table() {
  table_ = new QTreeView(this);
  table_->setAccessibleName(tr("Findings"));
  table_->setModel(filter_);
  table_->setRootIsDecorated(false);
  table_->setAllColumnsShowFocus(true);
  table_->setSortingEnabled(true);
  table_->sortByColumn(FindingTable::kSeverity, Qt::DescendingOrder);  // of one severity, as they came
  table_->setItemDelegateForColumn(FindingTable::kSeverity, new SeverityDelegate(table_));
  // What is wrong comes first; where and when follow.
  int place = 0;
  for (const int column : {FindingTable::kSeverity, FindingTable::kRule, FindingTable::kText}) {
    table_->header()->moveSection(table_->header()->visualIndex(column), place++);
  }
  table_->setColumnHidden(FindingTable::kSensor, true);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  SentenceDelegate::apply(*table_, FindingTable::kText);
  make_actions();
  connect(table_, &QAbstractItemView::activated, this, &FindingList::go);
  connect(table_, &QAbstractItemView::clicked, this,
          [this](const QModelIndex& index) { emit finding_clicked(focus_of(filter_->at(index))); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FindingList::show_chosen);
  // Only a selected row moves the other views: the first row also becomes the current one when the table gets the
  // focus.
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this](const QItemSelection& chosen) {
    if (!chosen.isEmpty()) selection_.look_at(focus_of(filter_->at(chosen.indexes().front())));
  });
}

void FindingList::make_actions() {
  new TableActions(*table_, QStringLiteral("findings"), [this](const QModelIndex& index) {
    const live::FindingView& view = filter_->at(index);
    const findings::Rule& rule = findings::rule(view.finding.id);
    const QString code = QString::fromLatin1(rule.code.data());
    const QString text = QString::fromStdString(view.finding.text);
    QStringList where{code};
    if (const FrameNumber frame = place_of(view).frame; frame != FrameNumber{})
      where << tr("frame %1").arg(frame.value);
    if (view.ends) where << ends_text(view.ends->first, view.ends->second);
    return tr("%1: %2").arg(where.join(tr(", ")), text);
  });
  auto* const atomics = new QAction(tr("Show the &Word and Its Atomics"), table_);
  atomics->setEnabled(false);
  connect(atomics, &QAction::triggered, this, &FindingList::show_atomics);
  table_->addAction(atomics);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this, atomics](const QModelIndex& index) {
            atomics->setEnabled(index.isValid() && is_about_result(filter_->at(index)));
          });
}

void FindingList::show_atomics() {
  const QModelIndex current = table_->currentIndex();
  if (!current.isValid() || !is_about_result(filter_->at(current))) return;
  emit atomics_wanted(focus_of(filter_->at(current)));
}

QModelIndex FindingList::index_of(std::uint64_t sequence) const {
  for (int row = 0; row < findings_.rowCount(); ++row) {
    if (findings_.at(row).sequence == sequence) return filter_->mapFromSource(findings_.index(row, 0));
  }
  return {};
}

void FindingList::show_finding(std::uint64_t sequence) {
  if (!index_of(sequence).isValid()) show_rule({});
  const QModelIndex index = index_of(sequence);
  if (!index.isValid()) return;
  table_->setCurrentIndex(index);
  table_->scrollTo(index);
}

void FindingList::set_status(const StatusPtr& status) {
  if (!status) return;
  if (std::exchange(is_centre_, status->centre()) != status->centre()) {
    filter_->set_centre(is_centre_);
    table_->setColumnHidden(FindingTable::kSensor, !is_centre_);
    sensor_->setVisible(is_centre_);
    if (!is_centre_) sensor_->choose_all();
  }
  if (is_centre_) sensor_->set_names(sensor_names(*status));
}

void FindingList::show_rule(const QString& rule) {
  severity_->setCurrentIndex(0);
  sensor_->choose_all();
  // The code occurs in no other rule's name.
  const findings::Rule* const known = findings::find_rule(rule.toStdString());
  text_->setText(known == nullptr ? rule : QString::fromUtf8(known->code));
  first_->setChecked(false);
  one_qp_->setChecked(false);
  selection_.set_range({});
}

std::optional<std::uint64_t> FindingList::first_qp() const {
  const QModelIndex first = table_->model()->index(0, 0);
  return first.isValid() ? focus_of(filter_->at(first)).qp : std::nullopt;
}

/// Its rule for F1, and its full text, because the row may be too narrow.
void FindingList::show_chosen(const QModelIndex& index) {
  const std::string_view code = index.isValid() ? findings::rule(filter_->at(index).finding.id).code : "";
  setProperty("rule", QString::fromUtf8(code));
  chosen_->setText(index.isValid() ? QString::fromStdString(filter_->at(index).finding.text) : QString());
  chosen_->setVisible(index.isValid());
}

void FindingList::go(const QModelIndex& index) {
  if (!index.isValid()) return;
  emit frame_wanted(focus_of(filter_->at(index)));
}

void FindingList::count() {
  QString text = tr("%L1 of %L2").arg(filter_->rowCount()).arg(findings_.rowCount());
  if (const std::uint64_t older = findings_.not_kept(); older != 0) {
    text = tr("%1; %Ln older one(s) were discarded", nullptr, plural(older)).arg(text);
  }
  count_->setText(text);
}

}  // namespace iwarpscope::gui
