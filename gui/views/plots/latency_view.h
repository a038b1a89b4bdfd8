// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Latency of requests: a histogram, and a list of the slowest ones.
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>

#include "models/plots/latency_slowest.h"
#include "models/plots/timeline_model.h"
#include "models/selection.h"
#include "views/plots/latency_histogram.h"

class QLabel;
class QTreeView;

namespace iwarpscope::gui {

/// Enter or a double click shows the request. If a time span is marked: only the slowest requests that began in it.
class LatencyView : public QWidget {
  Q_OBJECT

 public:
  LatencyView(const MessageStore& store, Selection& selection, QWidget* parent = nullptr);
  void set_qp(const std::optional<live::QpView>& qp);
  [[nodiscard]] QTreeView* list() const noexcept { return list_; }
  [[nodiscard]] LatencyHistogram* histogram() const noexcept { return histogram_; }

 private:
  void look_at(const QModelIndex& index);
  void tell();
  void draw();

  Selection& selection_;
  SlowestModel model_;
  TimelineModel timeline_;
  QSortFilterProxyModel sorted_;
  QLabel* head_;
  QTreeView* list_;
  LatencyHistogram* histogram_;
  QLabel* values_;
};

}  // namespace iwarpscope::gui
