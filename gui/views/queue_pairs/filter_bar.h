// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The input line of the filter: shows at once whether the filter is valid, and offers completions.
#pragma once

#include <QStringList>
#include <QStringListModel>
#include <QTimer>
#include <QWidget>

#include <functional>

#include "models/queue_pairs/qp_filter.h"

class QCompleter;
class QLabel;
class QLineEdit;
class QToolButton;

namespace iwarpscope::gui {

class FilterBar : public QWidget {
  Q_OBJECT

 public:
  static constexpr qsizetype kMostHistory = 20;

  explicit FilterBar(QWidget* parent = nullptr);
  /// Values of a field that occur now, for completion.
  void set_occurring(std::function<QStringList(const QpField&)> occurring);
  [[nodiscard]] QString text() const;
  /// Sets a filter as if the user had typed it and pressed Enter.
  void set_text(const QString& text);
  [[nodiscard]] bool is_valid() const noexcept { return valid_; }
  /// Filters that were finished with Enter, the latest first.
  [[nodiscard]] const QStringList& history() const noexcept { return history_; }
  void set_history(const QStringList& history);

  /// What is wrong with the text; empty: nothing.
  [[nodiscard]] QString trouble() const;

 signals:
  /// A valid filter; emitted soon after the last key, or at once with Enter. Of an invalid text: no filter, so that no
  /// rows are shown that another filter has chosen; a little later, as what is being typed is often invalid.
  void filter_changed(const iwarpscope::gui::QpFilter& filter);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void judge();
  void apply();
  void finish();
  void offer();
  void insert(const QString& word);
  void fill_history();

  QLineEdit* const edit_;
  QLabel* const mark_;
  QLabel* const trouble_;  ///< below the text
  QToolButton* const past_;
  QCompleter* const completer_;
  QStringListModel words_;
  FilterCompletion offered_;
  std::function<QStringList(const QpField&)> occurring_;
  QTimer delay_;
  QStringList history_;
  QpFilter filter_;
  bool valid_ = true;
};

}  // namespace iwarpscope::gui
