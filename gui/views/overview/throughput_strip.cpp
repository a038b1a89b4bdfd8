// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview/throughput_strip.h"

#include <QPainter>

#include <algorithm>
#include <utility>

#include "models/words.h"
#include "report/human.h"
#include "views/colors.h"
#include "views/queue_pairs/sparkline.h"

namespace iwarpscope::gui {
namespace {

constexpr std::int64_t kStripSecond = 1'000'000'000;

/// As precise as the whole time is short: both ends of it are different.
QString clock(TimePoint time, std::int64_t whole_ns) {
  constexpr qsizetype kSeconds = 8, kThree = 3, kNine = 9;  // letters of hh:mm:ss; digits after the point
  qsizetype digits = 0;
  for (std::int64_t unit = kStripSecond; whole_ns < 10 * unit && digits < kNine; unit /= 1000) digits += kThree;
  const qsizetype letters = digits == 0 ? kSeconds : kSeconds + 1 + digits;
  return QString::fromStdString(report::time_of_day(time)).left(letters);
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

void ThroughputStrip::set_throughput(Throughput throughput) {
  shown_ = std::move(throughput);
  const double most = shown_.rates.empty() ? 0 : *std::max_element(shown_.rates.begin(), shown_.rates.end());
  const bool has_line = shown_.rates.size() >= 2 && (most > 0 || !shown_.failed.empty());
  setVisible(has_line);
  if (!has_line) return;
  std::uint64_t failures = 0;
  for (const auto& [bucket, count] : shown_.failed) failures += count;
  const std::int64_t whole = elapsed_ns(shown_.first, shown_.last);
  from_ = clock(shown_.first, whole);
  to_ = tr("%1 UTC").arg(clock(shown_.last, whole));
  most_ = tr("at most %1").arg(rate_words(most));
  setAccessibleDescription(tr("From %1 to %2, %3, %Ln failure(s)", nullptr, plural(failures)).arg(from_, to_, most_));
  setToolTip(accessibleDescription());
  update();
}

void ThroughputStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int line = fontMetrics().lineSpacing();
  const QRectF area = QRectF(rect()).adjusted(line, 2.2 * line, -line, -1.5 * line);
  paint_sparkline(painter, area, shown_.rates, palette(), false);
  painter.setPen(palette().color(QPalette::WindowText));
  const QRect below(line, height() - line, width() - 2 * line, line);
  painter.drawText(below, Qt::AlignLeft, from_);
  painter.drawText(below, Qt::AlignRight, to_);
  painter.drawText(QRect(line, 0, width() - 2 * line, line), Qt::AlignRight, most_);
  const QColor flag = severity_color(findings::Severity::error, palette());
  painter.setPen(QPen(flag, std::max(1, line / 12)));
  const qreal step = area.width() / static_cast<qreal>(std::max<std::size_t>(shown_.rates.size(), 2) - 1);
  qreal free = area.left() - line;  // a sign does not cover the one before
  for (const auto& [bucket, count] : shown_.failed) {
    const QPointF foot(area.left() + step * static_cast<qreal>(bucket), area.bottom());
    painter.drawLine(foot, QPointF(foot.x(), area.top()));
    if (foot.x() < free) continue;
    painter.drawText(QRectF(foot.x() - line, area.top() - line, 2 * line, line), Qt::AlignCenter, QStringLiteral("✗"));
    free = foot.x() + line;
  }
}

}  // namespace iwarpscope::gui
