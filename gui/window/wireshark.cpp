#include "window/wireshark.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>

namespace iwarpscope::gui {
namespace {

class Wireshark {
  Q_DECLARE_TR_FUNCTIONS(Wireshark)
};

}  // namespace

QString open_in_wireshark(const QString& file, FrameNumber frame) {
  const QString named = qEnvironmentVariable("IWARPSCOPE_WIRESHARK", QStringLiteral("wireshark"));
  const QString program = QStandardPaths::findExecutable(named);
  if (program.isEmpty())
    return Wireshark::tr("Wireshark is not installed: there is no program %1 on the PATH.").arg(named);
  QStringList arguments{QStringLiteral("-r"), file};
  if (frame.value != 0) arguments << QStringLiteral("-g") << QString::number(frame.value);
  if (QProcess::startDetached(program, arguments)) return {};
  return Wireshark::tr("%1 cannot be started.").arg(program);
}

}  // namespace iwarpscope::gui
