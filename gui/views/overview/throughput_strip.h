// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The throughput of all queue pairs over time, with a flag at each second in which queue pairs failed.
#pragma once

#include <QWidget>

#include "models/overview/throughput.h"

namespace iwarpscope::gui {

class ThroughputStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ThroughputStrip(QWidget* parent = nullptr);
  /// Hidden if it is shorter than two seconds: then a curve would show nothing.
  void set_throughput(const Throughput& throughput);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QList<quint32> octets_;
  std::map<std::int64_t, std::uint64_t> flags_;  ///< by place in octets_
  QString from_, to_, most_;
};

}  // namespace iwarpscope::gui
