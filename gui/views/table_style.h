// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The look of tables: room between columns, and the arrow of the order.
#pragma once

#include <QProxyStyle>

class QAbstractItemView;

namespace iwarpscope::gui {

/// The arrow points down if the largest or the worst is on top. Cells and headings have a margin of a letter, so
/// that a value at the right of its column does not touch one at the left of the next.
class TableStyle : public QProxyStyle {
  Q_OBJECT

 public:
  /// To the table and its headers; it is theirs.
  static void apply(QAbstractItemView& table);

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                       const QWidget* widget) const override;

 private:
  TableStyle() = default;
};

}  // namespace iwarpscope::gui
