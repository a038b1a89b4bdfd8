// The slowest requests as a list.
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>

#include "models/latency_slowest.h"
#include "models/selection.h"

class QLabel;
class QTreeView;

namespace iwarpscope::gui {

/// Enter or a double click looks at the request. With a span of time marked: those of the slowest that began in it.
class LatencyView : public QWidget {
  Q_OBJECT

 public:
  LatencyView(const MessageStore& store, Selection& selection, QWidget* parent = nullptr);
  void set_qp(const std::optional<live::QpView>& qp);
  [[nodiscard]] QTreeView* list() const noexcept { return list_; }

 private:
  void look_at(const QModelIndex& index);
  void tell();

  Selection& selection_;
  SlowestModel model_;
  QSortFilterProxyModel sorted_;
  QLabel* head_;
  QTreeView* list_;
};

}  // namespace iwarpscope::gui
