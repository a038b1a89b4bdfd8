// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The throughput of all queue pairs over time, with a flag at each time at which queue pairs failed.
#pragma once

#include <QWidget>

#include "models/overview/throughput.h"

namespace iwarpscope::gui {

class ThroughputStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ThroughputStrip(QWidget* parent = nullptr);
  /// Hidden if it has fewer than two buckets: then a curve would show nothing.
  void set_throughput(Throughput throughput);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Throughput shown_;
  QString from_, to_, most_;
};

}  // namespace iwarpscope::gui
