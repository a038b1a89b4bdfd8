// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The throughput of all queue pairs over time, with a flag at each time at which queue pairs failed.
#pragma once

#include <QWidget>

#include <optional>

#include "models/overview/throughput.h"

namespace iwarpscope::gui {

class ThroughputStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ThroughputStrip(QWidget* parent = nullptr);
  /// Hidden if it has fewer than two buckets: then a curve would show nothing.
  void set_throughput(Throughput throughput);
  /// It grows up to this height when there is room; 0: it does not.
  void set_most_lines(int lines);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// The first queue pair of the flag at this point; empty: no flag is there.
  [[nodiscard]] std::optional<std::uint64_t> qp_at(const QPointF& point) const;

 signals:
  void qp_clicked(quint64 qp);
  /// Its menu is about this one.
  void qp_chosen(quint64 qp);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QRectF curve() const;
  [[nodiscard]] qreal x_of(std::size_t bucket) const;
  Throughput shown_;
  QString from_, to_, most_;
};

}  // namespace iwarpscope::gui
