// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Actions on every table: copy its row or its sentence, save it.
#pragma once

#include <QAbstractItemView>

#include <functional>

#include "views/table_export.h"

namespace iwarpscope::gui {

class LocalKeys;

/// Shows the text in the status bar of the window that contains the widget or its dock.
void tell(const QWidget& widget, const QString& sentence);

/// Ctrl+C, Ctrl+Shift+C and the context menu of a table or tree. Lives as long as the view.
class TableActions : public QObject {
  Q_OBJECT

 public:
  /// The sentence of a row, to copy it into a mail; empty: none.
  using Sentence = std::function<QString(const QModelIndex&)>;

  /// `stem`: proposed file name without suffix. No `sentence`: rows have none.
  TableActions(QAbstractItemView& view, QString stem, Sentence sentence = {});
  /// Files begin with a column for the row headers.
  void set_row_key(const QString& key) { row_key_ = key; }

  /// Visible columns, in their current order; values for programs.
  [[nodiscard]] TableExport shown() const;
  void copy_row() const;
  void copy_sentence() const;
  /// Asks for a file name.
  void export_table() const;

 protected:
  /// The Menu key opens the menu at the current row.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void add(const QString& text, const char* name, const QKeySequence& keys, void (TableActions::*slot)() const);
  void copy(const QString& text, const QString& reported) const;

  QAbstractItemView& view_;
  LocalKeys* const keys_;
  const QString stem_;
  const Sentence sentence_;
  QString row_key_;
};

}  // namespace iwarpscope::gui
