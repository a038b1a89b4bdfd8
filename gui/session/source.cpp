#include "session/source.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace iwarpscope::gui {

QString Source::title() const {
  if (!is_file()) return name.isEmpty() ? QString::fromStdString(place.text()) : name;
  QString first = QFileInfo(files.front()).fileName();
  if (files.size() == 1) return first;
  return QCoreApplication::translate("Source", "%1 and %n more", nullptr, static_cast<int>(files.size()) - 1)
      .arg(first);
}

}  // namespace iwarpscope::gui
