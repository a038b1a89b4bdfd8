// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The STags of a queue pair, and the memory of the chosen STag.
#pragma once

#include <QSortFilterProxyModel>
#include <QWidget>

#include <span>

#include "models/buffers/buffer_model.h"
#include "models/selection.h"
#include "views/buffers/buffer_canvas.h"

class QLabel;
class QTreeView;

namespace iwarpscope::gui {

class BufferView : public QWidget {
  Q_OBJECT

 public:
  BufferView(const MessageStore& store, Selection& selection, QWidget* parent = nullptr);
  /// The current state of the queue pair; empty: none.
  void set_qp(const std::optional<live::QpView>& qp);
  /// Findings of the queue pair: pieces whose frames they name are marked.
  void set_findings(std::span<const live::FindingView> findings);
  [[nodiscard]] QTreeView* table() const noexcept { return table_; }
  [[nodiscard]] BufferCanvas* canvas() const noexcept { return canvas_; }

 private:
  [[nodiscard]] QModelIndex first_with_map() const;
  void choose_first();
  void lay_out();
  void choose();
  void tell_refused(const Buffer& buffer, const StreamEnd* end);
  void look_at(const Placement& message);

  const MessageStore& store_;
  Selection& selection_;
  BufferModel model_;
  QSortFilterProxyModel sorted_;
  QTreeView* table_;
  BufferCanvas* canvas_;
  QLabel* details_;
  QLabel* legend_;
  QLabel* refused_;
  TimePoint origin_;
  std::optional<BufferKey> shown_;
  bool has_chosen_ = false;  ///< the user, one of the STags
};

}  // namespace iwarpscope::gui
