// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/recent_files.h"

#include <QFileInfo>

namespace iwarpscope::gui {
namespace {

const QString kRecentKey = QStringLiteral("recent-files");

}  // namespace

QStringList RecentFiles::all() const {
  QStringList files = settings_.value(kRecentKey).toStringList();
  files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
  return files;
}

void RecentFiles::note(const QStringList& files) {
  QStringList known = all();
  for (const QString& file : files) {
    const QString path = QFileInfo(file).absoluteFilePath();
    known.removeAll(path);
    known.prepend(path);
  }
  settings_.setValue(kRecentKey, known.mid(0, kMost));
}

void RecentFiles::forget() {
  settings_.remove(kRecentKey);
}

}  // namespace iwarpscope::gui
