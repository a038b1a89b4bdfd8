// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How long requests took, and how many.
#pragma once

#include <qcustomplot.h>

#include <array>

#include "models/plots/timeline_data.h"
#include "views/plots/plot_look.h"

namespace iwarpscope::gui {

/// Reads and Atomic Operations by their latency, on a logarithmic axis, and three percentiles of both together. Left
/// and Right move from bar to bar and show the counts, Home and End go to the first and the last bar.
class LatencyHistogram : public DressedPlot {
  Q_OBJECT

 public:
  explicit LatencyHistogram(QWidget* parent = nullptr);
  /// Copies are kept.
  void show_counts(const std::array<LatencyCounts, kRequestKinds>& counts);
  /// Text of a bar: "100 us to 112 us: 7 RDMA Reads, 1 Atomic".
  [[nodiscard]] QString text_of(std::size_t cell) const;
  [[nodiscard]] QString csv() const;
  /// As PlotPane::save().
  [[nodiscard]] bool save(const QString& file);

 signals:
  void pointed(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void dress_again() override;

 private:
  void draw_counts();
  void add_line(double ns, Qt::PenStyle style);
  void add_percentile(double percent);
  void go_to(std::size_t cell);
  [[nodiscard]] std::uint64_t count(std::size_t kind, std::size_t cell) const;

  std::array<LatencyCounts, kRequestKinds> counts_;
  std::size_t first_ = 0, last_ = 0, cursor_ = 0;  ///< visible cells, and the one at the cursor
  QCPTextElement* head_;                           ///< of the plot
};

}  // namespace iwarpscope::gui
