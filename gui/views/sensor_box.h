// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// All sensors of a centre, or one of them.
#pragma once

#include <QComboBox>
#include <QStringList>

namespace iwarpscope::gui {

class SensorBox : public QComboBox {
  Q_OBJECT

 public:
  /// `name`: for screen readers, what the choice does.
  explicit SensorBox(const QString& name, QWidget* parent = nullptr);
  /// The chosen one stays chosen, also when it was removed at the centre.
  void set_names(QStringList names);
  /// Empty: all.
  [[nodiscard]] QString sensor() const;
  void choose_all() { setCurrentIndex(0); }

 signals:
  /// Another one; empty: all.
  void chosen(const QString& name);
};

}  // namespace iwarpscope::gui
