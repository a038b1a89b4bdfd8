// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Shows that the connection is lost, since when, and when it is tried again; for a file, that its reader has ended.
#pragma once

#include <QTimer>

#include "session/session.h"
#include "views/banner.h"

class QLabel;
class QPushButton;

namespace iwarpscope::gui {

class ConnectionBanner : public Banner {
  Q_OBJECT

 public:
  explicit ConnectionBanner(QWidget* parent = nullptr);
  /// `as_of`: the time of the displayed data; empty: none. `is_file`: it can be opened again.
  void show_link(const Link& link, const QString& as_of, bool is_file = false);
  /// "Next attempt in 4 s"; empty: no attempt follows.
  [[nodiscard]] QString countdown() const;

 signals:
  // A button was pressed.
  void try_wanted();
  void open_wanted();

 private:
  void count();
  Link link_;
  QLabel* countdown_;
  QPushButton* now_;
  QPushButton* again_;
  QTimer ticks_;
};

/// "05:40:12 UTC" today, or with the date of an earlier day.
[[nodiscard]] QString clock_text(TimePoint time);

}  // namespace iwarpscope::gui
