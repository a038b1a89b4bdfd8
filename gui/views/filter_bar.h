// Where a filter is written: says at once whether it is understood, and offers what may follow.
#pragma once

#include <QStringList>
#include <QStringListModel>
#include <QTimer>
#include <QWidget>

#include <functional>

#include "models/qp_filter.h"

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
  /// Values of a field that occur now, to be offered.
  void set_occurring(std::function<QStringList(const QpField&)> occurring);
  [[nodiscard]] QString text() const;
  /// As if it were written, and finished.
  void set_text(const QString& text);
  [[nodiscard]] bool is_valid() const noexcept { return valid_; }
  /// Filters that were finished with Enter, the latest first.
  [[nodiscard]] const QStringList& history() const noexcept { return history_; }
  void set_history(const QStringList& history);

 signals:
  /// A filter that was understood; soon after the last key, or at once with Enter.
  void filter_changed(const iwarpscope::gui::QpFilter& filter);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void text_edited();
  void judge();
  void finish();
  void offer();
  void insert(const QString& word);
  void fill_history();

  QLineEdit* const edit_;
  QLabel* const mark_;
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
