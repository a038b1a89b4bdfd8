// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/frame/hex_view.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/colors.h"
#include "views/local_keys.h"
#include "views/table_actions.h"

namespace iwarpscope::gui {
namespace {

constexpr std::uint32_t kMostSpoken = 16;  // octets in the description for screen readers

QString hex(std::uint32_t value, int digits) {
  return QStringLiteral("%1").arg(value, digits, 16, QLatin1Char('0'));
}

bool is_in(const OctetRange& range, std::uint32_t octet) {
  return octet >= range.begin && octet < range.end;
}

}  // namespace

/// Columns and lines. Units: pixels, but `columns`.
struct HexView::Shape {
  double cell = 0, line = 0;   ///< width of a character, height of a line
  std::uint32_t columns = 16;  ///< octets in a line
  double hex = 0, text = 0;    ///< left edge of the two parts
  [[nodiscard]] double hex_at(std::uint32_t column) const {
    const std::uint32_t gaps = column / 8;
    return hex + (column * 3 + gaps) * cell;
  }
  [[nodiscard]] double text_at(std::uint32_t column) const { return text + column * cell; }
};

HexView::HexView(QWidget* parent) : QAbstractScrollArea(parent) {
  setAccessibleName(tr("Octets of the frame"));
  viewport()->setAccessibleName(tr("Octets of the frame"));
  verticalScrollBar()->setAccessibleName(tr("Position in the octets of the frame"));
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  auto* const keys = new LocalKeys(*this);
  connect(keys->add(tr("&Copy Octets"), kCopyRow, QKeySequence::Copy), &QAction::triggered, this, &HexView::copy);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { is_placed_ = false; });
}

/// Those that are chosen, or all.
void HexView::copy() const {
  if (octets_.isEmpty()) return;
  const OctetRange all = chosen_.is_empty() ? OctetRange{0, size()} : chosen_;
  const QByteArray octets = octets_.mid(all.begin, all.end - all.begin);
  QGuiApplication::clipboard()->setText(QString::fromLatin1(octets.toHex(' ')));
  tell(*this, tr("%Ln octet(s) copied to the clipboard.", nullptr, static_cast<int>(octets.size())));
}

void HexView::set_octets(const QByteArray& octets, std::vector<OctetRange> wrong) {
  octets_ = octets;
  wrong_ = std::move(wrong);
  chosen_ = {};
  verticalScrollBar()->setValue(0);
  update_scroll_bar();
  viewport()->update();
}

void HexView::choose(const OctetRange& octets) {
  chosen_ = {std::min(octets.begin, size()), std::min(octets.end, size())};
  is_placed_ = false;
  go_to_chosen();
  viewport()->setAccessibleDescription(chosen_text());
  viewport()->update();
}

void HexView::place() {
  is_placed_ = true;
  verticalScrollBar()->setValue(0);
  go_to_chosen();
}

QString HexView::chosen_text() const {
  if (chosen_.is_empty()) return {};
  const auto count = static_cast<qsizetype>(std::min(chosen_.end - chosen_.begin, kMostSpoken));
  return tr("octets %1 to %2: %3")
      .arg(chosen_.begin)
      .arg(chosen_.end - 1)
      .arg(QString::fromLatin1(octets_.mid(chosen_.begin, count).toHex(' ')));
}

HexView::Shape HexView::shape() const {
  const QFontMetricsF metrics(font());
  Shape shape;
  shape.cell = metrics.horizontalAdvance(QLatin1Char('0'));
  shape.line = std::ceil(metrics.height());
  const auto lay = [&](std::uint32_t columns) {
    shape.columns = columns;
    shape.hex = 6.5 * shape.cell;
    shape.text = shape.hex_at(columns) + shape.cell;
    return shape.text_at(columns) <= viewport()->width();
  };
  if (!lay(16) && !lay(8)) lay(4);
  return shape;
}

std::optional<std::uint32_t> HexView::octet_at(const QPointF& point) const {
  const Shape s = shape();
  const double line = std::floor(point.y() / s.line) + verticalScrollBar()->value();
  if (line < 0) return std::nullopt;
  for (std::uint32_t column = 0; column < s.columns; ++column) {
    const bool in_hex = point.x() >= s.hex_at(column) - s.cell / 2 && point.x() < s.hex_at(column) + 2.5 * s.cell;
    const bool in_text = point.x() >= s.text_at(column) && point.x() < s.text_at(column) + s.cell;
    if (!in_hex && !in_text) continue;
    const auto octet = static_cast<std::uint64_t>(line) * s.columns + column;
    return octet < size() ? std::optional(static_cast<std::uint32_t>(octet)) : std::nullopt;
  }
  return std::nullopt;
}

QRectF HexView::place_of(std::uint32_t octet) const {
  const Shape s = shape();
  const std::uint32_t row = octet / s.columns;
  const double line = static_cast<double>(row) - verticalScrollBar()->value();
  return {s.hex_at(octet % s.columns), line * s.line, 2 * s.cell, s.line};
}

