// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <QObject>

namespace iwarpscope::gui {

/// Shows tips of tables as they are. Qt would read a tip that looks like HTML as such, and open files that a sensor
/// names in it. Install it on the application.
class PlainTips : public QObject {
 public:
  using QObject::QObject;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace iwarpscope::gui
