// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Actions on the table of queue pairs: copy, filter by a row, save, choose columns.
#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QTreeView>

#include "views/queue_pairs/qp_table_view.h"

#include "models/queue_pairs/qp_columns.h"
#include "views/local_keys.h"

namespace iwarpscope::gui {

void QpTableView::make_actions() {
  auto* const keys = new LocalKeys(*tree_);
  const auto add = [&](const QString& text, const char* name, const QKeySequence& key, auto slot) {
    QAction* const action = keys->add(text, name, key);
    connect(action, &QAction::triggered, this, slot);
    return action;
  };
  copy_row_ = add(tr("&Copy as Text"), kCopyRow, QKeySequence::Copy, &QpTableView::copy_row);
  copy_sentence_ = add(tr("Copy &Sentence"), kCopySentence, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                       &QpTableView::copy_sentence);
  only_these_ = add(tr("Show Only These &Hosts"), "only-these-hosts", {}, &QpTableView::show_only_these_hosts);
  export_ = add(tr("&Export Table..."), "export", {}, &QpTableView::export_table);
}

void QpTableView::copy_row() {
  const QModelIndex current = tree_->currentIndex();
  if (!current.isValid()) return;
  QGuiApplication::clipboard()->setText(row_text(current, shown_columns()));
  emit message(tr("Row copied to the clipboard."));
}

void QpTableView::copy_sentence() {
  const auto number = model_->number_at(tree_->currentIndex());
  if (!number) return;
  session_.ask_qp(*number, this, [this](const tl::expected<live::QpView, api::Failure>& answer) {
    if (!answer) {
      emit message(QString::fromStdString(answer.error().sentence));
      return;
    }
    if (!answer->record.verdict) {
      emit message(tr("This queue pair has no verdict."));
      return;
    }
    QGuiApplication::clipboard()->setText(QString::fromStdString(answer->record.verdict->text));
    emit message(tr("Sentence copied to the clipboard."));
  });
}

void QpTableView::show_only_these_hosts() {
  const auto number = model_->number_at(tree_->currentIndex());
  const QpRow* row = number ? model_->find(*number) : nullptr;
  if (row == nullptr) return;
  filter_->set_text(
      QStringLiteral("host == %1 and host == %2")
          .arg(QString::fromStdString(row->a.address.text()), QString::fromStdString(row->b.address.text())));
}

void QpTableView::export_table() {
  const QString file = QFileDialog::getSaveFileName(this, tr("Export table"), QStringLiteral("queue-pairs.csv"),
                                                    tr("CSV (*.csv);;JSON (*.json)"));
  if (file.isEmpty()) return;
  const QString trouble = save_table(shown(), file);
  emit message(trouble.isEmpty() ? tr("Table saved in %1.").arg(file) : trouble);
}

void QpTableView::show_menu(const QPoint& at) {
  const bool is_qp = model_->number_at(tree_->currentIndex()).has_value();
  copy_sentence_->setEnabled(is_qp);
  only_these_->setEnabled(is_qp);
  QMenu menu;
  menu.addActions({copy_row_, copy_sentence_, only_these_, export_});
  menu.addActions(of_others_);
  menu.exec(tree_->viewport()->mapToGlobal(at));
  copy_sentence_->setEnabled(true);
  only_these_->setEnabled(true);
}

void QpTableView::add_to_menu(const QList<QAction*>& actions) {
  of_others_ << actions;
}

void QpTableView::fill_columns(QMenu& menu) {
  menu.clear();
  for (int i = 0; i < kQpColumns; ++i) {
    QAction* action = menu.addAction(QpWords::title(static_cast<QpColumn>(i)));
    action->setCheckable(true);
    action->setChecked(!tree_->isColumnHidden(i));
    // The column of the number has the tree's branches and is always visible.
    action->setEnabled(i != static_cast<int>(QpColumn::number));
    connect(action, &QAction::toggled, tree_, [this, i](bool on) { tree_->setColumnHidden(i, !on); });
  }
}

}  // namespace iwarpscope::gui
