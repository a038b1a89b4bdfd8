// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/failure_notifier.h"

#include <QAction>
#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QSettings>
#include <QStyle>
#include <QSystemTrayIcon>

#include <utility>

#include "models/words.h"

namespace iwarpscope::gui {
namespace {

const QString kNotify = QStringLiteral("notify/failures");

}  // namespace

FailureNotifier::FailureNotifier(QSettings& settings, QObject* parent, int quiet_ms, const QDBusConnection& bus)
    : QObject(parent), bus_(bus), action_(new QAction(tr("Noti&fy of New Failures"), this)) {
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
  show(place_, sentence);
  emit notified(sentence);
}

/// As the freedesktop specification of notifications says: a desktop without a system tray has them, too.
void FailureNotifier::show(const QString& place, const QString& sentence) {
  const QString service = QStringLiteral("org.freedesktop.Notifications");
  QDBusMessage call = QDBusMessage::createMethodCall(service, QStringLiteral("/org/freedesktop/Notifications"), service,
                                                     QStringLiteral("Notify"));
  const QString program = QStringLiteral("iwarpscope-gui");  // of the icon and of the desktop entry, too
  call << program << shown_ << program << place << sentence << QStringList()
       << QVariantMap{{QStringLiteral("desktop-entry"), program}} << -1;
  auto* const answer = new QDBusPendingCallWatcher(bus_.asyncCall(call), this);
  connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer, place, sentence] {
    const QDBusPendingReply<uint> id = *answer;
    answer->deleteLater();
    if (id.isValid()) {
      shown_ = id.value();
    } else {
      show_at_tray(place, sentence);
    }
  });
}

void FailureNotifier::show_at_tray(const QString& place, const QString& sentence) {
  if (!QSystemTrayIcon::isSystemTrayAvailable()) return;
  if (icon_ == nullptr) {
    const QIcon of_window = QApplication::windowIcon();
    icon_ = new QSystemTrayIcon(
        of_window.isNull() ? QApplication::style()->standardIcon(QStyle::SP_MessageBoxWarning) : of_window, this);
  }
  icon_->show();  // without it no notification is shown
  icon_->showMessage(place, sentence, QSystemTrayIcon::Warning);
}

}  // namespace iwarpscope::gui
