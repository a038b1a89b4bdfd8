// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Notifications of the desktop about new failures; only if the user wants them.
#pragma once

#include <QDBusConnection>
#include <QObject>
#include <QTimer>

#include <cstdint>

class QAction;
class QSettings;
class QSystemTrayIcon;

namespace iwarpscope::gui {

/// At most one in kQuietMs. Failures meanwhile are in the next one.
class FailureNotifier : public QObject {
  Q_OBJECT

 public:
  static constexpr int kQuietMs = 30'000;

  /// The settings must outlive it. `bus`: of the desktop.
  explicit FailureNotifier(QSettings& settings, QObject* parent = nullptr, int quiet_ms = kQuietMs,
                           const QDBusConnection& bus = QDBusConnection::sessionBus());
  /// Turns it on and off; off at first.
  [[nodiscard]] QAction* action() noexcept { return action_; }
  /// `place`: where they were seen.
  void note(std::uint64_t count, const QString& place);

 signals:
  /// Each time that it notifies.
  void notified(const QString& sentence);

 private:
  void send();
  void show(const QString& place, const QString& sentence);
  void show_at_tray(const QString& place, const QString& sentence);

  QDBusConnection bus_;
  QAction* action_;
  uint shown_ = 0;  ///< the last notification, which the next one replaces
  QSystemTrayIcon* icon_ = nullptr;
  QTimer quiet_;
  std::uint64_t waiting_ = 0;
  QString place_;
};

}  // namespace iwarpscope::gui
