// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview/throughput_strip.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/words.h"
#include "report/human.h"
#include "views/colors.h"
#include "views/local_keys.h"
#include "views/queue_pairs/sparkline.h"
#include "views/table_actions.h"

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
  setAccessibleName(tr("Throughput of all queue pairs"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMouseTracking(true);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect((new LocalKeys(*this))->add(tr("&Copy as Text"), kCopyRow), &QAction::triggered, this, [this] {
    QGuiApplication::clipboard()->setText(tr("%1: %2").arg(accessibleName(), accessibleDescription()));
    tell(*this, tr("Throughput copied to the clipboard."));
  });
  hide();
}

void ThroughputStrip::set_most_lines(int lines) {
  setSizePolicy(QSizePolicy::Expanding, lines == 0 ? QSizePolicy::Fixed : QSizePolicy::Expanding);
  setMaximumHeight(lines == 0 ? QWIDGETSIZE_MAX : lines * fontMetrics().lineSpacing());
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
  for (const auto& [bucket, some] : shown_.failed) failures += some.count;
  const std::int64_t whole = elapsed_ns(shown_.first, shown_.last);
  from_ = clock(shown_.first, whole);
  to_ = tr("%1 UTC").arg(clock(shown_.last, whole));
  most_ = most > 0 ? tr("at most %1").arg(rate_words(most)) : tr("no payload");
  setAccessibleDescription(tr("From %1 to %2, %3, %Ln failure(s)", nullptr, plural(failures)).arg(from_, to_, most_));
  setToolTip(accessibleDescription());
  update();
}

QRectF ThroughputStrip::curve() const {
  const int line = fontMetrics().lineSpacing();
  return QRectF(rect()).adjusted(line, 2.2 * line, -line, -1.5 * line);
}

qreal ThroughputStrip::x_of(std::size_t bucket) const {
  const QRectF area = curve();
  const qreal step = area.width() / static_cast<qreal>(std::max<std::size_t>(shown_.rates.size(), 2) - 1);
  return area.left() + step * static_cast<qreal>(bucket);
}

std::optional<std::uint64_t> ThroughputStrip::qp_at(const QPointF& point) const {
  std::optional<std::uint64_t> nearest;
  qreal distance = fontMetrics().lineSpacing() / 2.0;  // half of the sign of a flag
  for (const auto& [bucket, some] : shown_.failed) {
    const qreal away = std::abs(x_of(bucket) - point.x());
    if (away > distance) continue;
    distance = away;
    nearest = some.first_qp;
  }
  return nearest;
}

void ThroughputStrip::mousePressEvent(QMouseEvent* event) {
  const auto qp = qp_at(event->position());
  if (qp && event->button() == Qt::LeftButton) emit qp_clicked(*qp);
  if (qp && event->button() == Qt::RightButton) emit qp_chosen(*qp);
}

void ThroughputStrip::mouseMoveEvent(QMouseEvent* event) {
  setCursor(qp_at(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ThroughputStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int line = fontMetrics().lineSpacing();
  const QRectF area = curve();
  paint_sparkline(painter, area, shown_.rates, palette(), false);
  painter.setPen(palette().color(QPalette::WindowText));
  const QRect below(line, height() - line, width() - 2 * line, line);
  painter.drawText(below, Qt::AlignLeft, from_);
  painter.drawText(below, Qt::AlignRight, to_);
  painter.drawText(QRect(line, 0, width() - 2 * line, line), Qt::AlignRight, most_);
  const QColor flag = severity_color(findings::Severity::error, palette());
  painter.setPen(QPen(flag, std::max(1, line / 12)));
  qreal free = area.left() - line;  // a sign does not cover the one before
  for (const auto& [bucket, some] : shown_.failed) {
    const QPointF foot(x_of(bucket), area.bottom());
    painter.drawLine(foot, QPointF(foot.x(), area.top()));
    if (foot.x() < free) continue;
    painter.drawText(QRectF(foot.x() - line, area.top() - line, 2 * line, line), Qt::AlignCenter, QStringLiteral("✗"));
    free = foot.x() + line;
  }
}

}  // namespace iwarpscope::gui
