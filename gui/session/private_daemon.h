// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A private iwarpscoped that replays files; no other user can reach it.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>

namespace iwarpscope::gui {

/// Starts the daemon on a socket in a folder that only this user can read, with all outputs off. Ends the daemon with
/// this object. The daemon also ends if this program dies.
class PrivateDaemon : public QObject {
  Q_OBJECT

 public:
  /// Files as in Source.
  explicit PrivateDaemon(QStringList files, QObject* parent = nullptr);
  ~PrivateDaemon() override;

  void start();
  /// The address of its API; the daemon may not listen yet.
  [[nodiscard]] QString socket() const;
  /// The program that start() would run; empty: not found. IWARPSCOPED names one. Otherwise it is searched beside this
  /// program, in the sbin beside its folder, then on the PATH.
  [[nodiscard]] static QString program();

 signals:
  /// It listens.
  void ready();
  /// The daemon could not be started, or ended by itself: a sentence with its last output.
  void failed(const QString& sentence);

 private:
  [[nodiscard]] QString configuration() const;
  [[nodiscard]] QString write_configuration();
  void finished();
  void look();

  [[nodiscard]] QString path_for_daemon(qsizetype file) const;

  const QStringList files_;
  QTemporaryDir folder_;
  QProcess process_;
  QTimer looks_;  ///< whether it listens already
  QByteArray last_words_;
  bool ending_ = false;
};

}  // namespace iwarpscope::gui
