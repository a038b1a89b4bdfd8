// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/failure_notifier.h"

#include <QAction>
#include <QApplication>
#include <QSettings>
#include <QStyle>
#include <QSystemTrayIcon>

#include <utility>

#include "models/words.h"

namespace iwarpscope::gui {
namespace {

const QString kNotify = QStringLiteral("notify/failures");

}  // namespace

FailureNotifier::FailureNotifier(QSettings& settings, QObject* parent, int quiet_ms)
    : QObject(parent), action_(new QAction(tr("Noti&fy of New Failures"), this)) {
  action_->setCheckable(true);
  action_->setChecked(settings.value(kNotify).toBool());
  action_->setToolTip(
      tr("Shows a notification of the desktop when queue pairs fail while another window is in front."));
  connect(action_, &QAction::toggled, this, [&settings](bool on) { settings.setValue(kNotify, on); });
  quiet_.setSingleShot(true);
  quiet_.setInterval(quiet_ms);
  connect(&quiet_, &QTimer::timeout, this, &FailureNotifier::send);
}

void FailureNotifier::note(std::uint64_t count, const QString& place) {
  if (!action_->isChecked()) return;
  waiting_ += count;
  place_ = place;
  if (!quiet_.isActive()) send();
}

void FailureNotifier::send() {
  const std::uint64_t count = std::exchange(waiting_, 0);
  if (count == 0 || !action_->isChecked()) return;
  quiet_.start();
  const QString sentence = tr("%Ln queue pair(s) failed.", nullptr, plural(count));
  if (QSystemTrayIcon::isSystemTrayAvailable()) {
    if (icon_ == nullptr) {
      const QIcon of_window = QApplication::windowIcon();
      icon_ = new QSystemTrayIcon(
          of_window.isNull() ? QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning) : of_window, this);
    }
    icon_->show();  // without it no notification is shown
    icon_->showMessage(place_, sentence, QSystemTrayIcon::Warning);
  }
  emit notified(sentence);
}

}  // namespace iwarpscope::gui
