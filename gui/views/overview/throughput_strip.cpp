// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview/throughput_strip.h"

#include <QPainter>

#include <algorithm>

#include "models/words.h"
#include "report/human.h"
#include "views/colors.h"
#include "views/queue_pairs/sparkline.h"

namespace iwarpscope::gui {
namespace {

QString clock(std::int64_t second) {
  return QString::fromStdString(report::time_of_day(TimePoint{second * 1'000'000'000})).section(QLatin1Char('.'), 0, 0);
}

}  // namespace

ThroughputStrip::ThroughputStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  hide();
}

QSize ThroughputStrip::sizeHint() const {
  return {40 * fontMetrics().averageCharWidth(), 8 * fontMetrics().lineSpacing()};
}

QSize ThroughputStrip::minimumSizeHint() const {
  return {20 * fontMetrics().averageCharWidth(), sizeHint().height()};
}

void ThroughputStrip::set_throughput(const Throughput& throughput) {
  octets_ = throughput.octets();
  flags_.clear();
  std::uint64_t failures = 0;
  for (const auto& [second, count] : throughput.failures()) {
    if (second < throughput.first() || second > throughput.last()) continue;
    flags_.emplace(second - throughput.first(), count);
    failures += count;
  }
  setVisible(octets_.size() >= 2);
  if (octets_.size() < 2) return;
  from_ = clock(throughput.first());
  to_ = tr("%1 UTC").arg(clock(throughput.last()));
  most_ = tr("at most %1 per second")
              .arg(QString::fromStdString(report::human_octets(*std::max_element(octets_.begin(), octets_.end()))));
  setAccessibleName(tr("Throughput of all queue pairs"));
  setAccessibleDescription(tr("From %1 to %2, %3, %Ln failure(s)", nullptr, plural(failures)).arg(from_, to_, most_));
  setToolTip(accessibleDescription());
  update();
}

void ThroughputStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int line = fontMetrics().lineSpacing();
  const QRectF area = QRectF(rect()).adjusted(line, 2.2 * line, -line, -1.5 * line);
  paint_sparkline(painter, area, octets_, palette(), false);
  painter.setPen(palette().color(QPalette::WindowText));
  const QRect below(line, height() - line, width() - 2 * line, line);
  painter.drawText(below, Qt::AlignLeft, from_);
  painter.drawText(below, Qt::AlignRight, to_);
  painter.drawText(QRect(line, 0, width() - 2 * line, line), Qt::AlignRight, most_);
  const QColor flag = severity_color(findings::Severity::error, palette());
  painter.setPen(QPen(flag, std::max(1, line / 12)));
  const qreal step = area.width() / static_cast<qreal>(octets_.size() - 1);
  for (const auto& [place, count] : flags_) {
    const QPointF foot(area.left() + step * static_cast<qreal>(place), area.bottom());
    painter.drawLine(foot, QPointF(foot.x(), area.top()));
    painter.drawText(QRectF(foot.x() - line, area.top() - line, 2 * line, line), Qt::AlignCenter, QStringLiteral("✗"));
  }
}

}  // namespace iwarpscope::gui
