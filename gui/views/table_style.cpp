// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/table_style.h"

#include <QAbstractItemView>
#include <QHeaderView>
#include <QStyleOption>

namespace iwarpscope::gui {
namespace {

int margin_of(const QWidget* widget) {
  return widget == nullptr ? 0 : widget->fontMetrics().averageCharWidth();
}

/// With its members of a later version, if it has them: the version is copied, too.
QStyleOptionHeaderV2 copy_of(const QStyleOptionHeader& header) {
  QStyleOptionHeaderV2 copy;
  if (const auto* later = qstyleoption_cast<const QStyleOptionHeaderV2*>(&header)) {
    copy = *later;
  } else {
    copy.QStyleOptionHeader::operator=(header);
  }
  return copy;
}

}  // namespace

void TableStyle::apply(QAbstractItemView& table) {
  auto* const style = new TableStyle;
  style->setParent(&table);
  table.setStyle(style);
  for (QHeaderView* header : table.findChildren<QHeaderView*>(Qt::FindDirectChildrenOnly)) header->setStyle(style);
}

/// Qt draws the arrow of descending order upwards.
void TableStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
  if (element != PE_IndicatorHeaderArrow || header == nullptr) {
    return QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
  QStyleOptionHeaderV2 turned = copy_of(*header);
  if (header->sortIndicator != QStyleOptionHeader::None) {
    const bool is_up = header->sortIndicator == QStyleOptionHeader::SortUp;
    turned.sortIndicator = is_up ? QStyleOptionHeader::SortDown : QStyleOptionHeader::SortUp;
  }
  QProxyStyle::drawPrimitive(element, &turned, painter, widget);
}

void TableStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
  const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
  if (element != CE_HeaderLabel || header == nullptr) return QProxyStyle::drawControl(element, option, painter, widget);
  QStyleOptionHeaderV2 inside = copy_of(*header);
  inside.rect.adjust(margin_of(widget), 0, -margin_of(widget), 0);
  QProxyStyle::drawControl(element, &inside, painter, widget);
}

int TableStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  const int base = QProxyStyle::pixelMetric(metric, option, widget);
  return metric == PM_FocusFrameHMargin ? base + margin_of(widget) : base;
}

QSize TableStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
  const QSize base = QProxyStyle::sizeFromContents(type, option, size, widget);
  return type == CT_HeaderSection ? base + QSize(2 * margin_of(widget), 0) : base;
}

}  // namespace iwarpscope::gui
