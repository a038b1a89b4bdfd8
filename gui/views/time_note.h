// A line that says that a view shows only the marked time.
#pragma once

#include <QWidget>

#include <functional>

#include "models/selection.h"

class QAbstractItemModel;
class QLabel;

namespace iwarpscope::gui {

/// Hidden while no span is marked. Its button takes the mark away, everywhere.
class TimeNote : public QWidget {
  Q_OBJECT

 public:
  /// What the mark does to the view: "12 rows are hidden." Asked for whenever it may have changed.
  using Says = std::function<QString()>;
  /// The selection must outlive it.
  TimeNote(Selection& selection, Says says, QWidget* parent = nullptr);
  /// Asks again whenever rows of this model come or go.
  void follow(const QAbstractItemModel& model);
  void refresh();
  [[nodiscard]] QString text() const;

  /// "12 rows outside are hidden."
  [[nodiscard]] static QString hidden_rows(std::size_t rows);

 private:
  Selection& selection_;
  const Says says_;
  QLabel* text_;
};

}  // namespace iwarpscope::gui
