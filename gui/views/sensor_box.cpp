// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/sensor_box.h"

#include <QSignalBlocker>

namespace iwarpscope::gui {

SensorBox::SensorBox(const QString& name, QWidget* parent) : QComboBox(parent) {
  setAccessibleName(name);
  setSizeAdjustPolicy(AdjustToContents);
  addItem(tr("All sensors"));
  connect(this, &QComboBox::currentIndexChanged, this, [this] { emit chosen(sensor()); });
}

QString SensorBox::sensor() const {
  return currentIndex() <= 0 ? QString() : currentText();
}

void SensorBox::set_names(QStringList names) {
  const QString kept = sensor();
  if (!kept.isEmpty() && !names.contains(kept)) names << kept;
  QStringList before;
  for (int i = 1; i < count(); ++i) before << itemText(i);
  if (names == before) return;
  const QSignalBlocker quiet(this);
  while (count() > 1) removeItem(count() - 1);
  addItems(names);
  setCurrentIndex(kept.isEmpty() ? 0 : 1 + static_cast<int>(names.indexOf(kept)));
}

}  // namespace iwarpscope::gui
