// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The activity of a queue pair over time.
#pragma once

#include <QWidget>

#include <array>
#include <optional>

#include "models/plots/timeline_model.h"
#include "models/selection.h"
#include "views/plots/plot_pane.h"
#include "views/plots/time_axis.h"

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace iwarpscope::gui {

class TimeBar;

/// Plots below each other with the same time axis: throughput by opcode, outstanding requests, latency twice, transport
/// events. A span marked in one plot is set in the Selection, and so in every view.
class TimelineView : public QWidget {
  Q_OBJECT

 public:
  static constexpr std::size_t kPanes = 5;

  TimelineView(const MessageStore& store, Selection& selection, QWidget* parent = nullptr);
  /// The current state of the queue pair; empty: none.
  void set_qp(const std::optional<live::QpView>& qp);
  [[nodiscard]] PlotPane* pane(std::size_t number) const { return panes_[number]; }
  /// The titles of plots that have nothing to show and are hidden, as a sentence; empty: all are shown.
  [[nodiscard]] QString hidden() const;
  [[nodiscard]] const TimelineModel& model() const noexcept { return model_; }
  void show_all();

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void make_plots(QVBoxLayout& all);
  void hide_empty();
  void draw();
  void sum_up();
  void take_span(const QCPRange& span);
  void follow(const std::optional<TimeRange>& range);
  void save_plot();

  Selection& selection_;
  TimelineModel model_;
  std::array<PlotPane*, kPanes> panes_{};
  TimeAxis* axis_ = nullptr;
  QHBoxLayout* axis_row_ = nullptr;
  QLabel* hidden_;
  QLabel* values_;
  TimeBar* bar_;
  std::optional<live::QpView> qp_;
  std::optional<QCPRange> span_;  ///< chosen span; else the whole time
  std::optional<TimeRange> range_;
};

}  // namespace iwarpscope::gui
