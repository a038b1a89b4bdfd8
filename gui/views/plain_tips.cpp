// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plain_tips.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>

namespace iwarpscope::gui {

bool PlainTips::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QObject::eventFilter(watched, event);
  const auto* const view = qobject_cast<QAbstractItemView*>(watched->parent());
  if (view == nullptr || view->viewport() != watched) return QObject::eventFilter(watched, event);
  const auto& help = *static_cast<QHelpEvent*>(event);
  const QModelIndex index = view->indexAt(help.pos());
  const QString tip = index.data(Qt::ToolTipRole).toString();
  if (!Qt::mightBeRichText(tip)) return QObject::eventFilter(watched, event);
  QToolTip::showText(help.globalPos(), Qt::convertFromPlainText(tip), view->viewport(), view->visualRect(index));
  return true;
}

}  // namespace iwarpscope::gui
