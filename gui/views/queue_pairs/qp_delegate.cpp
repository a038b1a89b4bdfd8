// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/queue_pairs/qp_delegate.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/queue_pairs/qp_model.h"
#include "views/colors.h"
#include "views/queue_pairs/sparkline.h"

namespace iwarpscope::gui {
namespace {

constexpr std::array kOutcomes{qp::Outcome::completed, qp::Outcome::refused, qp::Outcome::failed,
                               qp::Outcome::stalled,   qp::Outcome::running, qp::Outcome::unknown};

/// The outcome of a cell of the verdict column; empty: none.
std::optional<qp::Outcome> outcome_of(const QModelIndex& index) {
  const std::string name = index.data(static_cast<int>(QpRole::value)).toString().toStdString();
  const auto has_it = [&](qp::Outcome outcome) { return qp::name(outcome) == name; };
  const auto found = std::find_if(kOutcomes.begin(), kOutcomes.end(), has_it);
  return found == kOutcomes.end() ? std::nullopt : std::optional(*found);
}

/// The severity of the worst finding.
std::optional<findings::Severity> severity_of(const QModelIndex& index) {
  const QVariant severity = index.data(static_cast<int>(QpRole::severity));
  return severity.isValid() ? std::optional(static_cast<findings::Severity>(severity.toInt())) : std::nullopt;
}

QStyle& style_of(const QStyleOptionViewItem& option) {
  return option.widget != nullptr ? *option.widget->style() : *QApplication::style();
}

}  // namespace

/// Verdicts differ by sign and word, not only by colour.
void QpDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  if (static_cast<QpColumn>(index.column()) != QpColumn::verdict) return;
  const std::optional<qp::Outcome> outcome = outcome_of(index);
  if (!outcome) return;
  const bool repaired = index.data(static_cast<int>(QpRole::repaired)).toBool();
  option->text = QStringLiteral("%1 %2").arg(outcome_sign(*outcome, severity_of(index), repaired), option->text);
  if (const auto found = flaw(*outcome, severity_of(index), repaired)) {
    option->palette.setColor(QPalette::Text, severity_color(*found, option->palette));
  }
  if (!qp::ended_badly(*outcome)) return;
  option->font.setBold(true);
  option->palette.setColor(QPalette::Text, outcome_color(*outcome, option->palette));
  option->backgroundBrush = mixed(outcome_color(*outcome, option->palette), option->palette.color(QPalette::Base),
                                  is_dark(option->palette) ? 0.3 : 0.15);
}

void QpDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto column = static_cast<QpColumn>(index.column());
  if (column != QpColumn::activity && column != QpColumn::worst)
    return QStyledItemDelegate::paint(painter, option, index);
  QStyleOptionViewItem item = option;
  initStyleOption(&item, index);
  const QString text = item.text;
  item.text.clear();
  style_of(item).drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
  if (column == QpColumn::activity) {
    const int margin = std::max(1, item.fontMetrics.height() / 8);
    const QRectF area = QRectF(item.rect).adjusted(margin, margin, -margin, -margin);
    const auto octets = index.data(static_cast<int>(QpRole::activity)).value<QList<quint32>>();
    const std::vector<double> values(octets.begin(), octets.end());
    paint_sparkline(*painter, area, values, item.palette, item.state.testFlag(QStyle::State_Selected));
    return;
  }
  const QVariant severity = index.data(static_cast<int>(QpRole::severity));
  paint_severity(*painter, item, text, severity.isValid() ? severity.toInt() : -1);
}

/// The letter on a chip, then the rule's code.
void QpDelegate::paint_severity(QPainter& painter, const QStyleOptionViewItem& option, const QString& text,
                                int severity) const {
  const QFontMetrics& metrics = option.fontMetrics;
  const int margin = metrics.horizontalAdvance(QLatin1Char('x')) / 2;
  const bool is_selected = option.state.testFlag(QStyle::State_Selected);
  const QPalette::ColorGroup group =
      option.state.testFlag(QStyle::State_Active) ? QPalette::Normal : QPalette::Inactive;
  const QColor color = option.palette.color(group, is_selected ? QPalette::HighlightedText : QPalette::Text);
  QRect area = option.rect.adjusted(margin, 0, -margin, 0);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QString rest = text;
  if (severity >= 0) {
    const auto known = static_cast<findings::Severity>(severity);
    const int height = std::min(area.height() - 2, metrics.height());
    const QRect chip(area.left(), area.center().y() - height / 2,
                     metrics.horizontalAdvance(QLatin1Char('W')) + 2 * margin, height);
    painter.setPen(QPen(severity_color(known, option.palette), std::max(1.0, height / 14.0)));
    painter.setBrush(severity_background(known, option.palette));
    painter.drawRoundedRect(QRectF(chip).adjusted(0.5, 0.5, -0.5, -0.5), height / 4.0, height / 4.0);
    painter.setPen(option.palette.color(QPalette::Text));
    QFont bold = option.font;
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(chip, Qt::AlignCenter, text.section(QLatin1Char(' '), 0, 0));
    rest = text.section(QLatin1Char(' '), 1);
    area.setLeft(chip.right() + 2 * margin);
  }
  painter.setPen(color);
  painter.setFont(option.font);
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(rest, Qt::ElideRight, area.width()));
  painter.restore();
}

QSize QpDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  size.setHeight(std::max(size.height(), option.fontMetrics.height() * 5 / 4));
  const int letter = option.fontMetrics.horizontalAdvance(QLatin1Char('M'));
  if (static_cast<QpColumn>(index.column()) == QpColumn::activity) size.setWidth(12 * letter);
  if (static_cast<QpColumn>(index.column()) == QpColumn::worst) size.rwidth() += 2 * letter;
  return size;
}

}  // namespace iwarpscope::gui
