// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/private_daemon.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QThread>

#include <algorithm>
#include <utility>

#include "session/source.h"

namespace iwarpscope::gui {
namespace {

constexpr qsizetype kLastWords = 4096;         // octets
constexpr qint64 kSmallestRing = 64LL << 20;   // octets
constexpr qint64 kLargestRing = 1024LL << 20;  // octets
constexpr int kLookMs = 10;
constexpr int kEndMs = 400;               // until it is killed
constexpr int kMostMessages = 4'000'000;  // about 300 octets each
constexpr int kMostFindings = 1'000'000;
constexpr int kMostEnded = 200'000;

}  // namespace

PrivateDaemon::PrivateDaemon(QStringList files, QObject* parent)
    : QObject(parent), files_(std::move(files)), folder_(QDir::tempPath() + "/iwarpscope-gui-XXXXXX") {
  process_.setProcessChannelMode(QProcess::MergedChannels);
  process_.setStandardInputFile(QProcess::nullDevice());
  // Called in the child process, where only async-signal-safe functions may be used.
  process_.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
  connect(&process_, &QProcess::readyRead, this,
          [this] { last_words_ = (last_words_ + process_.readAll()).right(kLastWords); });
  looks_.setInterval(kLookMs);
  connect(&looks_, &QTimer::timeout, this, &PrivateDaemon::look);
  connect(&process_, &QProcess::finished, this, &PrivateDaemon::finished);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart && !ending_) {
      emit failed(tr("%1 cannot be started: %2.").arg(process_.program(), process_.errorString()));
    }
  });
}

PrivateDaemon::~PrivateDaemon() {
  ending_ = true;
  process_.disconnect(this);
  if (process_.state() == QProcess::NotRunning) return;
  process_.terminate();
  if (process_.waitForFinished(kEndMs)) return;
  process_.kill();  // its results are not needed any more
  process_.waitForFinished(kEndMs);
}

QString PrivateDaemon::program() {
  const QString name = QStringLiteral("iwarpscoped");
  QString named = qEnvironmentVariable("IWARPSCOPED");
  if (!named.isEmpty()) return named;
  // Packages install daemons in a folder that is not on every user's PATH.
  const QString here = QCoreApplication::applicationDirPath();
  const QString beside = QStandardPaths::findExecutable(name, {here, here + QStringLiteral("/../sbin")});
  return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

QString PrivateDaemon::socket() const {
  return folder_.filePath(QStringLiteral("api"));
}

QString PrivateDaemon::configuration() const {
  qint64 octets = 0;
  for (const QString& file : files_) {
    struct stat facts {};
    if (stat(native_name(file).constData(), &facts) == 0) octets += facts.st_size;
  }
  const qint64 ring = std::clamp(octets + octets / 4, kSmallestRing, kLargestRing);
  return QStringLiteral(R"([capture]
queue = "16 MiB"
[analysis]
threads = %1
[limits]
messages = %2
findings = %3
ended_queue_pairs = %4
[api]
socket = "%5"
socket_mode = "0600"
[metrics]
address = ""
[event_log]
enabled = false
[journal]
enabled = false
[history]
enabled = false
[recorder]
enabled = true
folder = "%6"
at_least = "none"
ring = "%7 B"
[process]
user = ""
group = ""
log_level = "warning"
)")
      .arg(std::clamp(QThread::idealThreadCount() - 1, 1, 8))
      .arg(kMostMessages)
      .arg(kMostFindings)
      .arg(kMostEnded)
      .arg(socket(), folder_.filePath(QStringLiteral("recordings")))
      .arg(ring);
}

QString PrivateDaemon::write_configuration() {
  QFile file(folder_.filePath(QStringLiteral("iwarpscoped.toml")));
  const QByteArray text = configuration().toUtf8();
  if (!folder_.isValid() || !file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.flush()) {
    return {};
  }
  return file.fileName();
}

/// Arguments of a process are UTF-8, so a file whose name is not UTF-8 gets a link with a UTF-8 name.
QString PrivateDaemon::path_for_daemon(qsizetype file) const {
  QString path = QFileInfo(files_[file]).absoluteFilePath();
  if (shown_name(path) == path) return path;
  const QDir folder(folder_.filePath(QString::number(file)));
  const QString link = folder.filePath(QFileInfo(shown_name(path)).fileName());
  const bool is_made =
      QDir().mkpath(folder.path()) && symlink(native_name(path).constData(), QFile::encodeName(link).constData()) == 0;
  return is_made ? link : shown_name(path);
}

void PrivateDaemon::start() {
  const QString found = program();
  if (found.isEmpty()) {
    emit failed(
        tr("The program iwarpscoped reads the file, but it was not found, neither next to this program nor on the "
           "PATH. Is the package iwarpscope installed?"));
    return;
  }
  const QString configured = write_configuration();
  if (configured.isEmpty()) {
    emit failed(tr("Cannot write temporary files in %1.").arg(QDir::tempPath()));
    return;
  }
  QStringList arguments{QStringLiteral("--config"), configured};
  for (qsizetype i = 0; i < files_.size(); ++i) arguments << QStringLiteral("--replay") << path_for_daemon(i);
  process_.start(found, arguments);
  looks_.start();
}

void PrivateDaemon::look() {
  if (!QFileInfo::exists(socket())) return;
  looks_.stop();
  emit ready();
}

void PrivateDaemon::finished() {
  looks_.stop();
  if (ending_) return;
  last_words_ = (last_words_ + process_.readAll()).right(kLastWords);
  QString words = QString::fromUtf8(last_words_).trimmed().section(QLatin1Char('\n'), -1);
  words.remove(QRegularExpression(QStringLiteral("^iwarpscoped: (error: |warning: )?")));  // the program's name
  emit failed(words.isEmpty() ? tr("The daemon that reads the file has ended.") : words);
}

}  // namespace iwarpscope::gui
