// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/wireshark.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>

namespace iwarpscope::gui {
namespace {

class Wireshark {
  Q_DECLARE_TR_FUNCTIONS(Wireshark)
};

/// `place`: arguments with the position.
QString start(const QString& file, const QStringList& place) {
  const QString named = qEnvironmentVariable("IWARPSCOPE_WIRESHARK", QStringLiteral("wireshark"));
  const QString program = QStandardPaths::findExecutable(named);
  if (program.isEmpty())
    return Wireshark::tr("Wireshark is not installed: the program %1 is not on the PATH.").arg(named);
  if (QProcess::startDetached(program, QStringList{QStringLiteral("-r"), file} + place)) return {};
  return Wireshark::tr("%1 cannot be started.").arg(program);
}

}  // namespace

QString wireshark_filter(const net::Endpoint& a, const net::Endpoint& b, bool over_sctp) {
  const auto end = [over_sctp](const net::Endpoint& one) {
    return QStringLiteral("%1.addr == %2 && %3.port == %4")
        .arg(QLatin1String(one.address.is_v4() ? "ip" : "ipv6"), QString::fromStdString(one.address.text()),
             QLatin1String(over_sctp ? "sctp" : "tcp"))
        .arg(one.port);
  };
  return QStringLiteral("%1 && %2").arg(end(a), end(b));
}

QString open_in_wireshark(const QString& file, FrameNumber frame) {
  if (frame.value == 0) return start(file, {});
  return start(file, {QStringLiteral("-g"), QString::number(frame.value)});
}

QString open_in_wireshark(const QString& file, const std::optional<TimePoint>& time) {
  if (!time || time->ns < 0) return start(file, {});
  constexpr std::int64_t kSecond = 1'000'000'000;
  const QString seconds =
      QStringLiteral("%1.%2").arg(time->ns / kSecond).arg(time->ns % kSecond, 9, 10, QLatin1Char('0'));
  return start(file, {QStringLiteral("-J"), QStringLiteral("frame.time_epoch >= %1").arg(seconds)});
}

}  // namespace iwarpscope::gui