void HexView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setFont(font());
  painter.fillRect(viewport()->rect(), palette().base());
  const Shape s = shape();
  const QColor ink = palette().color(QPalette::Text), faint = faint_color(palette());
  const QColor error = severity_color(findings::Severity::error, palette());
  const QColor wrong_back = severity_background(findings::Severity::error, palette());
  const auto first = static_cast<std::uint32_t>(verticalScrollBar()->value());
  const auto lines = static_cast<std::uint32_t>(std::ceil(viewport()->height() / s.line)) + 1;
  for (std::uint32_t line = first; line < first + lines && std::uint64_t{line} * s.columns < size(); ++line) {
    const double y = (line - first) * s.line;
    const auto draw = [&](double x, const QString& text, const QColor& color) {
      painter.setPen(color);
      painter.drawText(QRectF(x, y, s.cell * static_cast<double>(text.size() + 1), s.line),
                       Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    draw(s.cell / 2, hex(line * s.columns, 4), faint);
    for (std::uint32_t column = 0; column < s.columns; ++column) {
      const std::uint32_t octet = line * s.columns + column;
      if (octet >= size()) break;
      const auto value = static_cast<unsigned char>(octets_[static_cast<qsizetype>(octet)]);
      const bool is_wrong =
          std::any_of(wrong_.begin(), wrong_.end(), [&](const OctetRange& range) { return is_in(range, octet); });
      const bool is_chosen = is_in(chosen_, octet);
      // The mark has no gap inside a field.
      const bool joins = is_in(chosen_, octet + 1) && column + 1 < s.columns;
      const double width = is_chosen && joins ? s.hex_at(column + 1) - s.hex_at(column) : 2 * s.cell;
      const QRectF in_hex(s.hex_at(column), y, width, s.line), in_text(s.text_at(column), y, s.cell, s.line);
      if (is_chosen) {
        painter.fillRect(in_hex, palette().highlight());
        painter.fillRect(in_text, palette().highlight());
      } else if (is_wrong) {
        painter.fillRect(QRectF(in_hex.topLeft(), QSizeF(2 * s.cell, s.line)), wrong_back);
        painter.fillRect(in_text, wrong_back);
      }
      const QColor color = is_chosen ? palette().color(QPalette::HighlightedText) : is_wrong ? error : ink;
      draw(in_hex.left(), hex(value, 2), color);
      const bool is_printable = value >= 0x20 && value < 0x7F;
      draw(in_text.left(), is_printable ? QString(QLatin1Char(static_cast<char>(value))) : QStringLiteral("·"),
           is_printable || is_chosen ? color : faint);
      if (is_wrong && is_chosen) {
        painter.setPen(QPen(error, 2));
        painter.drawLine(QPointF(in_hex.left(), y + s.line - 1), QPointF(in_hex.left() + 2 * s.cell, y + s.line - 1));
      }
    }
  }
}

void HexView::update_scroll_bar() {
  const Shape s = shape();
  columns_ = s.columns;
  const int all = static_cast<int>((size() + s.columns - 1) / s.columns);
  const int page = std::max(1, static_cast<int>(viewport()->height() / s.line));
  verticalScrollBar()->setPageStep(page);
  verticalScrollBar()->setRange(0, std::max(0, all - page));
}

void HexView::go_to(std::uint32_t octet) {
  const int line = static_cast<int>(octet / shape().columns);
  QScrollBar& bar = *verticalScrollBar();
  if (line < bar.value()) bar.setValue(line);
  if (line >= bar.value() + bar.pageStep()) bar.setValue(line - bar.pageStep() + 1);
}

void HexView::go_to_chosen() {
  if (chosen_.is_empty()) return;
  go_to(chosen_.end - 1);
  go_to(chosen_.begin);
}

/// The same octets stay in sight.
void HexView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  QScrollBar& bar = *verticalScrollBar();
  const auto top = static_cast<std::uint32_t>(bar.value()) * columns_;
  const auto below = top + static_cast<std::uint32_t>(bar.pageStep()) * columns_;
  const bool was_seen = !chosen_.is_empty() && chosen_.end > top && chosen_.begin < below;
  update_scroll_bar();
  bar.setValue(static_cast<int>(top / columns_));
  if (is_placed_) return place();
  if (was_seen) go_to_chosen();
}

void HexView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) update_scroll_bar();
  QAbstractScrollArea::changeEvent(event);
}

void HexView::keyPressEvent(QKeyEvent* event) {
  if (octets_.isEmpty()) return QAbstractScrollArea::keyPressEvent(event);
  const std::uint32_t here = chosen_.begin, columns = shape().columns;
  const auto click = [&](std::uint32_t octet) { emit octet_clicked(std::min(octet, size() - 1)); };
  switch (event->key()) {
    case Qt::Key_Left: return click(here - std::min(here, 1U));
    case Qt::Key_Right: return click(chosen_.is_empty() ? 0 : std::max(chosen_.end, here + 1));
    case Qt::Key_Up: return click(here >= columns ? here - columns : here);
    case Qt::Key_Down: return click(here + columns);
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

void HexView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const auto octet = octet_at(event->position())) emit octet_clicked(*octet);
}

}  // namespace iwarpscope::gui
