// An iwarpscoped of our own that replays files, for nobody else to see.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>

namespace iwarpscope::gui {

/// Starts the daemon on a socket in a folder that only this user can read, with every output off, and ends it with
/// itself. The daemon ends, too, when this program dies.
class PrivateDaemon : public QObject {
  Q_OBJECT

 public:
  /// Files as Source has them.
  explicit PrivateDaemon(QStringList files, QObject* parent = nullptr);
  ~PrivateDaemon() override;

  void start();
  /// Where its API will be; it may not be there yet.
  [[nodiscard]] QString socket() const;
  /// The program that start() would run; empty: there is none. IWARPSCOPED names one, else it is looked for beside this
  /// program, in the sbin beside its folder, then on the PATH.
  [[nodiscard]] static QString program();

 signals:
  /// It listens.
  void ready();
  /// It could not be started, or ended by itself: a sentence with its last words.
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
