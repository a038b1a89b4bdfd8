// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A daemon that is not a private one: a test starts and ends it.
#pragma once

#include <gtest/gtest.h>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include "session/private_daemon.h"
#include "session/source.h"

namespace iwarpscope::test {

/// For one of samples/.
inline QString sample(const char* name) {
  return QStringLiteral(IWARPSCOPE_SAMPLES "/") + QLatin1String(name);
}

/// Replays a sample for all clients of its socket. Ends with its process.
class OwnDaemon {
 public:
  explicit OwnDaemon(const char* name) : sample_(sample(name)) {
    QFile file(configuration());
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(
        "[metrics]\naddress=\"\"\n[event_log]\nenabled=false\n[journal]\nenabled=false\n[history]\nenabled=false\n"
        "[recorder]\nenabled=false\n[process]\nuser=\"\"\ngroup=\"\"\n");
  }
  /// A different process each time.
  void start(QProcess& process) const { start(process, sample_); }
  /// `file`: to replay instead; "-" is what is written to the process.
  void start(QProcess& process, const QString& file) const {
    process.start(gui::PrivateDaemon::program(), {"--config", configuration(), "--socket", socket(), "-r", file});
  }
  [[nodiscard]] gui::Source source() const {
    gui::Source source;
    source.place.socket = socket().toStdString();
    return source;
  }

 private:
  [[nodiscard]] QString configuration() const { return folder_.filePath(QStringLiteral("c.toml")); }
  [[nodiscard]] QString socket() const { return folder_.filePath(QStringLiteral("api")); }

  const QTemporaryDir folder_;
  const QString sample_;
};

}  // namespace iwarpscope::test
