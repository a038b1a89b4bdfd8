// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/table_actions.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMainWindow>
#include <QMenu>
#include <QStatusBar>
#include <QTableView>
#include <QTreeView>

#include <utility>

#include "models/table_values.h"
#include "views/local_keys.h"
#include "views/table_style.h"

namespace iwarpscope::gui {
namespace {

const QHeaderView* header_of(const QAbstractItemView& view) {
  if (const auto* tree = qobject_cast<const QTreeView*>(&view)) return tree->header();
  if (const auto* table = qobject_cast<const QTableView*>(&view)) return table->horizontalHeader();
  return nullptr;
}

}  // namespace

void tell(const QWidget& widget, const QString& sentence) {
  constexpr int kShownMs = 15'000;
  for (const QWidget* around = &widget; around != nullptr; around = around->parentWidget()) {
    const auto* window = qobject_cast<const QMainWindow*>(around);
    if (window == nullptr) continue;
    if (auto* bar = window->findChild<QStatusBar*>(QString(), Qt::FindDirectChildrenOnly))
      bar->showMessage(sentence, kShownMs);
    return;
  }
}

TableActions::TableActions(QAbstractItemView& view, QString stem, Sentence sentence)
    : QObject(&view), view_(view), keys_(new LocalKeys(view)), stem_(std::move(stem)), sentence_(std::move(sentence)) {
  add(tr("&Copy as Text"), kCopyRow, QKeySequence::Copy, &TableActions::copy_row);
  if (sentence_) {
    add(tr("Copy &Sentence"), kCopySentence, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        &TableActions::copy_sentence);
  }
  add(tr("&Export Table..."), "export", {}, &TableActions::export_table);
  view_.setContextMenuPolicy(Qt::ActionsContextMenu);
  view_.installEventFilter(this);
  TableStyle::apply(view_);
}

/// Qt takes the place of the row in what scrolls for one in the whole view, and leaves out the headers.
bool TableActions::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &view_ || event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
  const auto& asked = static_cast<const QContextMenuEvent&>(*event);
  if (asked.reason() != QContextMenuEvent::Keyboard) return QObject::eventFilter(watched, event);
  const QRect row = view_.visualRect(view_.currentIndex()) & view_.viewport()->rect();
  QMenu::exec(view_.actions(), view_.viewport()->mapToGlobal(row.isEmpty() ? QPoint() : row.bottomLeft()), nullptr,
              &view_);
  return true;
}

void TableActions::add(const QString& text, const char* name, const QKeySequence& keys,
                       void (TableActions::*slot)() const) {
  connect(keys_->add(text, name, keys), &QAction::triggered, this, slot);
}

TableExport TableActions::shown() const {
  QList<int> columns;
  const QHeaderView* const header = header_of(view_);
  for (int visual = 0; header != nullptr && visual < header->count(); ++visual) {
    const int column = header->logicalIndex(visual);
    if (!header->isSectionHidden(column)) columns << column;
  }
  return {.model = *view_.model(), .columns = columns, .value_role = kValueRole, .row_key = row_key_};
}

void TableActions::copy(const QString& text, const QString& reported) const {
  QGuiApplication::clipboard()->setText(text);
  tell(view_, reported);
}

void TableActions::copy_row() const {
  const QModelIndex current = view_.currentIndex();
  if (!current.isValid()) return;
  QString row = row_text(current, shown().columns);
  if (!row_key_.isEmpty()) {
    row.prepend(view_.model()->headerData(current.row(), Qt::Vertical).toString() + QLatin1Char('\t'));
  }
  copy(row, tr("Row copied to the clipboard."));
}

void TableActions::copy_sentence() const {
  const QModelIndex current = view_.currentIndex();
  const QString sentence = current.isValid() ? sentence_(current) : QString();
  if (!sentence.isEmpty()) copy(sentence, tr("Sentence copied to the clipboard."));
}

void TableActions::export_table() const {
  const QString file = QFileDialog::getSaveFileName(view_.window(), tr("Export table"), stem_ + QStringLiteral(".csv"),
                                                    tr("CSV (*.csv);;JSON (*.json)"));
  if (file.isEmpty()) return;
  const QString trouble = save_table(shown(), file);
  tell(view_, trouble.isEmpty() ? tr("Table saved in %1.").arg(file) : trouble);
}

}  // namespace iwarpscope::gui
