// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/local_keys.h"

#include <QAction>
#include <QKeyEvent>
#include <QWidget>

#include <algorithm>

namespace iwarpscope::gui {

LocalKeys::LocalKeys(QWidget& view) : QObject(&view), view_(view) {
  view.installEventFilter(this);
}

QAction* LocalKeys::add(const QString& text, const char* name, const QKeySequence& key) {
  auto* const action = new QAction(text, &view_);
  action->setObjectName(QLatin1String(name));
  view_.addAction(action);
  if (key.isEmpty()) return action;
  action->setText(QStringLiteral("%1\t%2").arg(text, key.toString(QKeySequence::NativeText)));
  keys_.emplace_back(key, action);
  return action;
}

bool LocalKeys::eventFilter(QObject* watched, QEvent* event) {
  const bool asks = event->type() == QEvent::ShortcutOverride;
  if (!asks && event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
  const QKeySequence pressed(static_cast<QKeyEvent*>(event)->keyCombination());
  const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const auto& one) { return one.first == pressed; });
  if (found == keys_.end()) return QObject::eventFilter(watched, event);
  event->accept();
  if (!asks) found->second->trigger();
  return true;
}

}  // namespace iwarpscope::gui
