// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/report.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace iwarpscope::gui {

QString write_report(const QByteArray& html, const QString& name) {
  QSaveFile file(name);
  if (file.open(QIODevice::WriteOnly) && file.write(html) == html.size() && file.commit()) return {};
  return QCoreApplication::translate("Report", "%1 cannot be written: %2.").arg(name, file.errorString());
}

}  // namespace iwarpscope::gui
